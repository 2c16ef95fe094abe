// Every key of a record that has a meaning, and what its value has to be.

import {
  dtcCodesAliases,
  type LampName,
  lampsByWireKey,
  type SignalName,
  type SignalSpec,
  signals,
  signalsByWireKey,
} from '@roadworthy/signals/registry'

/** Every key with a meaning of its own. What a flat record, its `sensor_data` and its `location` may hold is read from here. */
export type Slot =
  | { readonly kind: 'signal'; readonly name: SignalName; readonly scale: number; readonly rank: number }
  | { readonly kind: 'lamp'; readonly name: LampName }
  | {
      readonly kind:
        | 'dtcCodes'
        | 'latitude'
        | 'longitude'
        | 'heading'
        | 'altitude'
        | 'satellites'
        | 'deviceBattery'
        | 'deviceBatteryVoltage'
        | 'ignition'
        | 'event'
        | 'time'
        | 'device'
        | 'vehicle'
        | 'subClient'
        | 'sensorData'
        | 'location'
        | 'extra'
    }

/** A slot whose value is no object of further fields. */
export type FieldSlot = Exclude<Slot, { readonly kind: 'sensorData' | 'location' }>

export const DTC_CODES = 'dtc_codes'

export const slots: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ...[...signalsByWireKey].map(([key, { name, scale }]): [string, Slot] => {
    const { external, engine } = signals[name] as SignalSpec
    return [key, { kind: 'signal', name, scale, rank: key === external?.key ? 0 : key === engine?.key ? 1 : 2 }]
  }),
  ...[...lampsByWireKey].map(([key, name]): [string, Slot] => [key, { kind: 'lamp', name }]),
  ...[DTC_CODES, ...dtcCodesAliases].map((key): [string, Slot] => [key, { kind: 'dtcCodes' }]),
  ['lat', { kind: 'latitude' }],
  ['latitude', { kind: 'latitude' }],
  ['lon', { kind: 'longitude' }],
  ['lng', { kind: 'longitude' }],
  ['longitude', { kind: 'longitude' }],
  ['heading', { kind: 'heading' }],
  ['altitude', { kind: 'altitude' }],
  ['satellites', { kind: 'satellites' }],
  // Of the phone or tracker itself: `battery` and its like are aliases of the vehicle's (spec §2.6).
  ['device_battery', { kind: 'deviceBattery' }],
  ['device_battery_voltage', { kind: 'deviceBatteryVoltage' }],
  ['ignition', { kind: 'ignition' }],
  ['event', { kind: 'event' }],
  ['timestamp', { kind: 'time' }],
  ['device_id', { kind: 'device' }],
  ['vehicle_id', { kind: 'vehicle' }],
  ['sub_client_id', { kind: 'subClient' }],
  ['sensor_data', { kind: 'sensorData' }],
  ['location', { kind: 'location' }],
  ['extra', { kind: 'extra' }],
])

/** Every key that a record may have with a meaning. */
export const knownKeys: readonly string[] = [...slots.keys()]

/** What a cell of a table has to hold to become the value of this key. Undefined: the key is not known. `nested`: it holds other keys, which a cell cannot. */
export function columnKindOf(key: string): ColumnKind | undefined {
  const slot = slots.get(key)
  if (slot === undefined) return undefined
  switch (slot.kind) {
    case 'lamp':
    case 'dtcCodes':
    case 'time':
      return slot.kind
    case 'ignition':
      return 'flag'
    case 'device':
    case 'vehicle':
    case 'subClient':
    case 'event':
      return 'text'
    case 'sensorData':
    case 'location':
    case 'extra':
      return 'nested'
    default:
      return 'number'
  }
}

export type ColumnKind = 'number' | 'flag' | 'lamp' | 'dtcCodes' | 'time' | 'text' | 'nested'
