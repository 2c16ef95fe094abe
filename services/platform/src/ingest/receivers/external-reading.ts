import type { StoredReading } from '@roadworthy/contracts/external/telemetry'
import type { SelectedReading } from '../../readings/reading.read.sql.ts'
import { readingId } from '../../readings/reading-id.ts'
import { toWireAttributes, toWireImplausible, toWireSignals, toWireStates } from '../../readings/wire-reading.ts'

/** A stored reading in the External API's keys and units (oil pressure back to PSI). */
export function toExternalReading(stored: SelectedReading): StoredReading {
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
    sensor_data: { ...toWireSignals(stored, 'external'), ...toWireStates(stored) },
    ...toWireAttributes(stored),
    implausible: toWireImplausible(stored, 'external'),
  }
}
