import { type Db, isUniqueViolation } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import { Problem } from '@roadworthy/service-kit/problem'
import { assertOwnerWritable, requireWritableSubClient } from './sub-client-access.ts'
import { isVehicleReference, normalizeDescription, noSuchVehicle, type Vehicle, type VehicleDescription } from './vehicle.ts'
import { selectVehicle } from './vehicles.read.sql.ts'
import {
  insertVehicle,
  lockVehicleNames,
  selectVehicleByExternalRef,
  selectVehicleByPlate,
  selectVehicleByVin,
  selectVisibleVehicle,
  updateVehicle,
  type VehicleOwner,
} from './vehicles.sql.ts'
import type { Viewer } from './viewer.ts'

/**
 * Finds the vehicle by VIN, else by the caller's reference, else by plate within the sub-client, and updates it; else makes a new one.
 * Naming another sub-client moves a known vehicle there, and is told as `movedTo`. Two at once for the same vehicle make one. `before` is
 * how the known one stood.
 */
export async function upsertVehicle(
  db: Db,
  viewer: Viewer,
  given: VehicleDescription & { readonly subClientId?: string | undefined },
  at: Date,
): Promise<{ vehicleId: string; created: boolean; movedTo: string | undefined; before: Vehicle | undefined }> {
  const vehicle = normalizeDescription(given)
  const subClientId = given.subClientId ?? viewer.subClientPin
  if (subClientId !== undefined) await requireWritableSubClient(db, viewer, subClientId)

  const names = Object.entries({ vin: vehicle.vin, ref: vehicle.externalRef, plate: vehicle.licensePlate })
  await lockVehicleNames(
    db,
    viewer.resellerId,
    names.flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`])),
  )
  const known = await findKnownVehicle(db, viewer.resellerId, subClientId, vehicle)
  try {
    if (known === undefined) {
      const vehicleId = newId('veh')
      await insertVehicle(db, viewer.resellerId, { vehicleId, subClientId }, vehicle, at)
      return { vehicleId, created: true, movedTo: undefined, before: undefined }
    }
    assertVisible(viewer, known)
    const isLeaving = subClientId !== undefined && subClientId !== known.subClientId
    if (!isLeaving) await assertOwnerWritable(db, viewer.resellerId, known.subClientId)
    const before = await selectVehicle(db, viewer, known.vehicleId)
    await updateVehicle(db, viewer.resellerId, { vehicleId: known.vehicleId, subClientId }, vehicle, at)
    return { vehicleId: known.vehicleId, created: false, movedTo: isLeaving ? subClientId : undefined, before }
  } catch (error) {
    if (!isUniqueViolation(error, 'vehicles_external_ref_key') && !isUniqueViolation(error, 'vehicles_vin_key')) throw error
    throw new Problem('conflict', 'Another vehicle has this external_ref or VIN.')
  }
}

/** For an inline vehicle of a registration: the known one with this VIN, untouched, or a new one (Spec gap §2.2). */
export async function createOrFindVehicle(
  db: Db,
  viewer: Viewer,
  given: VehicleDescription,
  subClientId: string | undefined,
  at: Date,
): Promise<string> {
  const vehicle = normalizeDescription(given)
  if (vehicle.vin !== undefined) {
    await lockVehicleNames(db, viewer.resellerId, [`vin ${vehicle.vin}`])
    const known = await selectVehicleByVin(db, viewer.resellerId, vehicle.vin)
    if (known !== undefined) {
      assertVisible(viewer, known)
      await assertOwnerWritable(db, viewer.resellerId, known.subClientId)
      return known.vehicleId
    }
  }
  const vehicleId = newId('veh')
  await insertVehicle(db, viewer.resellerId, { vehicleId, subClientId }, vehicle, at)
  return vehicleId
}

/** A vehicle that the viewer may link a device to, by our id, the caller's reference or VIN. */
export async function requireLinkableVehicle(
  db: Db,
  viewer: Viewer,
  by: { readonly reference?: string | undefined; readonly vin?: string | undefined },
): Promise<string> {
  const found =
    by.reference !== undefined
      ? await (isVehicleReference(by.reference) ? selectVisibleVehicle(db, viewer, by.reference) : undefined)
      : by.vin !== undefined
        ? await selectVehicleByVin(db, viewer.resellerId, by.vin.toUpperCase())
        : undefined
  if (found === undefined || (viewer.subClientPin !== undefined && found.subClientId !== viewer.subClientPin)) throw noSuchVehicle()
  await assertOwnerWritable(db, viewer.resellerId, found.subClientId)
  return found.vehicleId
}

async function findKnownVehicle(
  db: Db,
  resellerId: string,
  subClientId: string | undefined,
  { vin, externalRef, licensePlate }: VehicleDescription,
): Promise<VehicleOwner | undefined> {
  return (
    (vin === undefined ? undefined : await selectVehicleByVin(db, resellerId, vin)) ??
    (externalRef === undefined ? undefined : await selectVehicleByExternalRef(db, resellerId, externalRef)) ??
    (licensePlate === undefined ? undefined : await selectVehicleByPlate(db, resellerId, subClientId, licensePlate, vin))
  )
}

/** VINs are unique within the reseller, so a pinned caller must learn that this one is taken; not by whom. */
function assertVisible(viewer: Viewer, known: VehicleOwner): void {
  if (viewer.subClientPin === undefined || known.subClientId === viewer.subClientPin) return
  throw new Problem('conflict', 'Another vehicle has this external_ref or VIN.')
}
