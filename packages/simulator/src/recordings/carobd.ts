// carOBD recordings (Toyota Etios, da Silva Neto et al., VTC2019-Fall). Header names end in " ()", run time is spelt ENGINE_RUN_TINE, rows
// end with a comma, and there is no clock but the run-time counter.
import { csvRows } from './csv-rows.ts'
import { type RecordedReading, type RecordedValues, RecordingProblem } from './recording.ts'

const RUN_TIME_COLUMN = 'ENGINE_RUN_TINE'
const COLUMN_KEYS: Readonly<Record<string, string>> = {
  [RUN_TIME_COLUMN]: 'runTime',
  ENGINE_RUN_TIME: 'runTime',
  ENGINE_RPM: 'rpm',
  VEHICLE_SPEED: 'speed',
  THROTTLE: 'throttle',
  COOLANT_TEMPERATURE: 'coolant_temp',
  FUEL_TANK: 'fuel_level',
  INTAKE_AIR_TEMP: 'intake_air_temp',
  CONTROL_MODULE_VOLTAGE: 'battery_voltage',
}

/** Rows per second of the run-time counter, measured over 72 recordings without dropouts (2.02 to 2.04). */
export const CAROBD_ROWS_PER_S = 2.03
const ROW_S = 1 / CAROBD_ROWS_PER_S
/** Rows of one counter value are spread over its span, but a logger that stalled (up to 15 s in live5 to live12) leaves a gap instead. */
const MAX_SPACING_S = 1
/** Rows held back for one counter value; two to four are usual, an engine that is off repeats zero for as long as it likes. */
const MAX_HELD_ROWS = 64

type Row = { runTimeS: number; record: RecordedValues }

/** Rows of a carOBD file with offsets between the steps of the counter. An unfinished row is left out. */
export async function* readCarobd(path: string): AsyncGenerator<RecordedReading> {
  let columns: string[] | undefined
  const pace = createPace()
  for await (const rows of csvRows(path)) {
    for (const fields of rows) {
      if (!columns) {
        columns = fields.map((name) => name.replace(/\s*\(.*\)$/, '')).filter((name) => name !== '')
        if (!columns.some((name) => COLUMN_KEYS[name] === 'runTime')) throw new RecordingProblem(`${path}: no column ${RUN_TIME_COLUMN}`)
        continue
      }
      const record = recordOf(columns, fields)
      if (record) yield* pace.add({ runTimeS: Number(record['runTime']), record })
    }
  }
  yield* pace.rest()
}

/**
 * Some files lack columns at the end (live6 lacks three), which does no harm. A row that breaks off before the last column we use has
 * passed, mid-number perhaps, is not a reading.
 */
function recordOf(columns: readonly string[], fields: readonly string[]): RecordedValues | undefined {
  const lastUsed = columns.findLastIndex((name) => COLUMN_KEYS[name] !== undefined)
  if (fields.length < columns.length && fields.length <= lastUsed + 1) return undefined
  const record: RecordedValues = { ignition: true }
  for (const [i, name] of columns.entries()) {
    const key = COLUMN_KEYS[name]
    if (key === undefined) continue
    const value = Number(fields[i])
    if (fields[i] === '' || !Number.isFinite(value)) return undefined
    record[key] = value
  }
  return record
}

/**
 * The counter steps every one to two seconds while rows come twice a second. Rows that share a value are held until the next value shows how
 * long it lasted. A counter that stands at zero (engine off), or falls (engine restarted), shows nothing: such rows go at the usual pace.
 */
function createPace(): { add(row: Row): readonly RecordedReading[]; rest(): readonly RecordedReading[] } {
  let held: Row[] = []
  let startS = 0
  const release = (spacingS: number) =>
    held.map(({ record }, i) => ({ offsetS: Math.round((startS + i * spacingS) * 1000) / 1000, record }))
  return {
    /** The rows whose time is known by this one. */
    add: (row) => {
      const first = held[0]
      const spanS = first === undefined ? 0 : row.runTimeS - first.runTimeS
      if (first === undefined || (spanS === 0 && held.length < MAX_HELD_ROWS)) {
        held.push(row)
        return []
      }
      const known = spanS > 0 && first.runTimeS > 0
      const released = release(known ? Math.min(spanS / held.length, MAX_SPACING_S) : ROW_S)
      startS += known ? spanS : held.length * ROW_S
      held = [row]
      return released
    },
    rest: () => release(ROW_S),
  }
}
