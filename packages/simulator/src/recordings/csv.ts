// The generic form: a header of wire keys or their aliases, and a time in `timestamp` (RFC 3339) or `time_s` (seconds).
import { lampsByWireKey } from '@roadworthy/signals/registry'
import { csvRows, separatorOf } from './csv-rows.ts'
import { externalKeyOf, type RecordedReading, type RecordedValues, RecordingProblem } from './recording.ts'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/
const CODE_COLUMNS = ['dtc_codes', 'dtc', 'fault_codes', 'faultCodes', 'error_codes']

/**
 * Rows of a generic CSV, separated by commas, semicolons or tabs. Aliases become External keys, columns of unknown name are kept under it, empty fields are left out, codes are
 * separated by spaces or semicolons. A time that does not go on from the row before is a problem, named by its row.
 */
export async function* readCsv(path: string): AsyncGenerator<RecordedReading> {
  let columns: readonly string[] | undefined
  let firstS: number | undefined
  let lastS = Number.NEGATIVE_INFINITY
  let row = 1
  for await (const rows of csvRows(path, await separatorOf(path))) {
    for (const fields of rows) {
      if (!columns) {
        columns = fields
        checkHeader(path, columns)
        continue
      }
      row++
      const atS = timeS(columns, fields)
      if (atS === undefined) throw new RecordingProblem(`${path}: row ${row} has no valid time`)
      if (atS <= lastS) throw new RecordingProblem(`${path}: row ${row} is not later than the row before it`)
      firstS ??= atS
      lastS = atS
      yield { offsetS: Math.round((atS - firstS) * 1000) / 1000, record: valuesOf(columns, fields) }
    }
  }
}

function checkHeader(path: string, columns: readonly string[]): void {
  if (!columns.includes('timestamp') && !columns.includes('time_s')) throw new RecordingProblem(`${path}: no column timestamp or time_s`)
  const keys = columns.map((column) => (CODE_COLUMNS.includes(column) ? 'dtc_codes' : (externalKeyOf(column) ?? column)))
  const another = keys.findIndex((key, at) => key !== '' && keys.indexOf(key) !== at)
  const key = keys[another] ?? ''
  if (another >= 0) throw new RecordingProblem(`${path}: columns ${keys.indexOf(key) + 1} and ${another + 1} are both ${key}`)
}

function timeS(columns: readonly string[], fields: readonly string[]): number | undefined {
  const stamp = fields[columns.indexOf('timestamp')]
  if (stamp !== undefined) return RFC_3339.test(stamp) ? Date.parse(stamp) / 1000 : undefined
  const text = fields[columns.indexOf('time_s')]
  const seconds = Number(text)
  return text === undefined || text === '' || !Number.isFinite(seconds) ? undefined : seconds
}

function valuesOf(columns: readonly string[], fields: readonly string[]): RecordedValues {
  const record: RecordedValues = {}
  for (const [i, column] of columns.entries()) {
    const text = fields[i] ?? ''
    if (text === '' || column === '' || column === 'timestamp' || column === 'time_s' || column === 'device_id') continue
    if (CODE_COLUMNS.includes(column)) record['dtc_codes'] = text.split(/[\s;]+/).filter((code) => code !== '')
    else if (lampsByWireKey.has(column)) record[column] = text
    else if (text === 'true' || text === 'false') record[column] = text === 'true'
    else record[externalKeyOf(column) ?? column] = Number.isFinite(Number(text)) ? Number(text) : text
  }
  return record
}
