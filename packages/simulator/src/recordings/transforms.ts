// Faults put into a real trip, and other changes to a recording. Each call makes a transform with its own memory, for one pass.
import type { RecordedReading, RecordedValues, Recording } from './recording.ts'

/** Returns the reading as it shall be, or `undefined` to leave it out. */
export type Transform = (reading: RecordedReading) => RecordedReading | undefined

/** Applies transforms in order. */
export async function* transformed(recording: Recording, ...transforms: readonly Transform[]): AsyncGenerator<RecordedReading> {
  for await (const original of recording) {
    let reading: RecordedReading | undefined = original
    for (const transform of transforms) reading = reading && transform(reading)
    if (reading) yield reading
  }
}

/** What is before `toS`. The rest is not read: no reading is earlier than the one before it. */
export async function* until(recording: Recording, toS: number): AsyncGenerator<RecordedReading> {
  for await (const reading of recording) {
    if (reading.offsetS >= toS) return
    yield reading
  }
}

type Change = (value: number, sinceS: number, valueAtStart: number, record: RecordedValues) => number

/** Changes one numeric key from `startS` on; the change knows the value the key had when it began. */
function changeFrom(startS: number, key: string, change: Change): Transform {
  let valueAtStart: number | undefined
  return (reading) => {
    const value = reading.record[key]
    if (reading.offsetS < startS || typeof value !== 'number') return reading
    valueAtStart ??= value
    return { ...reading, record: { ...reading.record, [key]: change(value, reading.offsetS - startS, valueAtStart, reading.record) } }
  }
}

/** Coolant lost: the temperature climbs at `ratePerS` from where it was and stays at `toC`. */
export function coolantRamp({ startS, toC, ratePerS }: { startS: number; toC: number; ratePerS: number }): Transform {
  return changeFrom(startS, 'coolant_temp', (value, sinceS, atStart) => Math.max(value, Math.min(toC, atStart + ratePerS * sinceS)))
}

/** The sensor keeps reporting its last value. */
export function coolantStuck({ startS }: { startS: number }): Transform {
  return changeFrom(startS, 'coolant_temp', (_value, _sinceS, atStart) => atStart)
}

/** Thermostat stuck open on the road: the engine cools to `toC` with the time constant of its mass and never gets warm again. */
export function thermostatOpen({ startS, toC = 55, tauS = 240 }: { startS: number; toC?: number; tauS?: number }): Transform {
  return changeFrom(startS, 'coolant_temp', (value, sinceS, atStart) => Math.min(value, toC + (atStart - toC) * Math.exp(-sinceS / tauS)))
}

/** Bus voltage of a 12 V battery of 60 Ah that carries 28 A alone: at once to about 12.2 V, then down by 0.76 V over two hours, and steeper when empty. */
const BATTERY_ALONE_V = 12.25
const DISCHARGE_V_PER_S = 0.76 / 7_200
const SURFACE_CHARGE_TAU_S = 12
const EMPTY_AFTER_S = 6_000
const FLAT_V = 9

/** The alternator stops charging: voltage sags from its float value and then falls as a battery discharging would. */
export function deadAlternator({ startS, sagTauS = SURFACE_CHARGE_TAU_S }: { startS: number; sagTauS?: number }): Transform {
  return changeFrom(startS, 'battery_voltage', (value, sinceS, atStart) => {
    const surface = Math.max(0, atStart - BATTERY_ALONE_V) * Math.exp(-sinceS / sagTauS)
    const empty = 0.002 * Math.max(0, sinceS - EMPTY_AFTER_S)
    return Math.min(value, Math.max(FLAT_V, BATTERY_ALONE_V + surface - DISCHARGE_V_PER_S * sinceS - empty))
  })
}

/** A slow loss of voltage, as of a corroding ground strap. */
export function voltageDrift({ startS, perHourV }: { startS: number; perHourV: number }): Transform {
  return changeFrom(startS, 'battery_voltage', (value, sinceS) => value + (perHourV * sinceS) / 3600)
}

/** A regulator that has lost its reference: a running engine drives the bus to `toV` within seconds. */
export function overcharge({ startS, toV = 15.6, tauS = 8 }: { startS: number; toV?: number; tauS?: number }): Transform {
  return changeFrom(startS, 'battery_voltage', (value, sinceS, _atStart, record) => {
    const running = typeof record['rpm'] !== 'number' || record['rpm'] > 500
    return running ? Math.max(value, value + (toV - value) * (1 - Math.exp(-sinceS / tauS))) : value
  })
}

/** Fuel that leaves the tank at a steady rate, moving or not: a leak, or a thief when the vehicle stands. It ends after `atMostPct`. */
export function fuelLoss({ startS, pctPerS, atMostPct = 100 }: { startS: number; pctPerS: number; atMostPct?: number }): Transform {
  return changeFrom(startS, 'fuel_level', (value, sinceS) => Math.max(0, value - Math.min(atMostPct, pctPerS * sinceS)))
}

/** A device set to the wrong unit: °C sent as °F. */
export function fahrenheit({ startS }: { startS: number }): Transform {
  return changeFrom(startS, 'coolant_temp', (value) => value * 1.8 + 32)
}

/** Only the part of the trip in the half-open range, with its own zero. */
export function between({ fromS, toS }: { fromS: number; toS: number }): Transform {
  return (reading) =>
    reading.offsetS >= fromS && reading.offsetS < toS
      ? { ...reading, offsetS: Math.round((reading.offsetS - fromS) * 1000) / 1000 }
      : undefined
}

/** One position for every reading: the recordings know none. */
export function at({ latitude, longitude }: { latitude: number; longitude: number }): Transform {
  return (reading) => ({ ...reading, record: { latitude, longitude, ...reading.record } })
}
