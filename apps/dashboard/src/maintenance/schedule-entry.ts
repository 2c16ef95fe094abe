// What a person enters for a schedule, as the API has it. Distances are in the unit of the person.

import type { CreateScheduleRequest, Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { givenValue, shownValue } from '../text/units.ts'
import { type Day, dayOf, middleOf } from './calendar-day.ts'

type Entered = string | number

export type ScheduleEntry = {
  readonly title: string
  readonly component: string
  readonly distance: Entered
  readonly days: Entered
  readonly engineHours: Entered
  /** Empty: it counts from now. */
  readonly lastDay: Day
  readonly lastOdometer: Entered
  readonly lastEngineHours: Entered
  readonly remindDistance: Entered
  readonly remindDays: Entered
}

export const emptySchedule: ScheduleEntry = {
  ...{ title: '', component: '', distance: '', days: '', engineHours: '', lastDay: '', lastOdometer: '', lastEngineHours: '' },
  ...{ remindDistance: '', remindDays: '' },
}

export function entryOfSchedule({ title, component, every, last, remind }: Schedule): ScheduleEntry {
  const shownKm = (km: number | null) => (km === null ? '' : Math.round(shownValue('km', km)))
  return {
    title,
    component,
    distance: shownKm(every.km),
    days: every.days ?? '',
    engineHours: every.engine_hours ?? '',
    lastDay: dayOf(new Date(last.at)),
    lastOdometer: shownKm(last.odometer_km),
    lastEngineHours: last.engine_hours ?? '',
    remindDistance: every.km === null ? '' : shownKm(remind.km),
    remindDays: remind.days,
  }
}

/** Whether it states when work is due at all. */
export function isReady({ title, component, distance, days, engineHours }: ScheduleEntry): boolean {
  return title.trim() !== '' && component.trim() !== '' && [distance, days, engineHours].some((value) => typeof value === 'number')
}

type Plan = Omit<CreateScheduleRequest, 'vehicleId'>

/** `known`: where it is changed and the day stays, the time of day stays too. */
export function toPlan(entry: ScheduleEntry, now: Date, known?: Schedule): Plan {
  const every = {
    ...amount('km', toKm(entry.distance)),
    ...amount('days', entry.days),
    ...amount('engine_hours', entry.engineHours),
  }
  const remind = { ...amount('km', toKm(entry.remindDistance)), ...amount('days', entry.remindDays) }
  return {
    title: entry.title.trim(),
    component: entry.component.trim(),
    every,
    ...(Object.keys(remind).length === 0 ? {} : { remind }),
    ...(entry.lastDay === '' ? {} : { last: toLast(entry, now, known) }),
  }
}

function toLast({ lastDay, lastOdometer, lastEngineHours }: ScheduleEntry, now: Date, known?: Schedule): NonNullable<Plan['last']> {
  const isSameDay = known !== undefined && dayOf(new Date(known.last.at)) === lastDay
  // The middle of today may be still to come, and work is not done in the future.
  const at = isSameDay ? new Date(known.last.at) : new Date(Math.min(middleOf(lastDay).getTime(), now.getTime()))
  return { at: at.toISOString(), ...amount('odometer_km', toKm(lastOdometer)), ...amount('engine_hours', lastEngineHours) }
}

export type Due = { readonly day: Day | undefined; readonly km: number | undefined; readonly engineHours: number | undefined }

/** When it will be due next, as far as it follows from what was entered. */
export function nextDue({ days, distance, engineHours, lastDay, lastOdometer, lastEngineHours }: ScheduleEntry, now: Date): Due {
  const from = lastDay === '' ? now : middleOf(lastDay)
  const sum = (last: Entered, every: Entered) => (typeof last === 'number' && typeof every === 'number' ? last + every : undefined)
  const km = sum(lastOdometer, distance)
  return {
    day: typeof days === 'number' ? dayOf(new Date(from.getFullYear(), from.getMonth(), from.getDate() + days)) : undefined,
    km: km === undefined ? undefined : givenValue('km', km),
    engineHours: sum(lastEngineHours, engineHours),
  }
}

function toKm(value: Entered): Entered {
  return typeof value === 'number' ? Math.round(givenValue('km', value)) : ''
}

function amount<Name extends string>(name: Name, value: Entered): { [name in Name]?: number } {
  return (typeof value === 'number' ? { [name]: value } : {}) as { [name in Name]?: number }
}
