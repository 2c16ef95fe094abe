// What can happen to a registered device. Every function takes the id, or the IMEI of a living device, and locks the device.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import { assertOwnerWritable, requireDeviceRoom, requireWritableSubClient } from '../fleet/sub-client-access.ts'
import { requireLinkableVehicle } from '../fleet/upsert-vehicle.ts'
import { updateVehicleSubClient } from '../fleet/vehicles.sql.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import type { Credentials } from './credentials.ts'
import { type DeviceStatus, deviceIsDecommissioned, isDeviceReference, noSuchDevice } from './device.ts'
import { DEVICE_CHANGED_JOB } from './device-jobs.ts'
import { insertDeviceToken, updateDeviceTokensReplaced } from './device-tokens.sql.ts'
import {
  type DeviceChanges,
  deleteRegistration,
  type HeldDevice,
  selectDeviceEverForUpdate,
  selectDeviceForUpdate,
  updateDevice,
  updateDeviceCredentials,
  updateDeviceDecommissioned,
} from './devices.sql.ts'
import { type LinkedVehicle, selectLinkedVehicleForUpdate } from './linked-vehicle.read.sql.ts'

/**
 * `changes.vehicleId` may be our id or the caller's reference. A device that moves to another sub-client leaves the vehicle of the one
 * before. Returns the device's id.
 */
export async function changeDevice(db: Db, viewer: Viewer, idOrImei: string, changes: DeviceChanges, at: Date): Promise<string> {
  const { subClientId } = changes
  if (viewer.subClientPin !== undefined && 'subClientId' in changes && subClientId === undefined) {
    throw new Problem('invalid_request', 'This key belongs to one sub-client and cannot take a device out of it.', {
      details: { in: 'body', field: 'sub_client_id' },
    })
  }
  // Before the device, as whoever deactivates the sub-client locks it first too.
  if (subClientId !== undefined) await requireWritableSubClient(db, viewer, subClientId)
  const isMoving = subClientId !== undefined && !('vehicleId' in changes) && isDeviceReference(idOrImei)
  const linked = isMoving ? await selectLinkedVehicleForUpdate(db, viewer, idOrImei) : undefined
  const device = await requireHeldDevice(db, viewer, idOrImei)
  if (device.status === 'decommissioned') return await reassignDecommissioned(db, viewer, device, changes, at)
  // Out of a suspended sub-client a device can always be taken: its reseller decides that, not the sub-client.
  const isLeaving = 'subClientId' in changes && subClientId !== device.subClientId
  if (isLeaving && subClientId !== undefined) await requireDeviceRoom(db, viewer.resellerId, subClientId)
  if (!isLeaving) await assertOwnerWritable(db, viewer.resellerId, device.subClientId)
  const vehicle = await vehicleChange(db, viewer, device, changes, linked, at)
  await updateDevice(db, viewer.resellerId, device.deviceId, { ...changes, ...vehicle }, at)
  if (isLeaving || 'simNumber' in changes) await askForChanged(db, viewer.resellerId, device.deviceId, at)
  return device.deviceId
}

/** What is in the device goes where the device goes. */
function askForChanged(db: Db, resellerId: string, deviceId: string, at: Date): Promise<void> {
  return upsertJob(db, { resellerId, kind: DEVICE_CHANGED_JOB, key: deviceId }, at)
}

/** Spec §3: a device in any state can be reassigned. It takes no room in its new sub-client, and a vehicle of the one before stays there. */
async function reassignDecommissioned(db: Db, viewer: Viewer, device: HeldDevice, changes: DeviceChanges, at: Date): Promise<string> {
  if (Object.keys(changes).some((field) => field !== 'subClientId')) throw deviceIsDecommissioned()
  const vehicle = await vehicleChange(db, viewer, device, changes, undefined, at)
  await updateDevice(db, viewer.resellerId, device.deviceId, { ...changes, ...vehicle }, at)
  return device.deviceId
}

/**
 * Spec gap §3: what becomes of the vehicle when its device is reassigned. The vehicle of another sub-client stays there, with its history,
 * and is unlinked: its owner must not be shown the readings of a device of somebody else, nor lose the vehicle to them unasked. One of no
 * sub-client, registered before it was known whose it would be, follows its only device.
 */
