// Learns remaining life from runs to failure. Three things never meet: the units intervals are calibrated on, the units the forests behind
// those intervals are fitted on, and whatever the model is evaluated on.
import { conformalQuantile, normalisedScores } from '../conformal.ts'
import { type FeatureTable, type Forest, scoreTable } from '../forest.ts'
import { type GbdtOptions, trainForest } from '../gbdt.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { mae, rmse } from '../metrics.ts'
import { findRegimes, thinned } from './operating-regimes.ts'
import { CENTRE_FEATURE, coverages, type IntervalMargin, type RulModel, rowOf, scoreRulRow, usableSpread, withinCap } from './rul-model.ts'
import { type Runs, remainingLives, withoutCountdowns } from './runs.ts'
import { fitScaling } from './sensor-scaling.ts'
import { splitUnits, type UnitSplit } from './split-units.ts'
import { type TrendPipeline, trendFeatures } from './trend-features.ts'

export type RulOptions = {
  readonly unitName: string
  readonly timeName: string
  readonly cap: number
  readonly seed: number
  readonly onProgress?: (share: number, what: string) => void
}

export type DroppedSensor = { readonly sensor: string; readonly why: string }

export type TrainedRul = {
  readonly model: RulModel
  readonly split: UnitSplit
  readonly dropped: readonly DroppedSensor[]
  /** Of the forest that intervals are centred on, over the rows of calibration units; lives above the cap count as the cap. */
  readonly heldOut: { readonly rmse: number; readonly mae: number; readonly rows: number }
  readonly goldenRows: readonly { readonly features: readonly (number | null)[]; readonly output: readonly number[] }[]
}

/** Settings that hold over all four C-MAPSS subsets; eight others stayed within 0.5 cycles of RMSE, so nothing hinges on them. */
const FOREST = { trees: 350, leaves: 31, learningRate: 0.03, rowSample: 0.7, columnSample: 0.35, lambda: 5, bins: 255 }
const MIN_LEAF_ROWS = 40
/** Errors to learn the spread from need forests that are about as good, not as slow. */
const FOLD_FOREST = { ...FOREST, trees: 120, learningRate: 0.08 }
const FOLDS = 3
/** Error sizes are noisy: few leaves, large ones. */
const SPREAD_FOREST = { ...FOREST, trees: 100, leaves: 8, learningRate: 0.06 }
const MIN_SPREAD_LEAF_ROWS = 200

const MIN_UNITS = FOLDS + 1
const CALIBRATION_SHARE = 0.25
/** Nine units are the fewest that a 90 % interval can be calibrated on: 9 / (9 + 1). Four are for 80 %. */
const USEFUL_CALIBRATION_UNITS = [9, 4] as const
/** Readings of a unit before its trends mean anything. */
const SETTLING_ROWS = 30
/** Bounds memory: a row takes 1 kB with a hundred features. A larger table is thinned at even steps. */
const MAX_FIT_ROWS = 200_000
const MAX_CALIBRATION_ROWS = 50_000
const GOLDEN_ROWS = 5

/** The same runs and options give the same model, byte for byte. */
export function trainRul(allRuns: Runs, options: RulOptions): TrainedRul {
  requireRuns(allRuns)
  const { runs, countdowns } = withoutCountdowns(allRuns)
  const split = splitUnits(runs.units.length, calibrationShare(runs.units.length), options.seed)
  const fitRows = rowsOf(runs, split.fit)
  const regimes = findRegimes(runs.settings, runs.sensors, fitRows)
  const { kept: scales, dropped: constants } = fitScaling(runs, regimes, fitRows)
  if (scales.length === 0) throw new LearningRefusal('Every sensor is constant: there is nothing to learn from.')
  const dropped = [
    ...countdowns.map((sensor) => ({ sensor, why: 'counts down to the failure: it is the answer, not a sensor' })),
    ...constants.map((sensor) => ({ sensor, why: 'is constant or nearly so, in every operating regime' })),
  ]
  const pipeline: TrendPipeline = { settingNames: runs.settingNames, regimes, scales, ageFrom: ageSource(runs) }
  const learner = createLearner(runs, pipeline, options)
  const centre = learner.fit(split.fit, 'interval centre')
  const spread = learner.fitSpread(split.fit)
  const point = learner.fit(allUnits(runs), 'remaining life')
  const calibrated = calibrate(runs, pipeline, split.calibration, options.cap, { centre, spread })
  const { unitName, timeName, cap } = options
  const model = { unitName, timeName, pipeline, cap, point, centre, spread, margins: calibrated.margins }
  return { model, split, dropped, heldOut: calibrated.heldOut, goldenRows: goldenRows(model, calibrated.table) }
}

