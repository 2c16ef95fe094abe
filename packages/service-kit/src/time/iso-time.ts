// Times of long answers. Of a whole fleet's positions, `Date.prototype.toISOString` is a sixth of what an answer costs the service (CPU profile of
// `bench/scenarios/whole-fleet.ts`), mostly for the calendar; and nearly all of its times are of one day.

const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1_000

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

let lastDay = Number.NaN
/** With the `T`. */
let lastDate = ''

/** `new Date(ms).toISOString()` in a third of the time. Throws RangeError where that would. */
export function isoTime(ms: number): string {
  const wholeMs = Math.trunc(ms)
  const day = Math.floor(wholeMs / DAY_MS)
  if (day !== lastDay) {
    const text = new Date(wholeMs).toISOString()
    lastDate = text.slice(0, text.indexOf('T') + 1)
    lastDay = day
  }
  const ofDayMs = wholeMs - day * DAY_MS
  const hours = twoDigits[Math.floor(ofDayMs / HOUR_MS)]
  const minutes = twoDigits[Math.floor((ofDayMs % HOUR_MS) / MINUTE_MS)]
  const seconds = twoDigits[Math.floor((ofDayMs % MINUTE_MS) / SECOND_MS)]
  const rest = ofDayMs % SECOND_MS
  return `${lastDate}${hours}:${minutes}:${seconds}.${rest < 100 ? '0' : ''}${rest < 10 ? '0' : ''}${rest}Z`
}
