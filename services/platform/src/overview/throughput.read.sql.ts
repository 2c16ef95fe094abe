// How many readings came in, by quarter-hours of the ledger, which has them counted already.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'

/** By the start of the quarter-hour in milliseconds; those without readings are left out. Sealed or not. */
export async function selectReadingCounts(db: Db, { resellerId, subClientPin }: Viewer, from: Date): Promise<ReadonlyMap<number, number>> {
  const ofChain = 'e.reseller_id = $1 and ($2::text is null or e.sub_client_id = $2) and e.bucket >= $3'
  const { rows } = await db.query<{ bucket: Date; count: number }>(
    `select u.bucket, sum(u.count)::float8 as count
       from (select l.meter, l.bucket, l.count
               from usage_chains c
               join usage_lines l using (reseller_id, sub_client_id)
              where c.reseller_id = $1 and ($2::text is null or c.sub_client_id = $2) and l.bucket >= $3
              union all
             select e.meter, e.bucket, e.count from usage_entries e where ${ofChain} and not e.folded
              union all
             select e.meter, e.bucket, e.count from usage_entries e where ${ofChain} and e.folded) u
      where u.meter = 'points_ingested'
      group by u.bucket`,
    [resellerId, subClientPin ?? null, from],
  )
  return new Map(rows.map(({ bucket, count }) => [bucket.getTime(), count]))
}
