import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Db, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { assertOwnerWritable, requireWritableSubClient } from './sub-client-access.ts'
import {
  areOfDifferentSubClients,
  isJudgedOtherwise,
  isVehicleReference,
  normalizeDescription,
  noSuchVehicle,
  type Vehicle,
  type VehicleDescription,
  vehicleIsRetired,
  vehicleOfOtherSubClient,
} from './vehicle.ts'
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

/** Has a vehicle scored once more, because its predictions depend on what was changed. */
export type MarkDue = (db: Db, resellerId: string, vehicleId: string) => Promise<void>

/**
 * Finds the vehicle by VIN, else by the caller's reference, else by plate within the sub-client, and updates it; else makes a new one.
 * Naming another sub-client moves a known vehicle there, and is returned as `movedTo`. Two at once for the same vehicle make one. `before` is
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

  await lockNamesOf(db, viewer.resellerId, vehicle)
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
    throw isNameTaken(error) ? nameIsTaken() : error
  }
}

export function isNameTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'vehicles_external_ref_key') || isUniqueViolation(error, 'vehicles_vin_key')
}

export function nameIsTaken(): Problem {
  return new Problem('conflict', 'Another vehicle has this external_ref or VIN.')
}

/**
 * For an inline vehicle of a registration: the known one by VIN, else by plate within the sub-client, or a new one (Spec gap §2.2). Of a known
 * one only what was not known is added.
 */
export async function createOrFindVehicle(
  db: Db,
  viewer: Viewer,
  given: VehicleDescription,
  subClientId: string | undefined,
  at: Date,
  markDue: MarkDue,
): Promise<string> {
  const vehicle = normalizeDescription(given)
  await lockNamesOf(db, viewer.resellerId, vehicle)
  const known = await findKnownVehicle(db, viewer.resellerId, subClientId, vehicle)
  if (known === undefined) {
    const vehicleId = newId('veh')
    await insertVehicle(db, viewer.resellerId, { vehicleId, subClientId }, vehicle, at)
    return vehicleId
  }
  assertVisible(viewer, known)
  await assertLinkable(db, viewer, known, subClientId)
  const before = await selectVehicle(db, viewer, known.vehicleId)
  const news = Object.entries(vehicle).filter(([field]) => before?.[field as keyof VehicleDescription] === undefined)
  const added: VehicleDescription = Object.fromEntries(news)
  await updateVehicle(db, viewer.resellerId, { vehicleId: known.vehicleId, subClientId: undefined }, added, at)
  if (isJudgedOtherwise({}, added)) await markDue(db, viewer.resellerId, known.vehicleId)
  return known.vehicleId
}

/** A vehicle that the viewer may link a device of this sub-client to, by our id, the caller's reference or VIN. */
export async function requireLinkableVehicle(
  db: Db,
  viewer: Viewer,
  by: { readonly reference?: string | undefined; readonly vin?: string | undefined },
  deviceSubClientId: string | undefined,
): Promise<string> {
  const found =
    by.reference !== undefined
      ? await (isVehicleReference(by.reference) ? selectVisibleVehicle(db, viewer, by.reference) : undefined)
      : by.vin !== undefined
        ? await selectVehicleByVin(db, viewer.resellerId, by.vin.toUpperCase())
        : undefined
  if (found === undefined || (viewer.subClientPin !== undefined && found.subClientId !== viewer.subClientPin)) throw noSuchVehicle()
  await assertLinkable(db, viewer, found, deviceSubClientId)
  return found.vehicleId
}

async function assertLinkable(db: Db, viewer: Viewer, vehicle: VehicleOwner, deviceSubClientId: string | undefined): Promise<void> {
  await assertOwnerWritable(db, viewer.resellerId, vehicle.subClientId)
  if (vehicle.isRetired === true) throw vehicleIsRetired()
  if (areOfDifferentSubClients(vehicle.subClientId, deviceSubClientId)) throw vehicleOfOtherSubClient()
}

export async function lockNamesOf(db: Db, resellerId: string, { vin, externalRef, licensePlate }: VehicleDescription): Promise<void> {
  const names = Object.entries({ vin, ref: externalRef, plate: licensePlate })
  await lockVehicleNames(
    db,
    resellerId,
    names.flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`])),
  )
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
  throw nameIsTaken()
}
