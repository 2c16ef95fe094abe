// Schedules in words.

import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { days, distance, wholeNumber } from '../text/format.ts'
import { dayText } from './calendar-day.ts'

type Every = Schedule['every']

/** `every 40,000 km or 730 days`: whichever comes first. */
export function everyText({ km, engine_hours: engineHours, days: dayCount }: Every): string {
  const parts = [
    km === null ? undefined : kilometres(km),
    engineHours === null ? undefined : hours(engineHours),
    dayCount === null ? undefined : days(dayCount),
  ]
  return `every ${parts.filter((part) => part !== undefined).join(' or ')}`
}

/** When it falls due, as far as that is known: `at 211,300 km; expected about 2 Nov 2026`. */
export function nextText({ next }: Pick<Schedule, 'next'>): string {
  const { at, odometer_km: km, engine_hours: engineHours, expectedAt } = next
  const meters = [km === null ? undefined : `at ${kilometres(km)}`, engineHours === null ? undefined : `at ${hours(engineHours)}`]
  const isByCalendar = at !== null && at === expectedAt
  const parts = [
    at === null ? undefined : `on ${dayText(new Date(at))}`,
    ...meters,
    expectedAt === null || isByCalendar ? undefined : `expected about ${dayText(new Date(expectedAt))}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'Not known: the vehicle reports neither distance nor hours' : parts.join('; ')
}

function kilometres(km: number): string {
  return distance(km)
}

function hours(engineHours: number): string {
  return `${wholeNumber(engineHours)} engine hours`
}
