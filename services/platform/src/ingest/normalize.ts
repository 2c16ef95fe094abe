// A record as a device sends it → what it says, in canonical names and units. Pure. One table decides what a key means, whichever door
// the record came through; keys nobody knows are kept in `extra`.

import { Problem } from '@roadworthy/service-kit/problem'
import { parseRfc3339 } from '@roadworthy/service-kit/rfc3339'
import {
  dtcCodesAliases,
  isPlausible,
  type LampName,
  type LampStates,
  lampsByWireKey,
  type SignalName,
  type SignalSpec,
  type SignalValues,
  signals,
  signalsByWireKey,
} from '@roadworthy/signals/registry'
import type { Position, ReadingAttributes, ReadingContent } from '../readings/reading.ts'

/** Who the record says it is about; the rest of ingest decides whether to believe it. */
export type Identity = {
  readonly deviceId: string | undefined
  readonly vehicleRef: string | undefined
  readonly subClientId: string | undefined
}

export type Normalized = { readonly identity: Identity; readonly content: ReadingContent }

export type TimeWindow = { readonly maxAgeMs: number; readonly maxAheadMs: number }

const MAX_ID_LENGTH = 128
const MAX_EVENT_LENGTH = 64
const MAX_DTC_CODES = 64
const MAX_DTC_CODE_LENGTH = 32
const MAX_SATELLITES = 64
const MIN_ALTITUDE_M = -500
const MAX_ALTITUDE_M = 12_000

/** Every key with a meaning of its own. What a flat record, its `sensor_data` and its `location` may hold is read from here. */
type Slot =
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

const slots: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ...[...signalsByWireKey].map(([key, { name, scale }]): [string, Slot] => {
    const { external, engine } = signals[name] as SignalSpec
    return [key, { kind: 'signal', name, scale, rank: key === external?.key ? 0 : key === engine?.key ? 1 : 2 }]
  }),
  ...[...lampsByWireKey].map(([key, name]): [string, Slot] => [key, { kind: 'lamp', name }]),
  ...['dtc_codes', ...dtcCodesAliases].map((key): [string, Slot] => [key, { kind: 'dtcCodes' }]),
  ['lat', { kind: 'latitude' }],
  ['latitude', { kind: 'latitude' }],
  ['lon', { kind: 'longitude' }],
  ['lng', { kind: 'longitude' }],
  ['longitude', { kind: 'longitude' }],
  ['heading', { kind: 'heading' }],
  ['altitude', { kind: 'altitude' }],
  ['satellites', { kind: 'satellites' }],
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

type Draft = {
  signals: SignalValues
  /** By signal, the rank of the key it was set by, where that was not the best. */
  ranks: Partial<Record<SignalName, number>> | undefined
  lamps: LampStates | undefined
  attributes: ReadingAttributes
  latitude: number | undefined
  longitude: number | undefined
  time: string | undefined
  deviceId: string | undefined
  vehicleRef: string | undefined
  subClientId: string | undefined
  extra: Record<string, unknown> | undefined
  implausible: string[]
}

/**
 * Reads one record. Throws `Problem('invalid_request')` naming the field. `receivedAtMs` stands in where the record has no time.
 * Values outside their documented range are kept and named in `implausible`; a position outside the globe is refused.
 */
export function normalize(record: unknown, receivedAtMs: number, window: TimeWindow): Normalized {
  if (record === null || typeof record !== 'object' || Array.isArray(record)) {
    throw new Problem('invalid_request', 'A record must be a JSON object.')
  }
  const draft: Draft = {
    signals: {},
    ranks: undefined,
    lamps: undefined,
    attributes: {},
    latitude: undefined,
    longitude: undefined,
    time: undefined,
    deviceId: undefined,
    vehicleRef: undefined,
    subClientId: undefined,
    extra: undefined,
    implausible: [],
  }
  readFields(draft, record as Record<string, unknown>)
  const position = readPosition(draft)
  judgeRanges(draft, position)
  if (draft.lamps !== undefined) draft.attributes.lamps = draft.lamps
  if (draft.extra !== undefined) draft.attributes.extra = draft.extra
  return {
    identity: { deviceId: draft.deviceId, vehicleRef: draft.vehicleRef, subClientId: draft.subClientId },
    content: {
      recordedAtMs: readTime(draft.time, receivedAtMs, window),
      position,
      signals: draft.signals,
      attributes: draft.attributes,
      implausible: draft.implausible,
    },
  }
}

