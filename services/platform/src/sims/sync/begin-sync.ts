// Begins a run of the synchronisation, one at a time of each reseller, and looks after connections that are due by themselves.

import { setTimeout as delay } from 'node:timers/promises'
import type { SyncRequest } from '@roadworthy/contracts/sim-billing/sync'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Author, writeAudit } from '../../audit/audit.ts'
import type { JobKind } from '../../jobs/job.ts'
import { upsertJob } from '../../jobs/jobs.sql.ts'
import { noSuchConnection } from '../connections/connection.ts'
import { selectConnection, selectEnabledConnectionIds } from '../connections/connections.sql.ts'
import { noCounts, type Sync, type SyncScope } from './sync.ts'
import { SCHEDULED_SYNC_JOB, SYNC_JOB } from './sync-jobs.ts'
import { insertSync, selectRunningSyncForUpdate, selectSync, updateSync } from './syncs.sql.ts'

export type BeginDeps = {
  readonly database: Database
  /** Where a run is asked for what else is due: drafts of invoices. In the transaction that begins it. */
  readonly requestInvoices: (db: Db, resellerId: string, at: Date) => Promise<void>
}

export type Begun = { readonly sync: Sync; readonly isAlreadyRunning: boolean }

/** Where another run is under way, it is tried again after this. */
const BUSY_MS = 60_000
const SHOW_MS = 10_000
const LOOK_EVERY_MS = 200

/**
 * Every enabled connection, or the one that is named. Where a run is under way already, that one: of a connection alone it goes on with the others
 * when all of them are asked for.
 */
export async function beginSync(
  { database, requestInvoices }: BeginDeps,
  { scope = 'all', full = false, sim_ids: simIds, connection_id: connectionId }: SyncRequest,
  author: Author,
): Promise<Begun> {
  const { resellerId, at } = author
  return await database.tenant(resellerId, async (db) => {
    if (connectionId !== undefined && (await selectConnection(db, resellerId, connectionId)) === undefined) throw noSuchConnection()
    if (scope === 'all' || scope === 'invoices') await requestInvoices(db, resellerId, at)
    const connectionIds = scope === 'invoices' ? [] : await selectEnabledConnectionIds(db, resellerId, connectionId)
    const asked = { scope, isFull: full, connectionIds, onlyConnectionId: connectionId, simIds }
    const sync = newSync({ ...asked, resellerId, requestedBy: author.id, startedAt: at })
    while (!(await insertSync(db, sync))) {
      const running = await widened(db, await selectRunningSyncForUpdate(db, resellerId), sync)
      // Undefined: it has ended in between.
      if (running !== undefined) return { sync: running, isAlreadyRunning: true }
    }
    if (sync.status === 'running') await upsertJob(db, { resellerId, kind: SYNC_JOB, key: sync.syncId }, at)
    await writeAudit(db, author, {
      action: 'sim_sync.started',
      objectId: sync.syncId,
      after: { scope, full, connections: connectionIds.length },
    })
    return { sync, isAlreadyRunning: false }
  })
}

/** What was begun for one connection by its schedule must not be taken for all of them. */
async function widened(db: Db, running: Sync | undefined, asked: Sync): Promise<Sync | undefined> {
  if (running?.onlyConnectionId === undefined || asked.onlyConnectionId !== undefined) return running
  if (asked.simIds !== undefined || running.simIds !== undefined || asked.scope !== running.scope) return running
  const others = asked.connectionIds.filter((each) => each !== running.onlyConnectionId)
  const wider = { ...running, onlyConnectionId: undefined, connectionIds: [...running.connectionIds, ...others] }
  await updateSync(db, wider)
  return wider
}

/** The run as it is when it is over, or after ten seconds, or when nobody waits any more. */
export async function awaitSync(database: Database, { resellerId, syncId }: Sync, signal: AbortSignal): Promise<Sync | undefined> {
  const untilMs = performance.now() + SHOW_MS
  for (;;) {
    const sync = await selectSync(database.tenantPool(resellerId), resellerId, syncId)
    if (sync === undefined || sync.status !== 'running' || performance.now() >= untilMs) return sync
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    // The caller may be gone because the service stops, and the database with it.
    if (signal.aborted) return sync
  }
}

/** Each connection as often as it sets, whatever the number of processes. */
export function scheduledSyncJobKind({ database, now }: { readonly database: Database; readonly now: () => Date }): JobKind {
  return {
    kind: SCHEDULED_SYNC_JOB,
    concurrency: 4,
    perReseller: 1,
    run: async ({ resellerId, key: connectionId }) => {
      const at = now()
      const isBusy = await database.tenant(resellerId, async (db) => {
        const connection = await selectConnection(db, resellerId, connectionId)
        if (connection?.enabled !== true) return undefined
        const given = { scope: 'all' as const, isFull: false, connectionIds: [connectionId], onlyConnectionId: connectionId }
        const sync = newSync({ ...given, resellerId, simIds: undefined, requestedBy: 'schedule', startedAt: at })
        if (!(await insertSync(db, sync))) return { waitMs: BUSY_MS }
        await upsertJob(db, { resellerId, kind: SYNC_JOB, key: sync.syncId }, at)
        return { waitMs: connection.syncEveryMinutes * 60_000 }
      })
      return isBusy === undefined ? 'done' : { againAt: new Date(at.getTime() + isBusy.waitMs) }
    },
  }
}

type NewSync = Pick<Sync, 'resellerId' | 'isFull' | 'connectionIds' | 'onlyConnectionId' | 'simIds' | 'requestedBy' | 'startedAt'> & {
  scope: SyncScope
}

function newSync(given: NewSync): Sync {
  return {
    ...given,
    syncId: newId('syn'),
    // Where there is nobody to ask, it is over.
    status: given.connectionIds.length === 0 ? 'completed' : 'running',
    progress: undefined,
    counts: noCounts,
    errors: [],
    failedConnectionCount: 0,
    finishedAt: given.connectionIds.length === 0 ? given.startedAt : undefined,
  }
}
