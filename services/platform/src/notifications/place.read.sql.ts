// Where to send help, or to look for what is being moved: of incidents that a device reported.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { ShownIncident } from '../incidents/incidents.read.sql.ts'

export type Place = { readonly latitude: number; readonly longitude: number; readonly recordedAt: Date }

/**
 * The newest position that is known: of the alerts, or what came in since. A device calls for help also where it has no position, and one that is jammed
 * has had its last. Undefined of incidents that are about no place.
 */
export async function selectPlace(db: Db, incident: ShownIncident): Promise<Place | undefined> {
  if (incident.source !== 'device') return undefined
  const { resellerId, vehicleId, deviceId } = incident
  const { rows } = await db.query<{ latitude: number; longitude: number; recorded_at: Date }>(
    `select latitude, longitude, fix_recorded_at as recorded_at
       from latest_states
      where reseller_id = $1 and fix_recorded_at is not null
        and ${vehicleId === undefined ? "source_id = $2 and vehicle_key = ''" : 'vehicle_id = $2'}
      order by fix_recorded_at desc
      limit 1`,
    [resellerId, vehicleId ?? deviceId ?? ''],
  )
  const known = rows.map(({ latitude, longitude, recorded_at }) => ({ latitude, longitude, recordedAt: recorded_at }))
  return [...known, ...incident.alerts.flatMap(({ evidence }) => placesOf(evidence))].sort(
    (a, b) => b.recordedAt.getTime() - a.recordedAt.getTime(),
  )[0]
}

function placesOf({ latitude, longitude, recordedAt }: Readonly<Record<string, unknown>>): Place[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof recordedAt !== 'string') return []
  return [{ latitude, longitude, recordedAt: new Date(recordedAt) }]
}
