const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 15_000
/** Processes that lost the same broker must not all come back in the same moment. */
const JITTER_SHARE = 0.2

/** How long to wait after this many failures in a row: twice as long each time, up to a quarter of a minute. `random` is uniform in [0, 1). */
export function retryDelayMs(failureCount: number, random: () => number, firstDelayMs = FIRST_DELAY_MS): number {
  const delayMs = Math.min(MAX_DELAY_MS, firstDelayMs * 2 ** Math.max(0, failureCount - 1))
  return Math.round(delayMs * (1 + JITTER_SHARE * (2 * random() - 1)))
}
