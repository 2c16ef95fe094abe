// What every reader of recordings yields: one row of a recorded trip, in External sensor keys, at its place in time.
import { type SignalSpec, signals, signalsByWireKey } from '@roadworthy/signals/registry'

export type RecordedValues = Record<string, number | string | boolean | readonly string[]>

export type RecordedReading = {
  /** Seconds since the first row; strictly increasing within a recording. */
  readonly offsetS: number
  /** Sensor values under External keys, engine keys where the External wire has none. No device and no timestamp. */
  readonly record: RecordedValues
}

export type Recording = AsyncIterable<RecordedReading>

/** The key under which a signal travels on the External wire, for any name it is known by; `undefined` for an unknown name. */
export function externalKeyOf(wireKey: string): string | undefined {
  const known = signalsByWireKey.get(wireKey)
  if (!known) return undefined
  const spec: SignalSpec = signals[known.name]
  return spec.external?.key ?? spec.engine?.key
}

/** A recording could not be read as the format that was named for it. */
export class RecordingProblem extends Error {
  override readonly name = 'RecordingProblem'
}
