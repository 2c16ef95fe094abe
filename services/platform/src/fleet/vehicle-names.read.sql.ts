import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from './viewer.ts'

export type VehicleNames = {
  readonly id: string
  readonly name: string | null
  readonly licensePlate: string | null
  readonly externalRef: string | null
  readonly vin: string | null
}

/** By id, of those vehicles that the viewer may see. */
export async function selectVehicleNames(db: Db, viewer: Viewer, vehicleIds: readonly string[]): Promise<Map<string, VehicleNames>> {
  const { rows } = await db.query<VehicleNames>(
    `select vehicle_id as id, name, license_plate as "licensePlate", external_ref as "externalRef", vin
       from vehicles
      where reseller_id = $1 and vehicle_id = any($2) and ($3::text is null or sub_client_id = $3)`,
    [viewer.resellerId, vehicleIds, viewer.subClientPin ?? null],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
