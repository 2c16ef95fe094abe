// Days of the time zone in which the person reads times: that of this computer, or UTC. `2026-11-02`.

export type Day = string
/** As in preferences.ts: undefined is the zone of this computer. */
type Zone = 'UTC' | undefined

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(startOf(text, 'UTC'), 'UTC') === text
}

export function dayOf(atMs: number, zone: Zone): Day {
  const at = new Date(atMs)
  const parts = zone === 'UTC' ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()] : [at.getFullYear(), at.getMonth(), at.getDate()]
  const [year = 0, month = 0, date = 0] = parts
  return [String(year).padStart(4, '0'), String(month + 1).padStart(2, '0'), String(date).padStart(2, '0')].join('-')
}

/** A day may have 23 or 25 hours: its end is where the next one begins. */
export function rangeOf(day: Day, zone: Zone): { fromMs: number; toMs: number } {
  return { fromMs: startOf(day, zone), toMs: startOf(dayAfter(day, 1), zone) }
}

export function dayAfter(day: Day, count: number): Day {
  return dayOf(startOf(day, 'UTC') + count * 86_400_000, 'UTC')
}

function startOf(day: Day, zone: Zone): number {
  return Date.parse(`${day}T00:00:00${zone === 'UTC' ? 'Z' : ''}`)
}
