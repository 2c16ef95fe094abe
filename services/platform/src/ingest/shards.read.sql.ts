// Where readings are: on the one PostgreSQL, or in shards on the nodes of a Citus cluster.

import type { Database, Db, NodeAddress } from '@roadworthy/service-kit/postgres/db'
import { isDistributed } from '../cluster/is-distributed.sql.ts'
import type { ReadingTables } from '../readings/readings.sql.ts'

export type Shard = {
  readonly shardId: string
  readonly node: NodeAddress
  readonly tables: ReadingTables
  /** Of the hash of a source, the last included. */
  readonly from: number
  readonly to: number
}

/** By their hashes, without a gap. Undefined: the tables are whole, on one PostgreSQL. */
export async function selectShardsAcrossResellers(db: Db): Promise<Shard[] | undefined> {
  if (!(await isDistributed(db, 'readings'))) return undefined
  const { rows } = await db.query<ShardRow>(
    `select s.shardid::text as shard_id, n.nodename as host, n.nodeport as port, s.shardminvalue::int as from, s.shardmaxvalue::int as to,
            l.shardid::text as latest_id, e.shardid::text as effects_id
       from pg_dist_shard s
       join pg_dist_placement p using (shardid)
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       join pg_dist_shard l on l.logicalrelid = 'latest_states'::regclass and l.shardminvalue = s.shardminvalue
       join pg_dist_shard e on e.logicalrelid = 'reading_effects'::regclass and e.shardminvalue = s.shardminvalue
      where s.logicalrelid = 'readings'::regclass
      order by s.shardminvalue::int`,
  )
  return rows.map(shardFromRow)
}

type ShardRow = { shard_id: string; host: string; port: number; from: number; to: number; latest_id: string; effects_id: string }

function shardFromRow({ shard_id: shardId, host, port, from, to, latest_id: latestId, effects_id: effectsId }: ShardRow): Shard {
  const tables = { readings: `readings_${shardId}`, latestStates: `latest_states_${latestId}`, effects: `reading_effects_${effectsId}` }
  return { shardId, node: { host, port }, tables, from, to }
}

/** The beginning of every transaction that writes the tables of shards: it fails where one is not on the node any more, and a move waits for it. */
export function holdShards(shards: readonly Shard[]): string {
  return `select ${holdsOf(shards)}`
}

function holdsOf(shards: readonly Shard[]): string {
  return shards.map(({ shardId }) => `hold_shard(${shardId})`).join(', ')
}

/** The same, and the transaction waits no longer than this for each of its locks. */
export function holdShardsBriefly(shards: readonly Shard[], lockWaitMs: number): string {
  return `select set_config('lock_timeout', '${lockWaitMs}', true), ${holdsOf(shards)}`
}

/** Rejects where the node does not answer. */
export async function askNode(database: Pick<Database, 'onNode'>, node: NodeAddress): Promise<void> {
  await database.onNode(node, 'select 1').tenantPool([]).query('select 1')
}
