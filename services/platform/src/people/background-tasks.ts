// Work that begins after the response was sent, because its duration would reveal something to the caller.

import { Problem } from '@roadworthy/service-kit/http/problem'

const MAX_WAITING = 100

export class BackgroundTasks {
  readonly #onError: (error: Error) => void
  readonly #waiting = new Set<Promise<void>>()

  constructor(onError: (error: Error) => void) {
    this.#onError = onError
  }

  /** Begins in a moment. A failure is reported to the operator (`onError`): the caller has its response. */
  add(run: () => Promise<void>): void {
    if (this.#waiting.size >= MAX_WAITING) throw new Problem('overloaded', 'Too much is under way. Try again.', { retryAfterS: 5 })
    const done = new Promise<void>((resolve) => setImmediate(resolve)).then(run).catch(this.#onError)
    this.#waiting.add(done)
    void done.finally(() => this.#waiting.delete(done))
  }

  /** Resolves when all that was added is done, or this time is over. */
  async settled(withinMs = 60_000): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, withinMs)
    await Promise.race([Promise.all(this.#waiting), over])
    clearTimeout(timer)
  }
}
