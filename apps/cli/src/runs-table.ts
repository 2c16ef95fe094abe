// Runs of units as people bring them: CSV with a header, or the headerless text of NASA's C-MAPSS.
import { createRuns, type Runs } from '@roadworthy/prognostics/learning/rul/runs'
import {
  type CsvRow,
  type CsvTable,
  cellFailure,
  columnAt,
  csvFailure,
  fieldOf,
  isText,
  numberedLines,
  numberOrMissing,
  openCsv,
  requireDifferentNames,
  requireNumber,
} from './csv.ts'
import { createGrowingColumn, type GrowingColumn } from './growing-column.ts'

export const runFormats = ['csv', 'cmapss'] as const
export type RunFormat = (typeof runFormats)[number]

/** A column that was named on the command line, and the flag that did. */
export type NamedColumn = { readonly name: string; readonly flag: string }

export type RunColumns = {
  readonly unit: NamedColumn
  readonly time: NamedColumn
  readonly settings: readonly NamedColumn[]
  /** Undefined takes every other column that holds numbers. */
  readonly sensors: readonly NamedColumn[] | undefined
}

export type ReadRuns = {
  readonly runs: Runs
  /** Columns whose first value is no number, and that were not asked for. */
  readonly textColumns: readonly string[]
}

export const cmapssColumns = { unit: 'unit', time: 'cycle', settings: ['op1', 'op2', 'op3'] } as const
const CMAPSS_SENSOR_COUNT = 21
/** 200 MB: two million rows of twenty-five sensors. */
const MAX_CELLS = 50_000_000

export async function openRuns(path: string, format: RunFormat): Promise<CsvTable> {
  if (format === 'csv') return openCsv(path)
  const sensors = Array.from({ length: CMAPSS_SENSOR_COUNT }, (_, at) => `s${at + 1}`)
  const columns = [cmapssColumns.unit, cmapssColumns.time, ...cmapssColumns.settings, ...sensors]
  return { path, columns, separator: ' ', rows: cmapssRows(path, columns.length) }
}

async function* cmapssRows(path: string, columnCount: number): AsyncGenerator<CsvRow, void> {
  for await (const { line, text } of numberedLines(path)) {
    const fields = text.trim().split(/\s+/)
    if (fields.length !== columnCount) throw csvFailure(path, `line ${line} has ${fields.length} numbers where C-MAPSS has ${columnCount}`)
    yield { line, fields }
  }
}

/** Reads the whole table, in any order of rows; what is wrong with a cell is reported by line and column. */
export async function readRuns(table: CsvTable, wanted: RunColumns): Promise<ReadRuns> {
  const place = ({ name, flag }: NamedColumn) => columnAt(table, name, flag)
  const [unitAt, timeAt, settingsAt] = [place(wanted.unit), place(wanted.time), wanted.settings.map(place)]
  const taken = new Set([unitAt, timeAt, ...settingsAt])
  const sensors = (wanted.sensors?.map(place) ?? table.columns.map((_, at) => at).filter((at) => !taken.has(at))).map((at) => ({
    at,
    column: createGrowingColumn(),
    kind: wanted.sensors === undefined ? ('unknown' as ColumnKind) : 'numbers',
  }))
  const settings = settingsAt.map((at) => ({ at, column: createGrowingColumn() }))
  const [unitOfRow, times, unitNumbers] = [[] as number[], [] as number[], new Map<string, number>()]
  const maxRows = Math.floor(MAX_CELLS / (sensors.length + settings.length + 2))
  for await (const row of table.rows) {
    if (times.length === maxRows) throw csvFailure(table.path, `it has more than ${maxRows} rows; name fewer --features, or leave out rows`)
    const unit = fieldOf(row, unitAt)
    if (unit === '') throw cellFailure(table, row, unitAt, 'is empty where a unit is wanted')
    const number = unitNumbers.get(unit) ?? unitNumbers.size
    unitNumbers.set(unit, number)
    unitOfRow.push(number)
    times.push(requireNumber(table, row, timeAt))
    for (const { at, column } of settings) column.push(requireNumber(table, row, at))
    for (const sensor of sensors) readCell(table, row, sensor)
  }
  if (times.length === 0) throw csvFailure(table.path, 'it has no row')
  const kept = sensors.filter(({ kind }) => kind === 'numbers')
  const nameOf = ({ at }: { at: number }) => table.columns[at] ?? ''
  if (kept.length === 0) throw csvFailure(table.path, 'no column is left that could be a sensor')
  requireDifferentNames(
    table,
    kept.map(({ at }) => at),
  )
  const runs = createRuns({
    unitNames: [...unitNumbers.keys()],
    unitOfRow: Int32Array.from(unitOfRow),
    times: Float64Array.from(times),
    settingNames: settings.map(nameOf),
    settings: settings.map(({ column }) => column.done()),
    sensorNames: kept.map(nameOf),
    sensors: kept.map(({ column }) => column.done()),
  })
  return { runs, textColumns: sensors.filter(({ kind }) => kind === 'text').map(nameOf) }
}

/** The first cell that is not empty decides. */
type ColumnKind = 'unknown' | 'numbers' | 'text'

function readCell(table: CsvTable, row: CsvRow, sensor: { at: number; column: GrowingColumn; kind: ColumnKind }): void {
  if (sensor.kind === 'text') return
  if (sensor.kind === 'unknown' && isText(table, row, sensor.at)) {
    sensor.kind = 'text'
    return
  }
  const value = numberOrMissing(table, row, sensor.at)
  if (!Number.isNaN(value)) sensor.kind = 'numbers'
  sensor.column.push(value)
}

const UNIT = 'unit'
const RUL = 'rul'

/** The remaining life of every unit: CSV with the columns `unit` and `rul`, or a number per line in the order of the units. */
export async function readTruth(path: string, unitColumn: string, units: Runs['units']): Promise<Map<string, number>> {
  if (await isHeaderless(path)) return readLives(path, units)
  const table = await openCsv(path)
  const isNamedAsInRuns = table.columns.some((name) => name.toLowerCase() === unitColumn.toLowerCase())
  const unitAt = columnAt(table, isNamedAsInRuns ? unitColumn : UNIT, '--truth')
  const rulAt = columnAt(table, RUL, '--truth')
  const truth = new Map<string, number>()
  for await (const row of table.rows) {
    const unit = fieldOf(row, unitAt)
    if (truth.has(unit)) throw cellFailure(table, row, unitAt, 'is listed twice')
    const life = requireNumber(table, row, rulAt)
    if (life < 0) throw cellFailure(table, row, rulAt, 'is below 0')
    truth.set(unit, life)
  }
  return truth
}

async function isHeaderless(path: string): Promise<boolean> {
  for await (const { text } of numberedLines(path)) return /^\s*\d+(\.\d+)?\s*$/.test(text)
  return false
}

async function readLives(path: string, units: Runs['units']): Promise<Map<string, number>> {
  const truth = new Map<string, number>()
  let count = 0
  for await (const { line, text } of numberedLines(path)) {
    const life = Number(text)
    if (!(life >= 0)) throw csvFailure(path, `line ${line} is "${text.trim()}", not a remaining life`)
    const unit = units[count++]
    if (unit !== undefined) truth.set(unit.name, life)
  }
  if (count !== units.length) throw csvFailure(path, `it has ${count} lives, and the data have ${units.length} units`)
  return truth
}
