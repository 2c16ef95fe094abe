// Where a signal lies in a sound vehicle, for the shaded band of a chart: between the values at which the engine's rules begin to report something. The
// rules of `packages/prognostics` state each value with its source; a test there holds both equal. Oil pressure has no band: what is enough depends on
// the engine speed.

import type { SignalName } from './registry.ts'

export type NormalBand = {
  /** Absent: nothing is too low. */
  readonly min?: number
  /** Absent: nothing is too high. */
  readonly max?: number
  /** Absent: always. */
  readonly when?: 'engine warm' | 'engine running' | 'diesel engine running'
}

/** Between what a 12 V system overcharges at and what a 24 V system shows when it is flat. */
const BETWEEN_12_AND_24_V = 18

const bands: Partial<Readonly<Record<SignalName, NormalBand>>> = {
  coolantTempC: { min: 77, max: 102, when: 'engine warm' },
  engineOilTempC: { max: 120 },
  fuelTempC: { max: 80, when: 'diesel engine running' },
  fuelLevelPct: { min: 10 },
}
const ofBattery = {
  12: { min: 13, max: 14.8, when: 'engine running' },
  24: { min: 26.5, max: 29.1, when: 'engine running' },
} as const

/** The band of a signal, by the values it had lately; undefined where there is none, as for speed. */
export function normalBandOf(signal: SignalName, values: readonly number[]): NormalBand | undefined {
  if (signal !== 'batteryVoltageV') return bands[signal]
  if (values.length === 0) return undefined
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return ofBattery[middle > BETWEEN_12_AND_24_V ? 24 : 12]
}
