// Asks nodes of a cluster one by one, so that one that is away does not keep the others from answering: a statement on a spread table is of all nodes or fails.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import pg from 'pg'
import { isDistributed } from './is-distributed.sql.ts'

export type NodeShards = {
  readonly host: string
  readonly port: number
  /** `from`, `to`: of the hash of a source, the last included. */
  readonly shards: readonly { readonly from: number; readonly to: number; readonly latestStates: string; readonly effects: string }[]
}

/** A node answers in milliseconds. It is set in the session only where it is asked one by one. */
const CONNECT_WITHIN = '1s'

/** What each node has of the spread tables; undefined on one PostgreSQL. */
export async function selectNodeShardsAcrossResellers(db: Db): Promise<NodeShards[] | undefined> {
  if (!(await isDistributed(db, 'latest_states'))) return undefined
  const { rows } = await db.query<NodeRow>(
    `select n.nodename as host, n.nodeport as port,
            jsonb_agg(jsonb_build_object('from', l.shardminvalue::int, 'to', l.shardmaxvalue::int, 'latestStates', 'latest_states_' || l.shardid,
                                         'effects', 'reading_effects_' || e.shardid)) as shards
       from pg_dist_shard l
       join pg_dist_shard e on e.logicalrelid = 'reading_effects'::regclass and e.shardminvalue = l.shardminvalue
       join pg_dist_placement p on p.shardid = l.shardid
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where l.logicalrelid = 'latest_states'::regclass
      group by n.nodename, n.nodeport
      order by n.nodename, n.nodeport`,
  )
  return rows
}

type NodeRow = { host: string; port: number; shards: NodeShards['shards'] }

/** Whether each of them answers, in their order. Call in a transaction. */
export async function selectWhetherNodesAnswer(db: Db, nodes: readonly NodeShards[]): Promise<boolean[]> {
  await db.query(`set local citus.node_connection_timeout = '${CONNECT_WITHIN}'`)
  const { rows } = await db.query<{ host: string; port: number; success: boolean }>(
    'select node_name as host, node_port as port, success from master_run_on_worker($1::text[], $2::int[], $3::text[], true)',
    [nodes.map(({ host }) => host), nodes.map(({ port }) => port), nodes.map(() => 'select 1')],
  )
  const answering = new Set(rows.filter(({ success }) => success).map(({ host, port }) => `${host}:${port}`))
  return nodes.map(({ host, port }) => answering.has(`${host}:${port}`))
}

export type ShardsQuery = {
  readonly nodes: readonly NodeShards[]
  readonly table: 'latestStates' | 'effects'
  /** What is asked of the table of each shard, with `$1` and so on for the values. */
  readonly ofShard: (table: string) => string
  readonly values: readonly (string | number)[]
  /** Of what is asked, as in `json_to_recordset`. */
  readonly columns: string
  /** Of all of it: order and limit. */
  readonly end: string
}

/** Rows of the shards of these nodes. Rejects where one of them refuses it, or has gone away since. */
export async function selectOfShards<R extends Record<string, unknown>>(db: Db, query: ShardsQuery): Promise<R[]> {
  const { nodes, table, ofShard, values, columns, end } = query
  const commands = nodes.map(({ shards }) => {
    const all = shards.map((shard) => `(${withLiterals(ofShard(shard[table]), values)})`).join(' union all ')
    return `select coalesce(json_agg(r), '[]') from (${all}) r`
  })
  const { rows } = await db.query<R & { refusal: string | null }>(
    `select case when not m.success then format('%s:%s: %s', m.node_name, m.node_port, m.result) end as refusal, r.*
       from master_run_on_worker($1::text[], $2::int[], $3::text[], true) m
       left join lateral json_to_recordset(case when m.success then m.result::json else '[]' end) r (${columns}) on true
      where not (r.* is null) or not m.success
      ${end}`,
    [nodes.map(({ host }) => host), nodes.map(({ port }) => port), commands],
  )
  const refusal = rows.find((row) => row.refusal !== null)?.refusal
  if (refusal !== undefined) throw new Error(`a node of the cluster does not answer: ${refusal}`)
  return rows
}

/** A command to a node has no parameters. */
function withLiterals(sql: string, values: readonly (string | number)[]): string {
  return sql.replace(/\$(\d+)/g, (_, nth: string) => pg.escapeLiteral(String(values[Number(nth) - 1])))
}