function requireRuns({ units }: Runs): void {
  const short = units.find(({ start, end }) => end - start < 2)
  if (short !== undefined) {
    throw new LearningRefusal(`Unit ${short.name} has one row; a run to failure has at least two, and the last is the failure.`)
  }
  if (units.length < MIN_UNITS) {
    throw new LearningRefusal(
      `There are ${units.length} units; at least ${MIN_UNITS} runs to failure are needed, and 36 or more are better.`,
    )
  }
}

function calibrationShare(unitCount: number): number {
  const usual = Math.round(unitCount * CALIBRATION_SHARE)
  const useful = USEFUL_CALIBRATION_UNITS.find((count) => count * 2 <= unitCount) ?? 1
  return Math.min(unitCount - FOLDS, Math.max(usual, useful)) / unitCount
}

/** Where first times lie further apart than a run is long, times are calendar or counter readings and no age. */
function ageSource({ units, times }: Runs): TrendPipeline['ageFrom'] {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number
  const starts = units.map(({ start }) => times[start] as number)
  const length = middle(units.map(({ start, end }) => (times[end - 1] as number) - (times[start] as number)))
  return Math.max(...starts) - Math.min(...starts) > length ? 'first-row' : 'time'
}

function createLearner(runs: Runs, pipeline: TrendPipeline, { cap, seed, onProgress }: RulOptions) {
  const targets = cappedLives(runs, cap)
  const work = FOREST.trees * 2 + FOLD_FOREST.trees * FOLDS + SPREAD_FOREST.trees
  let doneTrees = 0
  const grow = (
    table: FeatureTable,
    wanted: Float64Array,
    options: Omit<GbdtOptions, 'seed' | 'loss' | 'onTree'>,
    what: string,
  ): Forest => {
    const onTree = () => onProgress?.(++doneTrees / work, what)
    return trainForest(table, wanted, { ...options, loss: { kind: 'squared' }, seed, onTree })
  }
  const targetsOf = (rows: Int32Array) => Float64Array.from(rows, (row) => targets[row] as number)
  const fitRows = (rows: Int32Array, options: typeof FOREST, what: string): Forest => {
    const minLeafRows = Math.min(MIN_LEAF_ROWS, Math.ceil(rows.length / 100))
    return grow(trendFeatures(pipeline, runs, rows), targetsOf(rows), { ...options, minLeafRows }, what)
  }
  const fit = (units: readonly number[], what: string) => fitRows(thinned(rowsOf(runs, units), MAX_FIT_ROWS), FOREST, what)
  /** How far off predictions are, learned from errors on units that the forest in question was not fitted on. */
  const fitSpread = (units: readonly number[]): Forest => {
    const rows = thinned(rowsOf(runs, units), MAX_FIT_ROWS)
    const foldOfUnit = new Map(units.map((unit, at) => [unit, at % FOLDS]))
    const foldOfRow = unitsOfRows(runs, rows).map((unit) => foldOfUnit.get(unit) ?? 0)
    const centres = new Float32Array(rows.length)
    for (let fold = 0; fold < FOLDS; fold++) {
      const forest = fitRows(
        rows.filter((_, at) => foldOfRow[at] !== fold),
        FOLD_FOREST,
        'interval width',
      )
      const places = Int32Array.from(rows.keys()).filter((at) => foldOfRow[at] === fold)
      const lives = scoreTable(
        forest,
        trendFeatures(
          pipeline,
          runs,
          places.map((at) => rows[at] as number),
        ),
      )
      for (const [at, place] of places.entries()) centres[place] = withinCap({ cap }, lives[at] as number)
    }
    const table = withCentre(trendFeatures(pipeline, runs, rows), centres)
    const errors = targetsOf(rows).map((life, at) => Math.abs(life - (centres[at] as number)))
    return grow(
      table,
      errors,
      { ...SPREAD_FOREST, minLeafRows: Math.min(MIN_SPREAD_LEAF_ROWS, Math.ceil(rows.length / 20)) },
      'interval width',
    )
  }
  return { fit, fitSpread }
}

