import type { Db } from '@roadworthy/service-kit/postgres/db'
import { foldedBuckets } from '../limits/folded-buckets.sql.ts'
import type { MonthUtc } from '../limits/plans.ts'

export type ReadingLimit = { readonly resellerId: string; readonly subClientId: string; readonly max: number; readonly used: number }

/** The page begins after this one. */
export type PageStart = { readonly resellerId: string; readonly subClientId: string }

/**
 * Up to `limit` sub-clients with a limit on readings, from the one after `after`, and what each used of it this month, sealed or not. The time it
 * takes goes by that number and by what was used within seconds, not by what else there is.
 */
export async function selectReadingLimitsAcrossResellers(
  db: Db,
  month: MonthUtc,
  after: PageStart,
  limit: number,
): Promise<ReadingLimit[]> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_id: string; max: number; used: number }>(
    `with page as materialized (
       select reseller_id, sub_client_id, max_readings_per_month as max
         from sub_clients
        where max_readings_per_month is not null and (reseller_id, sub_client_id) > ($4, $5)
        order by reseller_id, sub_client_id
        limit $6
     ), owners as (
       select distinct reseller_id from page
     ), raw as (
       select e.reseller_id, e.sub_client_id, sum(e.count) as count
         from owners o
        cross join lateral (
          select * from usage_entries e
           where e.reseller_id = o.reseller_id and not e.folded and e.bucket >= $2 and e.bucket < $3 and e.meter = 'points_ingested'
          offset 0
        ) e
        group by e.reseller_id, e.sub_client_id
     ), buckets as (
       select o.reseller_id, b.bucket
         from owners o
        cross join lateral ${foldedBuckets({ resellerId: 'o.reseller_id', from: '$2', until: '$3' })} b
     ), folded as (
       select p.reseller_id, p.sub_client_id, sum(e.count) as count
         from page p
         join buckets b using (reseller_id)
        cross join lateral (
          select e.count from usage_entries e
           where e.reseller_id = p.reseller_id and e.folded and e.bucket = b.bucket and e.meter = 'points_ingested'
             and e.sub_client_id = p.sub_client_id
          offset 0
        ) e
        group by p.reseller_id, p.sub_client_id
     )
     select p.reseller_id, p.sub_client_id, p.max::float8 as max,
            (coalesce(r.count, 0) + coalesce(f.count, 0) + coalesce(m.count, 0))::float8 as used
       from page p
       left join raw r using (reseller_id, sub_client_id)
       left join folded f using (reseller_id, sub_client_id)
       left join lateral (
         select m.count from usage_months m
          where m.reseller_id = p.reseller_id and m.sub_client_id = p.sub_client_id and m.meter = 'points_ingested' and m.month = $1::date
         offset 0
       ) m on true
      order by p.reseller_id, p.sub_client_id`,
    [month.from, month.fromInstant, month.untilInstant, after.resellerId, after.subClientId, limit],
  )
  return rows.map(({ reseller_id, sub_client_id, max, used }) => ({ resellerId: reseller_id, subClientId: sub_client_id, max, used }))
}
