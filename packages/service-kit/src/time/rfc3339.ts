// RFC 3339 times. `Date` alone will not do: it reads `2026-02-30` as 2 March, `1` as the year 2000, and a time without an offset as local.
// Read digit by digit, because every reading has one: a regular expression takes three times as long and leaves eleven strings behind.

const DIGIT_0 = 0x30
const MAX_FRACTION_DIGITS = 9
/** `2026-01-31T08:15:00`, the part that is always there. */
const SECONDS_LENGTH = 19
/** `2026-01-31T08:15:00.000Z` */
const ISO_LENGTH = 24
/** 400 years of the Gregorian calendar, after which it repeats. */
const CYCLE_YEARS = 400
const CYCLE_MS = 146_097 * 86_400_000
const FIRST_MS = Date.UTC(CYCLE_YEARS, 0) - CYCLE_MS
const LAST_MS = Date.UTC(10_000, 0) - 1

/** Milliseconds since the epoch of an RFC 3339 time, or undefined when it is not one. Fractions beyond a millisecond are cut off. */
export function parseRfc3339(text: string): number | undefined {
  if (!isDateTimeForm(text)) return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  const isInRange = month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59
  // Comparisons with NaN are false, so a place without a digit ends here.
  if (!(year >= 0 && isInRange && day <= daysInMonth(year, month))) return undefined
  const fractionLength = text[SECONDS_LENGTH] === '.' ? countDigits(text, SECONDS_LENGTH + 1) : 0
  if (text[SECONDS_LENGTH] === '.' && (fractionLength < 1 || fractionLength > MAX_FRACTION_DIGITS)) return undefined
  const offsetAt = SECONDS_LENGTH + (fractionLength === 0 ? 0 : 1 + fractionLength)
  const offsetMs = parseOffset(text, offsetAt)
  if (offsetMs === undefined) return undefined
  // A cycle later, because Date.UTC takes the years 0 to 99 for the twentieth century.
  const wholeMs = Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second) - CYCLE_MS
  const atMs = wholeMs + milliseconds(text, fractionLength) - offsetMs
  // An offset may lead out of the years that have four digits, and no answer could name the time.
  return isRfc3339Ms(atMs) ? atMs : undefined
}

/** Whether RFC 3339 can write the time in UTC: from the year 0000 to 9999. PostgreSQL stores all of these. */
export function isRfc3339Ms(atMs: number): boolean {
  return atMs >= FIRST_MS && atMs <= LAST_MS
}

/** Whether an RFC 3339 time is written as `Date.toISOString` writes it, which takes a microsecond to write it anew. */
export function isIsoForm(text: string): boolean {
  return text.length === ISO_LENGTH && text[10] === 'T' && text[SECONDS_LENGTH] === '.' && text[ISO_LENGTH - 1] === 'Z'
}

/** Whether the separators are where they belong. */
function isDateTimeForm(text: string): boolean {
  const separator = text[10]
  return (
    text.length > SECONDS_LENGTH &&
    text[4] === '-' &&
    text[7] === '-' &&
    (separator === 'T' || separator === 't' || separator === ' ') &&
    text[13] === ':' &&
    text[16] === ':'
  )
}

/** The number of exactly `count` digits at `at`, or NaN. */
function digits(text: string, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = text.charCodeAt(i) - DIGIT_0
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function countDigits(text: string, at: number): number {
  let end = at
  while (digits(text, end, 1) >= 0) end++
  return end - at
}

function milliseconds(text: string, fractionLength: number): number {
  const known = Math.min(fractionLength, 3)
  return known === 0 ? 0 : digits(text, SECONDS_LENGTH + 1, known) * 10 ** (3 - known)
}

/** `Z` or `+05:30`, up to the end of the text. */
function parseOffset(text: string, at: number): number | undefined {
  const sign = text[at]
  if ((sign === 'Z' || sign === 'z') && text.length === at + 1) return 0
  if ((sign !== '+' && sign !== '-') || text.length !== at + 6 || text[at + 3] !== ':') return undefined
  const hour = digits(text, at + 1, 2)
  const minute = digits(text, at + 4, 2)
  if (!(hour <= 23 && minute <= 59)) return undefined
  const offsetMs = (hour * 60 + minute) * 60_000
  return sign === '+' ? offsetMs : -offsetMs
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
