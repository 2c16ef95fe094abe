// Values in the units of a reader. The API speaks SI and the units of the signal registry; this is the one place that converts for people.

import type { Units } from './languages.ts'

type Conversion = { readonly unit: string; readonly of: (value: number) => number; readonly back: (value: number) => number }

/** Exact by definition: the international mile and pound (NIST SP 811, appendix B). */
const KM_PER_MILE = 1.609344
const KPA_PER_PSI = 6.894757293168
/** US miles per gallon of a consumption in L/100 km: 100 km in miles times litres per US gallon (3.785411784). It is its own inverse. */
const MPG_L_PER_100_KM = (100 / KM_PER_MILE) * 3.785411784

const imperial: Readonly<Record<string, Conversion>> = {
  '°C': { unit: '°F', of: (c) => (c * 9) / 5 + 32, back: (f) => ((f - 32) * 5) / 9 },
  km: scaled('mi', 1 / KM_PER_MILE),
  'km/h': scaled('mph', 1 / KM_PER_MILE),
  kPa: scaled('psi', 1 / KPA_PER_PSI),
  'L/100km': { unit: 'mpg', of: (consumption) => MPG_L_PER_100_KM / consumption, back: (mpg) => MPG_L_PER_100_KM / mpg },
}

/** Whatever units a person chose: nobody reads a run time in seconds, and a gear is a number. */
const always: Readonly<Record<string, Conversion>> = { s: scaled('min', 1 / 60), gear: scaled('', 1) }

function scaled(unit: string, factor: number): Conversion {
  return { unit, of: (value) => value * factor, back: (value) => value / factor }
}

/** The unit that a person reads for a unit of the API; empty where a number stands alone. */
export function shownUnit(unit: string, units: Units): string {
  return conversion(unit, units)?.unit ?? unit
}

/** A value of the API in the unit that a person reads. */
export function shownValue(unit: string, value: number, units: Units): number {
  return conversion(unit, units)?.of(value) ?? value
}

/** What a person wrote in `shownUnit(unit)`, for the API. */
export function givenValue(unit: string, value: number, units: Units): number {
  return conversion(unit, units)?.back(value) ?? value
}

function conversion(unit: string, units: Units): Conversion | undefined {
  return always[unit] ?? (units === 'imperial' ? imperial[unit] : undefined)
}
