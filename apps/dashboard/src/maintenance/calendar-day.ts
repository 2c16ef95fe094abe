// Days as people choose and read them, in the time zone of this computer: `2026-11-02`.

import { locale } from '../text/preferences.ts'

export type Day = string

export function dayOf(at: Date): Day {
  return [String(at.getFullYear()).padStart(4, '0'), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
}

/**
 * A time of the day here that is on the same day in as many other time zones as can be, for a day is stored as a time: noon in UTC, or as close to that as
 * the day here has. Noon of Auckland is the evening before in UTC.
 */
export function middleOf(day: Day): Date {
  const noon = Date.parse(`${day}T12:00:00Z`)
  return new Date(Math.max(startOf(day).getTime(), Math.min(noon, lastMinuteOf(day).getTime())))
}

export function startOf(day: Day): Date {
  return new Date(`${day}T00:00:00`)
}

function lastMinuteOf(day: Day): Date {
  return new Date(`${day}T23:59:00`)
}

const shownDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })

/** `Nov 2, 2026`, as the language writes it. */
export function dayText(at: Date): string {
  return shownDay.format(at)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
