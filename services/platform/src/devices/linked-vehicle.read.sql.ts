import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'

export type LinkedVehicle = {
  readonly vehicleId: string
  readonly subClientId: string | undefined
  /** Another living device reports for it too. */
  readonly isShared: boolean
}

/** The vehicle of a device, locked until the end of the transaction. The device is not: vehicles are locked first (README). */
export async function selectLinkedVehicleForUpdate(db: Db, viewer: Viewer, idOrImei: string): Promise<LinkedVehicle | undefined> {
  const { rows } = await db.query<LinkedVehicleRow>(
    `select v.vehicle_id, v.sub_client_id,
            exists (
              select from devices o
               where o.reseller_id = v.reseller_id and o.vehicle_id = v.vehicle_id and o.device_id <> d.device_id
                 and o.status <> 'decommissioned'
            ) as is_shared
       from devices d
       join vehicles v on v.reseller_id = d.reseller_id and v.vehicle_id = d.vehicle_id
      where d.reseller_id = $1 and (d.device_id = $2 or d.imei = $2) and d.status <> 'decommissioned'
        and ($3::text is null or d.sub_client_id = $3)
        for no key update of v`,
    [viewer.resellerId, idOrImei, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : linkedVehicleFromRow(rows[0])
}

type LinkedVehicleRow = { vehicle_id: string; sub_client_id: string | null; is_shared: boolean }

function linkedVehicleFromRow(row: LinkedVehicleRow): LinkedVehicle {
  return { vehicleId: row.vehicle_id, subClientId: row.sub_client_id ?? undefined, isShared: row.is_shared }
}
