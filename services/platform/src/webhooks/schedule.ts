// When a delivery is attempted: Standard Webhooks' table, jittered, with what the receiver asks for taken into account.

/** Waits before each attempt, in seconds; ten attempts in 75 h 35 min. Spec gap §6.1. */
export const scheduleS: readonly number[] = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** So that what failed together does not come back together. */
const JITTER = 0.2
/** A receiver that is overwhelmed is not helped by a repeat after five seconds. */
const LEAST_WAIT_WHEN_OVERWHELMED_MS = 60_000

export type FailedAttempt = {
  /** It answered 429, or not in time. */
  readonly isOverwhelmed: boolean
  readonly retryAfterMs: number | undefined
}

/**
 * How long to wait after the attempt of this step (0 is the first) has failed; undefined when it was the last. `Retry-After` is followed
 * between the wait of the schedule and twice that.
 */
export function waitAfterMs(step: number, { isOverwhelmed, retryAfterMs }: FailedAttempt, random: () => number): number | undefined {
  const scheduledS = scheduleS[step + 1]
  if (scheduledS === undefined) return undefined
  const scheduledMs = scheduledS * 1000
  const waitMs =
    retryAfterMs === undefined
      ? scheduledMs * (1 - JITTER + 2 * JITTER * random())
      : Math.min(Math.max(retryAfterMs, scheduledMs), 2 * scheduledMs)
  return Math.round(isOverwhelmed ? Math.max(waitMs, LEAST_WAIT_WHEN_OVERWHELMED_MS) : waitMs)
}

/** RFC 9110 §10.2.3: seconds, or a date. Undefined when it is neither. */
export function parseRetryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const atMs = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - now.getTime())
}
