// Whether a sender seems to speak another unit than the field is in. Reported in `_schemaMapping.suggestions` and never acted on: a wrong guess
// would turn a true reading into a false one, and the sender is the one who can put it right.
//
// Only three things are taken as evidence, because each is impossible in the field's own unit: a value beyond its documented range that is
// usual in the other unit; a jump from one reading to the next that is exactly the conversion; distance and speed that differ by exactly
// the factor. A value that could be true is never doubted, so a hot engine at 118 °C is not Fahrenheit and a lorry at 28 V is a lorry.
import type { EngineUnitSuggestion } from '@roadworthy/contracts/engine-v1/output'
import {
  LEAST_STEP,
  NO_TEMPERATURES,
  stepToFahrenheit,
  type TemperatureReading,
  toCelsius,
  WARM_ENGINE_C,
} from '@roadworthy/prognostics/detection/fahrenheit'
import type { PredictionInput } from '@roadworthy/prognostics/inputs/observation'
import { type NumberRow, type Provenance, statedIn } from '@roadworthy/prognostics/provenance'
import { KPA_PER_PSI, type SignalName, type SignalSpec, signals } from '@roadworthy/signals/registry'
import { type Disagreement, findDisagreement } from './speed-and-distance.ts'

/** All numbers are as on the wire, in the field's own unit. */
type ForeignUnit = Provenance & {
  readonly signal: SignalName
  readonly unit: string
  readonly convert: (value: number) => number
  /** What is usual once converted. */
  readonly from: number
  readonly to: number
  /** Beyond its range, but with a meaning of its own. */
  readonly except?: readonly number[]
}

const foreignUnits: readonly ForeignUnit[] = [
  {
    signal: 'coolantTempC',
    unit: '°F',
    convert: toCelsius,
    ...WARM_ENGINE_C,
    except: NO_TEMPERATURES,
    origin: 'assumption',
    source: 'As fahrenheit.WARM_ENGINE_C.',
  },
  {
    signal: 'engineOilTempC',
    unit: '°F',
    convert: toCelsius,
    from: 99,
    to: 150,
    except: NO_TEMPERATURES,
    origin: 'assumption',
    source: "The end of the sensor's range, 210, is 99 °C; oil is lost as a lubricant above 150 °C.",
  },
  {
    signal: 'ambientTempC',
    unit: '°F',
    convert: toCelsius,
    from: 21,
    to: 57,
    origin: 'literature',
    source: 'The hottest air ever measured had 56.7 °C (WMO, Death Valley 1913); 70, the end of the range, is 21 °C.',
  },
  {
    signal: 'batteryVoltageV',
    unit: 'mV',
    convert: (value) => value / 1000,
    from: 6,
    to: 32,
    origin: 'assumption',
    source: "From a 12 V battery while cranking to the end of the range of a 24 V system. 276, an old log's garbage, is far from either.",
  },
  {
    signal: 'oilPressureKpa',
    unit: 'kPa',
    convert: (value) => value / KPA_PER_PSI,
    from: 21,
    to: 100,
    origin: 'assumption',
    source: 'The end of the range is 145 PSI; oil at 21 to 100 PSI is what an engine holds from idle to full speed.',
  },
  {
    signal: 'odometerKm',
    unit: 'm',
    convert: (value) => value / 1000,
    from: 10_000,
    to: 3_000_000,
    origin: 'assumption',
    source: 'The end of the range is ten million km; three million is more than any lorry has driven.',
  },
]

/** A caller that sends history has to show it this often in a row. */
const SHOWN_IN_A_ROW = 3

/** After a jump the readings have to go on from there as a sensor does. */
const SETTLED_WITHIN = 10

export const unitNumbers: readonly NumberRow[] = [
  ...foreignUnits.map(
    ({ signal, from, to, origin, source }): NumberRow => ({
      name: `suspect-units.${signal}`,
      value: [from, to],
      unit: wireOf(signal).own,
      origin,
      source,
    }),
  ),
  ...statedIn('suspect-units', [
    [{ SHOWN_IN_A_ROW }, 'readings', 'assumption', 'One piece of garbage is not to be taken for a unit.'],
    [{ SETTLED_WITHIN }, '°', 'assumption', 'A sound sensor of coolant moves by less from one reading to the next.'],
  ]),
]

