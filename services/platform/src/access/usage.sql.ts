import type { Db } from '@roadworthy/service-kit/db'

/** `subClientId` is '' where the thing counted belongs to none; `day` is a UTC date. */
export type UsageCount = { resellerId: string; subClientId: string; meter: string; day: string; count: number }

type Month = { from: string; until: string }

export async function addUsageAcrossResellers(db: Db, counts: readonly UsageCount[]): Promise<void> {
  // In one order everywhere, so that processes wait for each other instead of deadlocking.
  const ordered = [...counts].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  await db.query(
    `insert into usage_counters as stored (reseller_id, sub_client_id, meter, day, count)
     select *
       from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::bigint[])
     on conflict (reseller_id, meter, day, sub_client_id) do update
       set count = stored.count + excluded.count`,
    [
      ordered.map((each) => each.resellerId),
      ordered.map((each) => each.subClientId),
      ordered.map((each) => each.meter),
      ordered.map((each) => each.day),
      ordered.map((each) => each.count),
    ],
  )
}

/** What each reseller used of a meter in a month, in the order asked for. */
export async function selectUsedAcrossResellers(
  db: Db,
  wanted: readonly { resellerId: string; meter: string }[],
  month: Month,
): Promise<number[]> {
  const { rows } = await db.query<{ used: number }>(
    `select coalesce((
              select sum(count)
                from usage_counters
               where reseller_id = wanted.reseller_id
                 and meter = wanted.meter
                 and day >= $3::date
                 and day < $4::date
            ), 0)::float8 as used
       from unnest($1::text[], $2::text[]) with ordinality as wanted (reseller_id, meter, position)
      order by position`,
    [wanted.map((each) => each.resellerId), wanted.map((each) => each.meter), month.from, month.until],
  )
  return rows.map((row) => row.used)
}

/**
 * Counts as much of `count` as the quota has left. Call in a transaction: the lock makes those who take from the same quota wait for
 * each other until it ends.
 */
export async function takeFromQuota(
  db: Db,
  resellerId: string,
  take: { subClientId: string; meter: string; count: number; quota: number; day: string; month: Month },
): Promise<{ granted: number; used: number }> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`quota ${resellerId} ${take.meter}`])
  const { rows } = await db.query<{ used: number }>(
    `select coalesce(sum(count), 0)::float8 as used
       from usage_counters
      where reseller_id = $1
        and meter = $2
        and day >= $3::date
        and day < $4::date`,
    [resellerId, take.meter, take.month.from, take.month.until],
  )
  const used = rows[0]?.used ?? 0
  const granted = Math.max(0, Math.min(take.count, take.quota - used))
  if (granted > 0) await addUsageAcrossResellers(db, [{ resellerId, ...take, count: granted }])
  return { granted, used: used + granted }
}

function orderOf({ resellerId, meter, day, subClientId }: UsageCount): string {
  return `${resellerId} ${meter} ${day} ${subClientId}`
}
