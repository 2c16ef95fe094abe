import type { Db } from '@roadworthy/service-kit/postgres/db'
import { assertOwnerWritable } from '../fleet/sub-client-access.ts'
import type { VehicleOwner } from '../fleet/vehicles.sql.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'

/** The vehicle by our id or the caller's own reference, of a sub-client that may be written to. */
export async function requireWritableVehicle(db: Db, viewer: Viewer, reference: string): Promise<VehicleOwner> {
  const vehicle = await requireVehicle(db, viewer, reference)
  await assertOwnerWritable(db, viewer.resellerId, vehicle.subClientId)
  return vehicle
}
