import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Sync, SyncError, SyncProgress, SyncScope } from './sync.ts'

/** Whether it was begun: it is not while another one of the reseller runs. */
export async function insertSync(db: Db, sync: Sync): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into sim_syncs (reseller_id, sync_id, scope, is_full, connection_ids, sim_ids, status, requested_by, started_at, finished_at,
                            only_connection_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (reseller_id) where status = 'running' do nothing`,
    [
      ...[sync.resellerId, sync.syncId, sync.scope, sync.isFull, sync.connectionIds, sync.simIds ?? null],
      ...[sync.status, sync.requestedBy, sync.startedAt, sync.finishedAt ?? null, sync.onlyConnectionId ?? null],
    ],
  )
  return rowCount === 1
}

export async function selectSync(db: Db, resellerId: string, syncId: string): Promise<Sync | undefined> {
  const { rows } = await db.query<SyncRow>('select * from sim_syncs where reseller_id = $1 and sync_id = $2', [resellerId, syncId])
  return rows[0] === undefined ? undefined : syncFromRow(rows[0])
}

/** Of those that ask operators. */
export async function selectNewestSync(db: Db, resellerId: string): Promise<Sync | undefined> {
  const { rows } = await db.query<SyncRow>(
    "select * from sim_syncs where reseller_id = $1 and scope <> 'invoices' order by started_at desc, sync_id desc limit 1",
    [resellerId],
  )
  return rows[0] === undefined ? undefined : syncFromRow(rows[0])
}

/** The one that runs; nobody else takes a step of it until the transaction ends. */
export async function selectRunningSyncForUpdate(db: Db, resellerId: string): Promise<Sync | undefined> {
  const { rows } = await db.query<SyncRow>("select * from sim_syncs where reseller_id = $1 and status = 'running' for update", [resellerId])
  return rows[0] === undefined ? undefined : syncFromRow(rows[0])
}

/** Nobody else takes a step of it until the transaction ends. */
export async function selectSyncForUpdate(db: Db, resellerId: string, syncId: string): Promise<Sync | undefined> {
  const { rows } = await db.query<SyncRow>('select * from sim_syncs where reseller_id = $1 and sync_id = $2 for update', [
    resellerId,
    syncId,
  ])
  return rows[0] === undefined ? undefined : syncFromRow(rows[0])
}

export async function updateSync(db: Db, sync: Sync): Promise<void> {
  const { counts } = sync
  await db.query(
    `update sim_syncs
        set connection_ids = $3, status = $4, progress = $5, sims_seen = $6, sims_created = $7, sims_updated = $8, sims_unchanged = $9,
            sims_failed = $10, usage_updated = $11, errors = $12, failed_connections = $13, finished_at = $14,
            only_connection_id = $15
      where reseller_id = $1 and sync_id = $2`,
    [
      sync.resellerId,
      sync.syncId,
      sync.connectionIds,
      sync.status,
      sync.progress === undefined ? null : JSON.stringify(sync.progress),
      counts.seen,
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.failed,
      counts.usageUpdated,
      JSON.stringify(sync.errors),
      sync.failedConnectionCount,
      sync.finishedAt ?? null,
      sync.onlyConnectionId ?? null,
    ],
  )
}

/** Runs that were over before, oldest first. Answers how many were deleted. */
export async function deleteOldSyncsAcrossResellers(systemDb: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await systemDb.query(
    `delete from sim_syncs
      where (reseller_id, sync_id) in (select reseller_id, sync_id from sim_syncs
                                        where started_at < $1 and status <> 'running' order by started_at limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

type SyncRow = {
  reseller_id: string
  sync_id: string
  scope: SyncScope
  is_full: boolean
  connection_ids: string[]
  only_connection_id: string | null
  sim_ids: string[] | null
  status: Sync['status']
  progress: Partial<SyncProgress> | null
  sims_seen: number
  sims_created: number
  sims_updated: number
  sims_unchanged: number
  sims_failed: number
  usage_updated: number
  errors: SyncError[]
  failed_connections: number
  requested_by: string
  started_at: Date
  finished_at: Date | null
}

function syncFromRow(row: SyncRow): Sync {
  return {
    resellerId: row.reseller_id,
    syncId: row.sync_id,
    scope: row.scope,
    isFull: row.is_full,
    connectionIds: row.connection_ids,
    onlyConnectionId: row.only_connection_id ?? undefined,
    simIds: row.sim_ids ?? undefined,
    status: row.status,
    progress: row.progress === null ? undefined : (row.progress as SyncProgress),
    counts: {
      seen: row.sims_seen,
      created: row.sims_created,
      updated: row.sims_updated,
      unchanged: row.sims_unchanged,
      failed: row.sims_failed,
      usageUpdated: row.usage_updated,
    },
    errors: row.errors,
    failedConnectionCount: row.failed_connections,
    requestedBy: row.requested_by,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
  }
}
