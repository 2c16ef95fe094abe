// Tables that people bring: CSV with a header, plain or gzip, read row by row. What is wrong is reported by file, line and column.

import { type NumberedRow, numberedRows, separatorOf, textLines } from '@roadworthy/simulator/recordings/csv-rows'
import { CommandFailure, exitCodes } from './failure.ts'

export type CsvRow = NumberedRow

export type CsvTable = {
  readonly path: string
  /** Names of the header, in order. */
  readonly columns: readonly string[]
  readonly separator: string
  /** Every row has as many fields as there are columns. To be iterated once. */
  readonly rows: AsyncGenerator<CsvRow, void>
}

const MISSING = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?', '-'])
/** What spreadsheets write where that is the custom. `1,500` may be either, so it is not guessed. */
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Reads the header; of comma, semicolon and tab it is separated by whichever it holds most of. */
export async function openCsv(path: string): Promise<CsvTable> {
  const separator = await separatorOf(path)
  if (separator === undefined) throw csvFailure(path, 'it is empty')
  const rows = numberedRows(path, separator)
  const first = await rows.next()
  if (first.done) throw csvFailure(path, 'it is empty')
  const { fields: columns, line } = first.value
  if (columns.every((name) => NUMBER.test(name))) throw csvFailure(path, `line ${line} is no header: there are only numbers in it`)
  return { path, columns, separator, rows: wholeRows(path, rows, columns.length) }
}

/** Lines that are not blank, with their numbers, of any text file. */
export async function* numberedLines(path: string): AsyncGenerator<{ line: number; text: string }, void> {
  let line = 0
  for await (const text of textLines(path)) {
    line++
    if (text.trim() !== '') yield { line, text }
  }
}

async function* wholeRows(path: string, rows: AsyncGenerator<CsvRow, void>, columnCount: number): AsyncGenerator<CsvRow, void> {
  for await (const row of rows) {
    const { line, fields } = row
    if (fields.length !== columnCount) {
      throw csvFailure(path, `line ${line} has ${fields.length} fields where the header has ${columnCount} columns`)
    }
    yield row
  }
}

/** The place of a column, by its name or else by its name in another case. `flag` is the option that named it. */
export function columnAt({ path, columns }: CsvTable, name: string, flag: string): number {
  const exact = places(columns, (column) => column === name)
  const [at, another] = exact.length > 0 ? exact : places(columns, (column) => column.toLowerCase() === name.toLowerCase())
  if (at === undefined) throw csvFailure(path, `there is no column "${name}" (${flag}); it has ${columns.join(', ')}`)
  if (another !== undefined) throw csvFailure(path, `columns ${at + 1} and ${another + 1} are both called "${name}" (${flag})`)
  return at
}

/** What is learned from is known by its name later, so that two columns of one name cannot both be. */
export function requireDifferentNames({ path, columns }: CsvTable, places: readonly number[]): void {
  const names = places.map((at) => columns[at] ?? '')
  const again = names.find((name, index) => names.indexOf(name) !== index)
  if (again !== undefined) throw csvFailure(path, `two columns are called "${again}"; rename one, or choose others with --features`)
}

function places(columns: readonly string[], isIt: (column: string) => boolean): number[] {
  return columns.flatMap((column, at) => (isIt(column) ? [at] : []))
}

/** The number in a cell; NaN where it is empty or marked as missing (NA, NaN, null, ?). */
export function numberOrMissing(table: CsvTable, row: CsvRow, column: number): number {
  const text = fieldOf(row, column)
  if (isNumber(text)) return Number(text)
  if (MISSING.has(text.toLowerCase())) return Number.NaN
  throw cellFailure(table, row, column, whyNotANumber(text))
}

/** The number in a cell, which must hold one. */
export function requireNumber(table: CsvTable, row: CsvRow, column: number): number {
  const text = fieldOf(row, column)
  if (isNumber(text)) return Number(text)
  throw cellFailure(table, row, column, text === '' ? 'is empty where a number is wanted' : whyNotANumber(text))
}

/**
 * Whether a cell is neither a number nor missing. A number with a decimal comma, in a file that is not separated by commas, is not text: whoever
 * takes what is text apart must not lose a column of numbers by it.
 */
export function isText({ separator }: CsvTable, row: CsvRow, column: number): boolean {
  const text = fieldOf(row, column)
  return !isNumber(text) && !MISSING.has(text.toLowerCase()) && (separator === ',' || !DECIMAL_COMMA.test(text))
}

/** `1e999` has the form of a number and is none that can be reckoned with. */
function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text))
}

function whyNotANumber(text: string): string {
  return `is not a number${DECIMAL_COMMA.test(text) ? '; write it with a decimal point' : ''}`
}

export function fieldOf({ fields }: CsvRow, column: number): string {
  return fields[column] ?? ''
}

/** `lives.csv line 3, column "hours": "abc" is not a number.` */
export function cellFailure({ path, columns }: CsvTable, row: CsvRow, column: number, what: string): CommandFailure {
  const text = fieldOf(row, column)
  const shown = text === '' ? '' : `"${text}" `
  return new CommandFailure(`${path} line ${row.line}, column "${columns[column]}": ${shown}${what}.`, exitCodes.usage)
}

export function csvFailure(path: string, what: string, cause?: unknown): CommandFailure {
  return new CommandFailure(`${path}: ${what}.`, exitCodes.usage, cause)
}
