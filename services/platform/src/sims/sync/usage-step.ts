// What some SIMs have used. Counters are cumulative in a cycle; where one ended since a SIM was last asked about, its end is asked for first.

import { reviewAnomalies } from '../anomalies/review-anomalies.ts'
import type { OperatorUsage } from '../operators/operator.ts'
import { recordUsages } from '../record-usage.ts'
import { selectSimsForUpdate } from '../sims.sql.ts'
import { askEach } from './ask-each.ts'
import { type SimToAsk, selectSimsToMeter } from './sims-to-ask.sql.ts'
import type { StepContext, StoreStep } from './step-context.ts'

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
  const { answers, errors } = await askEach(context, asked, async (sim) => [sim.simId, await usagesOf(context, sim)] as const)
  const usagesById = new Map(answers)
  const simIds = [...usagesById.keys()]
  return async (db, at) => {
    const held = await selectSimsForUpdate(db, resellerId, simIds)
    const metered = held.map((sim) => ({ sim, usages: usagesById.get(sim.simId) ?? [] }))
    const recorded = await recordUsages(db, resellerId, metered, at)
    const usageUpdated = recorded.filter(({ addedBytes }) => addedBytes > 0).length
    await reviewAnomalies(db, resellerId, simIds, at)
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
