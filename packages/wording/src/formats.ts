// Dates and numbers as a locale writes them.

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const

export type Formats = {
  /** With so many decimals at most. */
  readonly decimalNumber: (value: number, decimals: number) => string
  /** `Nov 20, 2026` of `2026-11-20`: days of a calendar have no time zone of their own. */
  readonly calendarDay: (date: string) => string
  /** `Nov 20, 2026, 12:00`. */
  readonly shortTime: (time: string | number | Date) => string
}

/** Without a time zone in that of this computer. */
export function formatsOf(locale: string, timeZone: string | undefined): Formats {
  const zone = timeZone === undefined ? {} : { timeZone }
  const toTheMinute = madeOnce(() => new Intl.DateTimeFormat(locale, { ...zone, ...DAY, hour: '2-digit', minute: '2-digit' }))
  const calendar = madeOnce(() => new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' }))
  const numbers = new Map<number, Intl.NumberFormat>()
  return {
    decimalNumber: (value, decimals) =>
      madeFor(numbers, decimals, () => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals })).format(value),
    calendarDay: (date) => calendar().format(new Date(`${date}T00:00:00Z`)),
    shortTime: (time) => toTheMinute().format(new Date(time)),
  }
}

/** A format takes far longer to make than to use, and most readers need few of them. */
function madeOnce<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

/** What `kept` has under the key, which are few; made when it is first asked for. */
export function madeFor<Key, Made>(kept: Map<Key, Made>, key: Key, make: () => Made): Made {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}
