// From recordings of sound driving to a learned normal. Folds are of whole trips: how unusual a trip looks is always asked of forests that
// have not seen it.
import { MAX_HISTORY, type Observation } from '../../inputs/observation.ts'
import { buildTimeline } from '../../inputs/timeline.ts'
import type { FeatureTable, Forest } from '../forest.ts'
import { type GbdtOptions, trainForest } from '../gbdt.ts'
import { createRandom, shuffle } from '../random.ts'
import { type Band, bandOf, channelFeatures, channelRow, type NormalChannel, type NormalModel, unusualnessOf } from './normal-model.ts'
import { type MovingSignal, movingSignals, situationOf } from './situation.ts'
import { STRETCH_S } from './stretch-tail.ts'

export type NormalOptions = {
  readonly seed: number
  /** Of each forest; the default is enough for hours of driving. */
  readonly trees?: number
  readonly onProgress?: (done: number, total: number) => void
}

/** Situations of one trip, as the engine would have seen them. */
export type TripSituations = {
  readonly name: string
  readonly situations: readonly TrainingSituation[]
}
type TrainingSituation = {
  readonly atMs: number
  readonly row: Float64Array
  /** Per `movingSignals`; NaN where it is not known. */
  readonly movements: Float64Array
}

export type NormalReport = {
  readonly trips: number
  readonly rows: number
  /** Per channel, over trips that the judging forests had not seen. */
  readonly channels: readonly {
    readonly signal: MovingSignal
    readonly rows: number
    readonly stretches: number
    /** Share of movements inside the band; 0.9 is meant. */
    readonly coverage: number
    readonly meanWidth: number
  }[]
}

/** Devices report at rates of their own; the model has to know them all. */
const CADENCES_MS = [500, 1000, 5000, 20_000, 60_000]
/** Two readings less than this apart carry the same information. */
const STEP_MS = 5000
const FOLDS = 5
const LOWER_ALPHA = 0.05
const UPPER_ALPHA = 0.95
const LEAST_ROWS_OF_STRETCH = 6
/** Of the training data on each side that the span of a feature leaves out: garbage that slipped through is no driving. */
const SPAN_TRIM = 0.0005

const boosting = { trees: 120, leaves: 12, learningRate: 0.08, rowSample: 0.6, columnSample: 0.7, minLeafRows: 150, lambda: 5, bins: 128 }

export function situationsOf(name: string, observations: readonly Observation[]): TripSituations {
  const situations: TrainingSituation[] = []
  for (const cadenceMs of CADENCES_MS) {
    const kept = thinned(observations, cadenceMs)
    let dueMs = 0
    for (const [index, observation] of kept.entries()) {
      if (observation.recordedAtMs < dueMs) continue
      dueMs = observation.recordedAtMs + STEP_MS
      const history = kept.slice(Math.max(0, index - MAX_HISTORY), index)
      const situation = situationOf(buildTimeline({ ...observation, history, ageDays: undefined, previousStatus: undefined }))
      if (situation === undefined) continue
      const movements = Float64Array.from(movingSignals, (signal) => {
        const movement = situation.movements[signal]
        return movement === undefined ? Number.NaN : movement.now - movement.before
      })
      situations.push({ atMs: observation.recordedAtMs, row: situation.row, movements })
    }
  }
  return { name, situations }
}

/** Every second situation, for those who have more than memory allows. */
export function halved({ name, situations }: TripSituations): TripSituations {
  return { name, situations: situations.filter((_, index) => index % 2 === 0) }
}

function thinned(observations: readonly Observation[], everyMs: number): Observation[] {
  let dueMs = 0
  return observations.filter(({ recordedAtMs }) => {
    if (recordedAtMs < dueMs) return false
    dueMs = recordedAtMs + everyMs * 0.9
    return true
  })
}

export function trainNormal(trips: readonly TripSituations[], options: NormalOptions): { model: NormalModel; report: NormalReport } {
  const known = movingSignals.filter((_, at) => trips.some(({ situations }) => situations.some(({ movements }) => isKnown(movements, at))))
  if (known.length === 0) throw new RangeError('no trip has a minute of a running engine with coolant temperature or battery voltage')
  const total = known.length * (FOLDS + 1)
  let done = 0
  const step = () => options.onProgress?.(++done, total)
  const trained = known.map((signal) => trainChannel(signal, trips, options, step))
  const rows = trips.reduce((sum, { situations }) => sum + situations.length, 0)
  return {
    model: { channels: trained.map(({ channel }) => channel) },
    report: { trips: trips.length, rows, channels: trained.map(({ report }) => report) },
  }
}

