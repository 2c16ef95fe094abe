import type { Db } from '@roadworthy/service-kit/postgres/db'

export type VehicleSource = { readonly resellerId: string; readonly vehicleId: string; readonly sourceId: string }

/** Those that are there already are left alone. Give them in one order everywhere. */
export async function insertVehicleSources(db: Db, sources: readonly VehicleSource[]): Promise<void> {
  await db.query(
    `insert into vehicle_sources (reseller_id, vehicle_id, source_id)
     select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
    [sources.map(({ resellerId }) => resellerId), sources.map(({ vehicleId }) => vehicleId), sources.map(({ sourceId }) => sourceId)],
  )
}

/** More than any vehicle had devices. Assumption. */
export const MAX_SOURCES_OF_VEHICLE = 500

/** Every source that ever reported for the vehicle. */
export async function selectSourcesOfVehicle(db: Db, resellerId: string, vehicleId: string): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select source_id from vehicle_sources where reseller_id = $1 and vehicle_id = $2 order by source_id limit ${MAX_SOURCES_OF_VEHICLE}`,
    [resellerId, vehicleId],
  )
  return rows.map((row) => row.source_id)
}

/** Every source that ever reported for any of the vehicles. */
export async function selectSourcesOfVehicles(db: Db, resellerId: string, vehicleIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    'select distinct source_id from vehicle_sources where reseller_id = $1 and vehicle_id = any ($2)',
    [resellerId, vehicleIds],
  )
  return rows.map((row) => row.source_id)
}

/** Every source that ever reported for any of the vehicles, of any resellers. */
export async function selectSourcesAcrossResellers(
  db: Db,
  vehicles: readonly Pick<VehicleSource, 'resellerId' | 'vehicleId'>[],
): Promise<VehicleSource[]> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string; source_id: string }>(
    `select s.reseller_id, s.vehicle_id, s.source_id
       from unnest($1::text[], $2::text[]) w (reseller_id, vehicle_id)
       join vehicle_sources s using (reseller_id, vehicle_id)`,
    [vehicles.map(({ resellerId }) => resellerId), vehicles.map(({ vehicleId }) => vehicleId)],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, vehicleId: row.vehicle_id, sourceId: row.source_id }))
}

/** Vehicles behind one gateway that are looked at. */
const MAX_SOURCES_OF_DEVICE = 500

/** The device itself, and the sources of the vehicles that it names (`sourceOfNamed`). */
export async function selectSourcesOfDevice(db: Db, resellerId: string, deviceId: string): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select source_id from vehicle_sources where reseller_id = $1 and source_id like $2 || '.%' limit ${MAX_SOURCES_OF_DEVICE}`,
    [resellerId, deviceId],
  )
  return [deviceId, ...rows.map((row) => row.source_id)]
}
