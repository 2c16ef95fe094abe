/** Small enough for the days of every time zone to be cut out of it (+05:45). */
export const USAGE_BUCKET_MS = 15 * 60_000

/** Start of the quarter-hour in which something received at this time is counted, in ms since the epoch. */
export function usageBucketMs(receivedAtMs: number): number {
  return Math.floor(receivedAtMs / USAGE_BUCKET_MS) * USAGE_BUCKET_MS
}
