// The engine's process: settings, one HTTP door, one ready line, a clean stop.
import type { AddressInfo } from 'node:net'
import { type EngineConfig, readConfig, usage } from './config.ts'
import { buildEngineApp } from './http/build-engine-app.ts'
import { createLog } from './log.ts'
import { knowledgeModels } from './models/knowledge-models.ts'
import { watchEventLoop } from './overload.ts'

/** In-flight requests take milliseconds; whatever is still open after this is a connection that does not let go. */
const DRAIN_LIMIT_MS = 5000

const outcome = readConfig(process.env, process.argv.slice(2))
if ('help' in outcome) console.log(usage)
else if ('problems' in outcome) refuseToStart(outcome.problems)
else if (outcome.config.isCheckOnly) console.log('The settings are good.')
else await run(outcome.config)

function refuseToStart(problems: readonly string[]): void {
  for (const problem of problems) console.error(`engine: ${problem}`)
  process.exitCode = 1
}

async function run(config: EngineConfig): Promise<void> {
  const nowMs = () => Date.now()
  const startedAtMs = performance.now()
  const monotonicMs = () => performance.now() - startedAtMs
  const log = createLog((line) => process.stderr.write(line), nowMs)
  const loop = watchEventLoop(monotonicMs)
  let isDraining = false
  const app = await buildEngineApp({
    logger: log,
    nowMs,
    monotonicMs,
    models: knowledgeModels,
    isDraining: () => isDraining,
    isOverloaded: loop.isOverloaded,
  })

  const stop = (why: string): void => {
    if (isDraining) return
    isDraining = true
    log.info({ why }, 'stopping')
    loop.stop()
    setTimeout(() => process.exit(0), DRAIN_LIMIT_MS).unref()
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  if (config.exitWithParent) process.stdin.on('close', () => stop('the parent is gone')).resume()

  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const where = `${config.host}:${config.port}`
    refuseToStart([
      code === 'EADDRINUSE'
        ? `${where} is in use; choose another ENGINE_PORT (--port), 0 for a free one`
        : `cannot listen on ${where}: ${message}`,
    ])
    process.exit()
  }
  const { address, port, family } = app.server.address() as AddressInfo
  console.log(`ready engine http://${family === 'IPv6' ? `[${address}]` : address}:${port}`)
}
