// One page of an operator's list, or some of the SIMs that were named.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { reviewAnomalies } from '../anomalies/review-anomalies.ts'
import { applyOperatorSims } from '../apply-operator-sim.ts'
import { updateSyncedUntil } from '../connections/connections.sql.ts'
import type { OperatorSim } from '../operators/operator.ts'
import { askEach } from './ask-each.ts'
import { selectSimsToAsk } from './sims-to-ask.sql.ts'
import type { StepContext, StoreStep } from './step-context.ts'
import type { SyncCounts, SyncError, SyncProgress } from './sync.ts'

/** What changed at the operator shortly before the newest change that was seen may not have been in the list yet: it is asked for again. */
const OVERLAP_MS = 10 * 60_000
/** SIMs of which the list does not contain all are asked for one by one, so many in a step. */
const ASKED_PER_STEP = 25

export async function askForSims(context: StepContext): Promise<StoreStep> {
  return context.sync.simIds === undefined ? await askForPage(context) : await askForNamed(context)
}

async function askForPage(context: StepContext): Promise<StoreStep> {
  const { operators, connection, progress, sync, signal } = context
  const operator = operators.of(connection)
  const isPartial = !sync.isFull && operator.caps.modifiedSince
  const modifiedSince = isPartial ? connection.syncedUntil : undefined
  const askedAt = context.now()
  const page = await operator.listSims({ cursor: progress.cursor, modifiedSince }, signal)
  const { seen, errors } = operator.caps.list === 'full' ? { seen: page.sims, errors: [] } : await askForDetails(context, page.sims)
  const refused = page.refused.map(({ iccid, message }): SyncError => {
    return { iccid, connectionId: connection.connectionId, code: 'refused', message }
  })
  const newestModifiedAt = newestOf(progress.newestModifiedAt, seen)
  return async (db, at) => {
    const { counts, refusals } = await applyAll(context, db, seen, { askedAt, at })
    const isEnd = page.next === undefined
    if (isEnd) await updateSyncedUntil(db, connection, syncedUntil(newestModifiedAt, operator.caps.modifiedSince, sync.startedAt))
    const next: SyncProgress = { ...progress, cursor: page.next, newestModifiedAt, failures: 0 }
    return {
      progress: isEnd ? afterSims(context) : next,
      counts: { ...counts, failed: errors.length + refused.length + refusals.length },
      errors: [...errors, ...refused, ...refusals],
      hasFailedConnection: false,
    }
  }
}

/** By the operator's clock, where it reports; else by ours. */
function syncedUntil(newestModifiedAt: string | undefined, hasModifiedSince: boolean, startedAt: Date): Date | undefined {
  if (!hasModifiedSince) return startedAt
  return newestModifiedAt === undefined ? undefined : new Date(Date.parse(newestModifiedAt) - OVERLAP_MS)
}

function newestOf(known: string | undefined, sims: readonly OperatorSim[]): string | undefined {
  const times = sims.flatMap(({ modifiedAt }) => (modifiedAt === undefined ? [] : [modifiedAt.toISOString()]))
  return [...times, ...(known === undefined ? [] : [known])].sort().at(-1)
}

async function askForNamed(context: StepContext): Promise<StoreStep> {
  const { database, sync, connection, progress } = context
  const known = await selectSimsToAsk(database.tenantPool(sync.resellerId), connection, {
    simIds: sync.simIds,
    afterSimId: progress.afterSimId,
    limit: ASKED_PER_STEP,
  })
  const askedAt = context.now()
  const { seen, errors } = await askForDetails(context, known)
  return async (db, at) => {
    const { counts, refusals } = await applyAll(context, db, seen, { askedAt, at })
    const last = known.at(-1)?.simId
    const isEnd = last === undefined || known.length < ASKED_PER_STEP
    return {
      progress: isEnd ? afterSims(context) : { ...progress, afterSimId: last, failures: 0 },
      counts: { ...counts, failed: errors.length + refusals.length },
      errors: [...errors, ...refusals],
      hasFailedConnection: false,
    }
  }
}

/** Whatever the list contains of them, asked one by one. */
async function askForDetails(
  context: StepContext,
  sims: readonly { readonly iccid: string; readonly msisdn: string | undefined }[],
): Promise<{ seen: OperatorSim[]; errors: SyncError[] }> {
  const { operators, connection, signal } = context
  const operator = operators.of(connection)
  const { answers, errors } = await askEach(context, sims, ({ iccid, msisdn }) => operator.getSim({ iccid, msisdn }, signal))
  return { seen: answers, errors }
}

async function applyAll(
  { operators, connection }: StepContext,
  db: Db,
  seen: readonly OperatorSim[],
  times: { readonly askedAt: Date; readonly at: Date },
): Promise<{ counts: Partial<SyncCounts>; refusals: SyncError[] }> {
  const { caps } = operators.of(connection)
  const counts = { seen: seen.length, created: 0, updated: 0, unchanged: 0 }
  const refusals: SyncError[] = []
  const simIds: string[] = []
  const applied = await applyOperatorSims(db, seen, { connection, caps, ...times })
  for (const [nth, outcome] of applied.entries()) {
    if (outcome.outcome === 'refused') {
      refusals.push({ iccid: seen[nth]?.iccid, connectionId: connection.connectionId, code: outcome.code, message: outcome.message })
    } else {
      counts[outcome.outcome === 'stale' ? 'unchanged' : outcome.outcome]++
      simIds.push(outcome.simId)
    }
  }
  await reviewAnomalies(db, connection.resellerId, simIds, times.at)
  return { counts, refusals }
}

function afterSims({ sync, progress, connection }: StepContext): SyncProgress | undefined {
  if (sync.scope === 'sims') return undefined
  const { newestModifiedAt } = progress
  return { connectionId: connection.connectionId, phase: 'usage', cursor: undefined, afterSimId: '', newestModifiedAt, failures: 0 }
}
