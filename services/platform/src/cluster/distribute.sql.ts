// Makes a migrated PostgreSQL with Citus a cluster that readings are spread over (ADR 0039). By the owner, once, while no process of the service runs; what is
// done already is passed over, so that it can be repeated after each release and after one that did not end.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isDistributed } from './is-distributed.sql.ts'
import { ClusterObstacles, findObstacles } from './obstacles.sql.ts'
import { withOwnerSession } from './owner-session.ts'
import { usePoliciesOfCluster } from './policies.sql.ts'
import { SPREAD_TABLES, withPartitions } from './spread-tables.sql.ts'

export type Distributed = {
  /** Tables that were distributed now; none when all were. */
  readonly tables: readonly string[]
  readonly shardCount: number
}

/**
 * Distributes what ingest writes over the nodes. `shardCount`: shards of each table; several for each node, so that they can be spread anew when nodes
 * are added. Rejects with `ClusterObstacles`, having changed nothing, where something is in the way.
 */
export async function distribute(ownerUrl: string, { shardCount }: { shardCount: number }): Promise<Distributed> {
  return await withOwnerSession(ownerUrl, async (db) => {
    const obstacles = await findObstacles(db)
    if (obstacles.length > 0) throw new ClusterObstacles(obstacles)
    await db.query(HOLD_SHARD)
    await grantSettings(db)
    await usePoliciesOfCluster(db)
    return { tables: await distributeTables(db, shardCount), shardCount: await countShards(db) }
  })
}

/** In one transaction: nobody meets readings that are distributed and states that are not. */
async function distributeTables(db: Db, shardCount: number): Promise<string[]> {
  const tables: string[] = []
  for (const table of SPREAD_TABLES) if (!(await isDistributed(db, table))) tables.push(table)
  if (tables.length === 0) return []
  await db.query(`begin; set local citus.multi_shard_modify_mode = 'sequential'`)
  try {
    // Nodes cannot write a table of the coordinator: ingest notes sources before it writes (`known-sources.ts`).
    await db.query('drop trigger if exists latest_states_first_heard on latest_states')
    // A shard is moved by logical replication, which takes no generated column in a key: ingest writes it (`readings.sql.ts`).
    await db.query(`alter table latest_states alter column vehicle_key drop expression if exists, alter column vehicle_key set default ''`)
    const closed = await takeClosingTriggers(db)
    const [first] = SPREAD_TABLES
    // What there is goes over by COPY, and a shard that is moved by logical replication, both as the owner, for whom no policy may hold then. The service
    // never is the owner.
    for (const table of await withPartitions(db, tables)) await db.query(`alter table ${table} no force row level security`)
    for (const table of tables) {
      await (table === first
        ? db.query(`select create_distributed_table($1, 'source_id', shard_count := $2)`, [table, shardCount])
        : db.query(`select create_distributed_table($1, 'source_id', colocate_with := $2)`, [table, first]))
    }
    for (const partition of closed) await db.query('select close_readings_partition($1)', [partition])
    await db.query('commit')
    return tables
  } catch (error) {
    await db.query('rollback')
    throw error
  }
}

/** Names of the partitions of weeks that are sealed. No trigger may be on what is spread, and the constraint that takes its place there would refuse their own rows while they are copied. */
async function takeClosingTriggers(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_inherits i on i.inhrelid = c.oid
      where t.tgname = 'sealed' and i.inhparent = 'public.readings'::regclass`,
  )
  for (const { name } of rows) await db.query(`drop trigger sealed on public.${name}`)
  return rows.map(({ name }) => name)
}

/**
 * Keeps a shard on this node to the end of the transaction; an error where it is not here. A transaction that writes the table of a shard by its own name
 * calls it first: a move of the shard waits for its lock.
 */
const HOLD_SHARD = `
create or replace function hold_shard(shard bigint) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
begin
  -- 5: ShareLock, as every write through Citus takes; a move takes ExclusiveLock
  perform lock_shard_metadata(5, array[shard]);
  if not exists (select from pg_dist_placement where shardid = shard and groupid = (select groupid from pg_dist_local_group)) then
    raise exception 'shard % is not on this node', shard using errcode = 'object_not_in_prerequisite_state';
  end if;
end $$;
revoke all on function hold_shard(bigint) from public;
grant execute on function hold_shard(bigint) to roadworthy_app, roadworthy_system`

/** Without it, what a transaction may see is set on the coordinator only, and the nodes show it nothing. */
async function grantSettings(db: Db): Promise<void> {
  await db.query(`alter role roadworthy_app set citus.propagate_set_commands = 'local'`)
}

async function countShards(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_dist_shard where logicalrelid = 'readings'::regclass`,
  )
  return rows[0]?.count ?? 0
}