function readFields(draft: Draft, fields: Record<string, unknown>): void {
  // Object.keys, not for-in: V8 compiles `for (key in fields) fields[key]` for one order of keys and throws that code away for the
  // next, without end, which took half of ingest's processor time.
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    // Devices send null for a sensor they have but could not read.
    if (value === null || value === undefined) continue
    const slot = slots.get(key)
    if (slot === undefined) keepExtra(draft, key, value)
    else readField(draft, slot, key, value)
  }
}

function readField(draft: Draft, slot: Slot, key: string, value: unknown): void {
  switch (slot.kind) {
    case 'signal':
      setSignal(draft, slot, finite(key, value) * slot.scale)
      return
    case 'lamp':
      draft.lamps ??= {}
      draft.lamps[slot.name] = lampState(key, value)
      return
    case 'dtcCodes':
      draft.attributes.dtcCodes = dtcCodes(key, value)
      return
    case 'latitude':
      draft.latitude = finite(key, value)
      return
    case 'longitude':
      draft.longitude = finite(key, value)
      return
    case 'heading':
      draft.attributes.headingDeg = finite(key, value)
      return
    case 'altitude':
      draft.attributes.altitudeM = finite(key, value)
      return
    case 'satellites':
      draft.attributes.satellites = finite(key, value)
      return
    case 'ignition':
      if (typeof value !== 'boolean') throw wrongType(key, 'true or false', value)
      draft.attributes.ignition = value
      return
    case 'event':
      draft.attributes.event = text(key, value, MAX_EVENT_LENGTH)
      return
    case 'time':
      draft.time = text(key, value, 64)
      return
    case 'device':
      draft.deviceId = text(key, value, MAX_ID_LENGTH)
      return
    case 'vehicle':
      draft.vehicleRef = text(key, value, MAX_ID_LENGTH)
      return
    case 'subClient':
      draft.subClientId = text(key, value, MAX_ID_LENGTH)
      return
    case 'sensorData':
      readSensorData(draft, object(key, value))
      return
    case 'location':
      readLocation(draft, object(key, value))
      return
    case 'extra':
      for (const [name, inner] of Object.entries(object(key, value))) keepExtra(draft, name, inner)
      return
  }
}

/** Sensor data may name sensors, lamps and codes; an id or a time inside it has no meaning there and is kept as extra. */
function readSensorData(draft: Draft, fields: Record<string, unknown>): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (value === null || value === undefined) continue
    const slot = slots.get(key)
    if (slot !== undefined && (slot.kind === 'signal' || slot.kind === 'lamp' || slot.kind === 'dtcCodes' || slot.kind === 'ignition')) {
      readField(draft, slot, key, value)
    } else {
      keepExtra(draft, key, value)
    }
  }
}

function readLocation(draft: Draft, fields: Record<string, unknown>): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (value === null || value === undefined) continue
    const slot = slots.get(key)
    if (
      slot !== undefined &&
      (slot.kind === 'latitude' || slot.kind === 'longitude' || slot.kind === 'heading' || slot.kind === 'altitude')
    ) {
      readField(draft, slot, `location.${key}`, value)
    } else {
      keepExtra(draft, key, value)
    }
  }
}

/** A record may name a signal twice. The External key wins over the engine's, and both over an alias, whatever their order in the record. */
function setSignal(draft: Draft, { name, rank }: { name: SignalName; rank: number }, value: number): void {
  if (draft.signals[name] !== undefined && (draft.ranks?.[name] ?? 0) <= rank) return
  draft.signals[name] = value
  if (rank > 0 || draft.ranks !== undefined) {
    draft.ranks ??= {}
    draft.ranks[name] = rank
  }
}

function keepExtra(draft: Draft, key: string, value: unknown): void {
  draft.extra ??= {}
  draft.extra[key] = value
}

