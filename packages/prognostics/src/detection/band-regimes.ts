// When the rules of `band-rules.ts` judge a reading, and what they allow for before they do.

import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'
import { hasEngine, restsWhileDriving } from '../vehicle/vehicle-traits.ts'
import { CHARGES_WEAKLY_FROM_V, RESTS_FROM_V } from './charge-control.ts'
import { isStrong } from './starting.ts'

/** With the engine off the coolant stands still and the head heats the sensor up: heat soak. */
const HEAT_SOAK_C = 6
/** Charging is judged this long after the start. */
const CHARGING_SETTLED_MS = 15_000
const IDLE_BELOW_RPM = 900
const IDLE_ALLOWANCE_V = 0.2
/** So much less than at rest a sound battery gives while the vehicle is awake. */
const AWAKE_ALLOWANCE_V = 0.3
/** Of six cells. */
const REST_V_PER_C = 6 * 0.0002
const RATED_AT_C = 25
const EMPTY_V = 11.89
const FULL_V = 12.65
const TRUCK_UNDERCHARGE_OFFSET_V = -0.25
const TRUCK_OVERCHARGE_OFFSET_V = 0.25
const LITHIUM_OVERCHARGE_OFFSET_V = -2
/** Regulators of alternators give more to a cold battery. */
const COLD_CHARGE_V_PER_C = 0.0125
const COLD_CHARGE_BELOW_C = 20
const COLD_CHARGE_DOWN_TO_C = -20
const OIL_KPA_PER_RPM = 69 / 1000
const OIL_KPA_AT_IDLE = 56
const OIL_KPA_ENOUGH = 300
const OIL_SETTLED_MS = 10_000
const WARM_AFTER_MS = 25 * 60_000
const WARMED_UP_C = 80
const MILD_AMBIENT_C = 5
const ABOVE_IDLE_LOAD_KMH = 30
/** What stood in the lines of a hot engine after it was switched off has flowed back to the tank by then. */
const FUEL_SETTLED_MS = 5 * 60_000

const OF_12_V = 'V of a 12 V system'
const OIL_RULE = 'Rule of thumb of workshops for the least oil pressure: 10 psi per 1000 rpm, 7 to 10 psi at idle.'
const COLD_CHARGE =
  'Mitsubishi Attrage 2018, service specifications: the regulator holds 13.9 to 14.9 V at 20 °C, and 14.2 to 15.4 V at -20 °C. Westerbeke 33A: 0.1 V for each 10 °C.'
const WINTER_DIESEL =
  'A sound diesel in winter town traffic can take 25 min to warm up and top out below 74 °C: judged only on the move, in mild air.'

export const bandRegimeNumbers = statedIn('band-regimes', [
  [{ HEAT_SOAK_C }, '°C', 'assumption', 'No recording with the engine off and hot is at hand.'],
  [{ CHARGING_SETTLED_MS }, 'ms', 'data', 'Toyota Etios: needs up to 5 s after a start to reach 13 V; three times that.'],
  [{ IDLE_BELOW_RPM }, 'rpm', 'assumption', 'Above the idling of warm engines.'],
  [{ IDLE_ALLOWANCE_V }, OF_12_V, 'assumption', 'At idle an alternator under load may give a little less.'],
  [{ AWAKE_ALLOWANCE_V }, OF_12_V, 'assumption', 'Ignition, lamps and control units draw 10 to 20 A.'],
  [{ REST_V_PER_C }, 'V/°C', 'literature', "Linden's Handbook of Batteries: 0.2 mV per °C and cell of a lead-acid battery."],
  [{ RATED_AT_C }, '°C', 'literature', "Linden's Handbook of Batteries: the temperature that voltages of lead-acid cells are given for."],
  [
    { EMPTY_V, FULL_V },
    OF_12_V,
    'literature',
    'Tables of the state of charge of lead-acid batteries at rest (realexposer, and a second that agrees): 12.65, 12.45, 12.24, 12.06 and 11.89 V are 100, 75, 50, 25 and 0 %.',
  ],
  [
    { TRUCK_UNDERCHARGE_OFFSET_V },
    OF_12_V,
    'literature',
    'vincek-techlib.com: 24 V systems charge at 27.0 to 29.0 V, and below 26.5 V not at all.',
  ],
  [
    { TRUCK_OVERCHARGE_OFFSET_V },
    OF_12_V,
    'assumption',
    '24 V systems are overcharged above 30 V (vincek-techlib.com), where the range of the field ends: from 29.5 V here.',
  ],
  [
    { LITHIUM_OVERCHARGE_OFFSET_V },
    OF_12_V,
    'assumption',
    'Four lithium-ion cells are charged to 4.2 V each, where lead-acid gasses above 14.4 V: 16.8 V is the first threshold.',
  ],
  [{ COLD_CHARGE_V_PER_C }, 'V/°C', 'literature', COLD_CHARGE],
  [{ COLD_CHARGE_BELOW_C, COLD_CHARGE_DOWN_TO_C }, '°C', 'literature', COLD_CHARGE],
  [{ OIL_KPA_PER_RPM }, 'kPa/rpm', 'assumption', OIL_RULE],
  [{ OIL_KPA_AT_IDLE }, 'kPa', 'assumption', OIL_RULE],
  [{ OIL_KPA_ENOUGH }, 'kPa', 'assumption', 'What relief valves hold at high speed, whatever the rule of thumb would ask for.'],
  [{ OIL_SETTLED_MS }, 'ms', 'assumption', 'Pressure takes seconds to build after a start.'],
  [{ WARM_AFTER_MS }, 'ms', 'assumption', WINTER_DIESEL],
  [{ WARMED_UP_C }, '°C', 'assumption', 'Thermostats have begun to open.'],
  [{ MILD_AMBIENT_C }, '°C', 'assumption', WINTER_DIESEL],
  [{ ABOVE_IDLE_LOAD_KMH }, 'km/h', 'assumption', WINTER_DIESEL],
  [{ FUEL_SETTLED_MS }, 'ms', 'assumption', 'No recording of fuel temperature is at hand.'],
])

