import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { AlarmSubject } from '../readings/alarm.ts'

/** As people know a vehicle `v`, as the dashboard does: by its plate or name, else by its device, else by the name that a program gave it. */
export const VEHICLE_NAME = `coalesce(v.license_plate, v.name,
         (select name from devices
           where reseller_id = v.reseller_id and vehicle_id = v.vehicle_id and status <> 'decommissioned'
           order by vehicle_linked_at desc nulls last, device_id
           limit 1), v.external_ref)`

/** As people know what an incident is about: the vehicle, or the device that is in none. */
export async function selectSubjectName(db: Db, { resellerId, vehicleId, deviceId }: AlarmSubject): Promise<string> {
  const { rows } = await db.query<{ name: string | null }>(
    `select coalesce(${VEHICLE_NAME}, d.name) as name
       from (select 1) one
       left join vehicles v on v.reseller_id = $1 and v.vehicle_id = $2
       left join devices d on d.reseller_id = $1 and d.device_id = $3`,
    [resellerId, vehicleId ?? null, deviceId ?? null],
  )
  return rows[0]?.name ?? vehicleId ?? deviceId ?? ''
}

export type IncidentReference = { readonly vehicleId: string | undefined; readonly title: string }

/** What messages of the log are about, by the incident. */
export async function selectIncidentReferences(
  db: Db,
  resellerId: string,
  incidentIds: readonly string[],
): Promise<Map<string, IncidentReference>> {
  if (incidentIds.length === 0) return new Map()
  const { rows } = await db.query<{ incident_id: string; vehicle_id: string | null; title: string }>(
    'select incident_id, vehicle_id, title from incidents where reseller_id = $1 and incident_id = any ($2)',
    [resellerId, incidentIds],
  )
  return new Map(rows.map((row) => [row.incident_id, { vehicleId: row.vehicle_id ?? undefined, title: row.title }]))
}