type IntervalForests = { readonly centre: Forest; readonly spread: Forest }

/** Rows count from when trends mean something to the failure, every unit the same, so the coverage is that of a new unit at some moment. */
function calibrate(runs: Runs, pipeline: TrendPipeline, units: readonly number[], cap: number, { centre, spread }: IntervalForests) {
  const settled = rowsOf(runs, units, SETTLING_ROWS - 1)
  const rows = thinned(settled.length > 0 ? settled : rowsOf(runs, units), MAX_CALIBRATION_ROWS)
  const table = trendFeatures(pipeline, runs, rows)
  const lives = cappedLives(runs, cap)
  const truth = Float64Array.from(rows, (row) => lives[row] as number)
  const centres = scoreTable(centre, table).map((life) => withinCap({ cap }, life))
  const spreads = scoreTable(spread, withCentre(table, Float32Array.from(centres))).map((each) => usableSpread({ cap }, each))
  const unitOfRow = unitsOfRows(runs, rows)
  const scores = normalisedScores(centres, spreads, truth)
  const margins = coverages.map((coverage): IntervalMargin => {
    const margin = conformalQuantile(scores, coverage, unitOfRow)
    return { coverage, spreads: Number.isFinite(margin) ? margin : null }
  })
  return { margins, table, heldOut: { rmse: rmse(centres, truth), mae: mae(centres, truth), rows: rows.length } }
}

function withCentre({ names, columns, rowCount }: FeatureTable, centres: Float32Array): FeatureTable {
  return { names: [...names, CENTRE_FEATURE], columns: [...columns, centres], rowCount }
}

function cappedLives(runs: Runs, cap: number): Float64Array {
  const lives = new Float64Array(runs.times.length)
  for (const unit of runs.units) lives.set(remainingLives(runs, unit), unit.start)
  return lives.map((life) => Math.min(life, cap))
}

/** All rows of some units in ascending order, without the first `skip` of each. */
function rowsOf(runs: Runs, units: readonly number[], skip = 0): Int32Array {
  const rows: number[] = []
  for (const unit of units) {
    const { start, end } = runs.units[unit] ?? { start: 0, end: 0 }
    for (let row = start + skip; row < end; row++) rows.push(row)
  }
  return Int32Array.from(rows)
}

function unitsOfRows({ units, times }: Runs, rows: Int32Array): Int32Array {
  const unitOfRow = new Int32Array(times.length)
  for (const [at, { start, end }] of units.entries()) unitOfRow.fill(at, start, end)
  return rows.map((row) => unitOfRow[row] as number)
}

function allUnits({ units }: Runs): number[] {
  return units.map((_, unit) => unit)
}

/** Rows at even steps with their answers, so that whoever loads the model can see that it answers as it did here. */
function goldenRows(model: RulModel, table: FeatureTable): TrainedRul['goldenRows'] {
  return Array.from({ length: Math.min(GOLDEN_ROWS, table.rowCount) }, (_, at) => {
    const row = rowOf(table, Math.floor((at * table.rowCount) / GOLDEN_ROWS))
    return { features: Array.from(row, (value) => (Number.isNaN(value) ? null : value)), output: scoreRulRow(model, row) }
  })
}
