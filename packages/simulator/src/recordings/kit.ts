// Recordings of the KIT Automotive OBD-II data set (Seat Leon, about 10 Hz). One PID answers at a time, so that the first rows fill up from the
// left; headers come with their unit in brackets, in one of two encodings; Time is the logger's time of day.
import { csvRows } from './csv-rows.ts'
import { type RecordedReading, type RecordedValues, RecordingProblem } from './recording.ts'

const COLUMN_KEYS: Readonly<Record<string, string>> = {
  'Engine Coolant Temperature': 'coolant_temp',
  'Engine RPM': 'rpm',
  'Vehicle Speed Sensor': 'speed',
  'Intake Air Temperature': 'intake_air_temp',
  'Absolute Throttle Position': 'throttle',
  'Ambient Air Temperature': 'ambient_temp',
}

/** Step taken where the logger's clock was set back (5 of 38 files): its usual row distance. */
const USUAL_STEP_S = 0.09
const DAY_S = 86_400

/** Rows of a KIT file. A row before the first answer of a PID simply lacks it. */
export async function* readKit(path: string): AsyncGenerator<RecordedReading> {
  let columns: string[] | undefined
  let lastTimeS: number | undefined
  let offsetS = 0
  for await (const rows of csvRows(path)) {
    for (const fields of rows) {
      if (!columns) {
        columns = fields.map((name) => name.replace(/\s*\[.*$/, ''))
        if (columns[0] !== 'Time') throw new RecordingProblem(`${path}: the first column is not Time`)
        continue
      }
      const timeS = timeOfDayS(fields[0] ?? '')
      if (timeS === undefined || fields.length < columns.length) continue
      if (lastTimeS !== undefined) {
        const stepS = timeS - lastTimeS
        const overMidnight = stepS < -DAY_S / 2
        offsetS += overMidnight ? stepS + DAY_S : stepS > 0 ? stepS : USUAL_STEP_S
      }
      lastTimeS = timeS
      const record: RecordedValues = { ignition: true }
      for (const [i, name] of columns.entries()) {
        const key = COLUMN_KEYS[name]
        const value = Number(fields[i])
        if (key !== undefined && fields[i] !== '' && Number.isFinite(value)) record[key] = value
      }
      yield { offsetS: Math.round(offsetS * 1000) / 1000, record }
    }
  }
}

function timeOfDayS(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)$/.exec(text)
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : undefined
}
