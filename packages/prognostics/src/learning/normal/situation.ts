// What a running engine was doing a minute ago and is doing now, as a row of features. The learned normal predicts how far coolant and voltage
// should have moved in between. It looks at movement and not at levels, because thermostats and regulators are set differently in every
// make of car, while an engine of any make warms up under load and no sound alternator loses a volt.
import type { SignalName } from '@roadworthy/signals/registry'
import type { Sample } from '../../inputs/sample.ts'
import type { Timeline } from '../../inputs/timeline.ts'
import { hasEngine } from '../../vehicle/vehicle-traits.ts'

/** In the order of a row. "Now" is the last 10 s, "before" is 40 to 75 s earlier, "mean" is over all of it. */
export const situationFeatures = [
  'coolant_before_c',
  'voltage_before_v',
  'before_age_s',
  'readings_now',
  'engine_speed_rpm',
  'engine_speed_before_rpm',
  'engine_speed_mean_rpm',
  'vehicle_speed_kmh',
  'vehicle_speed_before_kmh',
  'vehicle_speed_mean_kmh',
  'ambient_c',
  'intake_air_c',
  'running_s',
  'coolant_c',
] as const
export type SituationFeature = (typeof situationFeatures)[number]

export const movingSignals = ['coolantTempC', 'batteryVoltageV'] as const satisfies readonly SignalName[]
export type MovingSignal = (typeof movingSignals)[number]
export type Movement = { readonly before: number; readonly now: number }

export type Situation = {
  /** In the order of `situationFeatures`; NaN where the vehicle did not report it. */
  readonly row: Float64Array
  readonly beforeAgeS: number
  /** Of the signals known at both ends. */
  readonly movements: Readonly<Partial<Record<MovingSignal, Movement>>>
}

/** Medians over this long, so that no single reading decides. A device that sends one reading in that time is taken at its word. */
const NOW_S = 10
/** 120 readings of a device that sends two a second are 59 s. */
const BEFORE_FROM_S = 40
const BEFORE_TO_S = 75
/** More readings than this make a median no surer. */
const MOST_READINGS = 5
/** Cells of the electrical systems that the recordings hold: a 24 V truck is not judged by them. */
const LEARNED_SYSTEM_VOLTAGE = 12

/** `undefined` where there is nothing to compare: no engine, no history of the last minute, or an engine that did not run through all of it. */
export function situationOf({ samples, current, systemVoltage, traits }: Timeline): Situation | undefined {
  if (!hasEngine(traits)) return undefined
  const now: Sample[] = []
  const before: Sample[] = []
  const all: Sample[] = []
  for (let index = samples.length - 1; index >= 0; index--) {
    const sample = samples[index] as Sample
    const ageS = (current.atMs - sample.atMs) / 1000
    if (ageS > BEFORE_TO_S) break
    if (sample.engine === 'off' || sample.engine === 'cranking') return undefined
    if (sample.engine === 'unknown') continue
    all.push(sample)
    if (ageS <= NOW_S) now.push(sample)
    else if (ageS >= BEFORE_FROM_S) before.push(sample)
  }
  if (now.length === 0 || before.length === 0) return undefined
  const beforeAgeS = before.reduce((sum, { atMs }) => sum + (current.atMs - atMs) / 1000, 0) / before.length
  const movements: Partial<Record<MovingSignal, Movement>> = {}
  for (const signal of movingSignals) {
    if (signal === 'batteryVoltageV' && systemVoltage !== LEARNED_SYSTEM_VOLTAGE) continue
    const movement = { before: medianOf(before, signal), now: medianOf(now, signal) }
    if (!Number.isNaN(movement.before) && !Number.isNaN(movement.now)) movements[signal] = movement
  }
  const latest = (signal: SignalName) => all.find(({ values }) => values[signal] !== undefined)?.values[signal] ?? Number.NaN
  const features: Record<SituationFeature, number> = {
    coolant_before_c: movements.coolantTempC?.before ?? Number.NaN,
    voltage_before_v: movements.batteryVoltageV?.before ?? Number.NaN,
    before_age_s: beforeAgeS,
    readings_now: Math.min(MOST_READINGS, now.length),
    engine_speed_rpm: medianOf(now, 'engineSpeedRpm'),
    engine_speed_before_rpm: medianOf(before, 'engineSpeedRpm'),
    engine_speed_mean_rpm: meanOf(all, 'engineSpeedRpm'),
    vehicle_speed_kmh: medianOf(now, 'vehicleSpeedKmh'),
    vehicle_speed_before_kmh: medianOf(before, 'vehicleSpeedKmh'),
    vehicle_speed_mean_kmh: meanOf(all, 'vehicleSpeedKmh'),
    ambient_c: latest('ambientTempC'),
    intake_air_c: latest('intakeAirTempC'),
    running_s: current.runningMs === undefined ? Number.NaN : current.runningMs / 1000,
    coolant_c: medianOf(now, 'coolantTempC'),
  }
  return { row: Float64Array.from(situationFeatures, (name) => features[name]), beforeAgeS, movements }
}

function medianOf(samples: readonly Sample[], signal: SignalName): number {
  const values: number[] = []
  for (const sample of samples) {
    const value = sample.values[signal]
    if (value !== undefined) values.push(value)
  }
  values.sort((a, b) => a - b)
  return values[values.length >> 1] ?? Number.NaN
}

function meanOf(samples: readonly Sample[], signal: SignalName): number {
  let sum = 0
  let count = 0
  for (const sample of samples) {
    const value = sample.values[signal]
    if (value === undefined) continue
    sum += value
    count++
  }
  return count === 0 ? Number.NaN : sum / count
}
