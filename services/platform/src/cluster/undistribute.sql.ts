// The way back from a cluster: everything that `distribute` spread and replaced is on the one PostgreSQL of the coordinator again, as if it had never been
// spread. By the owner, while no process of the service runs. It is one transaction, so that one that is killed has changed nothing and is run again.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectUnfinishedNodes } from './cluster-state.sql.ts'
import { isDistributed } from './is-distributed.sql.ts'
import { ClusterObstacles, findObstaclesOfReturn } from './obstacles.sql.ts'
import { withOwnerSession } from './owner-session.ts'
import { createPlainSchema, dropPlainSchema, type PlainTable, replaceByPlainTable } from './plain-table.sql.ts'
import { usePoliciesOfOnePostgres } from './policies.sql.ts'
import { SPREAD_TABLES, WRITTEN_WHEN_SPREAD, withPartitions } from './spread-tables.sql.ts'

export type Returned = {
  /** None when nothing was spread. */
  readonly tables: readonly PlainTable[]
  /** Addresses of nodes that have still to remove what they had: they went away just before the end, which Citus makes up for. */
  readonly unfinished: readonly string[]
}

/**
 * Returns what came back. `drain`: does what `reading_effects` asks for, until nothing is left there. Rejects with
 * `ClusterObstacles`, having changed nothing, where something is in the way.
 */
export async function undistribute(ownerUrl: string, { drain }: { drain: () => Promise<void> }): Promise<Returned> {
  return await withOwnerSession(ownerUrl, async (db) => {
    const spread = await selectSpreadTables(db)
    if (spread.length > 0) {
      const obstacles = await findObstaclesOfReturn(db, spread)
      if (obstacles.length > 0) throw new ClusterObstacles(obstacles)
      await drain()
    } else {
      // The one before committed it all. What a node has not yet removed there holds locks that a repetition would wait for.
      const unfinished = await selectUnfinishedNodes(db)
      if (unfinished.length > 0) return { tables: [], unfinished }
    }
    await db.query(`begin; set local citus.multi_shard_modify_mode = 'sequential'`)
    try {
      const tables = await bringBack(db, spread)
      await putBack(db)
      await db.query('commit')
      return { tables, unfinished: await selectUnfinishedNodes(db) }
    } catch (error) {
      // A session that is gone has rolled back by itself; the first error is the one to report.
      await db.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

async function selectSpreadTables(db: Db): Promise<string[]> {
  const spread: string[] = []
  for (const table of SPREAD_TABLES) if (await isDistributed(db, table)) spread.push(table)
  return spread
}

async function bringBack(db: Db, spread: readonly string[]): Promise<PlainTable[]> {
  if (spread.length === 0) return []
  // Changes nothing: as `distribute` did, so that the owner sees every row. But it locks the shards on all nodes to the end, also for those who write to them directly.
  for (const table of await withPartitions(db, spread)) await db.query(`alter table ${table} no force row level security`)
  await refuseLateEffects(db)
  await dropDetached(db)
  await createPlainSchema(db)
  const tables: PlainTable[] = []
  for (const table of spread) tables.push(await replaceByPlainTable(db, table, WRITTEN_WHEN_SPREAD[table] ?? {}))
  await dropPlainSchema(db)
  return tables
}

/** What `distribute` replaced or added beside the tables. */
async function putBack(db: Db): Promise<void> {
  // After the rows, whose sources are known.
  await db.query(
    `create or replace trigger latest_states_first_heard after insert on latest_states for each row
       when (new.vehicle_id is not null) execute function remember_vehicle_source()`,
  )
  await usePoliciesOfOnePostgres(db)
  await db.query('drop function if exists hold_shard(bigint)')
  await db.query('alter role roadworthy_app reset citus.propagate_set_commands')
}

/** Those that a process wrote which was started after the others were drained. */
async function refuseLateEffects(db: Db): Promise<void> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from reading_effects')
  const count = rows[0]?.count ?? 0
  if (count === 0) return
  const what = `${count} rows of what follows readings were written meanwhile.`
  throw new ClusterObstacles([{ what, fix: 'Stop every process of the service, and the pooler, and repeat this.' }])
}

/** Partitions past their retention, which housekeeping took out of their table and would drop next. Nobody sees their rows any more. */
async function dropDetached(db: Db): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where not c.relispartition and starts_with(c.relname, 'readings_')
        and p.colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'public.readings'::regclass)`,
  )
  for (const { name } of rows) await db.query(`drop table ${name}`)
}
