import type { Db } from '@roadworthy/service-kit/postgres/db'

/** By `source_id`, together: what one reading writes is on one node. */
export const SPREAD_TABLES = ['readings', 'latest_states', 'reading_effects'] as const

/** Columns that PostgreSQL generates where tables are on one node, as the migrations have it, and that are written where they are spread: with their expressions. */
export const WRITTEN_WHEN_SPREAD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  latest_states: { vehicle_key: `coalesce(vehicle_id, '')` },
}

export function isOfSpread(table: string): boolean {
  return (SPREAD_TABLES as readonly string[]).includes(table)
}

/** Partitions behind the tables, oldest first. */
export async function withPartitions(db: Db, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = any ($1::regclass[]) order by 1`,
    [tables],
  )
  return [...tables, ...rows.map(({ name }) => name)]
}
