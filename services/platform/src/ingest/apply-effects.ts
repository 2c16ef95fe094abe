// Does what else follows readings that are on several nodes (`reading_effects`): counts them in the ledger, and notes the alarms of devices. On one
// PostgreSQL ingest does it in the transaction of the readings, and there is nothing here.

import type { Database } from '@roadworthy/service-kit/db'
import { type Rounds, startRounds } from '@roadworthy/service-kit/rounds'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { foldAlarms } from '../readings/alarm.ts'
import { upsertAlarms } from '../readings/alarms.sql.ts'
import { insertActiveDaysAcrossResellers, takeEffectsAcrossResellers } from '../readings/effects.sql.ts'
import { selectShardsAcrossResellers } from './shards.read.sql.ts'

const MAX_EFFECTS = 1_000
/** Of one group there are few, and what is counted is shown this late. */
const EVERY_MS = 250
const RETRY_MS = 1_000
/** A PostgreSQL may become a cluster while no process runs, and never otherwise. */
const ON_ONE_NODE_MS = 3_600_000

/** Up to a thousand, in one transaction of all nodes: each once. Answers how many. */
export async function applyEffects(database: Database): Promise<number> {
  return await database.system(async (db) => {
    const { count, usage, activeDays, alarms } = await takeEffectsAcrossResellers(db, MAX_EFFECTS)
    const active = activeDays.length === 0 ? [] : await insertActiveDaysAcrossResellers(db, activeDays)
    if (usage.length + active.length > 0) await insertUsageAcrossResellers(db, [...usage, ...active])
    if (alarms.length > 0) await upsertAlarms(db, foldAlarms(alarms))
    return count
  })
}

/** Until none is left. Where they are not written any more: a process that goes on writing would keep it busy. */
export async function applyAllEffects(database: Database): Promise<void> {
  while ((await applyEffects(database)) > 0);
}

export function startApplyingEffects(database: Database, onError: (error: unknown) => void): Rounds {
  const round = async () => {
    if ((await selectShardsAcrossResellers(database.systemPool)) === undefined) return ON_ONE_NODE_MS
    return (await applyEffects(database)) === MAX_EFFECTS ? 0 : EVERY_MS
  }
  return startRounds(round, RETRY_MS, onError)
}
