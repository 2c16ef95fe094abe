import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { MonthUtc } from '../limits/plans.ts'

type UsedLimit = { readonly limit: number | undefined; readonly used: number }

export type SubClientLimits = {
  readonly subClientId: string
  readonly name: string
  readonly createdAt: Date
  readonly usedPercent: number
  readonly devices: UsedLimit
  readonly readings: UsedLimit
  readonly predictions: UsedLimit
}

export type LimitsFilter = { readonly subClientId: string | undefined; readonly minUsedPercent: number }

/** A limit of 0 is at its end from the start. */
const percentOf = (limit: string, used: string) =>
  `case when ${limit} is null then 0 when ${limit} = 0 then 100 else floor(${used} * 100.0 / ${limit}) end`

/**
 * Sub-clients that have a limit, with what of it is used: devices now, readings and predictions in the month, sealed or not. How many there are in all
 * is counted with them. One more than the page holds, so that the caller knows whether another follows.
 */
export async function selectLimits(
  db: Db,
  resellerId: string,
  { subClientId, minUsedPercent }: LimitsFilter,
  month: MonthUtc,
  page: PageRequest,
): Promise<{ total: number; limits: SubClientLimits[] }> {
  const { rows } = await db.query<LimitsRow>(
    `with limited as materialized (
       select s.sub_client_id, s.name, s.created_at, s.max_devices, s.max_readings_per_month, s.max_predictions_per_month
         from sub_clients s
        where s.reseller_id = $1 and ($2::text is null or s.sub_client_id = $2)
          and (s.max_devices is not null or s.max_readings_per_month is not null or s.max_predictions_per_month is not null)
     ), counted as (
       select c.sub_client_id,
              sum(c.count) filter (where c.meter = 'points_ingested') as readings,
              sum(c.count) filter (where c.meter = 'predictions') as predictions
         from (select m.sub_client_id, m.meter, m.count
                 from usage_months m
                where m.reseller_id = $1 and m.month = $3::date and m.meter in ('points_ingested', 'predictions')
                union all
               select e.sub_client_id, e.meter, e.count
                 from usage_entries e
                where e.reseller_id = $1 and not e.folded and e.bucket >= $4 and e.bucket < $5 and e.meter in ('points_ingested', 'predictions')
                union all
               select e.sub_client_id, e.meter, e.count
                 from usage_entries e
                where e.reseller_id = $1 and e.folded and e.bucket >= $4 and e.bucket < $5 and e.meter in ('points_ingested', 'predictions')) c
         join limited using (sub_client_id)
        group by c.sub_client_id
     ), used as (
       select l.*, d.count as devices, coalesce(c.readings, 0) as readings, coalesce(c.predictions, 0) as predictions
         from limited l
         left join counted c using (sub_client_id)
        cross join lateral (
          select count(*) as count from devices d
           where d.reseller_id = $1 and d.sub_client_id = l.sub_client_id and d.status <> 'decommissioned') d
     ), shares as (
       select u.*,
              greatest(${percentOf('u.max_devices', 'u.devices')}, ${percentOf('u.max_readings_per_month', 'u.readings')},
                       ${percentOf('u.max_predictions_per_month', 'u.predictions')})::float8 as used_percent
         from used u
     ), wanted as materialized (
       select * from shares where used_percent >= $6
     )
     select (select count(*) from wanted)::float8 as total, p.*
       from (values (1)) as one
       left join lateral (
         select w.sub_client_id, w.name, w.created_at, w.used_percent,
                w.max_devices::float8 as max_devices, w.devices::float8 as devices,
                w.max_readings_per_month::float8 as max_readings, w.readings::float8 as readings,
                w.max_predictions_per_month::float8 as max_predictions, w.predictions::float8 as predictions
           from wanted w
          where (w.created_at, w.sub_client_id) > ($7::timestamptz, $8)
          order by w.created_at, w.sub_client_id
          limit $9) p on true`,
    [
      ...[resellerId, subClientId ?? null, month.from, month.fromInstant, month.untilInstant, minUsedPercent],
      ...[page.after.at, page.after.id, page.limit + 1],
    ],
  )
  return { total: rows[0]?.total ?? 0, limits: rows.flatMap((row) => (row.sub_client_id === null ? [] : [limitsFromRow(row)])) }
}

type Row = {
  total: number
  sub_client_id: string
  name: string
  created_at: Date
  used_percent: number
  max_devices: number | null
  devices: number
  max_readings: number | null
  readings: number
  max_predictions: number | null
  predictions: number
}
/** A page without rows is one that holds the total alone. */
type LimitsRow = Row | { total: number; sub_client_id: null }

function limitsFromRow(row: Row): SubClientLimits {
  return {
    subClientId: row.sub_client_id,
    name: row.name,
    createdAt: row.created_at,
    usedPercent: row.used_percent,
    devices: { limit: row.max_devices ?? undefined, used: row.devices },
    readings: { limit: row.max_readings ?? undefined, used: row.readings },
    predictions: { limit: row.max_predictions ?? undefined, used: row.predictions },
  }
}
