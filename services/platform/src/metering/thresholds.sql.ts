import type { Db } from '@roadworthy/service-kit/db'
import type { MonthUtc } from '../access/plans.ts'

/** A limit and how much of it is used. `subClientId` is '' for a quota of the reseller's plan. */
export type UsedLimit = {
  readonly resellerId: string
  readonly subClientId: string
  readonly meter: string
  readonly limit: number
  readonly used: number
}

export type PlanQuota = { readonly plan: string; readonly meter: string; readonly quota: number }

/**
 * Limits of which at least `fromPercent` is used this month, among the sub-clients and resellers that used something of them lately, which
 * is what has entries; and device limits of all sub-clients.
 */
export async function selectUsedLimitsAcrossResellers(
  db: Db,
  month: MonthUtc,
  quotas: readonly PlanQuota[],
  fromPercent: number,
): Promise<UsedLimit[]> {
  const { rows } = await db.query<UsedLimitRow>(
    `with lately as (
       select reseller_id, sub_client_id, meter, sum(count) as count
         from usage_entries
        where bucket >= $2 and bucket < $3
        group by reseller_id, sub_client_id, meter
     ), limits as (
       select l.reseller_id, l.sub_client_id, l.meter,
              case l.meter when 'points_ingested' then s.max_readings_per_month else s.max_predictions_per_month end as "limit",
              l.count + coalesce((select m.count from usage_months m
                                   where m.reseller_id = l.reseller_id and m.meter = l.meter and m.month = $1::date
                                     and m.sub_client_id = l.sub_client_id), 0) as used
         from lately l
         join sub_clients s using (reseller_id, sub_client_id)
        where l.meter in ('points_ingested', 'predictions')
       union all
       select l.reseller_id, '', l.meter, q.quota,
              sum(l.count) + coalesce((select sum(m.count) from usage_months m
                                        where m.reseller_id = l.reseller_id and m.meter = l.meter and m.month = $1::date), 0)
         from lately l
         join resellers r using (reseller_id)
         join unnest($4::text[], $5::text[], $6::bigint[]) as q (plan, meter, quota) on q.plan = r.plan and q.meter = l.meter
        group by l.reseller_id, l.meter, q.quota
       union all
       select s.reseller_id, s.sub_client_id, 'devices', s.max_devices,
              (select count(*) from devices d
                where d.reseller_id = s.reseller_id and d.sub_client_id = s.sub_client_id and d.status <> 'decommissioned')
         from sub_clients s
        where s.max_devices > 0
     )
     select reseller_id, sub_client_id, meter, "limit"::float8 as "limit", used::float8 as used
       from limits
      where "limit" > 0 and used * 100 >= "limit" * $7
      order by reseller_id, sub_client_id, meter`,
    [
      month.from,
      month.fromInstant,
      month.untilInstant,
      quotas.map(({ plan }) => plan),
      quotas.map(({ meter }) => meter),
      quotas.map(({ quota }) => quota),
      fromPercent,
    ],
  )
  return rows.map(({ reseller_id, sub_client_id, ...rest }) => ({ resellerId: reseller_id, subClientId: sub_client_id, ...rest }))
}

export type ReachedThreshold = UsedLimit & { readonly thresholdPercent: number }

/** Notes the thresholds as told, and answers those that had not been, in the order given. */
export async function insertToldThresholdsAcrossResellers(
  db: Db,
  reached: readonly ReachedThreshold[],
  month: MonthUtc,
): Promise<ReachedThreshold[]> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_id: string; meter: string; threshold_percent: number }>(
    `insert into usage_thresholds (reseller_id, sub_client_id, meter, month, threshold_percent)
     select r.reseller_id, r.sub_client_id, r.meter, $5::date, r.threshold_percent
       from unnest($1::text[], $2::text[], $3::text[], $4::int[]) as r (reseller_id, sub_client_id, meter, threshold_percent)
     on conflict do nothing
     returning reseller_id, sub_client_id, meter, threshold_percent`,
    [
      reached.map(({ resellerId }) => resellerId),
      reached.map(({ subClientId }) => subClientId),
      reached.map(({ meter }) => meter),
      reached.map(({ thresholdPercent }) => thresholdPercent),
      month.from,
    ],
  )
  const isNew = new Set(rows.map((row) => `${row.reseller_id} ${row.sub_client_id} ${row.meter} ${row.threshold_percent}`))
  return reached.filter((each) => isNew.has(`${each.resellerId} ${each.subClientId} ${each.meter} ${each.thresholdPercent}`))
}

type UsedLimitRow = { reseller_id: string; sub_client_id: string; meter: string; limit: number; used: number }
