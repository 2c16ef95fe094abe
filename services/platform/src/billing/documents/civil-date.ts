// Days of the calendar that an invoice names: those of its own time zone.

/** `2026-10-31`: the day of the calendar in that time zone. */
export function civilDate(at: Date, timeZone: string): string {
  const parts = formatOf(timeZone)
    .formatToParts(at)
    .map(({ type, value }) => [type, value])
  const { year = '', month, day } = Object.fromEntries(parts) as { year?: string; month?: string; day?: string }
  return `${year.padStart(4, '0')}-${month}-${day}`
}

/** Making one takes longer than formatting a hundred dates. An invoice has one zone: the last one is kept. */
let kept: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined

function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (kept?.timeZone === timeZone) return kept.format
  const options = { calendar: 'gregory', timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  kept = { timeZone, format: new Intl.DateTimeFormat('en', options) }
  return kept.format
}

/** First and last day of a half-open span. */
export function civilDays(
  { from, until }: { readonly from: Date; readonly until: Date },
  timeZone: string,
): { first: string; last: string } {
  const lastMs = Math.max(from.getTime(), until.getTime() - 1)
  return { first: civilDate(from, timeZone), last: civilDate(new Date(lastMs), timeZone) }
}