/** `undefined` when nothing is doubted, which is nearly always. */
export function suspectUnits(input: PredictionInput): EngineUnitSuggestion[] | undefined {
  let suggestions: EngineUnitSuggestion[] | undefined
  for (const foreign of foreignUnits) {
    const suggestion = suspectRange(foreign, input)
    if (suggestion === undefined) continue
    suggestions ??= []
    suggestions.push(suggestion)
  }
  const step = suspectStep(input)
  const disagreement = input.history === undefined ? undefined : findDisagreement(input, input.history)
  if (step !== undefined && suggestions?.some(({ field }) => field === step.field) !== true) suggestions = [...(suggestions ?? []), step]
  if (disagreement !== undefined) suggestions = [...(suggestions ?? []), explainDisagreement(disagreement)]
  return suggestions
}

function suspectRange(foreign: ForeignUnit, { signals: current, history }: PredictionInput): EngineUnitSuggestion | undefined {
  const { signal, unit, convert } = foreign
  const value = current[signal]
  if (value === undefined || !isForeign(foreign, value)) return undefined
  let readings = 1
  for (let at = (history?.length ?? 0) - 1; at >= 0; at--) {
    const earlier = history?.[at]?.signals[signal]
    if (earlier === undefined) continue
    if (!isForeign(foreign, earlier)) break
    readings++
  }
  if (history !== undefined && readings < SHOWN_IN_A_ROW) return undefined
  const { field, own, scale, min, max } = wireOf(signal)
  const sent = value / scale
  const convertedValue = round(convert(sent))
  const reason = `${field} is ${round(sent)}, which is outside ${round(min)} to ${round(max)} ${own}; taken as ${unit} it is ${convertedValue} ${own}, which is usual.`
  return { field, unit: own, suspectedUnit: unit, value: round(sent), convertedValue, readings, reason }
}

function isForeign({ signal, convert, from, to, except }: ForeignUnit, value: number): boolean {
  if (value <= signals[signal].max) return false
  const sent = value / signals[signal].engine.scale
  const converted = convert(sent)
  return converted >= from && converted <= to && except?.includes(sent) !== true
}

function suspectStep({ recordedAtMs, signals: { coolantTempC }, history }: PredictionInput): EngineUnitSuggestion | undefined {
  if (coolantTempC === undefined || history === undefined) return undefined
  // Nearly every vehicle ends here, so this allocates nothing.
  if (!history.some(({ signals: { coolantTempC: value } }) => value !== undefined && coolantTempC - value >= LEAST_STEP)) return undefined
  const readings = history.flatMap(({ recordedAtMs: atMs, signals: { coolantTempC: value } }): TemperatureReading[] =>
    value === undefined ? [] : [{ atMs, value }],
  )
  readings.push({ atMs: recordedAtMs, value: coolantTempC })
  const step = stepToFahrenheit(readings)
  if (step === undefined) return undefined
  const since = readings.slice(step)
  const isSettled = since.every(({ value }, at) => Math.abs(value - (since[at - 1]?.value ?? value)) <= SETTLED_WITHIN)
  if (!isSettled || since.length < SHOWN_IN_A_ROW) return undefined
  const { field, own } = wireOf('coolantTempC')
  const convertedValue = round(toCelsius(coolantTempC))
  const [before, after] = [readings[step - 1]?.value ?? 0, since[0]?.value ?? 0]
  const reason = `${field} went from ${round(before)} to ${round(after)} at once and stayed there, which is the same temperature in °F; taken so it is ${convertedValue} ${own} now.`
  return { field, unit: own, suspectedUnit: '°F', value: round(coolantTempC), convertedValue, readings: since.length, reason }
}

function explainDisagreement({ signal, unit, toOwn, value, odometerKm, drivenKm, readings }: Disagreement): EngineUnitSuggestion {
  const { field, own } = wireOf(signal)
  const { field: odometer } = wireOf('odometerKm')
  const { field: speed } = wireOf('vehicleSpeedKmh')
  const reason = `${odometer} rose by ${round(odometerKm)} while ${speed} adds up to ${round(drivenKm)} km; with ${field} in ${unit} the two agree.`
  return { field, unit: own, suspectedUnit: unit, value: round(value), convertedValue: round(value * toOwn), readings, reason }
}

function wireOf(signal: SignalName) {
  const { engine, min, max }: SignalSpec = signals[signal]
  const { key: field, unit: own, scale } = engine ?? { key: signal, unit: '', scale: 1 }
  return { field, own, scale, min: min / scale, max: max / scale }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
