// What of a database decides whether it can be upgraded now. Reads the catalogue only.

import { APP_ROLE, type Db, SYSTEM_ROLE } from '@roadworthy/service-kit/postgres/db'
import type pg from 'pg'

export type TableSize = { readonly table: string; readonly bytes: number; readonly rows: number; readonly isEstimated: boolean }

/** Below this the rows are counted; above it PostgreSQL's own estimate is taken, which costs nothing. */
const COUNTED_BYTES = 64 * 1024 ** 2

/** With partitions, indexes and what is stored out of line. Tables that there are not are left out. */
export async function selectTableSizes(client: pg.Client, tables: readonly string[]): Promise<TableSize[]> {
  const { rows } = await client.query<{ table: string; quoted: string; bytes: number; estimate: number }>(
    `select t.name as table, t.oid::regclass::text as quoted, sum(pg_total_relation_size(p.relid))::float8 as bytes,
            sum(greatest(c.reltuples, 0)) filter (where p.isleaf)::float8 as estimate
       from (select name, to_regclass(format('public.%I', name)) as oid from unnest($1::text[]) as name) t
       cross join lateral (select relid, isleaf from pg_partition_tree(t.oid)
                           union select t.oid, true where not exists (select from pg_partition_tree(t.oid))) p
       join pg_class c on c.oid = p.relid
      where t.oid is not null
      group by 1, 2 order by 3 desc`,
    [tables],
  )
  const sizes: TableSize[] = []
  for (const { table, quoted, bytes, estimate } of rows) {
    const isEstimated = bytes > COUNTED_BYTES
    sizes.push({ table, bytes, isEstimated, rows: isEstimated ? estimate : await countRows(client, quoted) })
  }
  return sizes
}

async function countRows(client: pg.Client, quoted: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::float8 as count from ${quoted}`)
  return rows[0]?.count ?? 0
}

/** Of the service's processes, its pools and its background tasks. */
export async function countServiceSessions(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and usename = any ($1)',
    [[APP_ROLE, SYSTEM_ROLE]],
  )
  return rows[0]?.count ?? 0
}

/** Where the server keeps its files; undefined where this account may not know. */
export async function findServerFolder(client: Db): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
    return rows[0]?.folder
  } catch (error) {
    if ((error as { code?: unknown }).code === '42501') return undefined
    throw error
  }
}
