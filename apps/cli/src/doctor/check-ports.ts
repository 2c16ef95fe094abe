// Whether the service could open its ports. Asked only where it does not run.

import { createServer } from 'node:net'
import { listenPorts, type PlatformSettings } from '@roadworthy/platform/main/settings/settings'
import { type Finding, okay, wrong } from '../finding.ts'

export async function checkPorts(settings: PlatformSettings): Promise<Finding> {
  const wanted = listenPorts(settings).filter(({ port, name }) => port !== 0 && name !== 'DATABASE_PORT')
  const tried = await Promise.all(wanted.map(async (each) => ({ ...each, code: await tryListen(each.host, each.port) })))
  const refused = tried.filter(({ code }) => code !== undefined)
  if (refused.length === 0) return okay('ports', `${wanted.map(({ port }) => port).join(', ')} are free`)
  const listed = refused.map(({ name, port, code }) => `${name} ${port} (${code})`)
  const [first] = refused
  const other = `choose another with --${first?.name.toLowerCase().replaceAll('_', '-')} (0 picks a free one)`
  return wrong('ports', {
    detail: `cannot be opened: ${listed.join(', ')}.`,
    why: 'The service does not start while another program has one of its ports, or the account may not open it.',
    fix: `Find out which program it is (ss -ltnp, or lsof -i :${first?.port}) and stop it, or ${other}.`,
  })
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
