// Times as an Indian platform shows them: by its own clocks, which are always five and a half hours ahead of UTC, and without a zone.

const OFFSET_MS = 5.5 * 3_600_000

/** `25-04-2019 03:35:40 PM` */
export function toLocalTime(ms: number): string {
  const [date = '', time = ''] = new Date(ms + OFFSET_MS).toISOString().slice(0, 19).split('T')
  const [year, month, day] = date.split('-')
  const hour = Number(time.slice(0, 2))
  const shown = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0')
  return `${day}-${month}-${year} ${shown}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The start of a day `DD/MM/YYYY`. */
export function startOfLocalDay(text: string): number {
  const [day, month, year] = text.split('/')
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`) - OFFSET_MS
}
