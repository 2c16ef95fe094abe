import { createRandom, shuffle } from '../random.ts'

/** Each unit, by its place, is in one of these. */
export type UnitSplit = {
  /** What regimes and the scaling of sensors come from. Every forest learns from them, and nothing is calibrated on them. */
  readonly scaling: readonly number[]
  /** The forests of a fold learn from all units but those of the fold, which are what it is calibrated on. */
  readonly folds: readonly (readonly number[])[]
}

/** Forests of five folds learn from five sixths of the units; more folds would learn from more, and cost as much more. */
const MAX_FOLDS = 5
const SCALING_SHARE = 1 / (MAX_FOLDS + 1)
/** Whether times begin with the unit's life takes two units to see. */
const MIN_SCALING_UNITS = 2

/**
 * Draws them. Whole units, never rows: neighbouring rows of one unit are so alike that a model tested on the one has seen the other, and
 * intervals come out too narrow.
 */
export function splitUnits(unitCount: number, seed: number): UnitSplit {
  const order = Array.from({ length: unitCount }, (_, unit) => unit)
  shuffle(order, createRandom(seed))
  const ascending = (a: number, b: number) => a - b
  const scalingCount = Math.max(MIN_SCALING_UNITS, Math.round(unitCount * SCALING_SHARE))
  const calibration = order.slice(scalingCount)
  const foldCount = Math.min(MAX_FOLDS, calibration.length)
  const folds = Array.from({ length: foldCount }, (_, fold) => calibration.filter((_, at) => at % foldCount === fold).sort(ascending))
  return { scaling: order.slice(0, scalingCount).sort(ascending), folds }
}
