// The engine's process: settings, one HTTP door, one ready line, a clean stop.
import type { AddressInfo } from 'node:net'
import { onParentExit } from '@roadworthy/service-kit/exit-with-parent'
import { Lifecycle } from '@roadworthy/service-kit/lifecycle'
import { createLogger } from '@roadworthy/service-kit/log'
import { buildEngineApp } from './http/build-engine-app.ts'
import { knowledgeModels } from './models/knowledge-models.ts'
import { watchEventLoop } from './overload.ts'
import { type EngineSettings, readInvocation } from './settings.ts'

/** In-flight requests take milliseconds; whatever is still open after this is a connection that does not let go. */
const DRAIN_BOUND_MS = 5000

const invocation = readInvocation(process.argv.slice(2), process.env)
if (invocation.kind === 'print') {
  const stream = invocation.exitCode === 0 ? process.stdout : process.stderr
  stream.write(invocation.text)
  process.exitCode = invocation.exitCode
} else {
  await run(invocation.settings)
}

async function run(settings: EngineSettings): Promise<void> {
  // Standard output carries the ready line and nothing else.
  const log = createLogger(settings.logLevel, process.stderr)
  const lifecycle = new Lifecycle(log)
  lifecycle.listen()
  const startedAtMs = performance.now()
  const monotonicMs = () => performance.now() - startedAtMs
  const loop = watchEventLoop(monotonicMs)
  const app = await buildEngineApp({
    logger: log,
    nowMs: () => Date.now(),
    monotonicMs,
    models: knowledgeModels,
    isDraining: () => lifecycle.signal.aborted,
    isOverloaded: loop.isOverloaded,
  })
  lifecycle.add({ name: 'http', stop: () => app.close(), boundMs: DRAIN_BOUND_MS, force: () => app.server.closeAllConnections() })
  if (settings.exitWithParent) onParentExit(() => void lifecycle.stop(0, 'the parent is gone'))

  const { host, enginePort } = settings
  try {
    await app.listen({ host, port: enginePort })
  } catch (error) {
    process.stderr.write(`${explainListenFailure(error as NodeJS.ErrnoException, host, enginePort)}\n`)
    process.exit(1)
  }
  const { address, port, family } = app.server.address() as AddressInfo
  console.log(`ready engine http://${family === 'IPv6' ? `[${address}]` : address}:${port}`)
}

function explainListenFailure({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `ENGINE_PORT is "${port}": it is in use on ${host}. Choose another one, or 0 for a free one.`
  return `HOST is "${host}": the engine cannot listen there (${message}).`
}
