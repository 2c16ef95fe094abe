// Where a signal lies in a sound vehicle whose engine is running and warm, for the shaded band of a chart. Wider than what the engine's
// rules call normal is fine, narrower is not: a person must not see a reading leave the band that no rule would mention.

import type { SignalName } from './registry.ts'

export type NormalBand = { readonly min: number; readonly max: number; readonly when: string }

/** Between what a 12 V system overcharges at and what a 24 V system shows when it is flat. */
const BETWEEN_12_AND_24_V = 18

/** The band of a signal, by the values it had lately; undefined where there is none, as for speed. */
export function normalBandOf(signal: SignalName, values: readonly number[]): NormalBand | undefined {
  // A thermostat opens at 82 to 92 °C and a warmed-up engine stays above 80; truck makers warn from 102 °C.
  if (signal === 'coolantTempC') return { min: 80, max: 102, when: 'engine warm' }
  if (signal !== 'batteryVoltageV' || values.length === 0) return undefined
  // An alternator holds a 12 V battery at 13.0 to 14.8 V, a 24 V one at twice that.
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const factor = middle > BETWEEN_12_AND_24_V ? 2 : 1
  return { min: 13 * factor, max: 14.8 * factor, when: 'engine running' }
}
