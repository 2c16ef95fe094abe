// The process that starts workers: signals, one ready line, a clean stop.
import { onParentExit } from '@roadworthy/service-kit/process/exit-with-parent'
import { Lifecycle } from '@roadworthy/service-kit/process/lifecycle'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import type { Run } from '../settings.ts'
import { DRAIN_BOUND_MS, INPUT_STOP_BOUND_MS } from '../stop-bounds.ts'
import { WorkerEnded, Workers } from './workers.ts'

/** Both of these, and a moment for the processes themselves. */
const STOP_BOUND_MS = DRAIN_BOUND_MS + INPUT_STOP_BOUND_MS + 1000

/** `script` is the engine's, which each worker runs with the arguments of this process. */
export async function runWorkers({ settings, workers: count }: Run, script: string): Promise<void> {
  const { logLevel, modelsPollIntervalS, exitWithParent } = settings
  const log = createLogger(logLevel, process.stderr)
  const lifecycle = new Lifecycle(log)
  lifecycle.listen(['SIGTERM', 'SIGINT'])
  const args = process.argv.slice(2)
  const workers = new Workers({ count, script, args, log, monotonicMs: () => performance.now(), random: Math.random })
  lifecycle.add({ name: 'workers', stop: () => workers.stop(), boundMs: STOP_BOUND_MS, force: () => workers.kill() })
  process.on('SIGHUP', () => workers.readModels({ force: true }))
  // All look at once: by a clock of its own each would serve another version than its neighbour for as long as the interval.
  if (modelsPollIntervalS > 0) setInterval(() => workers.readModels({ force: false }), modelsPollIntervalS * 1000).unref()
  if (exitWithParent) onParentExit(() => void lifecycle.stop(0, 'the parent is gone'))
  try {
    console.log(`ready engine ${await workers.start()}`)
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error
    if (!lifecycle.signal.aborted) process.exit(error.exitCode)
  }
}
