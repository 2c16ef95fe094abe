// Short ways to write an input in tests.
import type { SignalValues } from '@roadworthy/signals/registry'
import type { Observation, PredictionInput } from '../inputs/observation.ts'

export const NOW_MS = Date.UTC(2026, 5, 1, 12)

/** A caller that keeps no history: what it sends is taken as lasting. */
export function stateless(signals: SignalValues, more: Partial<PredictionInput> = {}): PredictionInput {
  return {
    recordedAtMs: NOW_MS,
    signals,
    lamps: {},
    dtcCodes: undefined,
    history: undefined,
    ageDays: undefined,
    previousStatus: undefined,
    ...more,
  }
}

/** The last of `steps` is judged, the ones before are its history, `everyMs` apart. */
export function sequence(everyMs: number, steps: readonly SignalValues[], more: Partial<PredictionInput> = {}): PredictionInput {
  const observations = steps.map(
    (signals, index): Observation => ({
      recordedAtMs: NOW_MS - (steps.length - 1 - index) * everyMs,
      signals,
      lamps: {},
      dtcCodes: undefined,
    }),
  )
  const current = observations[observations.length - 1]
  if (current === undefined) throw new Error('a sequence needs a step')
  return { ...stateless(current.signals), history: observations.slice(0, -1), ...more }
}

export function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value)
}
