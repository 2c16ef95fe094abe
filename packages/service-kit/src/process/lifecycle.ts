// What a process started, it stops: in reverse order, each part within its bound, on the first SIGTERM, SIGINT or SIGHUP. A second
// signal forces. Parts are registered before they are started, so a signal during start-up stops what is there by then.

import type { Logger } from '../telemetry/log.ts'

export type Part = {
  name: string
  stop: () => Promise<void>
  boundMs: number
  /** Ends the part at once, without waiting; for a second signal and for parts that outlive their bound. */
  force?: () => void
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * The reader of the log may end before the process: a pipe is closed, a terminal is gone. The process keeps running. There is nowhere to report the error;
 * without a listener it would be an uncaught exception, and the line of log about that would fail in the same way, again and again.
 */
function outliveReadersOfOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
}

export class Lifecycle {
  readonly #parts: Part[] = []
  readonly #log: Logger
  readonly #exit: (code: number) => void
  readonly #started = new AbortController()
  #stopping: Promise<void> | undefined

  constructor(log: Logger, exit: (code: number) => void = (code) => process.exit(code)) {
    this.#log = log
    this.#exit = exit
  }

  /** Aborts when the process has begun to stop. Start-up passes it on and checks it between steps. */
  get signal(): AbortSignal {
    return this.#started.signal
  }

  add(part: Part): void {
    this.#parts.push(part)
  }

  /** From here on signals stop the process, with exit code 0; all three, except in a service that uses SIGHUP for something else. */
  listen(signals: readonly NodeJS.Signals[] = SIGNALS): void {
    outliveReadersOfOutput()
    for (const name of signals) {
      process.on(name, () => {
        if (this.#stopping === undefined) void this.stop(0, name)
        else this.#force()
      })
    }
  }

  /** Stops everything and exits with the code. A part that fails or hangs does not keep the others from being stopped. */
  stop(exitCode: number, reason: string): Promise<void> {
    this.#stopping ??= this.#stopAll(exitCode, reason)
    return this.#stopping
  }

  async #stopAll(exitCode: number, reason: string): Promise<void> {
    this.#started.abort()
    // Whoever stops with a failure has reported what failed, in its own words: after a failed start nobody wants two more lines.
    const level = exitCode === 0 ? 'info' : 'debug'
    this.#log[level]({ reason }, 'stopping')
    for (const part of this.#parts.toReversed()) {
      try {
        await withinBound(part)
      } catch (err) {
        this.#log.error({ err }, `${part.name} did not stop cleanly`)
        part.force?.()
      }
    }
    this.#log[level]('stopped')
    this.#exit(exitCode)
  }

  #force(): void {
    for (const part of this.#parts) part.force?.()
    this.#exit(1)
  }
}

async function withinBound({ name, stop, boundMs }: Part): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${name} was not stopped in ${boundMs} ms`)), boundMs)
  try {
    await Promise.race([stop(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
