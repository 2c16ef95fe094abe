// Schedules in words.

import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { days, distance, wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { dayText, middleOf } from './calendar-day.ts'
import type { Due } from './schedule-entry.ts'

type Every = Schedule['every']

/** `every 40,000 km or 730 days`: whichever comes first. */
export function everyText({ km, engine_hours: engineHours, days: dayCount }: Every): string {
  const parts = [
    km === null ? undefined : distance(km),
    engineHours === null ? undefined : hours(engineHours),
    dayCount === null ? undefined : days(dayCount),
  ]
  return t('every {interval}', { interval: joined(parts) })
}

/** When it falls due, as far as that is known: `at 211,300 km; expected about Nov 2, 2026`. */
export function nextText({ next }: Pick<Schedule, 'next'>): string {
  const { at, odometer_km: km, engine_hours: engineHours, expectedAt } = next
  const isByCalendar = at !== null && at === expectedAt
  const parts = [
    at === null ? undefined : t('on {day}', { day: dayText(new Date(at)) }),
    km === null ? undefined : t('at {reading}', { reading: distance(km) }),
    engineHours === null ? undefined : t('at {reading}', { reading: hours(engineHours) }),
    expectedAt === null || isByCalendar ? undefined : t('expected about {day}', { day: dayText(new Date(expectedAt)) }),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? t('Not known: the vehicle reports neither distance nor hours') : parts.join('; ')
}

/** Of a schedule that is being entered: what it comes to. */
export function previewText(entry: { readonly every: Every; readonly due: Due }): string {
  const { every, due } = entry
  const parts = [
    due.km === undefined
      ? every.km !== null && t('{distance} after the odometer of then', { distance: distance(every.km) })
      : t('at {reading}', { reading: distance(due.km) }),
    due.engineHours === undefined
      ? every.engine_hours !== null && t('{hours} after the hour meter of then', { hours: hours(every.engine_hours) })
      : t('at {reading}', { reading: hours(due.engineHours) }),
    due.day !== undefined && t('on {day}', { day: dayText(middleOf(due.day)) }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return t('Enter a distance, days or engine hours.')
  return parts.length === 1
    ? t('Next due {when}.', { when: joined(parts) })
    : t('Next due {when}, whichever comes first.', { when: joined(parts) })
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(` ${t('or')} `)
}

function hours(engineHours: number): string {
  return t('{count} engine hours', { count: wholeNumber(engineHours) })
}
