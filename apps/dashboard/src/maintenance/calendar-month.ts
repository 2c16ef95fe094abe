// A month of maintenance, day by day. Pure.

import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { Prediction } from '@roadworthy/contracts/platform-v1/predictions'
import { componentName } from '../health/component-name.ts'
import { type Day, dayOf } from './calendar-day.ts'

/** `2026-11`. */
export type Month = string

/** `expected` is reckoned from use, `predicted` from wear: neither is a date that anybody set. */
export type EntryKind = 'overdue' | 'due' | 'expected' | 'predicted' | 'planned' | 'done'

export type CalendarEntry = {
  readonly key: string
  readonly kind: EntryKind
  readonly day: Day
  readonly vehicleId: string
  readonly title: string
  readonly scheduleId: string | null
  /** Of a prediction: between which days the part is expected to fail. */
  readonly between?: readonly [Day, Day]
}

const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7

export function monthOf(at: Date): Month {
  return dayOf(at).slice(0, 7)
}

export function isMonth(text: unknown): text is Month {
  return typeof text === 'string' && /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text)
}

/** The month so many months later, or earlier. */
export function shiftMonth(month: Month, by: number): Month {
  const { year, index } = partsOf(month)
  return monthOf(new Date(year, index + by, 1))
}

export function rangeOf(month: Month): { from: Date; to: Date } {
  const { year, index } = partsOf(month)
  return { from: new Date(year, index, 1), to: new Date(year, index + 1, 1) }
}

/** Whole weeks from Monday (ISO 8601); days of other months are `undefined`. */
export function weeksOf(month: Month): (Day | undefined)[][] {
  const { year, index } = partsOf(month)
  const leading = (new Date(year, index, 1).getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  const count = new Date(year, index + 1, 0).getDate()
  const days: (Day | undefined)[] = [
    ...Array.from({ length: leading }, () => undefined),
    ...Array.from({ length: count }, (_, i) => dayOf(new Date(year, index, i + 1))),
  ]
  while (days.length % DAYS_OF_WEEK !== 0) days.push(undefined)
  return Array.from({ length: days.length / DAYS_OF_WEEK }, (_, week) => days.slice(week * DAYS_OF_WEEK, (week + 1) * DAYS_OF_WEEK))
}

type MonthOfWork = {
  readonly work: readonly Maintenance[]
  readonly schedules: readonly Schedule[]
  readonly predictions: readonly Prediction[]
}

/** What falls on days of the month, earliest first, and of one day the most urgent first. `startOfToday`: work of before is overdue. */
export function entriesOf(month: Month, { work, schedules, predictions }: MonthOfWork, startOfToday: Date): CalendarEntry[] {
  const entries = [
    ...work.flatMap((record) => ofWork(record, startOfToday)),
    ...schedules.flatMap(ofSchedule),
    ...predictions.map(ofPrediction),
  ]
  const inMonth = entries.filter(({ day }) => day.startsWith(month))
  return inMonth.sort((a, b) => a.day.localeCompare(b.day) || order.indexOf(a.kind) - order.indexOf(b.kind))
}

const order: readonly EntryKind[] = ['overdue', 'due', 'expected', 'planned', 'predicted', 'done']

function ofWork({ id, vehicleId, component, notes, completedAt, dueAt, scheduleId }: Maintenance, startOfToday: Date): CalendarEntry[] {
  const at = completedAt ?? dueAt
  if (at === null) return []
  const day = dayOf(new Date(at))
  const kind = completedAt !== null ? 'done' : new Date(at) < startOfToday ? 'overdue' : 'planned'
  return [
    {
      key: id,
      kind,
      day,
      vehicleId,
      title: notes === null ? componentName(component) : `${componentName(component)}: ${notes}`,
      scheduleId,
    },
  ]
}

function ofSchedule({ id, vehicleId, title, status, next }: Schedule): CalendarEntry[] {
  if (next.expectedAt === null) return []
  const isByCalendar = next.at === next.expectedAt
  const kind = status === 'overdue' ? 'overdue' : isByCalendar ? 'due' : 'expected'
  return [{ key: id, kind, day: dayOf(new Date(next.expectedAt)), vehicleId, title, scheduleId: id }]
}

function ofPrediction({ id, vehicleId, component, rul_days: days, interval, updatedAt }: Prediction): CalendarEntry {
  const dayIn = (count: number) => dayOf(new Date(Date.parse(updatedAt) + count * DAY_MS))
  const [low = days, high = days] = interval
  return {
    key: id,
    kind: 'predicted',
    day: dayIn(days),
    vehicleId,
    title: componentName(component),
    scheduleId: null,
    between: [dayIn(low), dayIn(high)],
  }
}

function partsOf(month: Month): { year: number; index: number } {
  return { year: Number(month.slice(0, 4)), index: Number(month.slice(5)) - 1 }
}
