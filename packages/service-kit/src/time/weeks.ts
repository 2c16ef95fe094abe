// Weeks of UTC, from Monday to Monday: what readings are partitioned and sealed by.

const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS
/** 1970-01-05, a Monday. */
const SOME_MONDAY_MS = 4 * DAY_MS

/** When the week of that instant began, in ms since 1970. */
export function mondayMs(atMs: number): number {
  return atMs - ((((atMs - SOME_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS)
}
