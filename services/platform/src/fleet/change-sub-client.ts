// What can be done with sub-clients, whichever surface asks.

import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { type Author, writeAudit } from '../audit/audit.ts'
import { createSubClient, type NewSubClient } from './create-sub-client.ts'
import type { DeviceLinks } from './device-links.ts'
import { assertMetadata, auditedSubClient, noSuchSubClient, type SubClient, type SubClientChanges } from './sub-client.ts'
import { countSubClients, type SubClientFilter, selectSubClient, selectSubClients } from './sub-clients.read.sql.ts'
import { updateSubClient } from './sub-clients.sql.ts'
import type { Viewer } from './viewer.ts'

export type SubClientDeps = {
  readonly database: Database
  readonly deviceLinks: Pick<DeviceLinks, 'unassignDevices'>
  /** Called after a change is committed, so that this process forgets what it held. */
  readonly fleetChanged: (resellerId: string) => void
}

export async function addSubClient(
  { database, fleetChanged }: Pick<SubClientDeps, 'database' | 'fleetChanged'>,
  viewer: Viewer,
  given: NewSubClient,
  author: Author,
): Promise<SubClient> {
  const { resellerId } = viewer
  // A key that sees one sub-client could not see the one it made.
  if (viewer.subClientPin !== undefined) throw notOfOneSubClient('This key belongs to one sub-client and cannot create others.')
  const subClient = await database.tenant(resellerId, async (db) => {
    const subClientId = await createSubClient(db, resellerId, given, author.at)
    const made = await requireSubClient(db, viewer, subClientId)
    await writeAudit(db, author, { action: 'sub_client.created', objectId: subClientId, subClientId, after: auditedSubClient(made) })
    return made
  })
  fleetChanged(resellerId)
  return subClient
}

/** However it is deactivated, its devices leave it (spec §3). */
export async function changeSubClient(
  { database, deviceLinks, fleetChanged }: SubClientDeps,
  viewer: Viewer,
  subClientId: string,
  changes: SubClientChanges,
  author: Author,
): Promise<{ after: SubClient; unassigned: number }> {
  const { resellerId } = viewer
  // Whoever is limited does not set the limits.
  if (viewer.subClientPin !== undefined && changes.limits !== undefined) {
    throw notOfOneSubClient('This key belongs to one sub-client and cannot change what it is limited to.')
  }
  if (changes.metadata !== undefined) assertMetadata(changes.metadata)
  const result = await database.tenant(resellerId, async (db) => {
    const before = await requireSubClient(db, viewer, subClientId)
    // It could not undo it: a sub-client that is not active is read only to its keys. And who leaves is not billed any more.
    if (viewer.subClientPin !== undefined && changes.status !== undefined && changes.status !== before.status) {
      throw notOfOneSubClient('This key belongs to one sub-client and cannot change its status.')
    }
    if (!(await updateSubClient(db, viewer, subClientId, changes, author.at))) throw noSuchSubClient()
    const isLeaving = changes.status === 'deactivated'
    const unassigned = isLeaving ? await deviceLinks.unassignDevices(db, resellerId, subClientId, author.at) : 0
    const after = await requireSubClient(db, viewer, subClientId)
    await writeAudit(db, author, {
      action: isLeaving ? 'sub_client.deactivated' : 'sub_client.updated',
      objectId: subClientId,
      subClientId,
      before: { ...auditedSubClient(before), devices: before.deviceCount },
      after: { ...auditedSubClient(after), devices: after.deviceCount },
    })
    return { after, unassigned }
  })
  fleetChanged(resellerId)
  return result
}

export async function requireSubClient(db: Db, viewer: Viewer, subClientId: string): Promise<SubClient> {
  const subClient = isSlug(subClientId) ? await selectSubClient(db, viewer, subClientId) : undefined
  if (subClient === undefined) throw noSuchSubClient()
  return subClient
}

export async function listSubClients(database: Database, viewer: Viewer, filter: SubClientFilter, page: PageRequest) {
  const db = database.tenantPool(viewer.resellerId)
  const [rows, total] = isStorable(filter.search)
    ? await Promise.all([selectSubClients(db, viewer, filter, page), countSubClients(db, viewer, filter)])
    : [[], 0]
  return { total, ...endPage(rows, page, ({ createdAt, subClientId }) => ({ at: createdAt, id: subClientId })) }
}

function notOfOneSubClient(message: string): Problem {
  return new Problem('missing_scope', message, { details: { required_scope: 'sub_clients:manage' } })
}
