// The faults that are put into sound trips, where in a trip each can show itself, and from when on it does.
import { injections } from '@roadworthy/simulator/recordings/injections'
import type { RecordedReading } from '@roadworthy/simulator/recordings/recording'
import { type Transform, voltageDrift } from '@roadworthy/simulator/recordings/transforms'
import type { Trip } from './trips.ts'

export type Fault = {
  readonly name: string
  /** Components whose alert tells the fault. */
  readonly components: readonly string[]
  readonly signal: 'coolant_temp' | 'battery_voltage' | 'fuel_level'
  readonly inject: (startS: number) => Transform
  /** How far the reading has to be from the truth for the fault to show. */
  readonly showsFrom: number
  /** Whether the fault may begin at this row. */
  readonly canStartAt: (trip: Trip, row: number) => boolean
}

const RUNNING_FROM_RPM = 500
/** The thermostats of both cars begin to open above this; from there on a sound coolant may stand still for minutes (563 s measured). */
const COLD_BELOW_C = 60
const WARM_FROM_C = 80
/** Where coolant stands on purpose: in the first minute little heat has reached the sensor. */
const SETTLED_S = 60
/** A strap that comes loose over minutes; the recordings are too short for the 2 V an hour of `replay --inject`. */
const DRIFT_V_PER_HOUR = -12

const value = (reading: RecordedReading | undefined, key: string): number | undefined => {
  const found = reading?.record[key]
  return typeof found === 'number' ? found : undefined
}
const isRunning = (trip: Trip, row: number) => (value(trip.readings[row], 'rpm') ?? 0) > RUNNING_FROM_RPM
const has = (trip: Trip, row: number, key: string) => value(trip.readings[row], key) !== undefined
const coolantC = (trip: Trip, row: number) => value(trip.readings[row], 'coolant_temp') ?? Number.NaN
const isSettled = (trip: Trip, row: number) => isRunning(trip, row) && (trip.readings[row]?.offsetS ?? 0) >= SETTLED_S

const COOLANT_C = 10
const VOLTAGE_V = 1
const FUEL_PCT = 5

export const faults: readonly Fault[] = [
  {
    name: 'coolant stuck (while warming up)',
    components: ['cooling'],
    signal: 'coolant_temp',
    inject: injections['coolant-stuck'],
    showsFrom: COOLANT_C,
    canStartAt: (trip, row) => isSettled(trip, row) && coolantC(trip, row) < COLD_BELOW_C,
  },
  {
    name: 'coolant ramp to 118 °C',
    components: ['cooling'],
    signal: 'coolant_temp',
    inject: injections['coolant-ramp'],
    showsFrom: COOLANT_C,
    canStartAt: (trip, row) => isSettled(trip, row) && coolantC(trip, row) >= WARM_FROM_C,
  },
  {
    name: 'thermostat open',
    components: ['cooling'],
    signal: 'coolant_temp',
    inject: injections['thermostat-open'],
    showsFrom: COOLANT_C,
    canStartAt: (trip, row) => isSettled(trip, row) && coolantC(trip, row) >= WARM_FROM_C,
  },
  {
    name: 'alternator dead',
    components: ['charging', 'battery'],
    signal: 'battery_voltage',
    inject: injections['dead-alternator'],
    showsFrom: VOLTAGE_V,
    canStartAt: (trip, row) => isSettled(trip, row) && has(trip, row, 'battery_voltage'),
  },
  {
    name: 'voltage drift',
    components: ['charging', 'battery'],
    signal: 'battery_voltage',
    inject: (startS) => voltageDrift({ startS, perHourV: DRIFT_V_PER_HOUR }),
    showsFrom: VOLTAGE_V,
    canStartAt: (trip, row) => isSettled(trip, row) && has(trip, row, 'battery_voltage'),
  },
  {
    name: 'overcharge',
    components: ['charging', 'battery'],
    signal: 'battery_voltage',
    inject: injections.overcharge,
    showsFrom: VOLTAGE_V,
    canStartAt: (trip, row) => isSettled(trip, row) && has(trip, row, 'battery_voltage'),
  },
  {
    name: 'fuel loss at standstill',
    components: ['fuel'],
    signal: 'fuel_level',
    inject: injections['fuel-loss'],
    showsFrom: FUEL_PCT,
    canStartAt: isStandingAhead,
  },
  {
    name: 'Fahrenheit for Celsius',
    components: ['cooling'],
    signal: 'coolant_temp',
    inject: injections.fahrenheit,
    showsFrom: COOLANT_C,
    canStartAt: (trip, row) => isRunning(trip, row) && has(trip, row, 'coolant_temp'),
  },
]

/** Settled for 15 s and still standing three minutes on: who drives off burns fuel, and what sloshes tells nothing. */
function isStandingAhead(trip: Trip, row: number): boolean {
  const startS = trip.readings[row]?.offsetS ?? 0
  const around = trip.readings.filter(({ offsetS }) => offsetS >= startS - 15 && offsetS <= startS + 180)
  const spanS = (around.at(-1)?.offsetS ?? 0) - (around[0]?.offsetS ?? 0)
  return has(trip, row, 'fuel_level') && spanS > 190 && around.every((reading) => (value(reading, 'speed') ?? 1) < 1)
}

/** Second at which the fault shows; `undefined` when it does not within the trip. */
export function showsAtS(fault: Fault, sound: Trip, faulty: Trip, startRow: number): number | undefined {
  const row = faulty.readings.findIndex((reading, index) => {
    if (index < startRow) return false
    const difference = (value(reading, fault.signal) ?? Number.NaN) - (value(sound.readings[index], fault.signal) ?? Number.NaN)
    return Math.abs(difference) >= fault.showsFrom
  })
  return faulty.readings[row]?.offsetS
}
