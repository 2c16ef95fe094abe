// The partitions of readings that COPY may write.

import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Holds the readings recorded from `fromMs` on and before `toMs`. */
export type CopyPartition = { readonly name: string; readonly fromMs: number; readonly toMs: number }

/**
 * Oldest first, of the table of all readings, or of the one of a shard on its node. By functions, because Citus keeps the tables of shards out of `pg_class`. One that was made by a
 * version before is not among them: COPY refuses a table with policies.
 */
export async function selectCopyPartitions(db: Db, readings: string): Promise<CopyPartition[]> {
  const { rows } = await db.query<{ name: string; from_ms: number; to_ms: number }>(
    `select name, extract(epoch from bounds[1]::timestamptz)::float8 * 1000 as from_ms, extract(epoch from bounds[2]::timestamptz)::float8 * 1000 as to_ms
       from (select relid::regclass::text as name,
                    regexp_match(pg_get_partition_constraintdef(relid), $$recorded_at >= '([^']+)'.*recorded_at < '([^']+)'$$) as bounds
               from pg_partition_tree($1::regclass)
              where isleaf and not row_security_active(relid) and has_table_privilege(relid, 'insert')) p
      where bounds is not null
      order by bounds[1]::timestamptz`,
    [readings],
  )
  return rows.map(({ name, from_ms: fromMs, to_ms: toMs }) => ({ name, fromMs, toMs }))
}
