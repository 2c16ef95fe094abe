import { createRandom, shuffle } from '../random.ts'

/** A share of all units for each purpose. */
export type UnitSplit = { readonly fit: readonly number[]; readonly calibration: readonly number[] }

/**
 * Draws the units that intervals are calibrated on; the others are fitted. Whole units, never rows: neighbouring rows of one unit are so
 * alike that a model tested on the one has seen the other, and intervals come out too narrow.
 */
export function splitUnits(unitCount: number, calibrationShare: number, seed: number): UnitSplit {
  const order = Array.from({ length: unitCount }, (_, unit) => unit)
  shuffle(order, createRandom(seed))
  const calibrationCount = Math.min(unitCount - 1, Math.max(1, Math.round(unitCount * calibrationShare)))
  const ascending = (a: number, b: number) => a - b
  return { calibration: order.slice(0, calibrationCount).sort(ascending), fit: order.slice(calibrationCount).sort(ascending) }
}
