// Fields for a day and a time, which know no zone. They are of the zone in which the person reads times, so that what is typed is what a chart or a list shows. Pure.

import { timeZone } from './preferences.ts'

/** As in preferences.ts: undefined is the zone of this computer. */
type Zone = string | undefined

/** Else a browser takes years of six digits, which no time of the API has. */
export const LATEST_INPUT = '9999-12-31T23:59'

/** `2026-11-02T12:00`, as the field takes it. */
export function toInput(time: string, zone: Zone = timeZone): string {
  const date = new Date(time)
  const offsetMs = zone === 'UTC' ? 0 : date.getTimezoneOffset() * 60_000
  return new Date(date.getTime() - offsetMs).toISOString().slice(0, 16)
}

/** `2026-11-02T12:00:00.000Z`, of what the field gives. */
export function fromInput(text: string, zone: Zone = timeZone): string {
  return new Date(zone === 'UTC' ? `${text}Z` : text).toISOString()
}
