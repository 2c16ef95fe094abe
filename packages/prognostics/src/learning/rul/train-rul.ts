// Learns remaining life from runs to failure, cross-conformal by unit (Vovk 2015; Barber, Candès, Ramdas & Tibshirani 2021): a forest for each
// fold of the units, fitted without them. Nothing that judges a unit for the calibration has seen it: not the forest of its fold, nor the
// error that this predicts for itself, nor the scaling of the sensors.
import { conformalQuantile, normalisedScores } from '../conformal.ts'
import { type FeatureTable, type Forest, scoreTable } from '../forest.ts'
import { type FitForest, type ForestJob, fitHere, rowsAt, withColumn } from '../forest-job.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { mae, rmse } from '../metrics.ts'
import { requireFeatureNames } from '../require-feature-names.ts'
import { findRegimes, thinned } from './operating-regimes.ts'
import {
  coverages,
  type IntervalMargin,
  LIFE_FEATURE,
  type RulFold,
  type RulModel,
  rowOf,
  scoreRulRow,
  usableSpread,
  withinCap,
} from './rul-model.ts'
import { type Counter, type Runs, remainingLives, type Unit, withoutCounters } from './runs.ts'
import { fitScaling } from './sensor-scaling.ts'
import { splitUnits, type UnitSplit } from './split-units.ts'
import { type TrendPipeline, trendFeatureNames, trendFeatures } from './trend-features.ts'

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
  /** Each row as predicted by the forest of its fold, which never saw its unit; lives above the cap count as the cap. */
  readonly heldOut: { readonly rmse: number; readonly mae: number; readonly rows: number }
  readonly goldenRows: readonly { readonly features: readonly (number | null)[]; readonly output: readonly number[] }[]
}

/**
 * Of eleven settings the one whose forests predicted engines held out of training best for its time, on FD001 and FD003 of C-MAPSS with three seeds;
 * no published test set had a part in it. All were within 0.6 cycles of RMSE, so little hinges on them.
 */
const FOREST = { trees: 200, leaves: 15, learningRate: 0.06, rowSample: 0.7, columnSample: 0.5, lambda: 5, bins: 255 }
const MIN_LEAF_ROWS = 40
/** Errors to learn the spread from need forests that are about as good, not as slow. */
const PAIR_FOREST = { ...FOREST, trees: 40, learningRate: 0.15 }
/** Error sizes are noisy: few leaves, large ones. */
const SPREAD_FOREST = { ...FOREST, trees: 50, leaves: 8, learningRate: 0.07 }
const MIN_SPREAD_LEAF_ROWS = 200

const MIN_UNITS = 4
/** With these, nine are calibrated on, and nine are the fewest for a 90 % interval: 9 / (9 + 1). */
export const UNITS_FOR_INTERVALS = 11
/** Readings of a unit before its trends mean anything. */
const SETTLING_ROWS = 30
/** Bounds memory: a row takes 1 kB with a hundred features. A larger table is thinned at even steps. */
const MAX_ROWS = 200_000
const GOLDEN_ROWS = 5
/** Above every seed that a person gives, so that no forest draws as one of another seed does. */
const SEED_STEP = 2 ** 32

/** The same runs and options give the same model, byte for byte, wherever its forests are fitted. */
export async function trainRul(allRuns: Runs, options: RulOptions, fitForest: FitForest = fitHere): Promise<TrainedRul> {
  requireRuns(allRuns)
  const split = splitUnits(allRuns.units.length, options.seed)
  const scalingUnits = split.scaling.map((unit) => allRuns.units[unit] as Unit)
  const { runs, counters } = withoutCounters(allRuns, scalingUnits)
  const scalingRows = rowsOf(scalingUnits)
  const regimes = findRegimes(runs.settings, runs.sensors, scalingRows)
  const { kept: scales, dropped: constants } = fitScaling(runs, regimes, scalingRows)
  if (scales.length === 0) throw new LearningRefusal('Every sensor is constant: there is nothing to learn from.')
  const dropped = [
    ...counters.map(({ name, counts }) => ({ sensor: name, why: WHY_NO_SENSOR[counts] })),
    ...constants.map((sensor) => ({ sensor, why: 'is constant or nearly so, in every operating regime' })),
  ]
  const pipeline: TrendPipeline = { settingNames: runs.settingNames, regimes, scales, ageFrom: ageSource(scalingUnits, runs.times) }
  requireFeatureNames(trendFeatureNames(pipeline))
  const { unitName, timeName, cap } = options
  const lessons = prepare(runs, pipeline, split, cap)
  const folds = await fitFolds(lessons, options, fitForest)
  const { margins, heldOut } = calibrate(lessons, folds, cap)
  const model = { unitName, timeName, pipeline, cap, folds, margins }
  return { model, split, dropped, heldOut, goldenRows: goldenRows(model, lessons.table) }
}

