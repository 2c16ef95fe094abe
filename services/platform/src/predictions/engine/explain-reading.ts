// How each key of a reading is understood: which signal it is, in which unit it is read and what it is then. Pure.

import type { FieldMeaning } from '@roadworthy/contracts/platform-v1/models'
import {
  dtcCodesAliases,
  lamps,
  lampsByWireKey,
  type SignalName,
  type SignalSpec,
  type SignalValues,
  signals,
  signalsByWireKey,
} from '@roadworthy/signals/registry'

const MAX_FIELD_CHARS = 128
const MAX_DECIMALS = 2

/** `warnings` are those that a sender of the reading is given, by key. */
export function explainReading(
  reading: Readonly<Record<string, unknown>>,
  read: SignalValues,
  warnings: ReadonlyMap<string, string>,
): FieldMeaning[] {
  return Object.keys(reading).map((key) => {
    const field = key.length > MAX_FIELD_CHARS ? `${key.slice(0, MAX_FIELD_CHARS).toWellFormed()}…` : key
    const warning = warnings.get(field) ?? null
    const nothing = { field, signal: null, sentUnit: null, value: null, unit: null, warning }
    const signal = signalsByWireKey.get(key)
    if (signal !== undefined) return { ...nothing, kind: 'signal', ...meaningOf(key, signal.name, read[signal.name]) }
    const lamp = lampsByWireKey.get(key)
    if (lamp !== undefined) return { ...nothing, kind: 'lamp', signal: lamps[lamp].label }
    if (key === 'dtc_codes' || (dtcCodesAliases as readonly string[]).includes(key)) return { ...nothing, kind: 'fault codes' }
    return { ...nothing, kind: warning === null ? 'other' : 'unknown' }
  })
}

function meaningOf(key: string, name: SignalName, value: number | undefined) {
  const { label, unit, external, engine }: SignalSpec = signals[name]
  const sentUnit = key === external?.key ? external.unit : (engine?.unit ?? unit)
  const rounded = value === undefined ? null : Number(value.toFixed(MAX_DECIMALS))
  return { signal: label, sentUnit, value: rounded, unit }
}
