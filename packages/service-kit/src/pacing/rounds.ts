import { setTimeout as delay } from 'node:timers/promises'

export type Rounds = {
  /** Resolves when the round under way is over. */
  stop(): Promise<void>
}

/** Runs rounds until stopped. Each answers how long to wait for the next; one that fails is reported and tried again after `retryMs`. */
export function startRounds(round: () => Promise<number>, retryMs: number, onError: (error: unknown) => void): Rounds {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      const waitMs = await round().catch((error: unknown) => {
        onError(error)
        return retryMs
      })
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
