import type { Db } from '@roadworthy/service-kit/postgres/db'
import { foldedBuckets } from './folded-buckets.sql.ts'
import type { MonthUtc } from './plans.ts'

/** `subClientId` is '' where the thing counted belongs to none; `bucket` is the quarter-hour in which it was received. */
export type UsageCount = { resellerId: string; subClientId: string; meter: string; bucket: Date; count: number }

/** Of all sub-clients of the reseller, or of the one named. */
export type UsageScope = { readonly resellerId: string; readonly meter: string; readonly subClientId?: string | undefined }

export async function insertUsageAcrossResellers(db: Db, counts: readonly UsageCount[]): Promise<void> {
  await db.query(
    {
      name: 'insert_usage',
      text: `insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count)
             select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[])`,
    },
    [
      counts.map((each) => each.resellerId),
      counts.map((each) => each.subClientId),
      counts.map((each) => each.meter),
      counts.map((each) => each.bucket),
      counts.map((each) => each.count),
    ],
  )
}

/** What was used of a meter in a month, sealed or not, in the order asked for. */
export async function selectUsedAcrossResellers(db: Db, wanted: readonly UsageScope[], month: MonthUtc): Promise<number[]> {
  const { rows } = await db.query<{ used: number }>(
    {
      name: 'select_used',
      text: `select (coalesce((
               select sum(m.count)
                 from usage_months m
                where m.reseller_id = w.reseller_id and m.meter = w.meter and m.month = $4::date
                  and (w.sub_client_id is null or m.sub_client_id = w.sub_client_id)
             ), 0) + coalesce((
               -- what the sealer has not folded yet, a few seconds' worth
               select sum(e.count)
                 from usage_entries e
                where e.reseller_id = w.reseller_id and not e.folded and e.bucket >= $5 and e.bucket < $6 and e.meter = w.meter
                  and (w.sub_client_id is null or e.sub_client_id = w.sub_client_id)
             ), 0) + coalesce((
               select sum(f.count)
                 from ${foldedBuckets({ resellerId: 'w.reseller_id', from: '$5', until: '$6' })} b
                cross join lateral (
                  select e.count
                    from usage_entries e
                   where e.reseller_id = w.reseller_id and e.folded and e.bucket = b.bucket and e.meter = w.meter
                     and e.sub_client_id = w.sub_client_id
                  union all
                  select e.count
                    from usage_entries e
                   where w.sub_client_id is null and e.reseller_id = w.reseller_id and e.folded and e.bucket = b.bucket and e.meter = w.meter
                ) f
             ), 0))::float8 as used
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (reseller_id, meter, sub_client_id, position)
      order by position`,
    },
    [
      wanted.map((each) => each.resellerId),
      wanted.map((each) => each.meter),
      wanted.map((each) => each.subClientId ?? null),
      month.from,
      month.fromInstant,
      month.untilInstant,
    ],
  )
  return rows.map((row) => row.used)
}

/**
 * Counts as much of `take.count` as every one of the quotas has left. Call in a transaction: the lock makes those who take from the same
 * quota wait for each other until it ends.
 */
export async function takeFromQuotas(
  db: Db,
  take: UsageCount,
  quotas: readonly { readonly scope: UsageScope; readonly quota: number }[],
  month: MonthUtc,
): Promise<{ granted: number; used: number[] }> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`quota ${take.resellerId} ${take.meter}`])
  const used = await selectUsedAcrossResellers(
    db,
    quotas.map(({ scope }) => scope),
    month,
  )
  const left = quotas.map(({ quota }, i) => quota - (used[i] ?? 0))
  const granted = Math.max(0, Math.min(take.count, ...left))
  if (granted > 0) await insertUsageAcrossResellers(db, [{ ...take, count: granted }])
  return { granted, used: used.map((each) => each + granted) }
}
