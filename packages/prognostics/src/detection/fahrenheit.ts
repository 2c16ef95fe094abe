// What a coolant temperature looks like that is sent in °F where °C is agreed. The alert here and the engine's suggestion both ask this.
import { signals } from '@roadworthy/signals/registry'
import { statedIn } from '../provenance.ts'

const FREEZING_F = 32
const F_PER_C = 1.8
export const toCelsius = (fahrenheit: number) => (fahrenheit - FREEZING_F) / F_PER_C
export const toFahrenheit = (celsius: number) => celsius * F_PER_C + FREEZING_F

export const WARM_ENGINE_C = { from: 66, to: 130 }
/** Not temperatures, but marks of "error" and "not available". */
export const NO_TEMPERATURES: readonly number[] = [214, 215]

const STEP_TOLERANCE_F = 5
export const LEAST_STEP = 25
/** Readings further apart than this may differ by real warming. */
const MAX_STEP_GAP_MS = 30_000

export const fahrenheitNumbers = statedIn('fahrenheit', [
  [
    { WARM_ENGINE_C },
    '°C',
    'assumption',
    'The end of the range, 150, is 66 °C when it is °F; under pressure caps of 1.4 bar coolant boils at about 130 °C: no liquid is hotter.',
  ],
  [{ NO_TEMPERATURES }, '°C', 'literature', 'SAE J1939-71 and J1979: the raw bytes 254 and 255 less the offset of 40.'],
  [{ STEP_TOLERANCE_F }, '°F', 'assumption', 'Rounding to whole degrees on both sides, and what an engine warms by meanwhile.'],
  [{ LEAST_STEP }, '°', 'assumption', 'Less than the smallest step that is taken for a change of unit: -5 °C is 23 °F.'],
  [{ MAX_STEP_GAP_MS }, 'ms', 'assumption', 'Over more time an engine may have warmed by as much.'],
])

export type TemperatureReading = { readonly atMs: number; readonly value: number }

/** Out of the range of coolant as °C, and a warm engine's temperature as °F. */
export function isWarmEngineInFahrenheit(value: number): boolean {
  if (value <= signals.coolantTempC.max || NO_TEMPERATURES.includes(value)) return false
  const celsius = toCelsius(value)
  return celsius >= WARM_ENGINE_C.from && celsius <= WARM_ENGINE_C.to
}

/**
 * Index of the reading from which on the values, oldest first, are °F of what they were before, if they still are. A sensor moves by 3 °C in
 * half a second at most (`gate.ts`); a jump from 45 to 113 that stays is a change of unit.
 */
export function stepToFahrenheit(readings: readonly TemperatureReading[]): number | undefined {
  const index = readings.findLastIndex(({ atMs, value }, at) => {
    const before = readings[at - 1]
    if (before === undefined || atMs - before.atMs > MAX_STEP_GAP_MS || value - before.value < LEAST_STEP) return false
    return Math.abs(value - toFahrenheit(before.value)) <= STEP_TOLERANCE_F
  })
  const before = readings[index - 1]
  if (before === undefined) return undefined
  return readings.slice(index).every(({ value }) => value >= before.value + LEAST_STEP) ? index : undefined
}
