// Reads recordings of real, sound cars under `$ROADWORTHY_DATA` as observations, for tests and measurements only.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SignalName } from '@roadworthy/signals/registry'
import type { Observation } from '../inputs/observation.ts'

type RecordingSet = {
  readonly folder: string
  /** Start of a column's name → what it holds. */
  readonly columns: readonly (readonly [string, SignalName])[]
  /** When a row was recorded, from its first cell and its place in the file; rising from row to row. */
  readonly recordedAtMs: (firstCell: string, row: number, beforeMs: number) => number
}

/** Rows come at this rate, not at the 1 Hz of their description: 3,853 rows of trip live1 span 1,893 s of engine run time. */
const CAROBD_ROWS_PER_SECOND = 2.04

/** Toyota Etios: every core field. */
export const carobd: RecordingSet = {
  folder: 'carobd_etios',
  columns: [
    ['ENGINE_RPM', 'engineSpeedRpm'],
    ['COOLANT_TEMPERATURE', 'coolantTempC'],
    ['CONTROL_MODULE_VOLTAGE', 'batteryVoltageV'],
    ['FUEL_TANK', 'fuelLevelPct'],
    ['VEHICLE_SPEED', 'vehicleSpeedKmh'],
    ['THROTTLE', 'throttlePct'],
    ['INTAKE_AIR_TEMP', 'intakeAirTempC'],
    // The misspelling is the recording's.
    ['ENGINE_RUN_TINE', 'engineRunTimeS'],
  ],
  recordedAtMs: (_, row) => Math.round((row / CAROBD_ROWS_PER_SECOND) * 1000),
}

const MS_PER_DAY = 86_400_000
const CLOCK = /^(\d+):(\d+):([\d.]+)$/

/** Seat Leon at about 10 Hz, summer and winter, -14 to 33 °C: no voltage, no fuel level, but ambient temperature. */
export const seatLeon: RecordingSet = {
  folder: 'kit_seat_leon',
  columns: [
    ['Engine Coolant Temperature', 'coolantTempC'],
    ['Engine RPM', 'engineSpeedRpm'],
    ['Vehicle Speed Sensor', 'vehicleSpeedKmh'],
    ['Intake Air Temperature', 'intakeAirTempC'],
    ['Absolute Throttle Position', 'throttlePct'],
    ['Ambient Air Temperature', 'ambientTempC'],
  ],
  recordedAtMs: (clock, _, beforeMs) => {
    const [, hours, minutes, seconds] = CLOCK.exec(clock) ?? []
    const ofDayMs = Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000)
    const atMs = Math.floor(beforeMs / MS_PER_DAY) * MS_PER_DAY + ofDayMs
    // The clock occasionally steps back a little; half a day back is midnight.
    return atMs < beforeMs - MS_PER_DAY / 2 ? atMs + MS_PER_DAY : Math.max(beforeMs, atMs)
  },
}

export type Recordings = { readonly trips: readonly string[]; readonly read: (trip: string) => Observation[] }

/** The recordings of a set, if they are on this machine. */
export function findRecordings(dataDir: string, set: RecordingSet): Recordings | undefined {
  const folder = join(dataDir, set.folder)
  try {
    const trips = readdirSync(folder)
      .filter((file) => file.endsWith('.csv.gz'))
      .map((file) => file.slice(0, -'.csv.gz'.length))
      .sort()
    return trips.length === 0 ? undefined : { trips, read: (trip) => readTrip(join(folder, `${trip}.csv.gz`), set) }
  } catch {
    // The folder is not there: the caller reports that and skips.
    return undefined
  }
}

/** Every trip one after the other, parked in between, as sent by a tracker that reports once in `everyMs`. */
export function asOneLife(trips: readonly (readonly Observation[])[], everyMs: number, parkedMs: number): Observation[] {
  const life: Observation[] = []
  let startMs = 0
  for (const trip of trips) {
    let dueMs = 0
    for (const observation of trip) {
      if (observation.recordedAtMs < dueMs) continue
      life.push({ ...observation, recordedAtMs: startMs + observation.recordedAtMs })
      dueMs = observation.recordedAtMs + everyMs
    }
    startMs += (trip.at(-1)?.recordedAtMs ?? 0) + parkedMs
  }
  return life
}

function readTrip(file: string, set: RecordingSet): Observation[] {
  const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString('utf8').split(/\r?\n/)
  const names = header.split(',').map((title) => set.columns.find(([start]) => title.trim().startsWith(start))?.[1])
  let beforeMs = 0
  return lines
    .map((line) => line.split(','))
    .filter((cells) => cells.length >= set.columns.length)
    .map((cells, row) => {
      const signals: Partial<Record<SignalName, number>> = {}
      cells.forEach((cell, column) => {
        const name = names[column]
        if (name !== undefined && cell.trim() !== '') signals[name] = Number(cell)
      })
      beforeMs = set.recordedAtMs(cells[0] ?? '', row, beforeMs)
      return { recordedAtMs: beforeMs, signals, lamps: {}, dtcCodes: undefined }
    })
}
