/** How long after its end a month is final, for what was counted and not yet stored; and an hour, so that it does not change within a test. */
const FINAL_AFTER_MS = 25 * 3_600_000

/** The newest month whose usage is final, in UTC: last month, or the one before on the first day of a month. */
export function newestClosedMonth(): string {
  const then = new Date(Date.now() - FINAL_AFTER_MS)
  return new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() - 1, 15)).toISOString().slice(0, 7)
}
