// How values are written. Pure, so that every page writes them alike.

import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type SignalName, signals } from '@roadworthy/signals/registry'

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
  if (time === null) return 'never'
  // The clock of a device, or of this computer, may run ahead.
  const agoMs = Math.max(0, nowMs - Date.parse(time))
  if (agoMs < 5_000) return 'just now'
  if (agoMs < MINUTE_MS) return `${Math.floor(agoMs / 1000)} s ago`
  if (agoMs < HOUR_MS) return `${Math.floor(agoMs / MINUTE_MS)} min ago`
  if (agoMs < DAY_MS) return `${Math.floor(agoMs / HOUR_MS)} h ago`
  const days = Math.floor(agoMs / DAY_MS)
  return `${days} ${days === 1 ? 'day' : 'days'} ago`
}

const absolute = new Intl.DateTimeFormat(undefined, {
  ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  timeZoneName: 'short',
} as const)

/** In the time zone of this computer, which it names. */
export function absoluteTime(time: string): string {
  return absolute.format(new Date(time))
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

const wholeDays = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** Remaining life as `26 days`. */
export function days(count: number): string {
  return `${wholeDays.format(count)} ${Math.round(count) === 1 ? 'day' : 'days'}`
}

/** `11–48 days`: in 8 of 10 cases the part lasts between the two. */
export function daysBetween([low, high]: readonly number[]): string {
  return `${wholeDays.format(low ?? 0)}–${wholeDays.format(high ?? 0)} days`
}

/** With the unit of the registry: `83 °C`, `13.9 V`. */
export function signalValue(name: SignalName, value: number): string {
  const { unit } = signals[name]
  return `${value.toFixed(unit === 'V' ? 1 : 0)} ${unit}`
}

/** `oil_pressure` and `lubrication` as the beginning of a line. */
export function sentenceCase(word: string): string {
  const words = word.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
