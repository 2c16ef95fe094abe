// Vehicles as they are shown: with the device linked last, and the newest health score.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Vehicle, VehicleStatus } from './vehicle.ts'
import { type VehicleRow, vehicleFieldsFromRow } from './vehicle-row.ts'
import type { Viewer } from './viewer.ts'

export type VehicleFilter = {
  readonly subClientId: string | undefined
  readonly vin: string | undefined
  readonly licensePlate: string | undefined
  readonly status: VehicleStatus
}

const shown = `
  select v.vehicle_id, v.external_ref, v.make, v.model, v.year, v.vin, v.license_plate, v.name, v.vehicle_class, v.fuel_type, v.drivetrain,
         v.battery_nominal_v, v.status, v.retired_at, v.sub_client_id, v.registered, v.created_at, v.updated_at, d.device_id,
         d.name as device_name, h.health_score
    from vehicles v
    left join lateral (
      select device_id, name from devices
       where reseller_id = v.reseller_id and vehicle_id = v.vehicle_id and status <> 'decommissioned'
       order by vehicle_linked_at desc nulls last, device_id
       limit 1
    ) d on true
    left join vehicle_health h on h.reseller_id = v.reseller_id and h.vehicle_id = v.vehicle_id`

const filtered = `
  v.reseller_id = $1 and ($2::text is null or v.sub_client_id = $2) and ($3::text is null or v.sub_client_id = $3)
  and ($4::text is null or v.vin = $4) and ($5::text is null or v.license_plate = $5)
  and v.status = $6`

function filterValues(viewer: Viewer, filter: VehicleFilter): unknown[] {
  return [
    viewer.resellerId,
    viewer.subClientPin ?? null,
    filter.subClientId ?? null,
    filter.vin ?? null,
    filter.licensePlate ?? null,
    filter.status,
  ]
}

export async function selectVehicle(db: Db, viewer: Viewer, vehicleId: string): Promise<Vehicle | undefined> {
  const { rows } = await db.query<ShownRow>(
    `${shown}
      where v.reseller_id = $1 and v.vehicle_id = $2 and ($3::text is null or v.sub_client_id = $3)`,
    [viewer.resellerId, vehicleId, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : vehicleFromRow(rows[0])
}

/** One more than the page holds, so that the caller knows whether another follows. */
export async function selectVehicles(db: Db, viewer: Viewer, filter: VehicleFilter, page: PageRequest): Promise<Vehicle[]> {
  const { rows } = await db.query<ShownRow>(
    `${shown}
      where ${filtered} and (v.created_at, v.vehicle_id) > ($7::timestamptz, $8)
      order by v.created_at, v.vehicle_id
      limit $9`,
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

type ShownRow = VehicleRow & { device_id: string | null; device_name: string | null; health_score: number | null }

function vehicleFromRow(row: ShownRow): Vehicle {
  return {
    ...vehicleFieldsFromRow(row),
    deviceId: row.device_id ?? undefined,
    deviceName: row.device_name ?? undefined,
    healthScore: row.health_score ?? undefined,
  }
}
