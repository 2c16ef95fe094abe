// A record as a device sends it → its content, in canonical names and units. Pure. One table decides what a key means, whichever receiver
// the record came through; keys nobody knows are kept in `extra`.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { isPlausible, type LampName, type LampStates, type SignalName, type SignalValues } from '@roadworthy/signals/registry'
import type { Position, ReadingAttributes, ReadingContent } from '../readings/reading.ts'
import type { FieldWarning } from './inbound.ts'
import { dtcCodes, finite, lampState, object, scaled, text, trimmed, wrongTime, wrongType } from './read-value.ts'
import { DTC_CODES, type FieldSlot, type Slot, slots } from './record-keys.ts'

/** Whom the record names; the rest of ingest decides whether to believe it. */
export type Identity = {
  readonly deviceId: string | undefined
  readonly vehicleRef: string | undefined
  readonly subClientId: string | undefined
}

export type Normalized = {
  readonly identity: Identity
  readonly content: ReadingContent
  /** Absent when there is nothing to warn of. */
  readonly warnings: readonly FieldWarning[] | undefined
}

export type TimeWindow = { readonly maxAgeMs: number; readonly maxAheadMs: number }

const MAX_ID_LENGTH = 128
const MAX_EVENT_LENGTH = 64
const MAX_TIME_LENGTH = 64
/** Metres around the Dead Sea and Mount Everest; phones have 4 V, trackers on a truck up to 32 V. */
const attributeRanges = [
  ...[['headingDeg', 0, 360] as const, ['altitudeM', -500, 12_000] as const, ['satellites', 0, 64] as const],
  ...[['deviceBatteryPct', 0, 100] as const, ['deviceBatteryV', 0, 60] as const],
]
/** Fields of one record that its sender is warned of by name. */
const MAX_WARNINGS = 20

/** Where a record is, and by which keys it was sent. */
type Place = {
  latitude: number | undefined
  latitudeKey: string
  longitude: number | undefined
  longitudeKey: string
}

type Draft = Place & {
  signals: SignalValues
  /** By signal, the rank of the key it was set by, where that was not the best. */
  ranks: Partial<Record<SignalName, number>> | undefined
  lamps: LampStates | undefined
  attributes: ReadingAttributes
  hasStandardCodes: boolean
  time: string | undefined
  deviceId: string | undefined
  vehicleRef: string | undefined
  subClientId: string | undefined
  extra: Record<string, unknown> | undefined
  implausible: string[]
  warnings: FieldWarning[] | undefined
  unnamedCount: number
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
    latitudeKey: 'latitude',
    longitude: undefined,
    longitudeKey: 'longitude',
    hasStandardCodes: false,
    time: undefined,
    deviceId: undefined,
    vehicleRef: undefined,
    subClientId: undefined,
    extra: undefined,
    implausible: [],
    warnings: undefined,
    unnamedCount: 0,
  }
  readFields(draft, record as Record<string, unknown>)
  const position = readPosition(draft)
  judgeRanges(draft, position)
  if (draft.implausible.length > 0) warnOfImplausible(draft, record as Record<string, unknown>)
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
    warnings: warningsOf(draft),
  }
}

/** What stands at the top wins over the same in `sensor_data` or `location`, whatever their order in the record: these are read last. */
function readFields(draft: Draft, fields: Record<string, unknown>): void {
  let sensorData: Record<string, unknown> | undefined
  let location: Record<string, unknown> | undefined
  // Object.keys, not for-in: V8 compiles `for (key in fields) fields[key]` for one order of keys and throws that code away for the
  // next, without end, which took half of ingest's processor time.
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    // Devices send null for a sensor they have but could not read.
    if (value === null || value === undefined) continue
    const slot = slots.get(key)
    if (slot === undefined) keepUnknown(draft, key, key, value)
    else if (slot.kind === 'sensorData') sensorData = object(key, value)
    else if (slot.kind === 'location') location = object(key, value)
    else readField(draft, slot, key, value)
  }
  if (sensorData !== undefined) readSensorData(draft, sensorData)
  if (location !== undefined) readLocation(draft, location)
}