async function vehicleChange(
  db: Db,
  viewer: Viewer,
  device: HeldDevice,
  changes: DeviceChanges,
  linked: LinkedVehicle | undefined,
  at: Date,
): Promise<Pick<DeviceChanges, 'vehicleId'>> {
  if (changes.vehicleId !== undefined) {
    const subClientAfter = 'subClientId' in changes ? changes.subClientId : device.subClientId
    return { vehicleId: await requireLinkableVehicle(db, viewer, { reference: changes.vehicleId }, subClientAfter) }
  }
  const { subClientId } = changes
  const isMoving = subClientId !== undefined && subClientId !== device.subClientId
  if (!isMoving || 'vehicleId' in changes || device.vehicleId === undefined) return {}
  // Linked to another one a moment ago, of which nothing is known here.
  if (linked?.vehicleId !== device.vehicleId) return { vehicleId: undefined }
  if (linked.subClientId !== undefined) return linked.subClientId === subClientId ? {} : { vehicleId: undefined }
  if (!linked.isShared) await updateVehicleSubClient(db, viewer.resellerId, linked.vehicleId, subClientId, at)
  return {}
}

/** For an upserted vehicle, which the viewer may change already. */
export async function linkDeviceToVehicle(db: Db, viewer: Viewer, idOrImei: string, vehicleId: string, at: Date): Promise<void> {
  const device = await requireLivingDevice(db, viewer, idOrImei)
  await assertOwnerWritable(db, viewer.resellerId, device.subClientId)
  await requireLinkableVehicle(db, viewer, { reference: vehicleId }, device.subClientId)
  await updateDevice(db, viewer.resellerId, device.deviceId, { vehicleId }, at)
}

/** Final: the credentials are void and the IMEI is free. The first time counts; repeating changes nothing, by the IMEI too until it is used anew. */
export async function decommissionDevice(
  db: Db,
  viewer: Viewer,
  idOrImei: string,
  author: Author,
): Promise<{ deviceId: string; decommissionedAt: Date }> {
  const { at } = author
  const held = isDeviceReference(idOrImei) ? await selectDeviceEverForUpdate(db, viewer, idOrImei) : undefined
  if (held === undefined) throw noSuchDevice()
  const { deviceId, status, decommissionedAt, subClientId, vehicleId } = held
  if (status === 'decommissioned') return { deviceId, decommissionedAt: decommissionedAt ?? at }
  await updateDeviceDecommissioned(db, viewer.resellerId, deviceId, at)
  await updateDeviceTokensReplaced(db, { resellerId: viewer.resellerId, deviceId }, undefined)
  await askForChanged(db, viewer.resellerId, deviceId, at)
  const gone = { deviceId, vehicleId: vehicleId ?? null, decommissionedAt: at.toISOString() }
  await writeEvents(db, [{ resellerId: viewer.resellerId, type: 'device.decommissioned', data: gone, subClientId, occurredAt: at }])
  const entry = { action: 'device.decommissioned', objectId: deviceId, subClientId } as const
  await writeAudit(db, author, { ...entry, before: { status }, after: { status: 'decommissioned' } })
  return { deviceId, decommissionedAt: at }
}

export type RotatedCredentials = Credentials & {
  readonly deviceId: string
  readonly status: DeviceStatus
  readonly subClientId: string | undefined
  readonly previousValidUntil: Date | undefined
}

/** The new password works at once; the one before for `graceS` more seconds. Made before: hashing takes its time, and holds no transaction open. */
export async function rotateCredentials(
  db: Db,
  viewer: Viewer,
  idOrImei: string,
  { credentials, graceS }: { credentials: Credentials; graceS: number },
  at: Date,
): Promise<RotatedCredentials> {
  const { deviceId, status, subClientId } = await requireLivingDevice(db, viewer, idOrImei)
  await assertOwnerWritable(db, viewer.resellerId, subClientId)
  const previousValidUntil = graceS === 0 ? undefined : new Date(at.getTime() + graceS * 1_000)
  await updateDeviceCredentials(db, viewer.resellerId, deviceId, credentials, previousValidUntil, at)
  return { ...credentials, deviceId, status, subClientId, previousValidUntil }
}

export type ReplacedToken = { readonly deviceId: string; readonly subClientId: string | undefined; readonly hadToken: boolean }

/** The new token works at once, the one before until `graceUntil`. Without a new one the device has none. A suspended sub-client can be taken its tokens. */
export async function replaceDeviceToken(
  db: Db,
  viewer: Viewer,
  idOrImei: string,
  { tokenSha256, graceUntil }: { tokenSha256: Buffer | undefined; graceUntil: Date | undefined },
  at: Date,
): Promise<ReplacedToken> {
  const { deviceId, subClientId } = await requireLivingDevice(db, viewer, idOrImei)
  const of = { resellerId: viewer.resellerId, deviceId }
  if (tokenSha256 !== undefined) await assertOwnerWritable(db, viewer.resellerId, subClientId)
  const hadToken = (await updateDeviceTokensReplaced(db, of, graceUntil)) > 0
  if (tokenSha256 !== undefined) await insertDeviceToken(db, of, tokenSha256, at)
  await deleteRegistration(db, viewer.resellerId, deviceId)
  return { deviceId, subClientId, hadToken }
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
