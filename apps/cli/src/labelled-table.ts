// Labelled rows as people bring them: CSV with a header, a column of it the label.
import type { Column } from '@roadworthy/prognostics/learning/classifier/columns'
import {
  type CsvRow,
  type CsvTable,
  cellFailure,
  columnAt,
  csvFailure,
  fieldOf,
  isText,
  numberOrMissing,
  requireDifferentNames,
} from './csv.ts'
import { createGrowingColumn, type GrowingColumn } from './growing-column.ts'
import type { NamedColumn } from './runs-table.ts'

export type LabelledColumns = {
  readonly label: NamedColumn
  /** Rows of one unit stay together when folds are made. */
  readonly unit: NamedColumn | undefined
  /** Undefined takes every other column. */
  readonly features: readonly NamedColumn[] | undefined
}

export type LabelledTable = {
  readonly columns: readonly Column[]
  readonly labels: readonly string[]
  readonly units: Int32Array | undefined
  /** Text with too many different values to be categories. */
  readonly tooVaried: readonly string[]
}

const MAX_CATEGORIES = 20
/** 200 MB. */
const MAX_CELLS = 50_000_000

/** The first cell that is not empty decides. */
type Reader = { readonly at: number; readonly name: string; kind: 'unknown' | 'number' | 'category' | 'varied' } & {
  readonly column: GrowingColumn
  readonly categories: Map<string, number>
}

export async function readLabelledTable(table: CsvTable, { label, unit, features }: LabelledColumns): Promise<LabelledTable> {
  const place = ({ name, flag }: NamedColumn) => columnAt(table, name, flag)
  const labelAt = place(label)
  const unitAt = unit === undefined ? undefined : place(unit)
  const places = features?.map(place) ?? table.columns.map((_, at) => at).filter((at) => at !== labelAt && at !== unitAt)
  if (places.includes(labelAt)) throw csvFailure(table.path, `the label "${label.name}" is among the --features`)
  const readers = places.map(
    (at): Reader => ({ at, name: table.columns[at] ?? '', kind: 'unknown', column: createGrowingColumn(), categories: new Map() }),
  )
  const [labels, units, unitNumbers] = [[] as string[], [] as number[], new Map<string, number>()]
  // Labels are few and rows are many: one text for all rows that have it.
  const kinds = new Map<string, string>()
  const maxRows = Math.floor(MAX_CELLS / (readers.length + 2))
  for await (const row of table.rows) {
    if (labels.length === maxRows)
      throw csvFailure(table.path, `it has more than ${maxRows} rows; name fewer --features, or leave out rows`)
    const cell = fieldOf(row, labelAt)
    if (cell === '') throw cellFailure(table, row, labelAt, 'is empty where a label is wanted')
    const kind = kinds.get(cell) ?? cell
    kinds.set(kind, kind)
    labels.push(kind)
    if (unitAt !== undefined) units.push(numberOf(unitNumbers, fieldOf(row, unitAt)))
    for (const reader of readers) readCell(table, row, reader)
  }
  if (labels.length === 0) throw csvFailure(table.path, 'it has no row')
  const learned = readers.filter(({ kind }) => kind === 'number' || kind === 'category')
  requireDifferentNames(
    table,
    learned.map(({ at }) => at),
  )
  return {
    labels,
    units: unitAt === undefined ? undefined : Int32Array.from(units),
    columns: readers.filter(({ kind }) => kind !== 'varied').map(toColumn),
    tooVaried: readers.filter(({ kind }) => kind === 'varied').map(({ name }) => name),
  }
}

function readCell(table: CsvTable, row: CsvRow, reader: Reader): void {
  if (reader.kind === 'varied') return
  if (reader.kind === 'unknown' && isText(table, row, reader.at)) reader.kind = 'category'
  if (reader.kind !== 'category') {
    const value = numberOrMissing(table, row, reader.at)
    if (!Number.isNaN(value)) reader.kind = 'number'
    reader.column.push(value)
    return
  }
  const text = fieldOf(row, reader.at)
  reader.column.push(text === '' ? Number.NaN : numberOf(reader.categories, text))
  if (reader.categories.size > MAX_CATEGORIES) reader.kind = 'varied'
}

function numberOf(names: Map<string, number>, name: string): number {
  const number = names.get(name) ?? names.size
  names.set(name, number)
  return number
}

function toColumn({ name, kind, column, categories }: Reader): Column {
  const values = column.done()
  if (kind !== 'category') return { kind: 'number', name, values }
  const codes = Int32Array.from(values, (code) => (Number.isNaN(code) ? -1 : code))
  return { kind: 'category', name, categories: [...categories.keys()], codes }
}

const YES = '1'
const NO = '0'

/** The label that is asked about: the given one, or 1 where the labels are 0 and 1. */
export function positiveLabel(path: string, labels: readonly string[], positive: string | undefined): string {
  const different = [...new Set(labels)]
  const shown = different.slice(0, MAX_CATEGORIES).join(', ')
  if (positive === undefined) {
    if (different.every((label) => label === YES || label === NO)) return YES
    throw csvFailure(path, `its labels are ${shown}; name the one to find with --positive`)
  }
  if (different.includes(positive)) return positive
  throw csvFailure(path, `no row has the label "${positive}" (--positive); there are ${shown}`)
}

export function toLabels(labels: readonly string[], positive: string): Float64Array {
  return Float64Array.from(labels, (label) => (label === positive ? 1 : 0))
}
