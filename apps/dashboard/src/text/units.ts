// Values in the units that the person chose.

import * as wording from '@roadworthy/wording/units'
import { units } from './preferences.ts'

/** The unit that a person reads for a unit of the API; empty where a number stands alone. */
export function shownUnit(unit: string): string {
  return wording.shownUnit(unit, units)
}

/** A value of the API in the unit that a person reads. */
export function shownValue(unit: string, value: number): number {
  return wording.shownValue(unit, value, units)
}

/** What a person wrote in `shownUnit(unit)`, for the API. */
export function givenValue(unit: string, value: number): number {
  return wording.givenValue(unit, value, units)
}
