// When a rule sends its digest of the day. Pure.

import { dayAfter, localTextAt, startOfDay } from '@roadworthy/service-kit/time/zoned-time'

/** Every day at this time of a clock on the wall of the zone: `{ at: '07:30', timeZone: 'Europe/Berlin' }`. A quarter of an hour. */
export type Digest = { readonly at: string; readonly timeZone: string }

/** A day of the zone, and its one instant of the digest. */
export type DigestTime = { readonly day: string; readonly at: Date }

const QUARTER_HOUR_MS = 15 * 60_000

/** The last one that has come, and the one after it. */
export function digestTimes(digest: Digest, at: Date): { last: DigestTime; next: DigestTime } {
  const today = localTextAt(digest.timeZone, at.getTime()).slice(0, 10)
  const [yesterdays, todays, tomorrows] = [dayBefore(today), today, dayAfter(today)].map((day) => digestOf(digest, day))
  if (yesterdays === undefined || todays === undefined || tomorrows === undefined) throw new Error('a day has no digest')
  return todays.at <= at ? { last: todays, next: tomorrows } : { last: yesterdays, next: todays }
}

/**
 * On a day on which clocks go forward over the time, the first quarter of an hour after it; on one on which they go back over it, the first of
 * both. Where they go forward to midnight after it, the end of the day.
 */
function digestOf({ at, timeZone }: Digest, day: string): DigestTime {
  const untilMs = startOfDay(timeZone, dayAfter(day))
  for (let ms = startOfDay(timeZone, day); ms < untilMs; ms += QUARTER_HOUR_MS) {
    if (localTextAt(timeZone, ms).slice(11, 16) >= at) return { day, at: new Date(ms) }
  }
  return { day, at: new Date(untilMs) }
}

const DAY_MS = 86_400_000

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
}
