// The faults that are put into sound trips, in several magnitudes each, where in a trip each can show itself, and from when on it does.
import { injections } from '@roadworthy/simulator/recordings/injections'
import type { RecordedReading } from '@roadworthy/simulator/recordings/recording'
import {
  coolantRamp,
  coolantStuck,
  deadAlternator,
  fahrenheit,
  fuelLoss,
  overcharge,
  type Transform,
  thermostatOpen,
  voltageDrift,
} from '@roadworthy/simulator/recordings/transforms'
import type { Trip } from './trips.ts'

export type Fault = {
  readonly name: string
  /** Components whose alert detects the fault. */
  readonly components: readonly string[]
  readonly signal: 'coolant_temp' | 'battery_voltage' | 'fuel_level'
  readonly inject: (startS: number) => Transform
  /** How far the reading has to be from the truth for the fault to show. */
  readonly showsFrom: number
  /** It has to be found within this of when it shows. */
  readonly withinS: number
  /** Whether the fault may begin at this row. */
  readonly canStartAt: (trip: Trip, row: number) => boolean
  /** Measured to know it, and not asked for: why. */
  readonly notAskedFor?: string
}

const RUNNING_FROM_RPM = 500
/** The thermostats of both cars begin to open above this. */
const COLD_BELOW_C = 60
const THERMOSTATS_OPEN_FROM_C = 66
const WARMING_BELOW_C = 70
const WARM_FROM_C = 80
/** Where coolant stands on purpose: in the first minute little heat has reached the sensor. */
const SETTLED_S = 60
const WITHIN_S = 120
/** As long as a window of 120 readings in 10 s each. */
const WITHIN_A_WINDOW_S = 1200

const value = (reading: RecordedReading | undefined, key: string): number | undefined => {
  const found = reading?.record[key]
  return typeof found === 'number' ? found : undefined
}
const isRunning = (trip: Trip, row: number) => (value(trip.readings[row], 'rpm') ?? 0) > RUNNING_FROM_RPM
const has = (trip: Trip, row: number, key: string) => value(trip.readings[row], key) !== undefined
const coolantC = (trip: Trip, row: number) => value(trip.readings[row], 'coolant_temp') ?? Number.NaN
const offsetS = (trip: Trip, row: number) => trip.readings[row]?.offsetS ?? 0
const isSettled = (trip: Trip, row: number) => isRunning(trip, row) && offsetS(trip, row) >= SETTLED_S
const isCharging = (trip: Trip, row: number) => isSettled(trip, row) && has(trip, row, 'battery_voltage')
const isWarm = (trip: Trip, row: number) => isSettled(trip, row) && coolantC(trip, row) >= WARM_FROM_C

type Kind = Omit<Fault, 'name' | 'inject'>
const coolant: Kind = { components: ['cooling'], signal: 'coolant_temp', showsFrom: 10, withinS: WITHIN_S, canStartAt: isWarm }
const charging: Kind = {
  components: ['charging', 'battery'],
  signal: 'battery_voltage',
  showsFrom: 1,
  withinS: WITHIN_S,
  canStartAt: isCharging,
}
const fuel: Kind = { components: ['fuel'], signal: 'fuel_level', showsFrom: 4, withinS: WITHIN_S, canStartAt: isStandingAhead }

const PER_MINUTE = 1 / 60

