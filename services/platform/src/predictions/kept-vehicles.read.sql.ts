// What people keep of a vehicle and the vehicle does not know: which of its parts were replaced, and what its odometer ought to show.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { KnownVehicle } from './engine/engine-input.ts'
import { keyColumns, type VehicleKey, vehicleKeyText } from './vehicle-key.ts'

export type KeptOfVehicle = Required<Pick<KnownVehicle, 'odometerOffset' | 'keptOdometer' | 'replacedParts'>>

/** By key of `vehicleKeyText`; vehicles of which nothing is kept are left out. Of each component the newest replacement. */
export async function selectKeptAcrossResellers(db: Db, vehicles: readonly VehicleKey[]): Promise<Map<string, KeptOfVehicle>> {
  const { rows } = await db.query<KeptRow>(
    `select w.reseller_id, w.vehicle_id, m.odometer_km, m.odometer_at, m.odometer_offset_km, m.corrected_at, p.parts
       from unnest($1::text[], $2::text[]) w (reseller_id, vehicle_id)
       left join vehicle_meters m on m.reseller_id = w.reseller_id and m.vehicle_id = w.vehicle_id and m.odometer_km is not null
       left join lateral (
         select jsonb_agg(jsonb_build_array(n.component, n.odometer_km, n.completed_at) order by n.component) as parts
           from (select distinct on (r.component) r.component, r.odometer_km, r.completed_at
                   from maintenance_records r
                  where r.reseller_id = w.reseller_id and r.vehicle_id = w.vehicle_id and r.renewed and r.status = 'completed'
                  order by r.component, r.completed_at desc) n
       ) p on true
      where m.vehicle_id is not null or p.parts is not null`,
    keyColumns(vehicles),
  )
  return new Map(rows.map((row) => [vehicleKeyText({ resellerId: row.reseller_id, vehicleId: row.vehicle_id }), keptFromRow(row)]))
}

type KeptRow = {
  reseller_id: string
  vehicle_id: string
  odometer_km: number | null
  odometer_at: Date | null
  odometer_offset_km: number | null
  corrected_at: Date | null
  parts: readonly (readonly [component: string, odometerKm: number | null, completedAt: string])[] | null
}

function keptFromRow({
  odometer_km: km,
  odometer_at: at,
  odometer_offset_km: offsetKm,
  corrected_at: correctedAt,
  parts,
}: KeptRow): KeptOfVehicle {
  return {
    keptOdometer: km === null || at === null ? undefined : { km, atMs: at.getTime() },
    odometerOffset:
      offsetKm === null || offsetKm === 0 || correctedAt === null ? undefined : { km: offsetKm, sinceMs: correctedAt.getTime() },
    replacedParts: (parts ?? []).map(([component, odometerKm, completedAt]) => {
      return { component, odometerKm: odometerKm ?? undefined, replacedAtMs: Date.parse(completedAt) }
    }),
  }
}
