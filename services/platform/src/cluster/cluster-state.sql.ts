// What a cluster looks like, and where its shards are. By the owner.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { hasCitus, isDistributed } from './is-distributed.sql.ts'

export type ClusterNode = {
  readonly address: string
  readonly isCoordinator: boolean
  readonly isActive: boolean
  /** Groups of shards that are on it: a part of each distributed table. */
  readonly shardCount: number
  readonly bytes: number
}

export type ClusterTable = { readonly name: string; readonly shardCount: number; readonly bytes: number }

/** Undefined: readings are whole, on one PostgreSQL. */
export async function selectClusterNodes(db: Db): Promise<ClusterNode[] | undefined> {
  if (!(await isDistributed(db, 'readings'))) return undefined
  const { rows } = await db.query<{ host: string; port: number; groupid: number; isactive: boolean; shard_count: number; bytes: number }>(
    `select n.nodename as host, n.nodeport as port, n.groupid, n.isactive,
            (select count(*)::int from pg_dist_placement p join pg_dist_shard s using (shardid)
              where p.groupid = n.groupid and s.logicalrelid = 'readings'::regclass) as shard_count,
            (select coalesce(sum(c.shard_size), 0)::float8 from citus_shards c
              where c.nodename = n.nodename and c.nodeport = n.nodeport and c.citus_table_type = 'distributed') as bytes
       from pg_dist_node n
      where n.noderole = 'primary'
      order by n.groupid`,
  )
  return rows.map(({ host, port, groupid, isactive, shard_count, bytes }) => {
    return { address: `${host}:${port}`, isCoordinator: groupid === 0, isActive: isactive, shardCount: shard_count, bytes }
  })
}

/** The bytes of a table are those of its partitions too. */
export async function selectClusterTables(db: Db): Promise<ClusterTable[]> {
  const { rows } = await db.query<{ name: string; shard_count: number; bytes: number }>(
    `select coalesce(i.inhparent::regclass, s.table_name)::text as name,
            count(distinct s.shardid) filter (where i.inhparent is null)::int as shard_count, coalesce(sum(s.shard_size), 0)::float8 as bytes
       from citus_shards s
       left join pg_inherits i on i.inhrelid = s.table_name
      where s.citus_table_type = 'distributed'
      group by 1
      order by 1`,
  )
  return rows.map(({ name, shard_count: shardCount, bytes }) => ({ name, shardCount, bytes }))
}

/** About how many rows tables have on all nodes, by PostgreSQL's estimates, with those of partitions. */
export async function estimateClusterRows(db: Db, tables: readonly string[]): Promise<Map<string, number>> {
  const estimates = new Map<string, number>()
  for (const table of tables) {
    // Shards are named after the table, or after its partition, and numbered.
    const { rows } = await db.query<{ count: number }>(
      `select coalesce(sum(result::float8), 0)::float8 as count
         from run_command_on_all_nodes(format(
           $$select coalesce(sum(greatest(reltuples, 0)), 0) from pg_class where relkind = 'r' and relname ~ '^%s(_[0-9]{8})?_[0-9]+$'$$, $1::text))`,
      [table],
    )
    estimates.set(table, rows[0]?.count ?? 0)
  }
  return estimates
}

/** Addresses of nodes that do not answer, with the reason. */
export async function selectSilentNodes(db: Db): Promise<{ address: string; reason: string }[]> {
  const { rows } = await db.query<{ address: string; reason: string }>(
    `select format('%s:%s', n.nodename, n.nodeport) as address, r.result as reason
       from run_command_on_all_nodes('select 1') r join pg_dist_node n using (nodeid) where not r.success`,
  )
  return rows
}

/** Addresses of nodes on which a transaction of several nodes waits for its end, or that do not answer; none without Citus. */
export async function selectUnfinishedNodes(db: Db): Promise<string[]> {
  if (!(await hasCitus(db))) return []
  await db.query(`set citus.node_connection_timeout = '1s'`)
  const { rows } = await db.query<{ address: string }>(
    `select format('%s:%s', r.node_name, r.node_port) as address
       from (select array_agg(nodename order by groupid) as hosts, array_agg(nodeport order by groupid) as ports,
                    array_agg('select count(*) from pg_prepared_xacts where database = current_database()'::text) as commands
               from pg_dist_node where noderole = 'primary') n
      cross join lateral master_run_on_worker(n.hosts, n.ports, n.commands, true) r
      where not r.success or r.result <> '0'`,
  )
  await db.query('reset citus.node_connection_timeout')
  return rows.map(({ address }) => address)
}

/** Of transactions of several nodes, those that were prepared and wait to be decided, on the coordinator. */
export async function countPreparedTransactions(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from pg_prepared_xacts')
  return rows[0]?.count ?? 0
}

/** Shards that are on nodes which should have none, or of which a node has many more than another, are moved. Returns when all of them are. */
export async function rebalanceShards(db: Db, mode: 'auto' | 'block_writes'): Promise<void> {
  // Not as a parameter: its type is in a schema that the owner may not look into.
  await db.query(`select rebalance_table_shards(shard_transfer_mode := '${mode}')`)
}

/** How many moves that would be. */
export async function countMovesToBalance(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(distinct shardid)::int as count from get_rebalance_table_shards_plan()')
  return rows[0]?.count ?? 0
}

/** Whether what a tenant may see does not reach the nodes, so that its rows are hidden from it. As the role of the service. */
export async function hidesRowsOfTenants(db: Db): Promise<boolean> {
  if (!(await isDistributed(db, 'readings'))) return false
  const { rows } = await db.query<{ hides: boolean }>(`select current_setting('citus.propagate_set_commands') <> 'local' as hides`)
  return rows[0]?.hides ?? true
}
