import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Takes some pages of the database's disk for as long as the transaction lasts. Whether the database takes writes at all. */
export async function tryToWrite(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ read_only: boolean }>(`select current_setting('transaction_read_only') = 'on' as read_only`)
  if (rows[0]?.read_only !== false) return false
  // 20,000 rows are 0.7 MB, more than the free rest of any page.
  await db.query('create temporary table write_probe on commit drop as select n from generate_series(1, 20000) n')
  return true
}
