import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { MonthUtc } from '../limits/plans.ts'

/** A limit and how much of it is used. `subClientId` is '' for a quota of the reseller's plan. */
export type UsedLimit = {
  readonly subClientId: string
  readonly meter: string
  readonly limit: number
  readonly used: number
}

export type PlanQuota = { readonly plan: string; readonly meter: string; readonly quota: number }

/**
 * Limits on what these sub-clients used, and quotas of the reseller's plan on what any of it is, of which at least `fromPercent` is used this
 * month: sealed and folded, which what the sealer has just looked at is.
 */
export async function selectUsedLimitsAcrossResellers(
  db: Db,
  resellerId: string,
  used: readonly { subClientId: string; meter: string }[],
  { month, quotas, fromPercent }: { month: MonthUtc; quotas: readonly PlanQuota[]; fromPercent: number },
): Promise<UsedLimit[]> {
  const { rows } = await db.query<UsedLimitRow>(
    `with recursive used as (
       select * from unnest($2::text[], $3::text[]) as u (sub_client_id, meter)
     ), buckets as (
       (select bucket from usage_entries where reseller_id = $1 and folded and bucket >= $5 and bucket < $6 order by bucket limit 1)
       union all
       select (select e.bucket from usage_entries e
                where e.reseller_id = $1 and e.folded and e.bucket > b.bucket and e.bucket < $6 order by e.bucket limit 1)
         from buckets b
        where b.bucket is not null
     ), limits as (
       select s.sub_client_id, u.meter, case u.meter when 'points_ingested' then s.max_readings_per_month else s.max_predictions_per_month end as "limit"
         from used u
        cross join lateral (select * from sub_clients s where s.reseller_id = $1 and s.sub_client_id = u.sub_client_id offset 0) s
        where u.meter in ('points_ingested', 'predictions')
     ), sums as (
       select l.sub_client_id, l.meter, l."limit",
              coalesce((select m.count from usage_months m
                         where m.reseller_id = $1 and m.meter = l.meter and m.month = $4::date and m.sub_client_id = l.sub_client_id), 0)
                + coalesce((select sum(e.count)
                              from buckets b
                             cross join lateral (select e.count from usage_entries e
                                                  where e.reseller_id = $1 and e.folded and e.bucket = b.bucket and e.meter = l.meter
                                                    and e.sub_client_id = l.sub_client_id offset 0) e), 0) as used
         from limits l
        where l."limit" > 0
       union all
       select '', q.meter, q.quota,
              coalesce((select sum(m.count) from usage_months m where m.reseller_id = $1 and m.meter = q.meter and m.month = $4::date), 0)
                + coalesce((select sum(e.count)
                              from buckets b
                             cross join lateral (select e.count from usage_entries e
                                                  where e.reseller_id = $1 and e.folded and e.bucket = b.bucket and e.meter = q.meter offset 0) e), 0)
         from resellers r
         join unnest($7::text[], $8::text[], $9::bigint[]) as q (plan, meter, quota) on q.plan = r.plan
        where r.reseller_id = $1 and q.quota > 0 and q.meter in (select meter from used)
     )
     select sub_client_id, meter, "limit"::float8 as "limit", used::float8 as used
       from sums
      where used * 100 >= "limit" * $10
      order by sub_client_id, meter`,
    [
      resellerId,
      used.map(({ subClientId }) => subClientId),
      used.map(({ meter }) => meter),
      month.from,
      month.fromInstant,
      month.untilInstant,
      quotas.map(({ plan }) => plan),
      quotas.map(({ meter }) => meter),
      quotas.map(({ quota }) => quota),
      fromPercent,
    ],
  )
  return rows.map(({ sub_client_id, ...rest }) => ({ subClientId: sub_client_id, ...rest }))
}

/** The devices of up to `limit` sub-clients that have a limit on them, by id from the one after `after`; and notes which was the last. */
export async function selectDeviceLimitsAcrossResellers(db: Db, resellerId: string, after: string, limit: number): Promise<UsedLimit[]> {
  const { rows } = await db.query<UsedLimitRow>(
    `with next as (
       select sub_client_id, max_devices
         from sub_clients
        where reseller_id = $1 and max_devices > 0 and sub_client_id > $2
        order by sub_client_id
        limit $3
     ), noted as (
       -- fewer than could be: those were the last, and it begins again
       update usage_turns
          set devices_after = (select case when count(*) < $3 then '' else max(sub_client_id) end from next)
        where reseller_id = $1
     )
     select n.sub_client_id, 'devices' as meter, n.max_devices::float8 as "limit", d.count::float8 as used
       from next n
      cross join lateral (select count(*) from devices d
                           where d.reseller_id = $1 and d.sub_client_id = n.sub_client_id and d.status <> 'decommissioned') d
      order by n.sub_client_id`,
    [resellerId, after, limit],
  )
  return rows.map(({ sub_client_id, ...rest }) => ({ subClientId: sub_client_id, ...rest }))
}

export type ReachedThreshold = UsedLimit & { readonly thresholdPercent: number }

/** Notes the thresholds as published, and returns those that had not been, in the order given. */
export async function insertPublishedThresholdsAcrossResellers(
  db: Db,
  resellerId: string,
  reached: readonly ReachedThreshold[],
  month: MonthUtc,
): Promise<ReachedThreshold[]> {
  const { rows } = await db.query<{ sub_client_id: string; meter: string; threshold_percent: number }>(
    `insert into usage_thresholds (reseller_id, sub_client_id, meter, month, threshold_percent)
     select $1, r.sub_client_id, r.meter, $5::date, r.threshold_percent
       from unnest($2::text[], $3::text[], $4::int[]) as r (sub_client_id, meter, threshold_percent)
     on conflict do nothing
     returning sub_client_id, meter, threshold_percent`,
    [
      resellerId,
      reached.map(({ subClientId }) => subClientId),
      reached.map(({ meter }) => meter),
      reached.map(({ thresholdPercent }) => thresholdPercent),
      month.from,
    ],
  )
  const isNew = new Set(rows.map((row) => `${row.sub_client_id} ${row.meter} ${row.threshold_percent}`))
  return reached.filter((each) => isNew.has(`${each.subClientId} ${each.meter} ${each.thresholdPercent}`))
}

type UsedLimitRow = { sub_client_id: string; meter: string; limit: number; used: number }
