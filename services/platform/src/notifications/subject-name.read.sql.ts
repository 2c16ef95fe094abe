import type { Db } from '@roadworthy/service-kit/db'
import type { AlarmSubject } from '../readings/alarm.ts'

/** As people know what an incident is about: the vehicle's name or plate, else that of its device, else whatever it is called by. */
export async function selectSubjectName(db: Db, { resellerId, vehicleId, deviceId }: AlarmSubject): Promise<string> {
  const { rows } = await db.query<{ name: string | null }>(
    `select coalesce(v.license_plate, v.name, d.name, v.external_ref) as name
       from (select 1) one
       left join vehicles v on v.reseller_id = $1 and v.vehicle_id = $2
       left join lateral (
            select name from devices d
             where d.reseller_id = $1 and (d.device_id = $3 or ($3::text is null and d.vehicle_id = $2))
             order by d.created_at desc
             limit 1) d on true`,
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
