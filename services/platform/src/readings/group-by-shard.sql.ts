import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isDistributed } from '../cluster/is-distributed.sql.ts'

/**
 * In groups whose sources are on one shard each, always in the same order; in one group where readings are on one PostgreSQL. What changes latest states
 * does it group by group: Citus locks rows before they are changed (`for update`) only in a statement that is of one shard, and has statements that change
 * several shards wait for each other until their transactions end.
 */
export async function groupByShard<T extends { readonly sourceId: string }>(db: Db, ofSources: readonly T[]): Promise<T[][]> {
  const sourceIds = [...new Set(ofSources.map(({ sourceId }) => sourceId))]
  if (sourceIds.length === 0) return []
  const shards = sourceIds.length === 1 ? undefined : await selectShardIds(db, sourceIds)
  if (shards === undefined) return [[...ofSources]]
  return [...Map.groupBy(ofSources, ({ sourceId }) => shards.get(sourceId)).entries()]
    .sort(([a = 0], [b = 0]) => a - b)
    .map(([, group]) => group)
}

/** By source; undefined where readings are not spread over nodes. */
async function selectShardIds(db: Db, sourceIds: readonly string[]): Promise<ReadonlyMap<string, number> | undefined> {
  if (!(await isDistributed(db, 'latest_states'))) return undefined
  const { rows } = await db.query<{ source_id: string; shard_id: string }>(
    `select s.source_id, get_shard_id_for_distribution_column('latest_states', s.source_id)::text as shard_id
       from unnest($1::text[]) s (source_id)`,
    [sourceIds],
  )
  return new Map(rows.map((row) => [row.source_id, Number(row.shard_id)]))
}