const isKnown = (movements: Float64Array, at: number) => !Number.isNaN(movements[at])

function trainChannel(signal: MovingSignal, all: readonly TripSituations[], options: NormalOptions, step: () => void) {
  const at = movingSignals.indexOf(signal)
  const trips = all
    .map(({ name, situations }) => ({ name, situations: situations.filter(({ movements }) => isKnown(movements, at)) }))
    .filter(({ situations }) => situations.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  if (trips.length < FOLDS) throw new RangeError(`${trips.length} trips report ${signal}; at least ${FOLDS} are needed to hold some back`)
  shuffle(trips, createRandom(options.seed))
  const tally = { rows: 0, inside: 0, width: 0 }
  const maxima: number[] = []
  for (let fold = 0; fold < FOLDS; fold++) {
    const judging = trainForests(
      signal,
      trips.filter((_, index) => index % FOLDS !== fold),
      options,
    )
    for (const trip of trips.filter((_, index) => index % FOLDS === fold)) maxima.push(...judgeTrip(signal, trip, judging, tally))
    step()
  }
  const forests = trainForests(signal, trips, options)
  step()
  const channel: NormalChannel = { signal, ...forests, maxima: maxima.sort((a, b) => a - b), spans: spansOf(signal, trips) }
  const { rows, inside, width } = tally
  return { channel, report: { signal, rows, stretches: maxima.length, coverage: inside / rows, meanWidth: width / rows } }
}

type Forests = { readonly lower: Forest; readonly upper: Forest }

function trainForests(signal: MovingSignal, trips: readonly TripSituations[], { seed, trees = boosting.trees }: NormalOptions): Forests {
  const { table, targets } = tableOf(signal, trips)
  const boostingFor = (alpha: number): GbdtOptions => ({ ...boosting, trees, loss: { kind: 'quantile', alpha }, seed })
  return { lower: trainForest(table, targets, boostingFor(LOWER_ALPHA)), upper: trainForest(table, targets, boostingFor(UPPER_ALPHA)) }
}

function tableOf(signal: MovingSignal, trips: readonly TripSituations[]): { table: FeatureTable; targets: Float64Array } {
  const names = channelFeatures[signal]
  const situations = trips.flatMap((trip) => trip.situations)
  const rowCount = situations.length
  const columns = names.map(() => new Float32Array(rowCount))
  const targets = new Float64Array(rowCount)
  const at = movingSignals.indexOf(signal)
  for (const [index, { row, movements }] of situations.entries()) {
    for (const [column, value] of channelRow(signal, row).entries()) (columns[column] as Float32Array)[index] = value
    targets[index] = movements[at] as number
  }
  return { table: { names, columns, rowCount }, targets }
}

/** The most unusual moment of each stretch of the trip, at whatever rate it was reported. */
function judgeTrip(
  signal: MovingSignal,
  { situations }: TripSituations,
  forests: Forests,
  tally: { rows: number; inside: number; width: number },
): number[] {
  const at = movingSignals.indexOf(signal)
  const stretches = new Map<number, { largest: number; rows: number }>()
  for (const { atMs, row, movements } of situations) {
    const movement = movements[at] as number
    const band: Band = bandOf({ signal, ...forests, maxima: [], spans: [] }, row)
    const unusualness = unusualnessOf(signal, band, movement)
    tally.rows++
    tally.width += band.high - band.low
    if (movement >= band.low && movement <= band.high) tally.inside++
    const key = Math.floor(atMs / 1000 / STRETCH_S)
    const stretch = stretches.get(key) ?? { largest: Number.NEGATIVE_INFINITY, rows: 0 }
    stretches.set(key, { largest: Math.max(stretch.largest, unusualness), rows: stretch.rows + 1 })
  }
  return [...stretches.values()].filter(({ rows }) => rows >= LEAST_ROWS_OF_STRETCH).map(({ largest }) => largest)
}

function spansOf(signal: MovingSignal, trips: readonly TripSituations[]): NormalChannel['spans'] {
  const { table } = tableOf(signal, trips)
  return table.columns.map((column) => {
    const values = column.filter((value) => !Number.isNaN(value)).sort()
    if (values.length === 0) return undefined
    const trim = Math.floor(values.length * SPAN_TRIM)
    return [values[trim] as number, values[values.length - 1 - trim] as number]
  })
}
