// Counters of an operator are cumulative, come late, and may come in any order. What a counter rose by is stored once, when it was received and
// for whoever had the SIM then; within a cycle it never goes down.

import type { Db } from '@roadworthy/service-kit/db'
import type { OperatorUsage } from './operators/operator.ts'
import type { Sim } from './sim.ts'
import { upsertSim } from './sims.sql.ts'
import { insertUsage, sumOfCycle } from './usage.sql.ts'

/** Answers what was added, in bytes, and the SIM as it is stored. `sim` is held (`selectSimForUpdate`) in the transaction of `db`. */
export async function recordUsage(db: Db, sim: Sim, usage: OperatorUsage, at: Date): Promise<{ addedBytes: number; sim: Sim }> {
  const { cycleStart, cycleEnd, dataBytes } = usage
  if (!Number.isSafeInteger(dataBytes) || dataBytes < 0) throw new RangeError(`not a count of bytes: ${dataBytes}`)
  const isCurrent = sim.cycleStart === undefined || cycleStart >= sim.cycleStart
  const isSameCycle = sim.cycleStart?.getTime() === cycleStart.getTime()
  // Of another cycle than the one that runs, the ledger itself says how far it was counted.
  const known = isSameCycle ? sim.cycleBytes : await sumOfCycle(db, sim, cycleStart)
  const addedBytes = Math.max(0, dataBytes - known)
  const lastUsageSeq = sim.lastUsageSeq + (addedBytes > 0 ? 1 : 0)
  const counted = { ...sim, lastUsageSeq, ...(isCurrent ? countersOf(sim, usage, isSameCycle, known + addedBytes) : {}) }
  if (isCurrent) Object.assign(counted, { cycleStart, cycleEnd, usageAt: at })
  if (addedBytes > 0) {
    const { subClientId, planId } = sim
    await insertUsage(db, sim, { seq: lastUsageSeq, receivedAt: at, cycleStart, bytes: addedBytes, subClientId, planId })
  }
  await upsertSim(db, counted)
  return { addedBytes, sim: counted }
}

function countersOf(sim: Sim, { smsCount, sessionCount }: OperatorUsage, isSameCycle: boolean, cycleBytes: number) {
  const [smsBefore, sessionsBefore] = isSameCycle ? [sim.cycleSms, sim.cycleSessions] : [0, 0]
  return { cycleBytes, cycleSms: Math.max(smsBefore, smsCount ?? 0), cycleSessions: Math.max(sessionsBefore, sessionCount ?? 0) }
}
