// Which column of a CSV file is which key of the External API, and what its cells hold. Pure.

import { closestName } from '@roadworthy/service-kit/text/closest-name'
import { type ColumnKind, columnKindOf, knownKeys } from '../ingest/record-keys.ts'
import { converter, unitsOf } from './csv-units.ts'
import { BackfillProblem, type Refusal, shown } from './past-source.ts'
import { requireZone, TimesOfZone } from './times-of-zone.ts'

export type ColumnOptions = {
  /** By key, the name of its column where that is another. */
  readonly columns: ReadonlyMap<string, string>
  /** By key, the unit of its column where that is another. */
  readonly units: ReadonlyMap<string, string>
  /** Of times without an offset. Undefined: they are refused. */
  readonly timeZone?: string | undefined
  /** Numbers are written as `1234,5`, and have no point. */
  readonly hasDecimalComma?: boolean
}

export type Column = { readonly at: number; readonly key: string; readonly title: string; readonly read: (cell: string) => unknown }
export type Header = { readonly columns: readonly Column[]; readonly width: number; readonly leftOut: readonly string[] }

const MAX_COLUMNS = 256
const MAX_NAMED = 20
/** Trouble codes of one cell are separated by any of these. */
const CODE_SEPARATORS = /[\s,;|]+/
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i
const DECIMAL_COMMA = /^[-+]?\d+,\d+$/
/** As databases and spreadsheets write them: `2026-01-31 08:15:00.5`, `31.01.2026 08:15`. With slashes the month may come first, so such dates are refused. */
const LOCAL_TIME = /^(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))[ T](\d{1,2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?$/

/** Throws a `BackfillProblem` where the header is none, or does not fit the options. */
export function readHeader(file: string, titles: readonly string[], options: ColumnOptions): Header {
  const { columns: given, units } = options
  const problem = (what: string) => new BackfillProblem(`${file}: ${what}`)
  if (titles.length > MAX_COLUMNS) throw problem(`it has ${titles.length} columns, and at most ${MAX_COLUMNS} are read.`)
  if (options.timeZone !== undefined) requireZone(options.timeZone)
  for (const key of [...given.keys(), ...units.keys()]) requireKey(problem, key)
  if (titles.every((title) => title === '' || NUMBER.test(title))) {
    throw problem('its first line is no header. Write one that names each column, such as device_id,timestamp,latitude,longitude,speed.')
  }
  const keyByColumn = columnsByTitle(problem, titles, given)
  const columns: Column[] = []
  const leftOut: string[] = []
  for (const [at, title] of titles.entries()) {
    const key = keyByColumn.get(at) ?? [title, title.toLowerCase()].find((name) => isCellKey(name) && !given.has(name))
    if (key === undefined) {
      if (title !== '') leftOut.push(nameOfUnknown(title))
      continue
    }
    const another = columns.find((column) => column.key === key)
    if (another !== undefined) {
      throw problem(
        `columns ${another.at + 1} and ${at + 1} are both ${shown(key)}. Rename one, or name the right one with --column ${key}=…`,
      )
    }
    columns.push({ at, key, title, read: readerOf(problem, key, options) })
  }
  requireColumns(problem, columns, units)
  return { columns, width: titles.length, leftOut: leftOut.slice(0, MAX_NAMED) }
}

/** A column called location mostly holds an address: it is left out like others that are no field. */
function isCellKey(name: string): boolean {
  const kind = columnKindOf(name)
  return kind !== undefined && kind !== 'nested'
}

type ProblemOf = (what: string) => BackfillProblem

function requireKey(problem: ProblemOf, key: string): void {
  if (columnKindOf(key) !== undefined) return
  const closest = closestName(key, knownKeys)
  throw problem(
    `there is no field ${shown(key)}${closest === undefined ? '' : `; did you mean ${closest}?`} Fields are those of POST /telemetry.`,
  )
}

/** By the place of a column, the key that an option gives it. */
function columnsByTitle(problem: ProblemOf, titles: readonly string[], given: ReadonlyMap<string, string>): Map<number, string> {
  const keys = new Map<number, string>()
  for (const [key, title] of given) {
    const places = titles.flatMap((each, at) => (each === title ? [at] : []))
    const [at, another] = places
    if (at === undefined)
      throw problem(
        `there is no column ${shown(title)} (--column ${key}=…); there are ${titles.slice(0, MAX_NAMED).map(shown).join(', ')}.`,
      )
    if (another !== undefined) throw problem(`columns ${at + 1} and ${another + 1} are both called ${shown(title)} (--column ${key}=…).`)
    const taken = keys.get(at)
    if (taken !== undefined) throw problem(`the column ${shown(title)} is given for ${taken} and for ${key}.`)
    keys.set(at, key)
  }
  return keys
}

function nameOfUnknown(title: string): string {
  const closest = closestName(title, knownKeys)
  return `${shown(title)}${closest === undefined || columnKindOf(closest) === 'nested' ? '' : ` (${closest}?)`}`
}

function requireColumns(problem: ProblemOf, columns: readonly Column[], units: ReadonlyMap<string, string>): void {
  const has = (key: string) => columns.some((column) => column.key === key)
  if (!has('timestamp')) throw problem('no column is the timestamp. Name it timestamp, or give --column timestamp=NAME.')
  if (!has('device_id') && !has('vehicle_id')) {
    throw problem('no column names the device or the vehicle. Name it device_id or vehicle_id, or give --column device_id=NAME.')
  }
  for (const key of units.keys()) if (!has(key)) throw problem(`--unit ${key}=… is given, and no column is ${key}.`)
}

function readerOf(problem: ProblemOf, key: string, { units, timeZone, hasDecimalComma }: ColumnOptions): Column['read'] {
  const kind = columnKindOf(key) as ColumnKind
  const unit = units.get(key)
  const numberOf = hasDecimalComma === true ? numberWithComma : numberWithPoint
  if (kind === 'nested') throw problem(`a column cannot be ${key}, which holds other fields. Have a column for each of these.`)
  if (unit === undefined) return kind === 'number' ? numberOf : kind === 'time' ? timeReader(timeZone) : readers[kind]
  const convert = converter(key, unit)
  if (convert === undefined) {
    const allowed = unitsOf(key)
    throw problem(
      `${key} is not read in ${shown(unit)}. ${allowed.length === 0 ? 'It has no other unit.' : `One of: ${allowed.join(', ')}.`}`,
    )
  }
  return (cell) => convert(numberOf(cell))
}

/** Why a cell does not become a value. */
class WrongCell extends Error {}

function numberWithPoint(cell: string): number {
  const number = NUMBER.test(cell) ? Number(cell) : Number.NaN
  if (Number.isFinite(number)) return number
  throw new WrongCell(`is no number${DECIMAL_COMMA.test(cell) ? '; write it with a decimal point, or give --decimal-comma' : ''}`)
}

/** `1.234` may be meant as a thousand or as one and a bit. */
function numberWithComma(cell: string): number {
  if (cell.includes('.')) throw new WrongCell('has a decimal point, and --decimal-comma is given')
  return numberWithPoint(cell.replace(',', '.'))
}

function timeReader(timeZone: string | undefined): (cell: string) => string {
  const zone = timeZone === undefined ? undefined : new TimesOfZone(timeZone)
  return (cell) => {
    const [, year, month, day, dayOfDots = '', monthOfDots = '', yearOfDots, minute = '', second = ':00'] = LOCAL_TIME.exec(cell) ?? []
    if (year === undefined && yearOfDots === undefined) return cell
    if (zone === undefined) throw new WrongCell('has no offset from UTC; name its zone with --time-zone, such as Europe/Berlin')
    const date =
      yearOfDots === undefined ? `${year}-${month}-${day}` : `${yearOfDots}-${monthOfDots.padStart(2, '0')}-${dayOfDots.padStart(2, '0')}`
    return zone.toUtc(`${date} ${minute.padStart(5, '0')}${second.replace(',', '.')}`)
  }
}

function flagOf(cell: string): boolean {
  const word = cell.toLowerCase()
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  throw new WrongCell('is neither true nor false, 1 nor 0')
}

const readers: Readonly<Record<Exclude<ColumnKind, 'number' | 'time' | 'nested'>, (cell: string) => unknown>> = {
  text: (cell) => cell,
  flag: flagOf,
  lamp: (cell) => (cell === 'LAMP_ON' || cell === 'LAMP_OFF' ? cell : flagOf(cell) ? 'LAMP_ON' : 'LAMP_OFF'),
  dtcCodes: (cell) => cell.split(CODE_SEPARATORS).filter((code) => code !== ''),
}

export type CellsRead = { readonly record: Readonly<Record<string, unknown>> } | { readonly refusal: Refusal }

/** An empty cell is a value that is missing. */
export function readCells({ columns, width }: Header, cells: readonly string[]): CellsRead {
  if (cells.length !== width) return { refusal: wrongWidth(cells.length, width) }
  const record: Record<string, unknown> = {}
  for (const { at, key, title, read } of columns) {
    const cell = cells[at] ?? ''
    if (cell === '') continue
    try {
      record[key] = read(cell)
    } catch (error) {
      if (!(error instanceof WrongCell)) throw error
      return { refusal: { kind: `${key} ${error.message}`, text: `column ${shown(title)}: ${shown(cell)} ${error.message}` } }
    }
  }
  return { record }
}

export function wrongWidth(count: number, width: number): Refusal {
  return { kind: `${count} cells`, text: `there are ${count} cells, and the header has ${width}` }
}
