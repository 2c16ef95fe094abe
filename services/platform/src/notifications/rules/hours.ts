// At which hours a rule sends. Pure. By quarter-hours, which the offsets of all zones are multiples of: so a day on which clocks change needs no rule
// of its own.

import { localTextAt } from '@roadworthy/service-kit/time/zoned-time'
import type { QuietHours, Rule, WorkingHours } from './rule.ts'

const QUARTER_HOUR_MS = 15 * 60_000
const DAY_MS = 86_400_000
/** Hours recur by the week. Those of one day of it that clocks go forward over come a week later: two weeks, and the rest of a day. */
const LOOKS_AHEAD_MS = 15 * DAY_MS

export type Hours = Pick<Rule, 'workingHours' | 'quietHours'>

/** The first instant from `at` on at which the rule may send. Undefined where its hours leave none. */
export function firstAllowed({ workingHours, quietHours }: Hours, timeZone: string, at: Date): Date | undefined {
  const isAllowed = (atMs: number) => {
    const local = localTextAt(timeZone, atMs)
    return isWorking(workingHours, local) && !isQuiet(quietHours, local.slice(11, 16))
  }
  if (isAllowed(at.getTime())) return at
  const first = Math.ceil((at.getTime() + 1) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
  for (let atMs = first; atMs <= first + LOOKS_AHEAD_MS; atMs += QUARTER_HOUR_MS) {
    if (isAllowed(atMs)) return new Date(atMs)
  }
  return undefined
}

function isWorking(hours: WorkingHours | undefined, local: string): boolean {
  if (hours === undefined) return true
  const time = local.slice(11, 16)
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay()
  return hours.days.includes(day === 0 ? 7 : day) && time >= hours.from && time < hours.to
}

function isQuiet(hours: QuietHours | undefined, time: string): boolean {
  if (hours === undefined) return false
  const { from, to } = hours
  return from < to ? time >= from && time < to : time >= from || time < to
}
