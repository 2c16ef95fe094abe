// Days as people choose and read them, in the time zone of this computer: `2026-11-02`.

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

const shownDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** `2 Nov 2026`. */
export function dayText(at: Date): string {
  return shownDay.format(at)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
