import type { Db } from '@roadworthy/service-kit/db'
import type { MonthUtc } from '../access/plans.ts'

export type ReadingLimit = { readonly resellerId: string; readonly subClientId: string; readonly max: number; readonly used: number }

/** The sub-clients with a limit on readings, and what each used of it this month, sealed or not. */
export async function selectReadingLimitsAcrossResellers(db: Db, month: MonthUtc): Promise<ReadingLimit[]> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_id: string; max: number; used: number }>(
    `with lately as (
       select reseller_id, sub_client_id, sum(count) as count
         from usage_entries
        where meter = 'points_ingested' and bucket >= $2 and bucket < $3
        group by reseller_id, sub_client_id
     )
     select s.reseller_id, s.sub_client_id, s.max_readings_per_month::float8 as max,
            (coalesce(l.count, 0) + coalesce(m.count, 0))::float8 as used
       from sub_clients s
       left join lately l using (reseller_id, sub_client_id)
       left join usage_months m on m.reseller_id = s.reseller_id and m.sub_client_id = s.sub_client_id
                               and m.meter = 'points_ingested' and m.month = $1::date
      where s.max_readings_per_month is not null`,
    [month.from, month.fromInstant, month.untilInstant],
  )
  return rows.map(({ reseller_id, sub_client_id, max, used }) => ({ resellerId: reseller_id, subClientId: sub_client_id, max, used }))
}
