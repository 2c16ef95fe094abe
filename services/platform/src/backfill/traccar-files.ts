// A folder with two tables of Traccar as CSV files, for its databases that are not PostgreSQL.

import path from 'node:path'
import { wrongWidth } from './csv-columns.ts'
import { readCsv } from './csv-rows.ts'
import { titlesOf } from './csv-source.ts'
import { BackfillProblem, type PastPart, type PastRecord, type PastSource, shown } from './past-source.ts'
import { requireZone, TimesOfZone } from './times-of-zone.ts'
import { TraccarDevices } from './traccar-devices.ts'
import { fromPosition, type PositionColumn, positionColumns, REQUIRED_POSITION_COLUMNS } from './traccar-position.ts'

const DEVICES_FILE = 'tc_devices.csv'
const POSITIONS_FILE = 'tc_positions.csv'
const TIME_COLUMNS: ReadonlySet<string> = new Set(['servertime', 'devicetime', 'fixtime'])
/** What databases write of a value that is null. */
const NULLS: ReadonlySet<string> = new Set(['', 'NULL', '\\N'])

export async function openTraccarFiles(folder: string, timeZone: string): Promise<PastSource> {
  requireZone(timeZone)
  const devices = await readDevices(path.join(folder, DEVICES_FILE))
  const file = path.join(folder, POSITIONS_FILE)
  const columns = await columnsOf(file, REQUIRED_POSITION_COLUMNS)
  const zone = new TimesOfZone(timeZone)
  const known: ReadonlySet<string> = new Set(positionColumns)
  const read = ({ cells, line }: { cells: readonly string[]; line: number }): PastRecord => {
    if (cells.length !== columns.length) return { place: `line ${line}`, refusal: wrongWidth(cells.length, columns.length) }
    const row: Partial<Record<PositionColumn, string>> = {}
    for (const [at, name] of columns.entries()) {
      const cell = cells[at] ?? ''
      if (!known.has(name) || NULLS.has(cell)) continue
      row[name as PositionColumn] = TIME_COLUMNS.has(name) ? zone.toUtc(cell) : cell
    }
    return { ...fromPosition(row, devices.uniqueIdOf(row.deviceid)), place: `line ${line}` }
  }
  async function* parts(): AsyncGenerator<PastPart, void> {
    let isHeader = true
    for await (const { rows, share } of readCsv(file)) {
      yield { records: (isHeader ? rows.slice(1) : rows).map(read), share }
      isHeader = false
    }
  }
  return { ...devices.asSource(folder), read: parts, close: async () => undefined }
}

async function readDevices(file: string): Promise<TraccarDevices> {
  const columns = await columnsOf(file, ['id', 'uniqueid', 'name'])
  const devices = new TraccarDevices()
  let isHeader = true
  for await (const { rows } of readCsv(file)) {
    for (const { cells, line } of isHeader ? rows.slice(1) : rows) {
      if (cells.length !== columns.length)
        throw new BackfillProblem(`${file} line ${line}: ${wrongWidth(cells.length, columns.length).text}.`)
      const cellOf = (name: string) => {
        const cell = cells[columns.indexOf(name)] ?? ''
        return NULLS.has(cell) ? undefined : cell
      }
      devices.add({ id: cellOf('id') ?? '', uniqueId: cellOf('uniqueid') ?? '', name: cellOf('name') ?? '' })
    }
    isHeader = false
  }
  return devices
}

/** Names of the header, in lower case. */
async function columnsOf(file: string, required: readonly string[]): Promise<readonly string[]> {
  const columns = (await titlesOf(file)).map((title) => title.toLowerCase())
  const missing = required.filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    throw new BackfillProblem(
      `${file}: its first line has to name the columns of the table; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    )
  }
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (twice !== undefined) throw new BackfillProblem(`${file}: two columns are called ${shown(twice)}.`)
  return columns
}