const WHY_NO_SENSOR: Readonly<Record<Counter, string>> = {
  countdown: 'counts down to the failure: it is the answer, not a sensor',
  'row number': 'counts the rows: a unit would be recognised by it',
}

function requireRuns({ units }: Runs): void {
  const short = units.find(({ start, end }) => end - start < 2)
  if (short !== undefined) {
    throw new LearningRefusal(`Unit ${short.name} has one row; a run to failure has at least two, and the last is the failure.`)
  }
  if (units.length < MIN_UNITS) {
    throw new LearningRefusal(
      `There are ${units.length} units; at least ${MIN_UNITS} runs to failure are needed, and ${UNITS_FOR_INTERVALS} for 90 % intervals.`,
    )
  }
}

/** Where first times lie further apart than a run is long, times are calendar or counter readings and no age. */
function ageSource(units: readonly Unit[], times: Float64Array): TrendPipeline['ageFrom'] {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number
  const starts = units.map(({ start }) => times[start] as number)
  const length = middle(units.map(({ start, end }) => (times[end - 1] as number) - (times[start] as number)))
  return Math.max(...starts) - Math.min(...starts) > length ? 'first-row' : 'time'
}

/** What forests learn from: a place for each row that is learned from, in ascending order of rows. */
type Lessons = {
  readonly table: FeatureTable
  /** Capped. */
  readonly lives: Float64Array
  readonly units: Int32Array
  /** Of its unit; -1 for units of the scaling. */
  readonly folds: Int32Array
  readonly foldCount: number
  /** Whether there are enough readings of the unit up to it for its trends to mean anything. */
  readonly isSettled: Uint8Array
}

function prepare(runs: Runs, pipeline: TrendPipeline, { folds }: UnitSplit, cap: number): Lessons {
  const rows = thinned(rowsOf(runs.units), MAX_ROWS)
  const lives = cappedLives(runs, cap)
  const units = unitsOfRows(runs, rows)
  const foldOfUnit = new Int32Array(runs.units.length).fill(-1)
  for (const [fold, members] of folds.entries()) for (const unit of members) foldOfUnit[unit] = fold
  return {
    table: trendFeatures(pipeline, runs, rows),
    lives: Float64Array.from(rows, (row) => lives[row] as number),
    units,
    folds: units.map((unit) => foldOfUnit[unit] as number),
    foldCount: folds.length,
    isSettled: Uint8Array.from(rows, (row, at) => Number(row - (runs.units[units[at] as number] as Unit).start >= SETTLING_ROWS - 1)),
  }
}

async function fitFolds(lessons: Lessons, { cap, seed, onProgress }: RulOptions, fitForest: FitForest): Promise<RulFold[]> {
  const { table, lives, folds, foldCount } = lessons
  const work = foldCount * (FOREST.trees + SPREAD_FOREST.trees) + ((foldCount * (foldCount - 1)) / 2) * PAIR_FOREST.trees
  let [doneTrees, forestCount] = [0, 0]
  const fit = (
    targets: Float64Array,
    places: Int32Array,
    options: typeof FOREST & { minLeafRows: number },
    { what, extra }: { what: string } & Pick<ForestJob, 'extra'>,
  ) => {
    const wanted = Float64Array.from(places, (place) => targets[place] as number)
    // Forests that draw alike err alike, and their mean would be no better than each.
    const ownSeed = seed + forestCount++ * SEED_STEP
    const job = { table, extra, places, targets: wanted, options: { ...options, loss: { kind: 'squared' }, seed: ownSeed } } as const
    return fitForest(job, () => onProgress?.(++doneTrees / work, what))
  }
  const fitLife = (isLearned: (fold: number) => boolean, options: typeof FOREST, what: string) => {
    const places = placesWhere(folds, isLearned)
    const minLeafRows = Math.min(MIN_LEAF_ROWS, Math.ceil(places.length / 100))
    return fit(lives, places, { ...options, minLeafRows }, { what })
  }
  const fitSpread = (guesses: Float32Array, fold: number) => {
    const places = placesWhere(folds, (other) => other !== fold && other !== -1)
    const errors = lives.map((truth, place) => Math.abs(truth - (guesses[place] as number)))
    const minLeafRows = Math.min(MIN_SPREAD_LEAF_ROWS, Math.ceil(places.length / 20))
    return fit(
      errors,
      places,
      { ...SPREAD_FOREST, minLeafRows },
      { what: 'interval width', extra: { name: LIFE_FEATURE, column: guesses } },
    )
  }
  const strangers = await livesByStrangers(lessons, cap, (isLearned) => fitLife(isLearned, PAIR_FOREST, 'interval width'))
  return Promise.all(
    strangers.map(async (guesses, fold): Promise<RulFold> => {
      const [life, spread] = await Promise.all([fitLife((other) => other !== fold, FOREST, 'remaining life'), fitSpread(guesses, fold)])
      return { life, spread }
    }),
  )
}

