// Reads the carOBD recordings (a real car, `$ROADWORTHY_DATA/carobd_etios`) as observations, for tests and measurements only.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SignalName } from '@roadworthy/signals/registry'
import type { Observation } from '../observation.ts'

/** Rows come at this rate, not at the 1 Hz their description says: 3,853 rows of trip live1 span 1,893 s of engine run time. */
const ROWS_PER_SECOND = 2.04

const columns = {
  'ENGINE_RPM ()': 'engineSpeedRpm',
  'COOLANT_TEMPERATURE ()': 'coolantTempC',
  'CONTROL_MODULE_VOLTAGE ()': 'batteryVoltageV',
  'FUEL_TANK ()': 'fuelLevelPct',
  'VEHICLE_SPEED ()': 'vehicleSpeedKmh',
  'THROTTLE ()': 'throttlePct',
  'INTAKE_AIR_TEMP ()': 'intakeAirTempC',
  // The misspelling is the recording's.
  'ENGINE_RUN_TINE ()': 'engineRunTimeS',
} as const satisfies Record<string, SignalName>

/** Folder of the recordings, if it is there. */
export function findRecordings(dataDir: string): string | undefined {
  try {
    return listTrips(join(dataDir, 'carobd_etios')).length > 0 ? join(dataDir, 'carobd_etios') : undefined
  } catch {
    return undefined
  }
}

export function listTrips(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.csv.gz'))
    .map((file) => file.slice(0, -'.csv.gz'.length))
    .sort()
}

export function readTrip(folder: string, trip: string): Observation[] {
  const [header = '', ...lines] = gunzipSync(readFileSync(join(folder, `${trip}.csv.gz`)))
    .toString('utf8')
    .split(/\r?\n/)
  const names = header.split(',').map((name) => columns[name.trim() as keyof typeof columns])
  return lines
    .filter((line) => line.split(',').length > Object.keys(columns).length)
    .map((line, row) => {
      const signals: Partial<Record<SignalName, number>> = {}
      line.split(',').forEach((cell, column) => {
        const name = names[column]
        if (name !== undefined && cell.trim() !== '') signals[name] = Number(cell)
      })
      return { recordedAtMs: Math.round((row / ROWS_PER_SECOND) * 1000), signals, lamps: {}, dtcCodes: undefined }
    })
}
