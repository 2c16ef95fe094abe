// Units that a column may be in, and how a value of it becomes one of its key's own unit on the External API.

import { KPA_PER_PSI, type SignalSpec, signals, signalsByWireKey } from '@roadworthy/signals/registry'
import { KM_PER_M, KMH_PER_KNOT, KMH_PER_MPS } from '../ingest/receivers/http-trackers/units.ts'

type Conversion = (value: number) => number

const times =
  (factor: number): Conversion =>
  (value) =>
    value * factor

/** NIST SP 811, appendix B.8: miles, feet. */
const KPA_PER_BAR = 100
const KM_PER_MILE = 1.609344
const M_PER_FOOT = 0.3048

/** By the unit of the key. The first is that unit itself. */
const conversions: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  'km/h': { 'km/h': times(1), mph: times(KM_PER_MILE), kn: times(KMH_PER_KNOT), 'm/s': times(KMH_PER_MPS) },
  km: { km: times(1), m: times(KM_PER_M), mi: times(KM_PER_MILE) },
  '°C': { C: times(1), F: (value) => ((value - 32) * 5) / 9 },
  PSI: { PSI: times(1), kPa: times(1 / KPA_PER_PSI), bar: times(KPA_PER_BAR / KPA_PER_PSI) },
  V: { V: times(1), mV: times(0.001) },
  m: { m: times(1), ft: times(M_PER_FOOT) },
}

/** More than any sensor resolves, and short of the noise that a conversion leaves. */
const SIGNIFICANT_DIGITS = 9

function unitOf(key: string): string | undefined {
  if (key === 'altitude') return 'm'
  if (key === 'device_battery_voltage') return 'V'
  const name = signalsByWireKey.get(key)?.name
  if (name === undefined) return undefined
  const { external, engine } = signals[name] as SignalSpec
  return (external?.key === key ? external : (engine ?? external))?.unit
}

/** Names of the units that a column of this key may be in; none where it has but its own. */
export function unitsOf(key: string): readonly string[] {
  return Object.keys(conversions[unitOf(key) ?? ''] ?? {})
}

/** Undefined: the key is not measured in that unit. */
export function converter(key: string, unit: string): Conversion | undefined {
  const ofKey = conversions[unitOf(key) ?? ''] ?? {}
  const convert = Object.hasOwn(ofKey, unit) ? ofKey[unit] : undefined
  return convert && ((value) => Number(convert(value).toPrecision(SIGNIFICANT_DIGITS)))
}
