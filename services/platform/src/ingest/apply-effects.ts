// Does what else follows readings that are on several nodes (`reading_effects`): counts them in the ledger, and notes the alarms of devices. On one
// PostgreSQL ingest does it in the transaction of the readings, and there is nothing here.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { selectNodeShardsAcrossResellers } from '../cluster/reach.sql.ts'
import { type ClusterReach, findNode, type Reach } from '../cluster/reach.ts'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { foldAlarms } from '../readings/alarm.ts'
import { upsertAlarms } from '../readings/alarms.sql.ts'
import {
  type FoundEffect,
  findEffectsAcrossResellers,
  insertActiveDaysAcrossResellers,
  takeEffectsAcrossResellers,
} from '../readings/effects.sql.ts'
import { selectShardsAcrossResellers } from './shards.read.sql.ts'

const MAX_EFFECTS = 1_000
/** Of one group there are few, and what is counted is shown this late. */
const EVERY_MS = 250
const RETRY_MS = 1_000
/** A PostgreSQL may become a cluster while no process runs, and never otherwise. */
const ON_ONE_NODE_MS = 3_600_000

/**
 * Up to a thousand, each once. Answers how many. Those of each node are done in a transaction of their own; where one fails, those of the others are done all the same.
 * `reach`: of these nodes only.
 */
export async function applyEffects(database: Database, reach?: Reach): Promise<number> {
  const nodes = reach?.nodes ?? (await selectNodeShardsAcrossResellers(database.systemPool))
  if (nodes === undefined) return 0
  const found = await findEffectsAcrossResellers(database.systemPool, MAX_EFFECTS, reach)
  let count = 0
  let failure: unknown
  for (const [node, effects] of Map.groupBy(found, ({ source_id: sourceId }) => findNode(nodes, sourceId))) {
    try {
      count += await applyEffectsOf(database, node === undefined ? '' : `${node.host}:${node.port}`, effects)
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return count
}

async function applyEffectsOf(database: Database, address: string, found: readonly FoundEffect[]): Promise<number> {
  return await database.system(async (db) => {
    const { count, usage, activeDays, alarms } = await takeEffectsAcrossResellers(db, address, found)
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

/** While a node of a cluster is away, what follows the readings of the others is done. */
export function startApplyingEffects(database: Database, reached: ClusterReach, onError: (error: unknown) => void): Rounds {
  const round = async () => {
    if ((await selectShardsAcrossResellers(database.systemPool)) === undefined) return ON_ONE_NODE_MS
    return (await reached.run((reach) => applyEffects(database, reach))) === MAX_EFFECTS ? 0 : EVERY_MS
  }
  return startRounds(round, RETRY_MS, onError)
}
