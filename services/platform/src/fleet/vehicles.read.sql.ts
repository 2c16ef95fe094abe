// Vehicles as they are shown: with the device linked last, and the newest health score.

import type { Db } from '@roadworthy/service-kit/db'
import type { PageRequest } from '@roadworthy/service-kit/keyset'
import type { Vehicle } from './vehicle.ts'
import type { Viewer } from './viewer.ts'

export type VehicleFilter = {
  readonly subClientId: string | undefined
  readonly vin: string | undefined
  readonly licensePlate: string | undefined
}

const shown = `
  select v.vehicle_id, v.external_ref, v.make, v.model, v.year, v.vin, v.license_plate, v.sub_client_id, v.registered,
         v.created_at, v.updated_at, d.device_id, h.health_score
    from vehicles v
    left join lateral (
      select device_id from devices
       where reseller_id = v.reseller_id and vehicle_id = v.vehicle_id and status <> 'decommissioned'
       order by vehicle_linked_at desc nulls last, device_id
       limit 1
    ) d on true
    left join vehicle_health h on h.reseller_id = v.reseller_id and h.vehicle_id = v.vehicle_id`

const filtered = `
  v.reseller_id = $1 and ($2::text is null or v.sub_client_id = $2) and ($3::text is null or v.sub_client_id = $3)
  and ($4::text is null or v.vin = $4) and ($5::text is null or v.license_plate = $5)`

function filterValues(viewer: Viewer, filter: VehicleFilter): unknown[] {
  return [viewer.resellerId, viewer.subClientPin ?? null, filter.subClientId ?? null, filter.vin ?? null, filter.licensePlate ?? null]
}

export async function selectVehicle(db: Db, viewer: Viewer, vehicleId: string): Promise<Vehicle | undefined> {
  const { rows } = await db.query<VehicleRow>(
    `${shown}
      where v.reseller_id = $1 and v.vehicle_id = $2 and ($3::text is null or v.sub_client_id = $3)`,
    [viewer.resellerId, vehicleId, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : vehicleFromRow(rows[0])
}

/** One more than the page holds, so that the caller knows whether another follows. */
export async function selectVehicles(db: Db, viewer: Viewer, filter: VehicleFilter, page: PageRequest): Promise<Vehicle[]> {
  const { rows } = await db.query<VehicleRow>(
    `${shown}
      where ${filtered} and (v.created_at, v.vehicle_id) > ($6::timestamptz, $7)
      order by v.created_at, v.vehicle_id
      limit $8`,
    [...filterValues(viewer, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(vehicleFromRow)
}

export async function countVehicles(db: Db, viewer: Viewer, filter: VehicleFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from vehicles v where ${filtered}`,
    filterValues(viewer, filter),
  )
  return rows[0]?.count ?? 0
}

type VehicleRow = {
  vehicle_id: string
  external_ref: string | null
  make: string | null
  model: string | null
  year: number | null
  vin: string | null
  license_plate: string | null
  sub_client_id: string | null
  registered: boolean
  created_at: Date
  updated_at: Date
  device_id: string | null
  health_score: number | null
}

function vehicleFromRow(row: VehicleRow): Vehicle {
  return {
    vehicleId: row.vehicle_id,
    externalRef: row.external_ref ?? undefined,
    make: row.make ?? undefined,
    model: row.model ?? undefined,
    year: row.year ?? undefined,
    vin: row.vin ?? undefined,
    licensePlate: row.license_plate ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    healthScore: row.health_score ?? undefined,
    registered: row.registered,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
