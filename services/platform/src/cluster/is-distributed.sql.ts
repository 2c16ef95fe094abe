import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Whether the table is spread over the nodes of a Citus cluster. */
export async function isDistributed(db: Db, table: string): Promise<boolean> {
  if (!(await hasCitus(db))) return false
  const found = await db.query(`select from pg_dist_partition where logicalrelid = to_regclass(format('public.%I', $1::text))`, [table])
  return found.rowCount === 1
}

export async function hasCitus(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(`select from pg_extension where extname = 'citus'`)
  return rowCount === 1
}
