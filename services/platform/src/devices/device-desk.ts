// What can be done with devices, whichever surface asks: each in a transaction of its own, with its row in the audit log and what follows from it.

import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Viewer } from '../fleet/viewer.ts'
import type { BrokerAccounts } from './broker-accounts.ts'
import { changeDevice, decommissionDevice, type RotatedCredentials, replaceDeviceToken, rotateCredentials } from './change-device.ts'
import { createCredentials } from './credentials.ts'
import { auditedDevice, type Device, isDeviceReference, noSuchDevice } from './device.ts'
import { createDeviceToken } from './device-token.ts'
import { countDevices, type DeviceFilter, selectDevice, selectDevices } from './devices.read.sql.ts'
import type { DeviceChanges } from './devices.sql.ts'

export type DeviceDesk = {
  readonly database: Database
  /** Where accounts are kept at an external broker. */
  readonly brokerAccounts?: BrokerAccounts | undefined
  /** Called after a change is committed, so that this process forgets what it held. */
  readonly fleetChanged: (resellerId: string) => void
}

export async function requireDevice(db: Db, viewer: Viewer, idOrImei: string): Promise<Device> {
  const device = isDeviceReference(idOrImei) ? await selectDevice(db, viewer, idOrImei) : undefined
  if (device === undefined) throw noSuchDevice()
  return device
}

export async function listDevices(database: Database, viewer: Viewer, filter: DeviceFilter, page: PageRequest) {
  const db = database.tenantPool(viewer.resellerId)
  // What could never be stored cannot be asked of the store either.
  const isPossible = (filter.subClientId === undefined || isSlug(filter.subClientId)) && isStorable(filter.search)
  const [rows, total] = isPossible
    ? await Promise.all([selectDevices(db, viewer, filter, page), countDevices(db, viewer, filter)])
    : [[], 0]
  return { total, ...endPage(rows, page, ({ createdAt, deviceId }) => ({ at: createdAt, id: deviceId })) }
}

export async function amendDevice(
  { database, brokerAccounts, fleetChanged }: DeviceDesk,
  viewer: Viewer,
  idOrImei: string,
  changes: DeviceChanges,
  author: Author,
): Promise<Device> {
  const { resellerId } = viewer
  const device = await database.tenant(resellerId, async (db) => {
    const before = await requireDevice(db, viewer, idOrImei)
    const deviceId = await changeDevice(db, viewer, idOrImei, changes, author.at)
    const after = await requireDevice(db, viewer, deviceId)
    if (before.status !== after.status) await brokerAccounts?.setStatus(db, { resellerId, deviceId }, after.status, author.at)
    const entry = { action: 'device.updated', objectId: deviceId, subClientId: after.subClientId } as const
    await writeAudit(db, author, { ...entry, before: auditedDevice(before), after: auditedDevice(after) })
    return after
  })
  fleetChanged(resellerId)
  return device
}

export async function takeOutOfService(
  { database, brokerAccounts, fleetChanged }: DeviceDesk,
  viewer: Viewer,
  idOrImei: string,
  author: Author,
): Promise<{ deviceId: string; decommissionedAt: Date }> {
  const { resellerId } = viewer
  const gone = await database.tenant(resellerId, async (db) => {
    const decommissioned = await decommissionDevice(db, viewer, idOrImei, author)
    await brokerAccounts?.setStatus(db, { resellerId, deviceId: decommissioned.deviceId }, 'decommissioned', author.at)
    return decommissioned
  })
  fleetChanged(resellerId)
  return gone
}

export async function renewCredentials(
  { database, brokerAccounts, fleetChanged }: DeviceDesk,
  viewer: Viewer,
  idOrImei: string,
  graceS: number,
  author: Author,
): Promise<RotatedCredentials> {
  const { resellerId } = viewer
  const credentials = await createCredentials()
  const rotated = await database.tenant(resellerId, async (db) => {
    const made = await rotateCredentials(db, viewer, idOrImei, { credentials, graceS }, author.at)
    const { deviceId, subClientId } = made
    await brokerAccounts?.setPassword(db, { resellerId, deviceId }, made, author.at)
    await writeAudit(db, author, { action: 'device.credentials_rotated', objectId: deviceId, subClientId, after: { graceS } })
    return made
  })
  fleetChanged(resellerId)
  return rotated
}

export type IssuedToken = { readonly deviceId: string; readonly token: string; readonly previousValidUntil: Date | undefined }

export async function issueTrackerToken(
  { database }: DeviceDesk,
  viewer: Viewer,
  idOrImei: string,
  graceS: number,
  author: Author,
): Promise<IssuedToken> {
  const { token, tokenSha256 } = createDeviceToken()
  const graceUntil = graceS === 0 ? undefined : new Date(author.at.getTime() + graceS * 1_000)
  return await database.tenant(viewer.resellerId, async (db) => {
    const { deviceId, subClientId, hadToken } = await replaceDeviceToken(db, viewer, idOrImei, { tokenSha256, graceUntil }, author.at)
    await writeAudit(db, author, { action: 'device.tracker_token_issued', objectId: deviceId, subClientId, after: { graceS } })
    return { deviceId, token, previousValidUntil: hadToken ? graceUntil : undefined }
  })
}

export async function revokeTrackerToken(
  { database }: DeviceDesk,
  viewer: Viewer,
  idOrImei: string,
  author: Author,
): Promise<{ id: string; revoked: boolean }> {
  const none = { tokenSha256: undefined, graceUntil: undefined }
  return await database.tenant(viewer.resellerId, async (db) => {
    const { deviceId, subClientId, hadToken } = await replaceDeviceToken(db, viewer, idOrImei, none, author.at)
    if (hadToken) await writeAudit(db, author, { action: 'device.tracker_token_revoked', objectId: deviceId, subClientId })
    return { id: deviceId, revoked: hadToken }
  })
}
