import type { Db } from '@roadworthy/service-kit/db'

export type VehicleSource = { readonly resellerId: string; readonly vehicleId: string; readonly sourceId: string }

/** Those that are there already are left alone. Give them in one order everywhere. */
export async function insertVehicleSources(db: Db, sources: readonly VehicleSource[]): Promise<void> {
  await db.query(
    `insert into vehicle_sources (reseller_id, vehicle_id, source_id)
     select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
    [sources.map(({ resellerId }) => resellerId), sources.map(({ vehicleId }) => vehicleId), sources.map(({ sourceId }) => sourceId)],
  )
}