function readPosition(draft: Draft): Position | undefined {
  const { latitude, longitude } = draft
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined || longitude === undefined) {
    const missing = latitude === undefined ? 'latitude' : 'longitude'
    throw new Problem('invalid_request', `"${missing}" is missing: a position needs both latitude and longitude.`, {
      details: { field: missing },
    })
  }
  if (latitude < -90 || latitude > 90) {
    throw new Problem('invalid_request', '"latitude" must be between -90 and 90 degrees.', { details: { field: 'latitude' } })
  }
  if (longitude < -180 || longitude > 180) {
    throw new Problem('invalid_request', '"longitude" must be between -180 and 180 degrees.', { details: { field: 'longitude' } })
  }
  return { latitude, longitude }
}

function judgeRanges(draft: Draft, position: Position | undefined): void {
  for (const name in draft.signals) {
    const value = draft.signals[name as SignalName]
    if (value !== undefined && !isPlausible(name as SignalName, value)) draft.implausible.push(name)
  }
  const { headingDeg, altitudeM, satellites } = draft.attributes
  if (headingDeg !== undefined && (headingDeg < 0 || headingDeg > 360)) draft.implausible.push('headingDeg')
  if (altitudeM !== undefined && (altitudeM < MIN_ALTITUDE_M || altitudeM > MAX_ALTITUDE_M)) draft.implausible.push('altitudeM')
  if (satellites !== undefined && (satellites < 0 || satellites > MAX_SATELLITES || !Number.isInteger(satellites)))
    draft.implausible.push('satellites')
  // What receivers report before their first fix; the true place is in the open sea off Ghana.
  if (position !== undefined && position.latitude === 0 && position.longitude === 0) draft.implausible.push('position')
}

function readTime(time: string | undefined, receivedAtMs: number, window: TimeWindow): number {
  if (time === undefined) return receivedAtMs
  const recordedAtMs = parseRfc3339(time)
  if (recordedAtMs === undefined) {
    throw new Problem(
      'invalid_request',
      '"timestamp" must be an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z.',
      { details: { field: 'timestamp' } },
    )
  }
  if (recordedAtMs < receivedAtMs - window.maxAgeMs) {
    const days = Math.round(window.maxAgeMs / 86_400_000)
    throw new Problem('invalid_request', `"timestamp" is more than ${days} days ago; older readings are not taken.`, {
      details: { field: 'timestamp' },
    })
  }
  if (recordedAtMs > receivedAtMs + window.maxAheadMs) {
    const seconds = Math.round(window.maxAheadMs / 1000)
    throw new Problem('invalid_request', `"timestamp" is more than ${seconds} s ahead of the server's clock.`, {
      details: { field: 'timestamp' },
    })
  }
  return recordedAtMs
}

function finite(key: string, value: unknown): number {
  if (typeof value !== 'number') throw wrongType(key, 'a number', value)
  if (!Number.isFinite(value)) throw new Problem('invalid_request', `"${key}" is not a finite number.`, { details: { field: key } })
  return value
}

function text(key: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw wrongType(key, 'a string', value)
  if (value === '' || value.length > maxLength) {
    throw new Problem('invalid_request', `"${key}" must have 1 to ${maxLength} characters.`, { details: { field: key } })
  }
  return value
}

function object(key: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(key, 'an object', value)
  return value as Record<string, unknown>
}

function lampState(key: string, value: unknown): boolean {
  if (value === 'LAMP_ON') return true
  if (value === 'LAMP_OFF') return false
  throw new Problem('invalid_request', `"${key}" must be "LAMP_ON" or "LAMP_OFF".`, { details: { field: key } })
}

function dtcCodes(key: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw wrongType(key, 'an array of strings', value)
  if (value.length > MAX_DTC_CODES)
    throw new Problem('invalid_request', `"${key}" has more than ${MAX_DTC_CODES} codes.`, { details: { field: key } })
  return value.map((code) => text(key, code, MAX_DTC_CODE_LENGTH))
}

function wrongType(key: string, wanted: string, value: unknown): Problem {
  const got = Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
  return new Problem('invalid_request', `"${key}" must be ${wanted}, not ${got}.`, { details: { field: key } })
}
