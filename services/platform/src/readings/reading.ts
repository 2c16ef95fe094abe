// What one device reported for one instant: where it was, what its sensors showed, or both. Units and names as in packages/signals.

import { hash } from 'node:crypto'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import { type LampStates, type SignalName, type SignalValues, signalNames } from '@roadworthy/signals/registry'

export type Position = { readonly latitude: number; readonly longitude: number }

/** What a reading contains beside position and numeric signals. */
export type ReadingAttributes = {
  headingDeg?: number
  altitudeM?: number
  satellites?: number
  /** Charge and voltage of the phone or tracker itself, never of the vehicle. */
  deviceBatteryPct?: number
  deviceBatteryV?: number
  ignition?: boolean
  event?: string
  lamps?: LampStates
  dtcCodes?: readonly string[]
  /** Keys we do not know, as they came. */
  extra?: Readonly<Record<string, unknown>>
}

/** The content of a reading, before it is known whose it is. */
export type ReadingContent = {
  readonly recordedAtMs: number
  readonly position: Position | undefined
  readonly signals: SignalValues
  readonly attributes: ReadingAttributes
  /** Names of values outside their documented range: stored, never used for scoring or as latest. `position` for 0,0. */
  readonly implausible: readonly string[]
}

export type Reading = ReadingContent & {
  readonly kind: 'telemetry' | 'track'
  readonly resellerId: string
  /**
   * The device; the device and the vehicle it named, where that is not its own (`sourceOfNamed`); or the vehicle where no device was named. First
   * column of every key.
   */
  readonly sourceId: string
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
  readonly subClientId: string | undefined
  readonly receivedAtMs: number
  /** The day in its reseller's zone in which it was received, while nothing is known to be stored of the device for that day. */
  readonly activeDay: Period | undefined
  /** Over source, time and content: the same reading sent again has the same digest. 16 bytes, in hexadecimal. */
  readonly digestHex: string
  readonly signalsJson: string | null
  readonly attributesJson: string | null
}

/** SHA-256 cut to 16 bytes: 2^64 readings of one source at one instant before a collision is likely. */
const DIGEST_HEX_LENGTH = 32

type About = Pick<Reading, 'kind' | 'resellerId' | 'sourceId' | 'deviceId' | 'vehicleId' | 'subClientId' | 'receivedAtMs'>

export function createReading(content: ReadingContent, about: About): Reading {
  const { position, implausible, recordedAtMs } = content
  const signalsJson = signalsToJson(content.signals)
  const said = attributesToJson(content.attributes)
  const where = position === undefined ? '' : `${position.latitude},${position.longitude}`
  const text = `${about.sourceId}\n${recordedAtMs}\n${where}\n${signalsJson ?? ''}\n${said ?? ''}`
  return {
    recordedAtMs,
    position,
    signals: content.signals,
    attributes: content.attributes,
    implausible,
    kind: about.kind,
    resellerId: about.resellerId,
    sourceId: about.sourceId,
    deviceId: about.deviceId,
    vehicleId: about.vehicleId,
    subClientId: about.subClientId,
    receivedAtMs: about.receivedAtMs,
    activeDay: undefined,
    digestHex: hash('sha256', text, 'hex').slice(0, DIGEST_HEX_LENGTH),
    signalsJson,
    attributesJson: implausible.length === 0 ? said : withImplausible(said, implausible),
  }
}

/** In the registry's order, so that the text of equal signals is equal. What is not there is not copied: two copies of all names cost a third more. */
function signalsToJson(signals: SignalValues): string | null {
  const ordered: SignalValues = {}
  for (const name of signalNames) {
    const value = signals[name]
    if (value !== undefined) ordered[name] = value
  }
  const json = JSON.stringify(ordered)
  return json === '{}' ? null : json
}

function attributesToJson(attributes: ReadingAttributes): string | null {
  const { headingDeg, altitudeM, satellites, deviceBatteryPct, deviceBatteryV, ignition, event, lamps, dtcCodes, extra } = attributes
  const measured = { headingDeg, altitudeM, satellites, deviceBatteryPct, deviceBatteryV }
  const ordered = { ...measured, ignition, event, lamps, dtcCodes, extra: extra && sortKeys(extra) }
  const json = JSON.stringify(ordered)
  return json === '{}' ? null : json
}

function withImplausible(said: string | null, implausible: readonly string[]): string {
  const list = `"implausible":${JSON.stringify(implausible)}}`
  return said === null ? `{${list}` : `${said.slice(0, -1)},${list}`
}

/** The same value with the keys of every object in order, so that their order on the wire does not make another reading. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

/** Signals that may be used for scoring and as latest. */
export function plausibleSignals(reading: ReadingContent): SignalValues {
  if (reading.implausible.length === 0) return reading.signals
  const kept = { ...reading.signals }
  for (const name of reading.implausible) delete kept[name as SignalName]
  return kept
}
