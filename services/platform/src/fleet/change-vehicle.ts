// What can happen to a known vehicle. Every function takes our id or the caller's reference.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { DeviceLinks } from './device-links.ts'
import { assertOwnerWritable, requireWritableSubClient } from './sub-client-access.ts'
import { isNameTaken, lockNamesOf, type MarkDue, nameIsTaken } from './upsert-vehicle.ts'
import { isJudgedOtherwise, isVehicleReference, normalizeDescription, noSuchVehicle, type Vehicle, type VehicleChanges } from './vehicle.ts'
import { selectVehicle } from './vehicles.read.sql.ts'
import { changeVehicleRow, selectVisibleVehicle } from './vehicles.sql.ts'
import type { Viewer } from './viewer.ts'

export type ChangeVehicleDeps = {
  readonly deviceLinks: Pick<DeviceLinks, 'unlinkDevices' | 'unlinkForeignDevices'>
  /** What is left to be scored of a vehicle that is retired need not be. */
  readonly forgetDue: (db: Db, resellerId: string, vehicleId: string) => Promise<void>
  readonly markDue: MarkDue
}

/**
 * A vehicle that moves to another sub-client leaves the devices of the one before. A retired one leaves all: what they send on is stored
 * under them alone. Restored, it is linked anew. Answers how it stood before and stands now.
 */
export async function changeVehicle(
  db: Db,
  { deviceLinks, forgetDue, markDue }: ChangeVehicleDeps,
  viewer: Viewer,
  reference: string,
  given: VehicleChanges,
  at: Date,
): Promise<{ before: Vehicle; after: Vehicle }> {
  const changes = normalizeDescription(given)
  const { subClientId } = changes
  if (viewer.subClientPin !== undefined && 'subClientId' in changes && subClientId === undefined) {
    throw new Problem('invalid_request', 'This key belongs to one sub-client and cannot take a vehicle out of it.', {
      details: { in: 'body', field: 'sub_client_id' },
    })
  }
  if (subClientId !== undefined) await requireWritableSubClient(db, viewer, subClientId)
  await lockNamesOf(db, viewer.resellerId, changes)
  const before = await requireVehicle(db, viewer, reference)
  const { vehicleId } = before
  const isLeaving = 'subClientId' in changes && subClientId !== before.subClientId
  if (!isLeaving) await assertOwnerWritable(db, viewer.resellerId, before.subClientId)
  try {
    await changeVehicleRow(db, viewer.resellerId, vehicleId, changes, at)
  } catch (error) {
    throw isNameTaken(error) ? nameIsTaken() : error
  }
  if (isLeaving && subClientId !== undefined) await deviceLinks.unlinkForeignDevices(db, viewer.resellerId, { vehicleId, subClientId }, at)
  if (changes.status === 'retired') {
    await deviceLinks.unlinkDevices(db, viewer.resellerId, vehicleId, at)
    await forgetDue(db, viewer.resellerId, vehicleId)
  }
  const after = await requireVehicle(db, viewer, vehicleId)
  if (after.status === 'active' && isJudgedOtherwise(before, after)) await markDue(db, viewer.resellerId, vehicleId)
  return { before, after }
}

async function requireVehicle(db: Db, viewer: Viewer, reference: string): Promise<Vehicle> {
  const owner = isVehicleReference(reference) ? await selectVisibleVehicle(db, viewer, reference) : undefined
  const vehicle = owner === undefined ? undefined : await selectVehicle(db, viewer, owner.vehicleId)
  if (vehicle === undefined) throw noSuchVehicle()
  return vehicle
}
