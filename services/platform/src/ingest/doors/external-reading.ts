import type { StoredReading } from '@roadworthy/contracts/external/telemetry'
import { lampNames, lamps, type SignalName, type SignalSpec, signalNames, signals } from '@roadworthy/signals/registry'
import type { SelectedReading } from '../../readings/reading.read.sql.ts'
import { readingId } from '../../readings/reading-id.ts'

/** A stored reading in the External API's keys and units (oil pressure back to PSI). */
export function toExternalReading(stored: SelectedReading): StoredReading {
  const { headingDeg, altitudeM, satellites, ignition, event, lamps: lampStates, dtcCodes, extra, implausible } = stored.attributes
  const sensorData: Record<string, unknown> = {}
  for (const name of signalNames) {
    const value = stored.signals[name]
    if (value !== undefined) sensorData[wireKey(name).key] = toWire(name, value)
  }
  for (const lamp of lampNames) {
    const isOn = lampStates?.[lamp]
    if (isOn !== undefined) sensorData[lamps[lamp].engineKey] = isOn ? 'LAMP_ON' : 'LAMP_OFF'
  }
  if (dtcCodes !== undefined) sensorData['dtc_codes'] = dtcCodes
  return {
    id: readingId(stored),
    kind: stored.kind,
    device_id: stored.deviceId ?? null,
    vehicle_id: stored.vehicleId ?? null,
    sub_client_id: stored.subClientId ?? null,
    timestamp: new Date(stored.recordedAtMs).toISOString(),
    received_at: stored.receivedAt.toISOString(),
    latitude: stored.latitude ?? null,
    longitude: stored.longitude ?? null,
    sensor_data: sensorData,
    ...(headingDeg === undefined ? {} : { heading: headingDeg }),
    ...(altitudeM === undefined ? {} : { altitude: altitudeM }),
    ...(satellites === undefined ? {} : { satellites }),
    ...(ignition === undefined ? {} : { ignition }),
    ...(event === undefined ? {} : { event }),
    ...(extra === undefined ? {} : { extra }),
    implausible: (implausible ?? []).map((name) => (name in signals ? wireKey(name as SignalName).key : name)),
  }
}

function wireKey(name: SignalName): { key: string; scale: number } {
  const { external, engine } = signals[name] as SignalSpec
  const wire = external ?? engine
  if (wire === null) throw new Error(`signal ${name} has no wire key`)
  return wire
}

/** Division can leave 49.99999999999999; nine significant digits are beyond any sensor. */
function toWire(name: SignalName, value: number): number {
  const { scale } = wireKey(name)
  return scale === 1 ? value : Number((value / scale).toPrecision(9))
}
