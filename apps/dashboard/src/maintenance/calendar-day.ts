// Days as people choose and read them, in the time zone of this computer: `2026-11-02`.

import { locale } from '../text/preferences.ts'

export type Day = string

export function dayOf(at: Date): Day {
  return [String(at.getFullYear()).padStart(4, '0'), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
}

/** The middle of the day, which calendars in most time zones put on the same day. */
export function middleOf(day: Day): Date {
  return new Date(`${day}T12:00:00`)
}

export function startOf(day: Day): Date {
  return new Date(`${day}T00:00:00`)
}

const shownDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })

/** `Nov 2, 2026`, as the language writes it. */
export function dayText(at: Date): string {
  return shownDay.format(at)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
