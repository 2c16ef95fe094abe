// The newest each source said of each vehicle, folded from a batch before it goes to the store, so that a hundred readings of one device
// cost one upsert. A gateway, a phone or a back-end speaks for many vehicles: what it says of one is nothing about another.

import { lampNames, type SignalName } from '@roadworthy/signals/registry'
import { plausibleSignals, type Reading } from './reading.ts'

export type LatestState = {
  readonly sourceId: string
  readonly resellerId: string
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
  /** Newest and oldest recorded time in the batch. */
  readonly recordedAtMs: number
  readonly oldestRecordedAtMs: number
  readonly receivedAtMs: number
  /** `{"coolantTempC":[92,1763663751000], …}`: the value and when it was recorded. */
  readonly signalsJson: string | null
  /** The same for ignition, event, lamps and fault codes. */
  readonly statesJson: string | null
  readonly fix: { readonly recordedAtMs: number; readonly latitude: number; readonly longitude: number; readonly json: string } | undefined
}

/** By name, the newest value and when it was recorded. */
type Stamped = Record<string, [value: unknown, recordedAtMs: number]>

/** One state for each source and vehicle among the readings. */
export function foldLatestStates(readings: readonly Reading[]): LatestState[] {
  const fold = new LatestStateFold()
  for (const reading of readings) fold.add(reading)
  return fold.states()
}

/** Readings may come in any order: "newest" is by recorded time, and of two at the same instant the one added later. */
export class LatestStateFold {
  readonly #drafts = new Map<string, Draft>()
  /** Most batches are of one source and vehicle. */
  #last: Draft | undefined

  add(reading: Reading): void {
    const draft = this.#last !== undefined && isOf(this.#last, reading) ? this.#last : this.#draftOf(reading)
    this.#last = draft
    addToDraft(draft, reading)
  }

  #draftOf(reading: Reading): Draft {
    const key = `${reading.sourceId}\n${reading.vehicleId ?? ''}`
    const known = this.#drafts.get(key)
    if (known !== undefined) return known
    const draft = createDraft(reading)
    this.#drafts.set(key, draft)
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

function createDraft({ sourceId, resellerId, deviceId, vehicleId, recordedAtMs, receivedAtMs }: Reading): Draft {
  const times = { recordedAtMs, oldestRecordedAtMs: recordedAtMs, receivedAtMs }
  return { sourceId, resellerId, deviceId, vehicleId, ...times, signals: {}, states: {}, fix: undefined }
}

const isOf = (draft: Draft, reading: Reading) => draft.sourceId === reading.sourceId && draft.vehicleId === reading.vehicleId

function addToDraft(draft: Draft, reading: Reading): void {
  const { recordedAtMs, position, implausible } = reading
  draft.recordedAtMs = Math.max(draft.recordedAtMs, recordedAtMs)
  draft.oldestRecordedAtMs = Math.min(draft.oldestRecordedAtMs, recordedAtMs)
  draft.receivedAtMs = Math.max(draft.receivedAtMs, reading.receivedAtMs)
  const signals = plausibleSignals(reading)
  for (const name of Object.keys(signals)) stamp(draft.signals, name, signals[name as SignalName], recordedAtMs)
  stampStates(draft.states, reading)
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

function stampStates(states: Stamped, { attributes, recordedAtMs }: Reading): void {
  stamp(states, 'ignition', attributes.ignition, recordedAtMs)
  stamp(states, 'event', attributes.event, recordedAtMs)
  stamp(states, 'dtcCodes', attributes.dtcCodes, recordedAtMs)
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