function readField(draft: Draft, slot: FieldSlot, key: string, value: unknown): void {
  switch (slot.kind) {
    case 'signal':
      setSignal(draft, slot, scaled(key, value, slot.scale))
      return
    case 'lamp':
      setLamp(draft, slot.name, lampState(key, value))
      return
    case 'dtcCodes':
      setCodes(draft, dtcCodes(key, value), key === DTC_CODES)
      return
    case 'latitude':
      setLatitude(draft, key, finite(key, value), key)
      return
    case 'longitude':
      setLongitude(draft, key, finite(key, value), key)
      return
    case 'heading':
      setUnlessThere(draft.attributes, 'headingDeg', finite(key, value))
      return
    case 'altitude':
      setUnlessThere(draft.attributes, 'altitudeM', finite(key, value))
      return
    case 'satellites':
      draft.attributes.satellites = finite(key, value)
      return
    case 'deviceBattery':
      draft.attributes.deviceBatteryPct = finite(key, value)
      return
    case 'deviceBatteryVoltage':
      draft.attributes.deviceBatteryV = finite(key, value)
      return
    case 'ignition':
      if (typeof value !== 'boolean') throw wrongType(key, 'true or false', value)
      setUnlessThere(draft.attributes, 'ignition', value)
      return
    case 'event':
      draft.attributes.event = text(key, value, MAX_EVENT_LENGTH)
      return
    case 'time':
      if (typeof value !== 'string' || value.length > MAX_TIME_LENGTH) throw wrongTime(key, value)
      draft.time = value
      return
    case 'device':
      draft.deviceId = text(key, value, MAX_ID_LENGTH)
      return
    case 'vehicle':
      draft.vehicleRef = trimmed(key, value, MAX_ID_LENGTH)
      return
    case 'subClient':
      draft.subClientId = text(key, value, MAX_ID_LENGTH)
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
      keepUnknown(draft, key, key, value, slot)
    }
  }
}

function readLocation(draft: Draft, fields: Record<string, unknown>): void {
  const place: Place = { latitude: undefined, latitudeKey: 'latitude', longitude: undefined, longitudeKey: 'longitude' }
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (value === null || value === undefined) continue
    const slot = slots.get(key)
    const field = `location.${key}`
    if (slot?.kind === 'latitude') setLatitude(place, key, finite(field, value), field)
    else if (slot?.kind === 'longitude') setLongitude(place, key, finite(field, value), field)
    else if (slot?.kind === 'heading' || slot?.kind === 'altitude') readField(draft, slot, field, value)
    else keepUnknown(draft, field, key, value, slot)
  }
  setPlace(draft, place)
}

function setLamp(draft: Draft, name: LampName, isOn: boolean): void {
  draft.lamps ??= {}
  draft.lamps[name] ??= isOn
}

function setUnlessThere<Name extends keyof ReadingAttributes>(
  attributes: ReadingAttributes,
  name: Name,
  value: NonNullable<ReadingAttributes[Name]>,
): void {
  attributes[name] ??= value
}

/** As of signals, the standard name wins over an alias. */
function setCodes(draft: Draft, codes: readonly string[], isStandard: boolean): void {
  if (draft.attributes.dtcCodes !== undefined && (draft.hasStandardCodes || !isStandard)) return
  draft.attributes.dtcCodes = codes
  draft.hasStandardCodes = isStandard
}

/** Of two spellings the whole word is taken, which is the standard field. */
function setLatitude(place: Place, key: string, degrees: number, sentAs: string): void {
  if (place.latitude !== undefined && key !== 'latitude') return
  place.latitude = degrees
  place.latitudeKey = sentAs
}

function setLongitude(place: Place, key: string, degrees: number, sentAs: string): void {
  if (place.longitude !== undefined && key !== 'longitude') return
  place.longitude = degrees
  place.longitudeKey = sentAs
}

