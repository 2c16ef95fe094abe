// For commands that run until they are stopped: the first signal asks them to end in order, the second ends them.

import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly exitCode: number
  constructor(signal: (typeof SIGNALS)[number]) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Aborts with `Stopped` on the first signal. */
export function stopOnSignals(): AbortSignal {
  const stopping = new AbortController()
  for (const name of SIGNALS) {
    process.on(name, () => {
      const stopped = new Stopped(name)
      if (stopping.signal.aborted) process.exit(stopped.exitCode)
      stopping.abort(stopped)
    })
  }
  return stopping.signal
}
