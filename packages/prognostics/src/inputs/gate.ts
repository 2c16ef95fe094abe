// ISO 13374 data manipulation: which values may be believed. A value that fails is treated as missing or held back to what is physically
// possible; it lowers confidence and is reported in an insight, and it never raises an alert by itself.
import { isPlausible, type SignalName, type SignalValues, signalNames, signals } from '@roadworthy/signals/registry'
import { formatNumber } from '../finding.ts'
import { statedIn } from '../provenance.ts'

export type Doubt = {
  readonly signal: SignalName
  readonly value: number
  readonly reason: 'out_of_range' | 'no_sensor' | 'contradicted' | 'jump'
  readonly message: string
}

/** A missing or open-circuit sensor reads exactly this. */
const OPEN_SENSOR_C = -40
const temperatureSensors = ['coolantTempC', 'engineOilTempC', 'fuelTempC', 'intakeAirTempC'] as const satisfies readonly SignalName[]

const UNMEASURED_BELOW_V = 1

/** An engine cannot be much colder than the air around it. */
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
  const rounded = formatNumber(value)
  // One that rounding would put back inside is written as it was sent.
  const shown = isPlausible(signal, Number(rounded)) ? String(value) : rounded
  const message = `${label} ${shown} ${unit} was ignored: outside ${min} to ${max} ${unit}`
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

/** How fast a sound sensor can move. Fuel level and voltage have no entry: sloshing and cranking really do move them that fast. */
const slews = {
  coolantTempC: { perSecond: 3, slack: 3 },
  engineOilTempC: { perSecond: 3, slack: 3 },
} as const satisfies Partial<Record<SignalName, Slew>>
const slewedSignals = Object.keys(slews) as (keyof typeof slews)[]

const ODOMETER_KM_PER_SECOND = signals.vehicleSpeedKmh.max / 3600
const ODOMETER_SLACK_KM = 1

/** A fall to exactly nothing is a sender that has not woken up yet, unless so little was left that the vehicle can have run dry. */
const FUEL_RUNS_DRY_FROM_PCT = 10
const FUEL_BURNT_PCT_PER_SECOND = 50 / 3600

const ranges = Object.fromEntries(signalNames.map((name) => [name, [signals[name].min, signals[name].max]]))

export const gateNumbers = statedIn('gate', [
  [
    { ranges },
    'that of each signal',
    'assumption',
    'Those of the five core fields are agreed with who sends them (the documented ranges of the fields); the others are what such a sensor can report.',
  ],
  [{ OPEN_SENSOR_C }, '°C', 'literature', 'SAE J1979 and J1939-71: raw byte 0 of a temperature, with its offset of -40.'],
  [{ UNMEASURED_BELOW_V }, 'V', 'assumption', 'Whatever measures and sends needs supply voltage itself.'],
  [{ COOLANT_BELOW_AMBIENT_C }, '°C', 'assumption', 'Covers a vehicle that stood outside, on the morning after a cold night.'],
  [
    { 'slews.coolantTempC': slews.coolantTempC },
    { perSecond: '°C/s', slack: '°C' },
    'data',
    'Toyota Etios, 161,000 rows: the largest step is 3 °C in 0.5 s.',
  ],
  [{ 'slews.engineOilTempC': slews.engineOilTempC }, { perSecond: '°C/s', slack: '°C' }, 'assumption', 'Oil is slower than coolant.'],
  [{ ODOMETER_KM_PER_SECOND }, 'km/s', 'assumption', 'The end of the range of the speed, 300 km/h.'],
  [{ ODOMETER_SLACK_KM }, 'km', 'assumption', 'Rounding to whole kilometres.'],
  [
    { FUEL_RUNS_DRY_FROM_PCT },
    '% of the tank',
    'assumption',
    'What sloshes away in a moment: half of the 20 points that the tank of the Toyota Etios shows on the move.',
  ],
  [{ FUEL_BURNT_PCT_PER_SECOND }, '% of the tank a second', 'assumption', 'What the hungriest engine burns: 30 l an hour of 60 l.'],
])

const heldSignals = [...slewedSignals, 'odometerKm'] as const satisfies readonly SignalName[]
const comparedSignals = [...heldSignals, 'fuelLevelPct'] as const satisfies readonly SignalName[]

/**
 * The last believed value of each signal that is compared with the one before, and when it was recorded: signals come at rates of their own. One
 * that nothing has agreed with yet is as likely to be wrong as the one that contradicts it.
 */
export type LastKnown = Partial<Record<(typeof comparedSignals)[number], Known>>
type Known = { readonly value: number; readonly atMs: number; readonly isConfirmed: boolean }

export function remember(lastKnown: LastKnown, values: SignalValues, atMs: number): void {
  for (const name of comparedSignals) {
    const value = values[name]
    if (value === undefined) continue
    const before = lastKnown[name]
    const isConfirmed = before !== undefined && (before.isConfirmed || isWithinReach(name, value, atMs, before))
    lastKnown[name] = { value, atMs, isConfirmed }
  }
}

/** What a signal can be by now that was `before`. */
function reachOf(name: keyof LastKnown, atMs: number, before: Known): { readonly min: number; readonly max: number } {
  const seconds = (atMs - before.atMs) / 1000
  if (name === 'odometerKm') return { min: before.value, max: before.value + ODOMETER_SLACK_KM + ODOMETER_KM_PER_SECOND * seconds }
  if (name === 'fuelLevelPct') return { min: 0, max: 100 }
  const reach = slews[name].slack + slews[name].perSecond * seconds
  return { min: before.value - reach, max: before.value + reach }
}

function isWithinReach(name: keyof LastKnown, value: number, atMs: number, before: Known): boolean {
  const { min, max } = reachOf(name, atMs, before)
  return value >= min && value <= max
}

/**
 * Holds `current` to what can have happened since each signal was last known (both gated). A jump is held back rather than dropped: one
 * spike then moves the value a little, a lasting change is followed within seconds, and a worse reading can never look better than a bad one.
 */
export function gateAgainstPrevious(current: SignalValues, atMs: number, lastKnown: LastKnown, doubts: Doubt[] | undefined): void {
  for (const name of heldSignals) {
    const before = lastKnown[name]
    if (before?.isConfirmed !== true) continue
    const { min, max } = reachOf(name, atMs, before)
    holdWithin(current, name, min, max, doubts)
  }
  const { fuelLevelPct: fuel } = lastKnown
  if (current.fuelLevelPct === 0 && fuel !== undefined) {
    const burntPct = (FUEL_BURNT_PCT_PER_SECOND * (atMs - fuel.atMs)) / 1000
    if (fuel.value > FUEL_RUNS_DRY_FROM_PCT + burntPct) {
      dropAs(current, 'fuelLevelPct', 'jump', 'cannot have emptied since the reading before', doubts)
    }
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
