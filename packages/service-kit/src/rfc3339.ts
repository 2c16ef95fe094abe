/** RFC 3339 with a mandatory offset; group 7 is the fraction, 8 to 10 the offset. */
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * Milliseconds since the epoch of an RFC 3339 time, or undefined when it is not one. `Date` alone will not do: it reads
 * `2026-02-30` as 2 March, `1` as the year 2000, and a time without an offset as local. Fractions beyond a millisecond are cut off.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = RFC3339.exec(text)
  if (match === null) return undefined
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6])
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) return undefined
  const ms = match[7] === undefined ? 0 : Math.trunc(Number(`0${match[7]}`) * 1000 + 1e-6)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, ms)
  if (match[8] === undefined) return date.getTime()
  const offsetHour = Number(match[9])
  const offsetMinute = Number(match[10])
  if (offsetHour > 23 || offsetMinute > 59) return undefined
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000
  return match[8] === '+' ? date.getTime() - offsetMs : date.getTime() + offsetMs
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
