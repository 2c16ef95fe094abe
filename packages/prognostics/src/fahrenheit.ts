// What a coolant temperature looks like that is sent in °F where °C is agreed. The alert here and the engine's suggestion both ask this.
import { signals } from '@roadworthy/signals/registry'

export const toCelsius = (fahrenheit: number) => (fahrenheit - 32) / 1.8
export const toFahrenheit = (celsius: number) => celsius * 1.8 + 32

/** 150, the end of the range, is 66 °C. Pressure caps of 1.4 bar boil at about 130 °C: no liquid is hotter. */
export const WARM_ENGINE_C = { from: 66, to: 130 }
/** Raw bytes 254 and 255 less the offset of 40: "error" and "not available" in SAE J1939-71 and J1979, and what garbage looks like in OBD logs. */
export const NO_TEMPERATURES: readonly number[] = [214, 215]

/** Rounding to whole degrees on both sides, and what an engine warms by meanwhile. */
const STEP_TOLERANCE_F = 5
/** Less than the smallest step that is taken for a change of unit: -5 °C is 23 °F. */
export const LEAST_STEP = 25
/** Readings further apart than this may differ by real warming. */
const MAX_STEP_GAP_MS = 30_000

export type SaidTemperature = { readonly atMs: number; readonly value: number }

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
export function stepToFahrenheit(said: readonly SaidTemperature[]): number | undefined {
  const index = said.findLastIndex(({ atMs, value }, at) => {
    const before = said[at - 1]
    if (before === undefined || atMs - before.atMs > MAX_STEP_GAP_MS || value - before.value < LEAST_STEP) return false
    return Math.abs(value - toFahrenheit(before.value)) <= STEP_TOLERANCE_F
  })
  const before = said[index - 1]
  if (before === undefined) return undefined
  return said.slice(index).every(({ value }) => value >= before.value + LEAST_STEP) ? index : undefined
}
