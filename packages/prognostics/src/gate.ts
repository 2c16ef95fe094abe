// ISO 13374 data manipulation: which values may be believed. A value that fails is treated as missing or held back to what is physically
// possible; it lowers confidence and is told in an insight, and it never raises an alert by itself.
import { isPlausible, type SignalName, type SignalValues, signalNames, signals } from '@roadworthy/signals/registry'
import { formatNumber } from './finding.ts'

export type Doubt = {
  readonly signal: SignalName
  readonly value: number
  readonly reason: 'out_of_range' | 'no_sensor' | 'contradicted' | 'jump'
  readonly message: string
}

/** Raw byte 0 of a temperature in SAE J1979 and J1939 (offset -40): a missing or open-circuit sensor reads exactly this. */
const OPEN_SENSOR_C = -40
const temperatureSensors = ['coolantTempC', 'engineOilTempC', 'fuelTempC', 'intakeAirTempC'] as const satisfies readonly SignalName[]

/** Whatever measures and sends needs supply voltage itself, so a battery at less than 1 V is a battery that is not measured. */
const UNMEASURED_BELOW_V = 1

/** An engine cannot be much colder than the air around it; 25 °C covers a parked vehicle on the morning after a cold night. */
const COOLANT_BELOW_AMBIENT_C = 25

/** One observation's believable values, and what was wrong with the others. Looks at this instant only. */
export function gateInstant(values: SignalValues, doubts: Doubt[] | undefined): SignalValues {
  const kept: SignalValues = {}
  for (const name of signalNames) {
    const value = values[name]
    if (value === undefined) continue
    if (isPlausible(name, value)) kept[name] = value
    else doubts?.push(outOfRange(name, value))
  }
  for (const name of temperatureSensors) {
    if (kept[name] === OPEN_SENSOR_C) dropAs(kept, name, 'no_sensor', 'is what a missing sensor reads', doubts)
  }
  if (kept.batteryVoltageV !== undefined && kept.batteryVoltageV < UNMEASURED_BELOW_V) {
    dropAs(kept, 'batteryVoltageV', 'no_sensor', 'is too low for anything to have measured it', doubts)
  }
  const { coolantTempC, ambientTempC } = kept
  if (coolantTempC !== undefined && ambientTempC !== undefined && coolantTempC < ambientTempC - COOLANT_BELOW_AMBIENT_C) {
    dropAs(kept, 'coolantTempC', 'contradicted', `cannot be with ${formatNumber(ambientTempC)} °C of ambient air`, doubts)
  }
  return kept
}

function outOfRange(signal: SignalName, value: number): Doubt {
  const { label, unit, min, max } = signals[signal]
  const message = `${label} ${formatNumber(value)} ${unit} was ignored: outside ${min} to ${max} ${unit}`
  return { signal, value, reason: 'out_of_range', message }
}

function dropAs(kept: SignalValues, signal: SignalName, reason: Doubt['reason'], why: string, doubts: Doubt[] | undefined): void {
  const value = kept[signal]
  if (value === undefined) return
  delete kept[signal]
  doubts?.push({
    signal,
    value,
    reason,
    message: `${signals[signal].label} ${formatNumber(value)} ${signals[signal].unit} was ignored: it ${why}`,
  })
}

type Slew = { readonly perSecond: number; readonly slack: number }

/**
 * How fast a sound sensor can move. The largest coolant step in 161,000 rows of a real car is 3 °C in 0.5 s; oil is slower. Fuel level
 * and voltage have no entry: sloshing and cranking really do move them that fast.
 */
const slews = {
  coolantTempC: { perSecond: 3, slack: 3 },
  engineOilTempC: { perSecond: 3, slack: 3 },
} as const satisfies Partial<Record<SignalName, Slew>>
const slewedSignals = Object.keys(slews) as (keyof typeof slews)[]

/** 300 km/h, the end of the speed range, and 1 km of rounding. */
const ODOMETER_KM_PER_SECOND = 300 / 3600
const ODOMETER_SLACK_KM = 1

/** A tank does not empty between two readings: a fall to exactly nothing is a sender that has not woken up yet. */
const FUEL_SENDER_ASLEEP_FROM_PCT = 3

const comparedSignals = [...slewedSignals, 'odometerKm', 'fuelLevelPct'] as const satisfies readonly SignalName[]

/** The last believed value of each signal that is compared with the one before, and when it was recorded: signals come at rates of their own. */
export type LastKnown = Partial<Record<(typeof comparedSignals)[number], { readonly value: number; readonly atMs: number }>>

export function remember(lastKnown: LastKnown, values: SignalValues, atMs: number): void {
  for (const name of comparedSignals) {
    const value = values[name]
    if (value !== undefined) lastKnown[name] = { value, atMs }
  }
}

/**
 * Holds `current` to what can have happened since each signal was last known (both gated). A jump is held back rather than dropped: one
 * spike then moves the value a little, a lasting change is followed within seconds, and a worse reading can never look better than a bad one.
 */
export function gateAgainstPrevious(current: SignalValues, atMs: number, lastKnown: LastKnown, doubts: Doubt[] | undefined): void {
  for (const name of slewedSignals) {
    const before = lastKnown[name]
    if (before === undefined) continue
    const reach = slews[name].slack + (slews[name].perSecond * (atMs - before.atMs)) / 1000
    holdWithin(current, name, before.value - reach, before.value + reach, doubts)
  }
  const { odometerKm: odometer, fuelLevelPct: fuel } = lastKnown
  if (odometer !== undefined) {
    const reachKm = ODOMETER_SLACK_KM + (ODOMETER_KM_PER_SECOND * (atMs - odometer.atMs)) / 1000
    holdWithin(current, 'odometerKm', odometer.value, odometer.value + reachKm, doubts)
  }
  if (current.fuelLevelPct === 0 && (fuel?.value ?? 0) > FUEL_SENDER_ASLEEP_FROM_PCT) {
    dropAs(current, 'fuelLevelPct', 'jump', 'cannot have emptied since the reading before', doubts)
  }
}

function holdWithin(current: SignalValues, name: SignalName, min: number, max: number, doubts: Doubt[] | undefined): void {
  const value = current[name]
  if (value === undefined || (value >= min && value <= max)) return
  const held = value < min ? min : max
  current[name] = held
  const { label, unit } = signals[name]
  const message = `${label} ${formatNumber(value)} ${unit} is a jump no sound sensor makes; ${formatNumber(held)} ${unit} was used`
  doubts?.push({ signal: name, value, reason: 'jump', message })
}
