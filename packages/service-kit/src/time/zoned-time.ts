// Days, hours and months in an IANA time zone, as half-open spans of instants. They begin and end on quarter-hours of UTC, which is what
// the offsets in use today are multiples of; an offset with seconds, as zones had before 1972, is not for this.

const QUARTER_HOUR_MS = 15 * 60_000
const HOUR_MS = 3_600_000
/** No zone is further from UTC (Pacific/Kiritimati, +14). */
const MAX_OFFSET_MS = 15 * HOUR_MS
/** Of days and months that somebody may ask for. Those of long before are none that a clock of a zone could show. */
const FIRST_YEAR = 1970
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const MONTH = /^(\d{4})-(\d{2})$/

/** `label` is `2026-11`, `2026-11-05` or, with its offset, `2026-11-05T13:00+05:30`. */
export type Period = { readonly label: string; readonly fromMs: number; readonly untilMs: number }
export type Granularity = 'month' | 'day' | 'hour'

/** Whether it is the name of a zone. `+05:30`, which JavaScript takes too, is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  if (formats.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Of 1970 and later. 9999-12-31 is none: no label is that of the day after it. */
export function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined || year < FIRST_YEAR || text === '9999-12-31') return false
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text)
}

/** So is December 9999. */
export function isMonth(text: string): boolean {
  return MONTH.test(text) && isDay(`${text}-01`) && text !== '9999-12'
}

export function dayAt(timeZone: string, atMs: number): Period {
  const label = localTextAt(timeZone, atMs).slice(0, 10)
  return { label, fromMs: startOfDay(timeZone, label), untilMs: startOfDay(timeZone, dayAfter(label)) }
}

export function monthAt(timeZone: string, atMs: number): Period {
  return monthOfLabel(timeZone, localTextAt(timeZone, atMs).slice(0, 7))
}

/** The month `YYYY-MM`. */
export function monthOfLabel(timeZone: string, label: string): Period {
  return { label, fromMs: startOfDay(timeZone, `${label}-01`), untilMs: startOfDay(timeZone, `${monthAfter(label)}-01`) }
}

/**
 * The first instant of a day `YYYY-MM-DD`: not always midnight, where clocks go forward over it. A day that a zone left out (Samoa has no
 * 2011-12-30) begins where the next one does.
 */
export function startOfDay(timeZone: string, day: string): number {
  const midnightMs = Date.parse(`${day}T00:00:00Z`)
  // Since 2011 (St. John's) no local date is followed by an earlier one, so the first instant that has reached this one is found by halving.
  let before = (midnightMs - MAX_OFFSET_MS) / QUARTER_HOUR_MS
  let reached = (midnightMs + MAX_OFFSET_MS) / QUARTER_HOUR_MS
  const look = (quarter: number): void => {
    if (quarter <= before || quarter >= reached) return
    if (localTextAt(timeZone, quarter * QUARTER_HOUR_MS).slice(0, 10) >= day) reached = quarter
    else before = quarter
  }
  // Nearly always it is where the offset of that night puts it.
  const offsetMs = Date.parse(`${localTextAt(timeZone, midnightMs)}Z`) - midnightMs
  const expected = Math.round((midnightMs - offsetMs) / QUARTER_HOUR_MS)
  look(expected)
  look(expected - 1)
  while (reached - before > 1) look(Math.floor((before + reached) / 2))
  return reached * QUARTER_HOUR_MS
}

/** The periods from the start of one day to the start of another, in order. Empty ones are left out. */
export function periodsBetween(timeZone: string, granularity: Granularity, fromDay: string, untilDay: string): Period[] {
  if (granularity === 'hour') return hoursBetween(timeZone, startOfDay(timeZone, fromDay), startOfDay(timeZone, untilDay))
  const length = granularity === 'month' ? 7 : 10
  const after = granularity === 'month' ? monthAfter : dayAfter
  const firstDayOf = (label: string) => (granularity === 'month' ? `${label}-01` : label)
  const periods: Period[] = []
  for (let label = fromDay.slice(0, length); firstDayOf(label) < untilDay; label = after(label)) {
    const fromMs = startOfDay(timeZone, firstDayOf(label))
    const untilMs = startOfDay(timeZone, firstDayOf(after(label)))
    if (fromMs < untilMs) periods.push({ label, fromMs, untilMs })
  }
  return periods
}

function hoursBetween(timeZone: string, fromMs: number, untilMs: number): Period[] {
  const starts: number[] = []
  for (let atMs = fromMs; atMs < untilMs; atMs += QUARTER_HOUR_MS) {
    if (atMs === fromMs || localTextAt(timeZone, atMs).slice(14, 16) === '00') starts.push(atMs)
  }
  return starts.map((startMs, nth) => ({ label: hourLabel(timeZone, startMs), fromMs: startMs, untilMs: starts[nth + 1] ?? untilMs }))
}

/** With the offset, or the hour that clocks go back over would have the label of the one before. */
function hourLabel(timeZone: string, atMs: number): string {
  const text = localTextAt(timeZone, atMs)
  const offsetMinutes = Math.round((Date.parse(`${text}Z`) - atMs) / 60_000)
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60]
  return `${text.slice(0, 16)}${offsetMinutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10)
}

/** The start of the day so many days from that of `at`. Negative: before it. */
export function dayFrom(timeZone: string, at: Date, days: number): Date {
  const { label } = dayAt(timeZone, at.getTime())
  const shifted = new Date(Date.parse(`${label}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10)
  return new Date(startOfDay(timeZone, shifted))
}

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${String(year + 1).padStart(4, '0')}-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`
}

export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1 ? `${String(year - 1).padStart(4, '0')}-12` : `${month.slice(0, 5)}${String(number - 1).padStart(2, '0')}`
}

/** Making one costs a thousand times what using it does, and each is some 60 KB. */
const formats = new Map<string, Intl.DateTimeFormat>()
/** More than there are zones. Who sets one may write it in upper and lower case, in any mixture. */
const MAX_FORMATS = 600

/** `2026-11-05T13:15:00`, as a clock on the wall shows it. */
export function localTextAt(timeZone: string, atMs: number): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
    if (formats.size >= MAX_FORMATS) formats.clear()
    formats.set(timeZone, format)
  }
  return format.format(atMs).replace(' ', 'T')
}
