// From what a signal is called inside the service to what a surface calls it. Canonical names and units never leave the service: the
// External API speaks the keys of spec §2.5, the Platform API and the engine those of spec §2.6.

import { lamps, type SignalName, type SignalSpec, signals, signalsByWireKey, type WireKey } from './registry.ts'

export type Vocabulary = 'external' | 'engine'

/** The key and unit of a signal. A signal for which spec §2.5 has no key goes by the engine's on the External API, which takes it too. */
export function wireKeyOf(name: SignalName, vocabulary: Vocabulary): WireKey {
  const { external, engine }: SignalSpec = signals[name]
  const wire = vocabulary === 'external' ? (external ?? engine) : (engine ?? external)
  if (wire === null) throw new Error(`signal ${name} has no wire key`)
  return wire
}

/** A canonical value in the unit of the wire. Division can leave 49.99999999999999; nine significant digits are beyond any sensor. */
export function toWireValue(name: SignalName, value: number, vocabulary: Vocabulary): number {
  const { scale } = wireKeyOf(name, vocabulary)
  return scale === 1 ? value : Number((value / scale).toPrecision(9))
}

/** Fields of the vehicle's record. */
const externalKeysOfVehicle: Readonly<Record<string, string>> = {
  vehicleClass: 'vehicle_class',
  fuelType: 'fuel_type',
  batteryNominalV: 'battery_nominal_v',
}

/** The External key of a field by which the engine names it; what is neither a signal nor of the vehicle's record is called the same on both. */
export function externalKeyOf(engineKey: string): string {
  const signal = signalsByWireKey.get(engineKey)
  return signal === undefined ? (externalKeysOfVehicle[engineKey] ?? engineKey) : wireKeyOf(signal.name, 'external').key
}

/** What drove a finding (`signal`, `lamp`, `value`, `threshold`, `unit` …), from canonical names and units to the engine's. */
export function toWireEvidence<Value>(evidence: Readonly<Record<string, Value>>): Record<string, Value | string | number> {
  const { signal, lamp } = evidence
  const named: Record<string, Value | string | number> = { ...evidence }
  if (typeof lamp === 'string' && Object.hasOwn(lamps, lamp)) named['lamp'] = lamps[lamp as keyof typeof lamps].engineKey
  if (typeof signal !== 'string' || !Object.hasOwn(signals, signal)) return named
  const name = signal as SignalName
  const wire = wireKeyOf(name, 'engine')
  named['signal'] = wire.key
  if (wire.scale === 1) return named
  for (const [key, value] of Object.entries(evidence)) {
    if (typeof value === 'number' && MEASURED.has(key)) named[key] = Math.round((value / wire.scale) * 100) / 100
  }
  if ('unit' in named) named['unit'] = wire.unit
  return named
}

/** The numbers of an evidence that are in the unit of its signal. */
const MEASURED: ReadonlySet<string> = new Set(['value', 'threshold', 'before'])
