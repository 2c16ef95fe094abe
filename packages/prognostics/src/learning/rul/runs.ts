// Runs of units over their life, a row per reading: what remaining life is learned from. In a run to failure the last row is the failure.
import { LearningRefusal } from '../learning-refusal.ts'

export type Unit = {
  readonly name: string
  /** Its rows: from this one to before `end`, ascending in time. */
  readonly start: number
  readonly end: number
}

export type Runs = {
  readonly settingNames: readonly string[]
  readonly sensorNames: readonly string[]
  readonly units: readonly Unit[]
  /** Of every row, in whatever unit lives are counted: cycles, hours, km. */
  readonly times: Float64Array
  /** A column per setting; never missing. */
  readonly settings: readonly Float32Array[]
  /** A column per sensor; NaN where a reading is missing. */
  readonly sensors: readonly Float32Array[]
}

/** Rows as they came: in any order, units mixed. */
export type RawRuns = Omit<Runs, 'units'> & {
  readonly unitNames: readonly string[]
  /** Of every row, its place in `unitNames`. */
  readonly unitOfRow: Int32Array
}

/** Brings every unit's rows together, in order of time; units in the order they first appear in. */
export function createRuns(raw: RawRuns): Runs {
  const { unitNames, unitOfRow, times } = raw
  const order = new Int32Array(times.length)
  for (let row = 0; row < order.length; row++) order[row] = row
  const unitOf = (row: number) => unitOfRow[row] as number
  order.sort((a, b) => unitOf(a) - unitOf(b) || (times[a] as number) - (times[b] as number))
  const inOrder = (column: Float32Array) => column.map((_, at) => column[order[at] as number] as number)
  const sortedTimes = times.map((_, at) => times[order[at] as number] as number)
  const units: Unit[] = []
  for (let start = 0; start < order.length; ) {
    const unit = unitOf(order[start] as number)
    let end = start + 1
    while (end < order.length && unitOf(order[end] as number) === unit) end++
    units.push({ name: unitNames[unit] ?? '', start, end })
    start = end
  }
  const runs = { ...raw, units, times: sortedTimes, settings: raw.settings.map(inOrder), sensors: raw.sensors.map(inOrder) }
  for (const unit of units) requireRisingTime(unit, sortedTimes)
  return runs
}

function requireRisingTime({ name, start, end }: Unit, times: Float64Array): void {
  for (let row = start + 1; row < end; row++) {
    if (times[row] === times[row - 1])
      throw new LearningRefusal(`Unit ${name} has two rows at time ${times[row]}; a unit has one row per time.`)
  }
}

/** What is left of its life at each row of a unit that ran to failure, in the unit of `times`. */
export function remainingLives({ times }: Runs, { start, end }: Unit): Float64Array {
  const failedAt = times[end - 1] as number
  return times.slice(start, end).map((time) => failedAt - time)
}

/** A countdown printed with few digits is still one. */
const COUNTDOWN_TOLERANCE = 1e-3

/** Why a column is no sensor: it has the answer, or says where in the file its row stands. */
export type Counter = 'countdown' | 'row number'

/**
 * Leaves out columns that count in all of the given units. Data sets carry the remaining life along, also cut off at a cap, and it would be learned; so
 * they carry the number of the row, by which a unit is recognised.
 */
export function withoutCounters(runs: Runs, units: readonly Unit[]): { runs: Runs; counters: { name: string; counts: Counter }[] } {
  const counts = runs.sensors.map((column) => counterOf(column, runs.times, units))
  const keep = <Item>(items: readonly Item[]) => items.filter((_, at) => counts[at] === undefined)
  const counters = runs.sensorNames.flatMap((name, at) => (counts[at] === undefined ? [] : [{ name, counts: counts[at] }]))
  return { runs: { ...runs, sensorNames: keep(runs.sensorNames), sensors: keep(runs.sensors) }, counters }
}

function counterOf(column: Float32Array, times: Float64Array, units: readonly Unit[]): Counter | undefined {
  if (units.every((unit) => countsRows(column, unit))) return 'row number'
  const isFalling = units.some(({ start, end }) => (column[end - 1] as number) < (column[start] as number))
  return isFalling && units.every((unit) => countsDown(column, times, unit)) ? 'countdown' : undefined
}

function countsRows(column: Float32Array, { start, end }: Unit): boolean {
  for (let row = start + 1; row < end; row++) if ((column[row] as number) - (column[row - 1] as number) !== 1) return false
  return true
}

/** Falls by exactly as much as time rises, from the highest value that it has. */
function countsDown(column: Float32Array, times: Float64Array, { start, end }: Unit): boolean {
  const [first, last] = [column[start] as number, column[end - 1] as number]
  const [startTime, failedAt] = [times[start] as number, times[end - 1] as number]
  const tolerance = COUNTDOWN_TOLERANCE * (failedAt - startTime)
  for (let row = start; row < end; row++) {
    const left = Math.min(first, last + failedAt - (times[row] as number))
    if (!(Math.abs((column[row] as number) - left) <= tolerance)) return false
  }
  return true
}
