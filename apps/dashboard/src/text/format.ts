// How values are written. Pure, so that every page writes them alike.

import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { formatsOf } from '@roadworthy/wording/formats'
import { locale, timeZone } from './preferences.ts'
import { t } from './translate.ts'
import { shownUnit, shownValue } from './units.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What people call the vehicle: its plate, or the caller's own reference, or the best of what is left. */
export function vehicleLabel(vehicle: Pick<Vehicle, 'name' | 'licensePlate' | 'externalRef' | 'vin' | 'id'>): string {
  const { name, licensePlate, externalRef, vin, id } = vehicle
  return licensePlate ?? name ?? externalRef ?? vin ?? id
}

/** Make, model and year, as far as known. */
export function vehicleKind({ make, model, year }: Pick<Vehicle, 'make' | 'model' | 'year'>): string {
  return [make, model, year].filter((part) => part !== null).join(' ')
}

/** `just now`, `12 s ago`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function timeAgo(time: string | null, nowMs: number): string {
  if (time === null) return t('never')
  // The clock of a device, or of this computer, may run ahead.
  const agoMs = Math.max(0, nowMs - Date.parse(time))
  if (agoMs < 5_000) return t('just now')
  if (agoMs < MINUTE_MS) return t('{count} s ago', { count: Math.floor(agoMs / 1000) })
  if (agoMs < HOUR_MS) return t('{count} min ago', { count: Math.floor(agoMs / MINUTE_MS) })
  if (agoMs < DAY_MS) return t('{count} h ago', { count: Math.floor(agoMs / HOUR_MS) })
  return t('{count, plural, one {# day ago} other {# days ago}}', { count: Math.floor(agoMs / DAY_MS) })
}

/** `decimalNumber(12.5, 1)`, `shortTime(…)` as `Nov 20, 2026, 12:00`, and `calendarDay('2026-11-20')` as `Nov 20, 2026`. */
export const { decimalNumber, shortTime, calendarDay } = formatsOf(locale, timeZone)

const zone = timeZone === undefined ? {} : { timeZone }
const day = { year: 'numeric', month: 'short', day: 'numeric' } as const

const absolute = new Intl.DateTimeFormat(locale, {
  ...zone,
  ...day,
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
} as const)
const timeOfDay = new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** In the time zone of the person, which it names. */
export function absoluteTime(time: string): string {
  return absolute.format(new Date(time))
}

/** `12:00:00`. */
export function clockTime(time: string | number): string {
  return timeOfDay.format(new Date(time))
}

const toTheDay = new Intl.DateTimeFormat(locale, { ...zone, ...day })

/** `Nov 20, 2026`. */
export function shortDay(time: string | number): string {
  return toTheDay.format(new Date(time))
}

/** Months of a calendar have no time zone of their own. */
const monthAndYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `March 2026` of `2026-03`. */
export function monthName(month: string): string {
  return monthAndYear.format(new Date(`${month}-01T00:00:00Z`))
}

/** `62 %` of 0.62, as the language writes it. */
export function percent(share: number): string {
  return `${wholeNumber(share * 100)} %`
}

/** Of what is foretold, which is never certain: the sentences of the engine stop at 99 % as well. */
export function chance(probability: number): string {
  return percent(Math.min(0.99, probability))
}

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** `12,500`. */
export function wholeNumber(value: number): string {
  return whole.format(value)
}

/** Remaining life as `26 days`. */
export function days(count: number): string {
  return t('{count, plural, one {# day} other {# days}}', { count: Math.round(count) })
}

/** `11–48 days`: in 8 of 10 cases the part lasts between the two. */
export function daysBetween([low, high]: readonly number[]): string {
  return t('{low}–{high} days', { low: wholeNumber(low ?? 0), high: wholeNumber(high ?? 0) })
}

/** A distance in the unit of the person: `12,500 km`. */
export function distance(km: number): string {
  return measure(km, 'km')
}

/** A value of the API in the unit of the person, with as many decimals as that unit is read with: `83 °C`, `181 °F`, `13.9 V`. */
export function measure(value: number, unit: string): string {
  const number = unit === 'V' ? oneDecimal : whole
  return `${number.format(shownValue(unit, value))} ${shownUnit(unit)}`.trimEnd()
}
