// Local times of a source, whose zone a person names.

import { isTimeZone, localTextAt } from '@roadworthy/service-kit/time/zoned-time'
import { BackfillProblem, shown } from './past-source.ts'

export function requireZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw new BackfillProblem(`${shown(timeZone)} is no time zone. Name one such as Europe/Berlin, or UTC.`)
}

const DAY_MS = 86_400_000
const TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d{1,9})?( ?(?:Z|[+-]\d{2}(?::?\d{2})?))?$/

/** Times as databases and spreadsheets write them, most without an offset. */
export class TimesOfZone {
  readonly #timeZone: string

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** In UTC; what has no form of a time, or is no date of a calendar, stays as it is, and is refused by its name. */
  toUtc(text: string): string {
    const [, day, time, fraction = '', offset] = TIME.exec(text) ?? []
    if (day === undefined || time === undefined) return text
    if (offset !== undefined) return `${day}T${time}${fraction}${wholeOffset(offset.trim())}`
    const local = `${day}T${time}`
    const asUtcMs = Date.parse(`${local}Z`)
    const isReal = !Number.isNaN(asUtcMs) && new Date(asUtcMs).toISOString().startsWith(local)
    // `Date` takes the 30th of February for the 2nd of March.
    if (this.#timeZone === 'UTC' || !isReal) return `${local}${fraction}Z`
    return `${new Date(this.#instantOf(asUtcMs)).toISOString().slice(0, 19)}${fraction}Z`
  }

  /**
   * The later of two where clocks go back over the time, and by the offset of before where they go forward over it: as PostgreSQL reads it, so that the tables of
   * a server are the same readings as its database.
   */
  #instantOf(asUtcMs: number): number {
    const [before, after] = [this.#offsetMs(asUtcMs - DAY_MS), this.#offsetMs(asUtcMs + DAY_MS)]
    if (before === after) return asUtcMs - before
    const instants = [before, after].map((offsetMs) => ({ atMs: asUtcMs - offsetMs, offsetMs }))
    const shown = instants.filter(({ atMs, offsetMs }) => this.#offsetMs(atMs) === offsetMs)
    return Math.max(...(shown.length > 0 ? shown : instants).map(({ atMs }) => atMs))
  }

  #offsetMs(atMs: number): number {
    return Date.parse(`${localTextAt(this.#timeZone, atMs)}Z`) - atMs
  }
}

function wholeOffset(offset: string): string {
  if (offset === 'Z') return offset
  const [sign, digits] = [offset[0], offset.slice(1).replace(':', '')]
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`
}
