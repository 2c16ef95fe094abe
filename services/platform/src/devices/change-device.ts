// What can happen to a registered device. Every function takes the id, or the IMEI of a living device, and locks the device.

import type { Db } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import { assertOwnerWritable, requireWritableSubClient } from '../fleet/sub-client-access.ts'
import { requireLinkableVehicle } from '../fleet/upsert-vehicle.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { type Credentials, createCredentials } from './credentials.ts'
import { deviceIsDecommissioned, isDeviceReference, noSuchDevice } from './device.ts'
import {
  type DeviceChanges,
  type HeldDevice,
  selectDeviceForUpdate,
  updateDevice,
  updateDeviceCredentials,
  updateDeviceDecommissioned,
} from './devices.sql.ts'

/** `changes.vehicleId` may be our id or the caller's reference. Returns the device's id. */
export async function changeDevice(db: Db, viewer: Viewer, idOrImei: string, changes: DeviceChanges, at: Date): Promise<string> {
  const { subClientId } = changes
  if (viewer.subClientPin !== undefined && 'subClientId' in changes && subClientId === undefined) {
    throw new Problem('invalid_request', 'This key belongs to one sub-client and cannot take a device out of it.', {
      details: { in: 'body', field: 'sub_client_id' },
    })
  }
  // Before the device, as whoever deactivates the sub-client locks it first too.
  if (subClientId !== undefined) await requireWritableSubClient(db, viewer, subClientId)
  const device = await requireLivingDevice(db, viewer, idOrImei)
  // Out of a suspended sub-client a device can always be taken: its reseller decides that, not the sub-client.
  const isLeaving = 'subClientId' in changes && subClientId !== device.subClientId
  if (!isLeaving) await assertOwnerWritable(db, viewer.resellerId, device.subClientId)
  const vehicleId = changes.vehicleId === undefined ? undefined : await requireLinkableVehicle(db, viewer, { reference: changes.vehicleId })
  await updateDevice(db, viewer.resellerId, device.deviceId, 'vehicleId' in changes ? { ...changes, vehicleId } : changes, at)
  return device.deviceId
}

/** For an upserted vehicle, which the viewer may change already. */
export async function linkDeviceToVehicle(db: Db, viewer: Viewer, idOrImei: string, vehicleId: string, at: Date): Promise<void> {
  const device = await requireLivingDevice(db, viewer, idOrImei)
  await assertOwnerWritable(db, viewer.resellerId, device.subClientId)
  await updateDevice(db, viewer.resellerId, device.deviceId, { vehicleId }, at)
}

/** Final: the credentials are void and the IMEI is free. The first time counts; repeating changes nothing. */
export async function decommissionDevice(
  db: Db,
  viewer: Viewer,
  idOrImei: string,
  at: Date,
): Promise<{ deviceId: string; decommissionedAt: Date }> {
  const { deviceId, status, decommissionedAt } = await requireHeldDevice(db, viewer, idOrImei)
  if (status === 'decommissioned') return { deviceId, decommissionedAt: decommissionedAt ?? at }
  await updateDeviceDecommissioned(db, viewer.resellerId, deviceId, at)
  return { deviceId, decommissionedAt: at }
}

export type RotatedCredentials = Credentials & { readonly deviceId: string; readonly previousValidUntil: Date | undefined }

/** The new password works at once; the one before for `graceS` more seconds. */
export async function rotateCredentials(db: Db, viewer: Viewer, idOrImei: string, graceS: number, at: Date): Promise<RotatedCredentials> {
  const { deviceId, subClientId } = await requireLivingDevice(db, viewer, idOrImei)
  await assertOwnerWritable(db, viewer.resellerId, subClientId)
  const credentials = await createCredentials()
  const previousValidUntil = graceS === 0 ? undefined : new Date(at.getTime() + graceS * 1_000)
  await updateDeviceCredentials(db, viewer.resellerId, deviceId, credentials, previousValidUntil, at)
  return { ...credentials, deviceId, previousValidUntil }
}

async function requireHeldDevice(db: Db, viewer: Viewer, idOrImei: string): Promise<HeldDevice> {
  const device = isDeviceReference(idOrImei) ? await selectDeviceForUpdate(db, viewer, idOrImei) : undefined
  if (device === undefined) throw noSuchDevice()
  return device
}

async function requireLivingDevice(db: Db, viewer: Viewer, idOrImei: string): Promise<HeldDevice> {
  const device = await requireHeldDevice(db, viewer, idOrImei)
  if (device.status === 'decommissioned') throw deviceIsDecommissioned()
  return device
}
