import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isVehicleReference, noSuchVehicle } from '../fleet/vehicle.ts'
import { selectVisibleVehicle, type VehicleOwner } from '../fleet/vehicles.sql.ts'
import type { Viewer } from '../fleet/viewer.ts'

/** The vehicle by our id or the caller's own reference. One outside the viewer's sub-client is as one that is not there. */
export async function findVehicle(db: Db, viewer: Viewer, reference: string): Promise<VehicleOwner | undefined> {
  return isVehicleReference(reference) ? await selectVisibleVehicle(db, viewer, reference) : undefined
}

export async function requireVehicle(db: Db, viewer: Viewer, reference: string): Promise<VehicleOwner> {
  const found = await findVehicle(db, viewer, reference)
  if (found === undefined) throw noSuchVehicle()
  return found
}
