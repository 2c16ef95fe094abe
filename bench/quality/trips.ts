// Recordings as the engine's input: readings with a time, under the engine's field names.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { signals, signalsByWireKey } from '@roadworthy/signals/registry'
import { isHeldBack } from '@roadworthy/simulator/recordings/held-back'
import { openRecording, type RecordingFormat } from '@roadworthy/simulator/recordings/open-recording'
import type { RecordedReading } from '@roadworthy/simulator/recordings/recording'
import { type Transform, transformed } from '@roadworthy/simulator/recordings/transforms'

export const recordingSets = [
  { car: 'Toyota Etios', folder: 'carobd_etios', format: 'carobd' },
  { car: 'Seat Leon', folder: 'kit_seat_leon', format: 'kit' },
] as const satisfies readonly { car: string; folder: string; format: RecordingFormat }[]
export type RecordingSet = (typeof recordingSets)[number]

export type Trip = { readonly name: string; readonly set: RecordingSet; readonly readings: readonly RecordedReading[] }

/** The trips of a set that are held back, or the others, thinned to one reading in `everyS`; `undefined` when the recordings are not here. */
export async function readTrips(dataDir: string, set: RecordingSet, everyS: number, areHeldBack: boolean): Promise<Trip[] | undefined> {
  const folder = join(dataDir, set.folder)
  let files: string[]
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.csv.gz'))
  } catch {
    return undefined
  }
  const chosen = files.filter((file) => isHeldBack(file) === areHeldBack).sort()
  return Promise.all(
    chosen.map(async (file) => {
      const readings = await Array.fromAsync(transformed(openRecording(join(folder, file), set.format), thinned(everyS)))
      return { name: file.replace('.csv.gz', ''), set, readings }
    }),
  )
}

/** The same trip with something changed from row to row. */
export function changed(trip: Trip, ...transforms: readonly Transform[]): Trip {
  const readings = trip.readings.map((original) =>
    transforms.reduce<RecordedReading>((reading, transform) => transform(reading) ?? reading, original),
  )
  return { ...trip, readings }
}

/** Recorded times are early or late by some milliseconds: a reading that is almost due is taken. */
const ALMOST = 0.9

function thinned(everyS: number): Transform {
  let nextS = 0
  return (reading) => {
    if (reading.offsetS < nextS) return undefined
    nextS = reading.offsetS + everyS * ALMOST
    return reading
  }
}

export type EngineReading = Readonly<Record<string, number | string | boolean | readonly string[]>>

const TRIP_START_MS = Date.UTC(2026, 5, 1, 8)

/** As the engine takes it: its own keys, RFC 3339 times. */
export function toEngineReadings(trip: Trip): EngineReading[] {
  return trip.readings.map(({ offsetS, record }) => {
    const reading: Record<string, EngineReading[string]> = { timestamp: new Date(TRIP_START_MS + offsetS * 1000).toISOString() }
    for (const [key, value] of Object.entries(record)) {
      const name = signalsByWireKey.get(key)?.name
      const engine = name === undefined ? undefined : signals[name].engine
      if (engine) reading[engine.key] = value
    }
    return reading
  })
}
