/** The longest that a timer of Node or of a browser waits; a longer one would end at once. */
const MAX_TIMER_MS = 2_147_483_647

/** Time as the client knows it. Tests give another. */
export type Clock = {
  now(): number
  /** Rejects with the reason of the signal as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
        Math.min(ms, MAX_TIMER_MS),
      )
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
