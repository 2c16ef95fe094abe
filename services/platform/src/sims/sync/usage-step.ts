// What some SIMs have used. Counters are cumulative in a cycle; where one ended since a SIM was last asked about, its end is asked for first.

import type { Db } from '@roadworthy/service-kit/db'
import type { OperatorUsage } from '../operators/operator.ts'
import { recordUsage } from '../record-usage.ts'
import { reviewAnomalies } from '../review-anomalies.ts'
import { selectSimForUpdate } from '../sims.sql.ts'
import { askEach } from './ask-each.ts'
import type { StepContext, StoreStep } from './run-sync.ts'
import { type SimToAsk, selectSimsToMeter } from './sims-to-ask.sql.ts'

const METERED_PER_STEP = 25

export async function askForUsage(context: StepContext): Promise<StoreStep> {
  const { database, sync, connection, progress } = context
  const { resellerId } = sync
  const asked = await selectSimsToMeter(database.tenantPool(resellerId), connection, {
    simIds: sync.simIds,
    afterSimId: progress.afterSimId,
    limit: METERED_PER_STEP,
    askedBefore: sync.startedAt,
  })
  const { answers, errors } = await askEach(context, asked, async (sim) => ({ simId: sim.simId, usages: await usagesOf(context, sim) }))
  // In one order, so that two that hold SIMs do not wait for each other.
  const metered = answers.sort((a, b) => (a.simId < b.simId ? -1 : 1))
  return async (db, at) => {
    let usageUpdated = 0
    for (const { simId, usages } of metered) if ((await recordAll(db, { resellerId, simId }, usages, at)) > 0) usageUpdated++
    await reviewAnomalies(
      db,
      resellerId,
      metered.map(({ simId }) => simId),
      at,
    )
    const last = asked.at(-1)?.simId
    const isEnd = last === undefined || asked.length < METERED_PER_STEP
    return {
      progress: isEnd ? undefined : { ...progress, afterSimId: last, failures: 0 },
      counts: { usageUpdated, failed: errors.length },
      errors,
      hasFailedConnection: false,
    }
  }
}

/** Answers by how many bytes its counters rose. */
async function recordAll(db: Db, { resellerId, simId }: { resellerId: string; simId: string }, usages: readonly OperatorUsage[], at: Date) {
  let sim = await selectSimForUpdate(db, { resellerId, subClientPin: undefined }, { simId })
  let risenBytes = 0
  for (const usage of usages) {
    if (sim === undefined) return risenBytes
    const recorded = await recordUsage(db, sim, usage, at)
    sim = recorded.sim
    risenBytes += recorded.addedBytes
  }
  return risenBytes
}

async function usagesOf(
  { operators, connection, now, signal }: StepContext,
  { iccid, msisdn, cycleEnd }: SimToAsk,
): Promise<OperatorUsage[]> {
  const operator = operators.of(connection)
  const sim = { iccid, msisdn }
  const hasEnded = cycleEnd !== undefined && cycleEnd <= now()
  const usages: OperatorUsage[] = []
  if (hasEnded && operator.caps.previousCycle) usages.push(await operator.getUsage({ sim, cycle: 'previous' }, signal))
  usages.push(await operator.getUsage({ sim, cycle: 'current' }, signal))
  return usages
}
