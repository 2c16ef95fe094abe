// Takes a run of the synchronisation from wherever it is to its end. A step asks the operator, outside of any transaction, and then stores what
// the answer together with how far the run is: a process that is killed loses the step under way and nothing else, and another goes on there.

import { isDeepStrictEqual } from 'node:util'
import type { JobId, JobKind, JobOutcome } from '../../jobs/job.ts'
import { selectConnection } from '../connections/connections.sql.ts'
import { OperatorError } from '../operators/operator.ts'
import { askForSims } from './sims-step.ts'
import type { StepContext, StoreStep, SyncDeps } from './step-context.ts'
import { firstProgress, type Sync, type SyncError, type SyncProgress, type SyncStep, statusOf } from './sync.ts'
import { SYNC_JOB } from './sync-jobs.ts'
import { selectSync, selectSyncForUpdate, updateSync } from './syncs.sql.ts'
import { askForUsage } from './usage-step.ts'

/** Of resellers with many SIMs a run takes hours; two processes' worth of runs go on side by side. Assumption. */
const RUNS_AT_ONCE = 8
/** At one place, before the connection is given up for this run. The waits in between add up to about five minutes. */
const MAX_FAILURES = 6
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 600_000
const MAX_ERRORS = 100

export function syncJobKind(deps: SyncDeps): JobKind {
  return { kind: SYNC_JOB, concurrency: RUNS_AT_ONCE, perReseller: 1, run: (job, signal) => continueSync(deps, job, signal) }
}

/** To the end, or to where the operator has to be waited for. */
async function continueSync(deps: SyncDeps, { resellerId, key }: JobId, signal: AbortSignal): Promise<JobOutcome> {
  for (;;) {
    signal.throwIfAborted()
    const sync = await selectSync(deps.database.tenantPool(resellerId), resellerId, key)
    if (sync === undefined || sync.status !== 'running') return 'done'
    const waitMs = await takeStep(deps, sync, signal)
    if (waitMs > 0) return { againAt: new Date(deps.now().getTime() + waitMs) }
  }
}

/** Answers how long to wait for the next step. */
async function takeStep(deps: SyncDeps, sync: Sync, signal: AbortSignal): Promise<number> {
  const [connectionId] = sync.connectionIds
  if (connectionId === undefined) {
    await storeStep(deps, sync, async () => nothing)
    return 0
  }
  const connection = await selectConnection(deps.database.tenantPool(sync.resellerId), sync.resellerId, connectionId)
  // It was switched off or removed since.
  if (connection?.enabled !== true) {
    await storeStep(deps, sync, async () => nothing)
    return 0
  }
  const progress = sync.progress ?? firstProgress(connectionId, sync.scope)
  const context: StepContext = { ...deps, sync, connection, progress, signal }
  try {
    await storeStep(deps, sync, progress.phase === 'sims' ? await askForSims(context) : await askForUsage(context))
    return 0
  } catch (error) {
    if (!(error instanceof OperatorError) || signal.aborted) throw error
    return await storeFailure(deps, sync, progress, error)
  }
}

const nothing: SyncStep = { progress: undefined, counts: {}, errors: [], hasFailedConnection: false }

/**
 * What will be refused again ends the connection's part of the run, and what will be for longer than a run waits, as counters are for two hours after a
 * cycle began; the rest is tried again where it is.
 */
async function storeFailure(deps: SyncDeps, sync: Sync, progress: SyncProgress, error: OperatorError): Promise<number> {
  const failures = progress.failures + 1
  const retryMs = error.retryAfterMs ?? FIRST_RETRY_MS * 2 ** progress.failures
  const isTemporary = (error.kind === 'rate' || error.kind === 'unavailable') && retryMs <= LONGEST_RETRY_MS
  if (isTemporary && failures < MAX_FAILURES) {
    await storeStep(deps, sync, async () => ({ ...nothing, progress: { ...progress, failures } }))
    return retryMs
  }
  const reported: SyncError = { iccid: undefined, connectionId: progress.connectionId, code: error.kind, message: error.message }
  await storeStep(deps, sync, async () => ({ ...nothing, errors: [reported], hasFailedConnection: true }))
  return 0
}

/** Nothing is stored where another process took the step: it is stored with the place it was taken at. */
async function storeStep({ database, now }: SyncDeps, taken: Sync, store: StoreStep): Promise<void> {
  await database.tenant(taken.resellerId, async (db) => {
    const sync = await selectSyncForUpdate(db, taken.resellerId, taken.syncId)
    if (sync === undefined || !isSamePlace(sync, taken)) return
    const at = now()
    const step = await store(db, at)
    await updateSync(db, ended(stepped(sync, step), at))
  })
}

function isSamePlace(a: Sync, b: Sync): boolean {
  return a.status === b.status && a.connectionIds.length === b.connectionIds.length && isDeepStrictEqual(a.progress, b.progress)
}

function stepped(sync: Sync, { progress, counts, errors, hasFailedConnection }: SyncStep): Sync {
  const sum = (name: keyof Sync['counts']) => sync.counts[name] + (counts[name] ?? 0)
  return {
    ...sync,
    progress,
    connectionIds: progress === undefined ? sync.connectionIds.slice(1) : sync.connectionIds,
    counts: {
      seen: sum('seen'),
      created: sum('created'),
      updated: sum('updated'),
      unchanged: sum('unchanged'),
      failed: sum('failed'),
      usageUpdated: sum('usageUpdated'),
    },
    errors: [...sync.errors, ...errors].slice(0, MAX_ERRORS),
    failedConnectionCount: sync.failedConnectionCount + (hasFailedConnection ? 1 : 0),
  }
}

function ended(sync: Sync, at: Date): Sync {
  return sync.connectionIds.length > 0 ? sync : { ...sync, status: statusOf(sync), progress: undefined, finishedAt: at }
}
