// Readings in PostgreSQL that go before their partition does.

import type { Db } from '@roadworthy/service-kit/postgres/db'

type ReadingKey = { readonly source_id: string; readonly recorded_at: string; readonly digest: Buffer }

/**
 * Deletes the readings of a reseller for which `condition` holds, `limit` at most, and answers how many. `condition` may use `$4` and on, which `values` are
 * for. Their keys first: on a cluster nothing is deleted by a join, and each node is asked for its own.
 */
export async function deleteReadingsOfSources(
  db: Db,
  { resellerId, sources }: { resellerId: string; sources: readonly string[] },
  { condition, values }: { condition: string; values: readonly unknown[] },
  limit: number,
): Promise<number> {
  const { rows: keys } = await db.query<ReadingKey>(
    `select source_id, recorded_at::text, digest
       from readings
      where source_id = any ($1) and reseller_id = $2 and ${condition}
      limit $3`,
    [sources, resellerId, limit, ...values],
  )
  if (keys.length === 0) return 0
  // The digest covers source, time and content, so that it alone identifies which reading of these sources is meant.
  const { rowCount } = await db.query(
    `delete from readings
      where source_id = any ($1) and reseller_id = $2 and recorded_at = any ($3::timestamptz[]) and digest = any ($4::bytea[])`,
    [[...new Set(keys.map((row) => row.source_id))], resellerId, keys.map((row) => row.recorded_at), keys.map((row) => row.digest)],
  )
  return rowCount ?? 0
}