/** A position is taken whole from one place: half of one and half of the other would be where nobody was. */
function setPlace(draft: Draft, place: Place): void {
  const { latitude, latitudeKey, longitude, longitudeKey } = place
  if (draft.latitude !== undefined && draft.longitude !== undefined) return
  if (latitude !== undefined && longitude !== undefined) {
    Object.assign(draft, place)
    return
  }
  if (latitude !== undefined) setLatitude(draft, '', latitude, latitudeKey)
  if (longitude !== undefined) setLongitude(draft, '', longitude, longitudeKey)
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

/** What stands elsewhere than in `extra` was meant to be understood. */
function keepUnknown(draft: Draft, field: string, key: string, value: unknown, slot?: Slot): void {
  keepExtra(draft, key, value)
  warn(draft, { field, kind: slot === undefined ? 'unknown' : 'misplaced' })
}

function warn(draft: Draft, warning: FieldWarning): void {
  draft.warnings ??= []
  if (draft.warnings.length < MAX_WARNINGS) draft.warnings.push(warning)
  else draft.unnamedCount++
}

function warningsOf({ warnings, unnamedCount }: Draft): readonly FieldWarning[] | undefined {
  if (warnings === undefined || unnamedCount === 0) return warnings
  return [...warnings, { field: '*', kind: 'more', count: unnamedCount }]
}

/** By the keys as they were sent, which are looked for only now: nearly no reading needs them. */
function warnOfImplausible(draft: Draft, record: Record<string, unknown>): void {
  const keyOf = new Map<string, string>()
  const sent = [(record['sensor_data'] ?? {}) as object, record].flatMap((fields) => Object.entries<unknown>({ ...fields }))
  for (const [key, value] of sent) {
    const slot = slots.get(key)
    const name = slot?.kind === 'signal' ? slot.name : slot === undefined ? undefined : attributeNames[slot.kind]
    // Of two keys for one signal the better one was taken.
    const isBest = slot?.kind !== 'signal' || slot.rank === (draft.ranks?.[slot.name] ?? 0)
    if (name !== undefined && isBest && (value ?? null) !== null) keyOf.set(name, key)
  }
  for (const name of draft.implausible) {
    warn(draft, { field: name === 'position' ? draft.latitudeKey : (keyOf.get(name) ?? locationKeys[name] ?? name), kind: 'implausible' })
  }
}

const attributeNames: Partial<Record<Slot['kind'], string>> = {
  ...{ heading: 'headingDeg', altitude: 'altitudeM', satellites: 'satellites' },
  ...{ deviceBattery: 'deviceBatteryPct', deviceBatteryVoltage: 'deviceBatteryV' },
}
const locationKeys: Readonly<Record<string, string>> = { headingDeg: 'location.heading', altitudeM: 'location.altitude' }

function keepExtra(draft: Draft, key: string, value: unknown): void {
  draft.extra ??= {}
  draft.extra[key] = value
}

function readPosition(draft: Draft): Position | undefined {
  const { latitude, latitudeKey, longitude, longitudeKey } = draft
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined || longitude === undefined) {
    const missing = counterparts[latitude === undefined ? longitudeKey : latitudeKey] ?? 'latitude'
    throw new Problem('invalid_request', `"${missing}" is missing: a position needs both latitude and longitude.`, {
      details: { field: missing },
    })
  }
  assertDegrees(latitudeKey, latitude, 90)
  assertDegrees(longitudeKey, longitude, 180)
  return { latitude, longitude }
}

/** By the spelling of the one that was sent. */
const counterparts: Readonly<Record<string, string>> = {
  lat: 'lon',
  latitude: 'longitude',
  lon: 'lat',
  lng: 'lat',
  longitude: 'latitude',
  'location.lat': 'location.lng',
  'location.latitude': 'location.longitude',
  'location.lon': 'location.lat',
  'location.lng': 'location.lat',
  'location.longitude': 'location.latitude',
}

function assertDegrees(key: string, value: number, most: number): void {
  if (value >= -most && value <= most) return
  throw new Problem('invalid_request', `"${key}" must be between -${most} and ${most} degrees.`, { details: { field: key } })
}

function judgeRanges(draft: Draft, position: Position | undefined): void {
  for (const name in draft.signals) {
    const value = draft.signals[name as SignalName]
    if (value !== undefined && !isPlausible(name as SignalName, value)) draft.implausible.push(name)
  }
  for (const [name, min, max] of attributeRanges) {
    const value = draft.attributes[name]
    if (value !== undefined && (value < min || value > max || (name === 'satellites' && !Number.isInteger(value))))
      draft.implausible.push(name)
  }
  // What receivers report before their first fix; the true place is in the open sea off Ghana.
  if (position !== undefined && position.latitude === 0 && position.longitude === 0) draft.implausible.push('position')
}

function readTime(time: string | undefined, receivedAtMs: number, window: TimeWindow): number {
  if (time === undefined) return receivedAtMs
  const recordedAtMs = parseRfc3339(time)
  if (recordedAtMs === undefined) throw wrongTime('timestamp', time)
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
