// Every key the engine understands, with what it means. Read from the signal table, once.
import {
  dtcCodesAliases,
  type LampName,
  lampNames,
  lamps,
  type SignalName,
  signalNames,
  signals,
  vehicleIdAliases,
  wholeNumberSignals,
} from '@roadworthy/signals/registry'

/** `standard` is the field's name in the contract; a key that differs from it is an alias. */
export type EngineField =
  | { readonly kind: 'signal' | 'whole_signal'; readonly standard: string; readonly name: SignalName; readonly scale: number }
  | { readonly kind: 'lamp'; readonly standard: string; readonly name: LampName }
  | { readonly kind: PlainKind; readonly standard: string }

const plainFields = {
  vehicleId: 'vehicle_id',
  timestamp: 'timestamp',
  dtc_codes: 'dtc_codes',
  latitude: 'latitude',
  longitude: 'longitude',
  history: 'history',
  vehicleAgeDays: 'vehicle_age',
  vehicleClass: 'vehicle_class',
  fuelType: 'fuel_type',
  drivetrain: 'drivetrain',
  batteryNominalV: 'battery_nominal_v',
  replacedParts: 'replaced_parts',
  previousHealthStatus: 'previous_status',
} as const
export type PlainKind = (typeof plainFields)[keyof typeof plainFields]

export const engineFieldsByKey: ReadonlyMap<string, EngineField> = collectFields()

function collectFields(): Map<string, EngineField> {
  const fields = new Map<string, EngineField>()
  for (const name of signalNames) {
    const { key, aliases, scale } = signals[name].engine
    const field: EngineField = { kind: wholeNumberSignals.has(name) ? 'whole_signal' : 'signal', standard: key, name, scale }
    for (const each of [key, ...aliases]) fields.set(each, field)
  }
  for (const name of lampNames) fields.set(lamps[name].engineKey, { kind: 'lamp', standard: lamps[name].engineKey, name })
  for (const [standard, kind] of Object.entries(plainFields)) fields.set(standard, { kind, standard })
  for (const alias of vehicleIdAliases) fields.set(alias, { kind: 'vehicle_id', standard: 'vehicleId' })
  for (const alias of dtcCodesAliases) fields.set(alias, { kind: 'dtc_codes', standard: 'dtc_codes' })
  return fields
}
