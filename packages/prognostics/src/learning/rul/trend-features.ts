// What a run shows at a row of it: how its sensors stand and where they are heading. Causal: nothing after the row is looked at, so a run
// that was cut off there gives the same numbers, bit for bit.
import type { FeatureTable } from '../forest.ts'
import type { OperatingRegimes } from './operating-regimes.ts'
import type { Runs, Unit } from './runs.ts'
import { regimesOfRows, type SensorScale } from './sensor-scaling.ts'

/** What turns runs into rows of features. */
export type TrendPipeline = {
  readonly settingNames: readonly string[]
  readonly regimes: OperatingRegimes
  readonly scales: readonly SensorScale[]
  /** What a unit's age is: its time, or the time since its first row where times do not begin with the unit's life. */
  readonly ageFrom: 'time' | 'first-row'
}

/** In rows. Assumption: short, medium and long beside the lives of the C-MAPSS engines, of which the shortest has 128 rows. */
const MEAN_WINDOWS = [5, 15, 30] as const
const SLOPE_WINDOWS = [15, 40] as const
/** A unit's own normal: no two begin alike. */
const START_ROWS = 10
const DRIFT_WINDOW = 30
/** Below this a slope is noise. */
const MIN_SLOPE_POINTS = 3

const perSensor = [...MEAN_WINDOWS.map((rows) => `mean${rows}`), ...SLOPE_WINDOWS.map((rows) => `slope${rows}`), 'drift', 'mean'] as const

export function trendFeatureNames({ scales }: TrendPipeline): string[] {
  return [...scales.flatMap(({ sensor }) => perSensor.map((what) => `${sensor}.${what}`)), 'age']
}

/** A row of features for each of the given rows, which are in ascending order. */
export function trendFeatures(pipeline: TrendPipeline, runs: Runs, rows: Int32Array): FeatureTable {
  const columns: Float32Array[] = []
  const regimeOfRow = regimesOfRows(runs, pipeline.regimes)
  const unitOfRow = new Int32Array(runs.times.length)
  for (const [at, { start, end }] of runs.units.entries()) unitOfRow.fill(at, start, end)
  const unitAt = (row: number) => runs.units[unitOfRow[row] as number] as Unit
  for (const scale of pipeline.scales) {
    const column = runs.sensors[runs.sensorNames.indexOf(scale.sensor)]
    if (column === undefined) throw new RangeError(`the runs have no sensor "${scale.sensor}"`)
    const scores = zScores(column, scale, regimeOfRow)
    columns.push(...sensorFeatures(scores, runs.times, runs.units, rows, unitAt))
  }
  columns.push(
    Float32Array.from(rows, (row) => {
      const time = runs.times[row] as number
      return pipeline.ageFrom === 'time' ? time : time - (runs.times[unitAt(row).start] as number)
    }),
  )
  return { names: trendFeatureNames(pipeline), columns, rowCount: rows.length }
}

/** Standard deviations from the mean of the row's regime. */
function zScores(column: Float32Array, { means, deviations }: SensorScale, regimeOfRow: Uint8Array): Float64Array {
  return Float64Array.from(column, (value, row) => {
    const regime = regimeOfRow[row] as number
    const deviation = deviations[regime] as number
    if (Number.isNaN(value)) return value
    return deviation === 0 ? 0 : (value - (means[regime] as number)) / deviation
  })
}

function sensorFeatures(
  scores: Float64Array,
  times: Float64Array,
  units: readonly Unit[],
  rows: Int32Array,
  unitAt: (row: number) => Unit,
): Float32Array[] {
  const historyMeans = new Float64Array(scores.length)
  for (const unit of units) fillHistoryMeans(scores, unit, historyMeans)
  const windowStart = (row: number, length: number) => Math.max(unitAt(row).start, row + 1 - length)
  const startMean = (row: number) => meanOf(scores, unitAt(row).start, Math.min(row + 1, unitAt(row).start + START_ROWS))
  return [
    ...MEAN_WINDOWS.map((length) => Float32Array.from(rows, (row) => meanOf(scores, windowStart(row, length), row + 1))),
    ...SLOPE_WINDOWS.map((length) => Float32Array.from(rows, (row) => slopeOf(scores, times, windowStart(row, length), row + 1))),
    Float32Array.from(rows, (row) => meanOf(scores, windowStart(row, DRIFT_WINDOW), row + 1) - startMean(row)),
    Float32Array.from(rows, (row) => historyMeans[row] as number),
  ]
}

function fillHistoryMeans(scores: Float64Array, { start, end }: Unit, means: Float64Array): void {
  let [sum, count] = [0, 0]
  for (let row = start; row < end; row++) {
    const score = scores[row] as number
    if (!Number.isNaN(score)) {
      sum += score
      count++
    }
    means[row] = sum / count
  }
}

/** Of what is known; NaN when nothing is. */
function meanOf(scores: Float64Array, start: number, end: number): number {
  let [sum, count] = [0, 0]
  for (let row = start; row < end; row++) {
    const score = scores[row] as number
    if (Number.isNaN(score)) continue
    sum += score
    count++
  }
  return sum / count
}

/** Of the least-squares line, in standard deviations per unit of time; NaN for fewer than three known values. */
function slopeOf(scores: Float64Array, times: Float64Array, start: number, end: number): number {
  // Times since the row itself, so that calendar times lose no digits.
  const originTime = times[end - 1] as number
  let [count, timeSum, scoreSum, timeSquares, products] = [0, 0, 0, 0, 0]
  for (let row = start; row < end; row++) {
    const score = scores[row] as number
    if (Number.isNaN(score)) continue
    const time = (times[row] as number) - originTime
    count++
    timeSum += time
    scoreSum += score
    timeSquares += time * time
    products += time * score
  }
  if (count < MIN_SLOPE_POINTS) return Number.NaN
  return (products - (timeSum * scoreSum) / count) / (timeSquares - (timeSum * timeSum) / count)
}
