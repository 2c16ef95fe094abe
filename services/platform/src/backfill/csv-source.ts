// Readings of a CSV file whose header names fields of the External API.

import { type ColumnOptions, readCells, readHeader } from './csv-columns.ts'
import { readCsv } from './csv-rows.ts'
import { BackfillProblem, type PastPart, type PastRecord, type PastSource } from './past-source.ts'

/** Reads the header. */
export async function openCsvSource(file: string, options: ColumnOptions): Promise<PastSource> {
  const header = readHeader(file, await titlesOf(file), options)
  const { leftOut } = header
  async function* read(): AsyncGenerator<PastPart, void> {
    let isHeader = true
    for await (const { rows, share } of readCsv(file)) {
      const ofRecords = isHeader ? rows.slice(1) : rows
      isHeader = false
      const records = ofRecords.map(({ line, cells }): PastRecord => ({ place: `line ${line}`, ...readCells(header, cells) }))
      yield { records, share }
    }
  }
  return {
    kind: 'csv',
    name: file,
    notes: leftOut.length === 0 ? [] : [`columns that are no field: ${leftOut.join(', ')}`],
    namesVehicles: header.columns.some(({ key }) => key === 'vehicle_id'),
    nameOf: () => undefined,
    read,
    close: async () => undefined,
  }
}

export async function titlesOf(file: string): Promise<readonly string[]> {
  for await (const { rows } of readCsv(file)) return rows[0]?.cells ?? []
  throw new BackfillProblem(`${file} is empty.`)
}