export const faults: readonly Fault[] = [
  {
    ...coolant,
    name: 'coolant stuck from the start',
    inject: injections['coolant-stuck'],
    canStartAt: (trip, row) => isRunning(trip, row) && offsetS(trip, row) < SETTLED_S && coolantC(trip, row) < COLD_BELOW_C,
  },
  {
    ...coolant,
    name: 'coolant stuck below 60 °C',
    inject: injections['coolant-stuck'],
    canStartAt: (trip, row) => isSettled(trip, row) && coolantC(trip, row) < COLD_BELOW_C,
  },
  {
    ...coolant,
    name: 'coolant stuck at 60 to 66 °C',
    inject: injections['coolant-stuck'],
    canStartAt: (trip, row) => isSettled(trip, row) && coolantC(trip, row) >= COLD_BELOW_C && coolantC(trip, row) < THERMOSTATS_OPEN_FROM_C,
  },
  {
    ...coolant,
    name: 'coolant stuck at 66 to 70 °C',
    inject: injections['coolant-stuck'],
    canStartAt: (trip, row) =>
      isSettled(trip, row) && coolantC(trip, row) >= THERMOSTATS_OPEN_FROM_C && coolantC(trip, row) < WARMING_BELOW_C,
    notAskedFor:
      'a sound thermostat that opens at 71 °C holds the coolant there: it informs, and alerts after ten minutes of driving that changes',
  },
  {
    ...coolant,
    name: 'coolant stuck once warm, in 20 min',
    inject: (startS) => coolantStuck({ startS }),
    showsFrom: 3,
    withinS: WITHIN_A_WINDOW_S,
    notAskedFor: 'sound coolant stands still for minutes',
  },
  ...[5, 15, 40].map((perMinuteC) => ({
    ...coolant,
    name: `coolant to 118 °C by ${perMinuteC} °C/min`,
    inject: (startS: number) => coolantRamp({ startS, toC: 118, ratePerS: perMinuteC * PER_MINUTE }),
  })),
  ...[55, 60, 70].map((toC) => ({
    ...coolant,
    name: `thermostat open, to ${toC} °C`,
    inject: (startS: number) => thermostatOpen({ startS, toC }),
    notAskedFor:
      toC < 70
        ? 'coolant of sound cars of other makes falls as quickly: it informs, until it stays below 70 °C on the move'
        : 'two minutes after it shows it is 2 °C below what a thermostat may open at',
  })),
  ...[12, 60].map((sagTauS) => ({
    ...charging,
    name: `alternator dead, sag in ${sagTauS} s`,
    inject: (startS: number) => deadAlternator({ startS, sagTauS }),
  })),
  ...[-2, -6, -12, -24, -60, 12, 24, 60].map((perHourV) => ({
    ...charging,
    name: `voltage drift ${perHourV > 0 ? '+' : ''}${perHourV} V/h`,
    inject: (startS: number) => voltageDrift({ startS, perHourV }),
  })),
  ...[15, 15.5, 16.5].map((toV) => ({
    ...charging,
    name: `overcharge to ${toV} V`,
    inject: (startS: number) => overcharge({ startS, toV }),
  })),
  ...[5, 10, 30].map((atMostPct) => ({
    ...fuel,
    name: `fuel loss of ${atMostPct} points, standing`,
    inject: (startS: number) => fuelLoss({ startS, pctPerS: atMostPct / 60, atMostPct }),
    ...(atMostPct > 5 ? {} : { notAskedFor: 'a sound tank reads up to 3.5 points less while standing' }),
  })),
  {
    ...coolant,
    name: 'Fahrenheit from the start',
    inject: () => fahrenheit({ startS: 0 }),
    canStartAt: (trip, row) => isRunning(trip, row) && offsetS(trip, row) < SETTLED_S && has(trip, row, 'coolant_temp'),
    notAskedFor: 'a cold engine in °F reads like a warm one in °C',
  },
  {
    ...coolant,
    name: 'Fahrenheit from the middle',
    inject: injections.fahrenheit,
    canStartAt: (trip, row) => isSettled(trip, row) && has(trip, row, 'coolant_temp'),
  },
]

/** Settled for 15 s and still standing three minutes on: who drives off burns fuel, and what sloshes shows nothing. */
function isStandingAhead(trip: Trip, row: number): boolean {
  const startS = offsetS(trip, row)
  const around = trip.readings.filter((reading) => reading.offsetS >= startS - 15 && reading.offsetS <= startS + 180)
  const spanS = (around.at(-1)?.offsetS ?? 0) - (around[0]?.offsetS ?? 0)
  return has(trip, row, 'fuel_level') && spanS > 175 && around.every((reading) => (value(reading, 'speed') ?? 1) < 1)
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
