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

type Stamped = Record<string, readonly [unknown, number]>

/** One state for each source and vehicle in the batch. `readings` may be in any order; "newest" is by recorded time. */
export function foldLatestStates(readings: readonly Reading[]): LatestState[] {
  const groups = new Map<string, Reading[]>()
  for (const reading of readings) {
    const key = `${reading.sourceId}\n${reading.vehicleId ?? ''}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [reading])
    else known.push(reading)
  }
  return [...groups.values()].map(foldGroup)
}

/** Of one source and one vehicle. */
function foldGroup(unordered: readonly Reading[]): LatestState {
  const readings = unordered.length === 1 ? unordered : [...unordered].sort((a, b) => a.recordedAtMs - b.recordedAtMs)
  const signals: Stamped = {}
  const states: Stamped = {}
  let fixed: Reading | undefined
  let receivedAtMs = 0
  for (const reading of readings) {
    const at = reading.recordedAtMs
    receivedAtMs = Math.max(receivedAtMs, reading.receivedAtMs)
    const plausible = plausibleSignals(reading)
    for (const name in plausible) signals[name] = [plausible[name as SignalName], at]
    stampStates(states, reading)
    if (reading.position !== undefined && !reading.implausible.includes('position')) fixed = reading
  }
  const oldest = readings[0] as Reading
  const newest = readings[readings.length - 1] as Reading
  return {
    sourceId: newest.sourceId,
    resellerId: newest.resellerId,
    deviceId: newest.deviceId,
    vehicleId: newest.vehicleId,
    recordedAtMs: newest.recordedAtMs,
    oldestRecordedAtMs: oldest.recordedAtMs,
    receivedAtMs,
    signalsJson: toJson(signals),
    statesJson: toJson(states),
    fix: fixed === undefined ? undefined : toFix(fixed),
  }
}

function stampStates(states: Stamped, { attributes, recordedAtMs }: Reading): void {
  if (attributes.ignition !== undefined) states['ignition'] = [attributes.ignition, recordedAtMs]
  if (attributes.event !== undefined) states['event'] = [attributes.event, recordedAtMs]
  if (attributes.dtcCodes !== undefined) states['dtcCodes'] = [attributes.dtcCodes, recordedAtMs]
  if (attributes.lamps !== undefined) {
    for (const lamp of lampNames) if (attributes.lamps[lamp] !== undefined) states[lamp] = [attributes.lamps[lamp], recordedAtMs]
  }
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
