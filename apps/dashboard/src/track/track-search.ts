import { type Day, isDay } from './track-day.ts'

/** Without a day, today. */
export type TrackSearch = { day?: Day }

/** The address is typed by people too: what makes no sense is left out. */
export function readTrackSearch({ day }: Record<string, unknown>): TrackSearch {
  return typeof day === 'string' && isDay(day) ? { day } : {}
}
