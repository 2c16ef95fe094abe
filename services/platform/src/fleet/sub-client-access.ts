import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { assertWritable, noSuchSubClient, type SubClientStatus } from './sub-client.ts'
import { holdDeviceRoom, selectSubClientStatuses, selectSubClientStatusForShare } from './sub-clients.sql.ts'
import type { Viewer } from './viewer.ts'

/**
 * The sub-client must be the viewer's and active, and stays so until the transaction ends: without the lock, a thing could be put into
 * a sub-client in the moment after its deactivation took everything out. Take it before any lock on a device or vehicle.
 */
export async function requireWritableSubClient(db: Db, viewer: Viewer, subClientId: string): Promise<void> {
  const status = isSlug(subClientId) ? await selectSubClientStatusForShare(db, viewer, subClientId) : undefined
  if (status === undefined) throw noSuchSubClient()
  assertWritable(status)
}

/** For one more device in a sub-client, which `requireWritableSubClient` has let through. Throws when its limit is reached. */
export async function requireDeviceRoom(db: Db, resellerId: string, subClientId: string): Promise<void> {
  const room = await holdDeviceRoom(db, resellerId, subClientId)
  if (room === undefined || room.left > 0) return
  throw new Problem('quota_exceeded', `The sub-client may have ${room.limit} devices, and has them.`, {
    actionRequired: 'upgrade_plan',
    details: { quota: room.limit },
  })
}

/** For a change to a thing that stays in its sub-client. */
export async function assertOwnerWritable(db: Db, resellerId: string, subClientId: string | undefined): Promise<void> {
  const status = await statusOfOwner(db, resellerId, subClientId)
  if (status !== undefined) assertWritable(status)
}

export async function isOwnerWritable(db: Db, resellerId: string, subClientId: string | undefined): Promise<boolean> {
  const status = await statusOfOwner(db, resellerId, subClientId)
  return status === undefined || status === 'active'
}

async function statusOfOwner(db: Db, resellerId: string, subClientId: string | undefined): Promise<SubClientStatus | undefined> {
  if (subClientId === undefined) return undefined
  const [status] = await selectSubClientStatuses(db, [{ resellerId, reference: subClientId }])
  return status
}
