import { LearningRefusal } from '../learning-refusal.ts'
import { coverage, mae, meanWidth, nasaScore, rmse } from '../metrics.ts'
import { estimateUnits, type RulModel } from './rul-model.ts'
import type { Runs } from './runs.ts'

/**
 * How well the remaining life of units is predicted from runs that were cut off. `rmse` is against the true lives; everything else takes true lives
 * above the model's cap as the cap, which is what published C-MAPSS figures do and what the model was asked to learn.
 */
export type RulEvaluation = {
  readonly n: number
  readonly rmse: number
  readonly rmse_clipped: number
  readonly mae: number
  readonly score: number
  readonly coverage90: number
  readonly mean_width90: number
}

const SHOWN_NAMES = 5

/** `truth` has the remaining life of every unit after its last row. */
export function evaluateRul(model: RulModel, runs: Runs, truth: ReadonlyMap<string, number>): RulEvaluation {
  requireSameUnits(runs, truth)
  const lives = runs.units.map(({ name }) => truth.get(name) ?? Number.NaN)
  const clipped = lives.map((life) => Math.min(life, model.cap))
  const estimates = estimateUnits(model, runs)
  const predicted = estimates.map(({ rul }) => rul)
  const [low, high] = [estimates.map(({ intervals }) => intervals[0]?.low ?? 0), estimates.map(({ intervals }) => intervals[0]?.high ?? 0)]
  return {
    n: lives.length,
    rmse: rmse(predicted, lives),
    rmse_clipped: rmse(predicted, clipped),
    mae: mae(predicted, clipped),
    score: nasaScore(predicted, clipped),
    coverage90: coverage(low, high, clipped),
    mean_width90: meanWidth(low, high),
  }
}

function requireSameUnits({ units }: Runs, truth: ReadonlyMap<string, number>): void {
  const known = new Set(units.map(({ name }) => name))
  const withoutTruth = [...known].filter((name) => !truth.has(name))
  if (withoutTruth.length > 0) throw new LearningRefusal(`The truth does not state how long ${listed(withoutTruth)} lived on.`)
  const withoutRun = [...truth.keys()].filter((name) => !known.has(name))
  if (withoutRun.length > 0) throw new LearningRefusal(`The truth speaks of ${listed(withoutRun)}, of which the data have no row.`)
}

function listed(names: readonly string[]): string {
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : ''
  return `${names.length === 1 ? 'unit' : 'units'} ${names.slice(0, SHOWN_NAMES).join(', ')}${more}`
}