const isSettled = (sample: Sample, afterMs: number) => sample.engine === 'running' && (sample.runningMs ?? afterMs) >= afterMs

export const per12V = (_: Sample, timeline: Timeline) => timeline.systemVoltage / 12

export const heatSoakOffsetC = (sample: Sample) => (sample.engine === 'off' ? -HEAT_SOAK_C : 0)

export const isChargeJudgeable = (sample: Sample) => isSettled(sample, CHARGING_SETTLED_MS)

export function underchargeAllowanceV(sample: Sample, timeline: Timeline): number {
  return (
    (mayRest(sample, timeline) ? CHARGES_WEAKLY_FROM_V - RESTS_FROM_V : 0) +
    (mayIdle(sample, timeline) ? IDLE_ALLOWANCE_V : 0) +
    (timeline.systemVoltage === 24 ? TRUCK_UNDERCHARGE_OFFSET_V : 0)
  )
}

/** At 24 V cold air allows nothing: the range of the field would end before the first threshold. */
export function overchargeAllowanceV(sample: Sample, { systemVoltage, traits }: Timeline): number {
  if (systemVoltage === 24) return TRUCK_OVERCHARGE_OFFSET_V + (hasEngine(traits) ? 0 : LITHIUM_OVERCHARGE_OFFSET_V)
  return hasEngine(traits) ? -coldChargeV(sample) : LITHIUM_OVERCHARGE_OFFSET_V
}

function coldChargeV({ values: { ambientTempC = COLD_CHARGE_BELOW_C } }: Sample): number {
  return COLD_CHARGE_V_PER_C * Math.max(0, COLD_CHARGE_BELOW_C - Math.max(ambientTempC, COLD_CHARGE_DOWN_TO_C))
}

/** A converter gives the same at any speed. */
function mayIdle({ values }: Sample, { traits }: Timeline): boolean {
  return hasEngine(traits) && (values.engineSpeedRpm ?? IDLE_BELOW_RPM) <= IDLE_BELOW_RPM
}

/** A converter of high voltage rests as a regulated alternator does, and no reading shows when. Assumption. */
function mayRest(sample: Sample, { regulatedRests, traits }: Timeline): boolean {
  return regulatedRests.has(sample) || !hasEngine(traits)
}

/** A start in which the battery held up is better evidence than its voltage before. */
export function isRestJudgeable(sample: Sample, { lastStart }: Timeline): boolean {
  return (
    (sample.engine === 'off' || sample.engine === 'unknown') &&
    (lastStart === undefined || sample.atMs > lastStart.atMs || !isStrong(lastStart))
  )
}

export function restAllowanceV({ isAtRest, values: { ambientTempC = RATED_AT_C } }: Sample): number {
  return (isAtRest ? 0 : AWAKE_ALLOWANCE_V) + (RATED_AT_C - ambientTempC) * REST_V_PER_C
}

export function stateOfChargePct(restV: number): number {
  return Math.round(100 * Math.min(1, Math.max(0, (restV - EMPTY_V) / (FULL_V - EMPTY_V))))
}

export function isOilPressureJudgeable(sample: Sample): boolean {
  return isSettled(sample, OIL_SETTLED_MS) && sample.values.engineSpeedRpm !== undefined
}

export function leastOilPressureKpa({ values }: Sample): number {
  return Math.min(OIL_KPA_ENOUGH, Math.max(OIL_KPA_AT_IDLE, (values.engineSpeedRpm ?? 0) * OIL_KPA_PER_RPM))
}

export function isFuelHeatJudgeable(sample: Sample, { traits }: Timeline): boolean {
  if (!hasEngine(traits) || (traits.fuelType !== undefined && traits.fuelType !== 'diesel')) return false
  return sample.engine === 'unknown' || isSettled(sample, FUEL_SETTLED_MS)
}

export function isThermostatJudgeable(sample: Sample, { traits }: Timeline): boolean {
  if (!hasEngine(traits)) return false
  const { ambientTempC, vehicleSpeedKmh } = sample.values
  if (sample.engine !== 'running' || (vehicleSpeedKmh ?? 0) < ABOVE_IDLE_LOAD_KMH) return false
  if (ambientTempC !== undefined && ambientTempC < MILD_AMBIENT_C) return false
  // The engine of a hybrid rests while it drives, and cools: it has to have run all along.
  const wasWarm = !restsWhileDriving(traits) && (sample.warmestCoolantC ?? 0) >= WARMED_UP_C
  return wasWarm || (ambientTempC !== undefined && (sample.runningMs ?? 0) >= WARM_AFTER_MS)
}
