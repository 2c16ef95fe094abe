// The one file that knows settings: flags and environment in, a checked configuration or every problem with it out.
import { parseArgs } from 'node:util'

export const editions = ['payg', 'byol'] as const

export type EngineConfig = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** `payg` asks for no licence. */
  readonly edition: 'payg'
  /** Stop when standard input closes, so that a parent killed with SIGKILL leaves no engine behind. */
  readonly exitWithParent: boolean
  readonly isCheckOnly: boolean
}

export const usage = `Usage: node services/engine/src/main.ts [options]

  --port N              port to listen on, 0 for a free one   (ENGINE_PORT, 8090)
  --host ADDRESS        address to listen on                  (HOST, 127.0.0.1)
  --edition NAME        payg                                  (ENGINE_EDITION, payg)
  --exit-with-parent    stop when standard input closes
  --check-config        check the settings and stop
  --help                show this

Prints one line when it takes requests:  ready engine http://127.0.0.1:8090`

export type ConfigOutcome = { readonly config: EngineConfig } | { readonly problems: readonly string[] } | { readonly help: true }

export function readConfig(env: Readonly<Record<string, string | undefined>>, args: readonly string[]): ConfigOutcome {
  let flags: ReturnType<typeof parseFlags>
  try {
    flags = parseFlags(args)
  } catch (error) {
    return { problems: [(error as Error).message] }
  }
  if (flags.help === true) return { help: true }
  const problems: string[] = []
  const portText = flags.port ?? env['ENGINE_PORT'] ?? '8090'
  const port = Number(portText)
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) {
    problems.push(`ENGINE_PORT (--port) is "${portText}"; it must be a whole number from 0 to 65535`)
  }
  const host = flags.host ?? env['HOST'] ?? '127.0.0.1'
  if (host.trim() === '') problems.push('HOST (--host) is empty; it must be an address to listen on')
  const edition = flags.edition ?? env['ENGINE_EDITION'] ?? 'payg'
  if (edition === 'byol') problems.push('ENGINE_EDITION is "byol"; this version of the engine verifies no licences, use payg')
  else if (edition !== 'payg') problems.push(`ENGINE_EDITION (--edition) is "${edition}"; it must be one of ${editions.join(', ')}`)
  if (problems.length > 0) return { problems }
  const exitWithParent = flags['exit-with-parent'] === true
  return { config: { host, port, edition: 'payg', exitWithParent, isCheckOnly: flags['check-config'] === true } }
}

function parseFlags(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      edition: { type: 'string' },
      'exit-with-parent': { type: 'boolean' },
      'check-config': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  return values
}
