// The newest state of each vehicle by source, folded from a batch before it goes to the store, so that a hundred readings of one device
// cost one upsert. A gateway, a phone or a back-end speaks for many vehicles: what it reports of one does not concern another. When and where
// the device itself was last heard is kept once beside them, whatever it reported for.

import { lampNames, type SignalName } from '@roadworthy/signals/registry'
import { plausibleSignals, type Reading } from './reading.ts'

export type LatestState = {
  readonly sourceId: string
  readonly resellerId: string
  /** Undefined also for what a device reported of a vehicle that it named: whoever asks for the device asks for the source with its id. */
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
  /** Newest and oldest recorded time in the batch. */
  readonly recordedAtMs: number
  readonly oldestRecordedAtMs: number
  readonly receivedAtMs: number
  /** `{"coolantTempC":[92,1763663751000], …}`: the value and when it was recorded. */
  readonly signalsJson: string | null
  /** The same for ignition, event, the battery of the device, lamps and fault codes. */
  readonly statesJson: string | null
  readonly fix: { readonly recordedAtMs: number; readonly latitude: number; readonly longitude: number; readonly json: string } | undefined
}

/** What identifies a state. */
export type StateKey = { readonly sourceId: string; readonly vehicleId: string | undefined }

/** The states that a reading changes: that of its source and, where the source is not the device, what is kept of the device. */
export function stateKeysOf({ sourceId, vehicleId, deviceId }: Pick<Reading, 'sourceId' | 'vehicleId' | 'deviceId'>): StateKey[] {
  const ofSource = { sourceId, vehicleId }
  return deviceId === undefined || deviceId === sourceId ? [ofSource] : [ofSource, { sourceId: deviceId, vehicleId: undefined }]
}

/** By name, the newest value and when it was recorded. */
type Stamped = Record<string, [value: unknown, recordedAtMs: number]>

/** Readings may come in any order: "newest" is by recorded time, and of two at the same instant the one added later. */
export class LatestStateFold {
  readonly #drafts = new Map<string, Draft>()
  /** Most batches are of one source and vehicle. */
  #last: Draft | undefined

  add(reading: Reading): void {
    this.addOfSource(reading)
    const { sourceId, deviceId } = reading
    if (deviceId !== undefined && deviceId !== sourceId) this.hearDevice(reading, deviceId)
  }

  /** What the reading reports of its source, and nothing of the device where that is another source. */
  addOfSource(reading: Reading): void {
    const { sourceId, deviceId, vehicleId } = reading
    if (deviceId === undefined || deviceId === sourceId) {
      const draft = this.#last !== undefined && isOf(this.#last, reading) ? this.#last : this.#draftOf(reading, reading)
      this.#last = draft
      addToDraft(draft, reading)
    } else {
      addToDraft(this.#draftOf(reading, { sourceId, deviceId: undefined, vehicleId }), reading)
    }
  }

  /** When and where the device was heard that reported for another source. */
  hearDevice(reading: Reading, deviceId: string): void {
    hearInDraft(this.#draftOf(reading, { sourceId: deviceId, deviceId, vehicleId: undefined }), reading)
  }

  #draftOf(reading: Reading, key: DraftKey): Draft {
    const text = `${key.sourceId}\n${key.vehicleId ?? ''}`
    const known = this.#drafts.get(text)
    if (known !== undefined) return known
    const draft = createDraft(reading, key)
    this.#drafts.set(text, draft)
    return draft
  }

  states(): LatestState[] {
    return [...this.#drafts.values()].map(({ signals, states, fix, ...rest }) => ({
      ...rest,
      signalsJson: toJson(signals),
      statesJson: toJson(states),
      fix: fix === undefined ? undefined : toFix(fix),
    }))
  }
}

type Draft = {
  readonly sourceId: string
  readonly resellerId: string
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
  recordedAtMs: number
  oldestRecordedAtMs: number
  receivedAtMs: number
  readonly signals: Stamped
  readonly states: Stamped
  /** The newest reading with a position that may be believed. */
  fix: Reading | undefined
}

type DraftKey = Pick<Draft, 'sourceId' | 'deviceId' | 'vehicleId'>

function createDraft({ resellerId, recordedAtMs, receivedAtMs }: Reading, { sourceId, deviceId, vehicleId }: DraftKey): Draft {
  const times = { recordedAtMs, oldestRecordedAtMs: recordedAtMs, receivedAtMs }
  return { sourceId, resellerId, deviceId, vehicleId, ...times, signals: {}, states: {}, fix: undefined }
}

const isOf = (draft: Draft, reading: Reading) => draft.sourceId === reading.sourceId && draft.vehicleId === reading.vehicleId

function addToDraft(draft: Draft, reading: Reading): void {
  const { recordedAtMs } = reading
  const signals = plausibleSignals(reading)
  for (const name of Object.keys(signals)) stamp(draft.signals, name, signals[name as SignalName], recordedAtMs)
  stampStates(draft.states, reading)
  hearInDraft(draft, reading)
}

/** When and where something was reported, without its content. */
function hearInDraft(draft: Draft, reading: Reading): void {
  const { recordedAtMs, position, implausible } = reading
  draft.recordedAtMs = Math.max(draft.recordedAtMs, recordedAtMs)
  draft.oldestRecordedAtMs = Math.min(draft.oldestRecordedAtMs, recordedAtMs)
  draft.receivedAtMs = Math.max(draft.receivedAtMs, reading.receivedAtMs)
  const isFix = position !== undefined && !implausible.includes('position')
  if (isFix && (draft.fix === undefined || recordedAtMs >= draft.fix.recordedAtMs)) draft.fix = reading
}

function stamp(stamped: Stamped, name: string, value: unknown, recordedAtMs: number): void {
  if (value === undefined) return
  const known = stamped[name]
  if (known === undefined) {
    stamped[name] = [value, recordedAtMs]
  } else if (recordedAtMs >= known[1]) {
    known[0] = value
    known[1] = recordedAtMs
  }
}

/** Of the phone or the tracker, never of the vehicle. */
const batteryNames = ['deviceBatteryPct', 'deviceBatteryV'] as const

function stampStates(states: Stamped, { attributes, recordedAtMs, implausible }: Reading): void {
  stamp(states, 'ignition', attributes.ignition, recordedAtMs)
  stamp(states, 'event', attributes.event, recordedAtMs)
  stamp(states, 'dtcCodes', attributes.dtcCodes, recordedAtMs)
  for (const name of batteryNames) if (!implausible.includes(name)) stamp(states, name, attributes[name], recordedAtMs)
  if (attributes.lamps !== undefined) for (const lamp of lampNames) stamp(states, lamp, attributes.lamps[lamp], recordedAtMs)
}

function toFix(reading: Reading): NonNullable<LatestState['fix']> {
  const { position, attributes, implausible, recordedAtMs } = reading
  const signals = plausibleSignals(reading)
  const unless = (name: string, value: number | undefined) => (implausible.includes(name) ? undefined : value)
  return {
    recordedAtMs,
    latitude: position?.latitude ?? 0,
    longitude: position?.longitude ?? 0,
    json: JSON.stringify({
      speedKmh: signals.vehicleSpeedKmh,
      headingDeg: unless('headingDeg', attributes.headingDeg),
      altitudeM: unless('altitudeM', attributes.altitudeM),
      satellites: unless('satellites', attributes.satellites),
      ignition: attributes.ignition,
      batteryVoltageV: signals.batteryVoltageV,
      event: attributes.event,
    }),
  }
}

function toJson(stamped: Stamped): string | null {
  const json = JSON.stringify(stamped)
  return json === '{}' ? null : json
}