/**
 * For each fold, what the lives of all other folds' rows look like to forests that saw neither the row's fold nor this one: what they are off
 * by is what the spread of this fold may be learned from. A forest without two folds serves both of them.
 */
async function livesByStrangers(
  { table, folds, foldCount }: Lessons,
  cap: number,
  fitLife: (isLearned: (fold: number) => boolean) => Promise<Forest>,
): Promise<Float32Array[]> {
  const guesses = Array.from({ length: foldCount }, () => new Float32Array(table.rowCount))
  const judge = (forest: Forest, judged: number, forFold: number) => {
    const places = placesWhere(folds, (fold) => fold === judged)
    const lives = scoreTable(forest, rowsAt(table, places))
    for (const [at, place] of places.entries()) (guesses[forFold] as Float32Array)[place] = withinCap({ cap }, lives[at] as number)
  }
  const pairs = guesses.flatMap((_, one) => guesses.slice(one + 1).map((_none, after) => ({ one, other: one + 1 + after })))
  await Promise.all(
    pairs.map(async ({ one, other }) => {
      const forest = await fitLife((fold) => fold !== one && fold !== other)
      judge(forest, one, other)
      judge(forest, other, one)
    }),
  )
  return guesses
}

/** Rows count from when trends mean something to the failure, every unit the same, so the coverage is that of a new unit at some moment. */
function calibrate({ table, lives, units, folds, isSettled }: Lessons, forests: readonly RulFold[], cap: number) {
  const hasSettled = folds.some((fold, place) => fold !== -1 && isSettled[place] === 1)
  const scores = new Float64Array(lives.length)
  const guesses = new Float64Array(lives.length)
  const isJudged = folds.map((fold, place) => Number(fold !== -1 && (!hasSettled || isSettled[place] === 1)))
  for (const [fold, { life, spread }] of forests.entries()) {
    const places = placesWhere(folds, (each) => each === fold).filter((place) => isJudged[place] === 1)
    const rows = rowsAt(table, places)
    const guessed = scoreTable(life, rows).map((each) => withinCap({ cap }, each))
    const spreads = scoreTable(spread, withColumn(rows, LIFE_FEATURE, Float32Array.from(guessed))).map((each) =>
      usableSpread({ cap }, each),
    )
    const truth = Float64Array.from(places, (place) => lives[place] as number)
    for (const [at, score] of normalisedScores(guessed, spreads, truth).entries()) {
      scores[places[at] as number] = score
      guesses[places[at] as number] = guessed[at] as number
    }
  }
  const ofJudged = <Numbers extends { filter: (isKept: (value: number, place: number) => boolean) => Numbers }>(values: Numbers) =>
    values.filter((_, place) => isJudged[place] === 1)
  const judgedUnits = ofJudged(units)
  const margins = coverages.map((coverage): IntervalMargin => {
    const margin = conformalQuantile(ofJudged(scores), coverage, judgedUnits)
    return { coverage, spreads: Number.isFinite(margin) ? margin : null }
  })
  const [predicted, truth] = [ofJudged(guesses), ofJudged(lives)]
  return { margins, heldOut: { rmse: rmse(predicted, truth), mae: mae(predicted, truth), rows: truth.length } }
}

function placesWhere(folds: Int32Array, isWanted: (fold: number) => boolean): Int32Array {
  return Int32Array.from(folds.keys()).filter((place) => isWanted(folds[place] as number))
}

function cappedLives(runs: Runs, cap: number): Float64Array {
  const lives = new Float64Array(runs.times.length)
  for (const unit of runs.units) lives.set(remainingLives(runs, unit), unit.start)
  return lives.map((life) => Math.min(life, cap))
}

function rowsOf(units: readonly Unit[]): Int32Array {
  const rows: number[] = []
  for (const { start, end } of units) for (let row = start; row < end; row++) rows.push(row)
  return Int32Array.from(rows)
}

function unitsOfRows({ units, times }: Runs, rows: Int32Array): Int32Array {
  const unitOfRow = new Int32Array(times.length)
  for (const [at, { start, end }] of units.entries()) unitOfRow.fill(at, start, end)
  return rows.map((row) => unitOfRow[row] as number)
}

/** Rows at even steps with their answers, so that whoever loads the model can see that it answers as it did here. */
function goldenRows(model: RulModel, table: FeatureTable): TrainedRul['goldenRows'] {
  return Array.from({ length: Math.min(GOLDEN_ROWS, table.rowCount) }, (_, at) => {
    const row = rowOf(table, Math.floor((at * table.rowCount) / GOLDEN_ROWS))
    return { features: Array.from(row, (value) => (Number.isNaN(value) ? null : value)), output: scoreRulRow(model, row) }
  })
}
