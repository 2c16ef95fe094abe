import type { Db } from '@roadworthy/service-kit/postgres/db'
import { SPREAD_TABLES } from './spread-tables.sql.ts'

export async function selectWorkers(db: Db): Promise<{ host: string; port: number }[]> {
  const { rows } = await db.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid <> 0 order by groupid`,
  )
  return rows
}

/** To the end of the transaction. 7: ExclusiveLock, as a move of a shard takes; writes take ShareLock (`hold_shard`). */
export async function lockShards(db: Db): Promise<void> {
  await db.query(
    `select lock_shard_metadata(7, array(select shardid from pg_dist_shard where logicalrelid = any ($1::regclass[]) order by 1))`,
    [SPREAD_TABLES],
  )
}

export async function countWaitingEffects(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from reading_effects')
  return rows[0]?.count ?? 0
}

/** Transactions of several nodes that are prepared and not decided, on all of them. */
export async function selectAllPrepared(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select coalesce(sum(result::int), 0)::int as count
       from run_command_on_all_nodes('select count(*) from pg_prepared_xacts where database = current_database()')`,
  )
  return rows[0]?.count ?? 0
}
