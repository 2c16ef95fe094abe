// Training as jobs that do not wait for one another, for whoever has several processors. Pure: where a job is done changes nothing of its forest.
import type { FeatureTable, Forest } from './forest.ts'
import { type GbdtOptions, trainForest } from './gbdt.ts'

export type ForestJob = {
  /** Many jobs have the same one. */
  readonly table: FeatureTable
  /** One column more, after those of the table, for every row of it. */
  readonly extra?: { readonly name: string; readonly column: Float32Array } | undefined
  /** Rows of the table to learn from. */
  readonly places: Int32Array
  /** A target for each of them. */
  readonly targets: Float64Array
  readonly options: Omit<GbdtOptions, 'onTree'>
}

/** `onTree` is called for every finished tree. */
export type FitForest = (job: ForestJob, onTree: () => void) => Promise<Forest>

export function fitForest({ table, extra, places, targets, options }: ForestJob, onTree: () => void): Forest {
  const whole = extra === undefined ? table : withColumn(table, extra.name, extra.column)
  return trainForest(rowsAt(whole, places), targets, { ...options, onTree })
}

/** One job after another, when it is asked for. */
export const fitHere: FitForest = async (job, onTree) => fitForest(job, onTree)

/** A table of some of the rows, in the given order. */
export function rowsAt({ names, columns }: FeatureTable, places: Int32Array): FeatureTable {
  return { names, columns: columns.map((column) => valuesAt(column, places)), rowCount: places.length }
}

/** `Float32Array.from` with a function takes ten times as long, an eighth of a training. */
function valuesAt(column: Float32Array, places: Int32Array): Float32Array {
  const picked = new Float32Array(places.length)
  for (let index = 0; index < places.length; index++) picked[index] = column[places[index] as number] as number
  return picked
}

export function withColumn({ names, columns, rowCount }: FeatureTable, name: string, column: Float32Array): FeatureTable {
  return { names: [...names, name], columns: [...columns, column], rowCount }
}
