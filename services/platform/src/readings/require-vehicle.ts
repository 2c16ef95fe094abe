import type { Db } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import { isVehicleReference } from '../fleet/vehicle.ts'
import { selectVehiclesByReference, type VehicleOwner } from '../fleet/vehicles.sql.ts'

/** Who asks. A `Caller` is one. */
export type Asker = { readonly resellerId: string; readonly subClientPin: string | undefined }

/** The vehicle by our id or the caller's own reference. One outside the caller's pin is as one that is not there. */
export async function findVehicle(db: Db, asker: Asker, reference: string): Promise<VehicleOwner | undefined> {
  if (!isVehicleReference(reference)) return undefined
  const { resellerId, subClientPin } = asker
  const [found] = await selectVehiclesByReference(db, [{ resellerId, reference }])
  return subClientPin === undefined || found?.subClientId === subClientPin ? found : undefined
}

export async function requireVehicle(db: Db, asker: Asker, reference: string): Promise<VehicleOwner> {
  const found = await findVehicle(db, asker, reference)
  if (found === undefined) throw new Problem('not_found', 'There is no such vehicle.')
  return found
}
