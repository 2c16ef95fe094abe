// Counters of an operator are cumulative, come late, and may come in any order. What a counter rose by is stored once, when it was received and
// for whoever had the SIM then; within a cycle it never goes down.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { OperatorUsage } from './operators/operator.ts'
import type { Sim } from './sim.ts'
import { cycleKey, insertUsages, selectSumsOfCycles, type UsageEntry, updateUsageCounters } from './usage.sql.ts'

export type MeteredSim = { readonly sim: Sim; readonly usages: readonly OperatorUsage[] }
export type RecordedUsage = {
  /** In bytes, of all that was reported of it. */
  readonly addedBytes: number
  /** As it is stored. */
  readonly sim: Sim
}
type NewEntry = UsageEntry & { readonly simId: string }

/**
 * Of SIMs of one reseller, each once, that are held in the transaction of `db` (`selectSimForUpdate`); answers in their order. Three statements, however
 * many SIMs there are.
 */
export async function recordUsages(db: Db, resellerId: string, metered: readonly MeteredSim[], at: Date): Promise<RecordedUsage[]> {
  // Of another cycle than the one that runs, the ledger itself shows how far it was counted.
  const cycles = metered
    .filter(({ sim, usages }) => usages.some(({ cycleStart }) => !isOfCycle(sim, cycleStart)))
    .flatMap(({ sim: { simId }, usages }) => usages.map(({ cycleStart }) => ({ simId, cycleStart })))
  const sums = await selectSumsOfCycles(db, resellerId, cycles)
  const entries: NewEntry[] = []
  const recorded = metered.map((each) => countUp(each, sums, entries, at))
  await insertUsages(db, resellerId, entries)
  await updateUsageCounters(
    db,
    resellerId,
    recorded.map(({ sim }) => sim),
  )
  return recorded
}

/** Adds to `entries` what is new, and to `sums`. */
function countUp({ sim: held, usages }: MeteredSim, sums: Map<string, number>, entries: NewEntry[], at: Date): RecordedUsage {
  let sim = held
  let addedBytes = 0
  for (const usage of usages) {
    const { cycleStart, cycleEnd, dataBytes } = usage
    if (!Number.isSafeInteger(dataBytes) || dataBytes < 0) throw new RangeError(`not a count of bytes: ${dataBytes}`)
    const isCurrent = sim.cycleStart === undefined || cycleStart >= sim.cycleStart
    const isSameCycle = isOfCycle(sim, cycleStart)
    const key = cycleKey({ simId: sim.simId, cycleStart })
    const known = isSameCycle ? sim.cycleBytes : (sums.get(key) ?? 0)
    const risenBytes = Math.max(0, dataBytes - known)
    if (risenBytes > 0) {
      const { simId, subClientId, planId } = sim
      const seq = sim.lastUsageSeq + 1
      sim = { ...sim, lastUsageSeq: seq }
      entries.push({ simId, seq, receivedAt: at, cycleStart, bytes: risenBytes, subClientId, planId })
      sums.set(key, known + risenBytes)
    }
    if (isCurrent) sim = { ...sim, ...countersOf(sim, usage, isSameCycle, known + risenBytes), cycleStart, cycleEnd, usageAt: at }
    addedBytes += risenBytes
  }
  return { addedBytes, sim }
}

function isOfCycle(sim: Sim, cycleStart: Date): boolean {
  return sim.cycleStart?.getTime() === cycleStart.getTime()
}

function countersOf(sim: Sim, { smsCount, sessionCount }: OperatorUsage, isSameCycle: boolean, cycleBytes: number) {
  const [smsBefore, sessionsBefore] = isSameCycle ? [sim.cycleSms, sim.cycleSessions] : [0, 0]
  return { cycleBytes, cycleSms: Math.max(smsBefore, smsCount ?? 0), cycleSessions: Math.max(sessionsBefore, sessionCount ?? 0) }
}
