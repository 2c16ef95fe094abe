import type { Db } from '@roadworthy/service-kit/db'
import type { Period } from '@roadworthy/service-kit/zoned-time'

export type ClosedPeriod = Period & { readonly timeZone: string }

/** Every reseller, with the last month that was closed. */
export async function selectLastPeriodsAcrossResellers(
  db: Db,
): Promise<{ resellerId: string; timeZone: string; last: ClosedPeriod | undefined }[]> {
  const { rows } = await db.query<{ reseller_id: string; zone_now: string } & Nullable<PeriodRow>>(
    `select r.reseller_id, r.time_zone as zone_now, p.month, p.time_zone, p.starts_at, p.ends_at
       from resellers r
       left join lateral (select * from usage_periods u where u.reseller_id = r.reseller_id order by u.month desc limit 1) p on true`,
  )
  return rows.map(({ reseller_id, zone_now, ...row }) => {
    return { resellerId: reseller_id, timeZone: zone_now, last: row.month === null ? undefined : periodFromRow(row as PeriodRow) }
  })
}

/** The months of a reseller that were closed, oldest first. */
export async function selectClosedPeriods(db: Db, resellerId: string): Promise<ClosedPeriod[]> {
  const { rows } = await db.query<PeriodRow>(
    'select month, time_zone, starts_at, ends_at from usage_periods where reseller_id = $1 order by month',
    [resellerId],
  )
  return rows.map(periodFromRow)
}

export async function insertPeriodsAcrossResellers(db: Db, periods: readonly (ClosedPeriod & { resellerId: string })[]): Promise<void> {
  await db.query(
    `insert into usage_periods (reseller_id, month, time_zone, starts_at, ends_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])`,
    [
      periods.map(({ resellerId }) => resellerId),
      periods.map(({ label }) => label),
      periods.map(({ timeZone }) => timeZone),
      periods.map(({ fromMs }) => new Date(fromMs)),
      periods.map(({ untilMs }) => new Date(untilMs)),
    ],
  )
}

type PeriodRow = { month: string; time_zone: string; starts_at: Date; ends_at: Date }
type Nullable<T> = { [K in keyof T]: T[K] | null }

function periodFromRow(row: PeriodRow): ClosedPeriod {
  return { label: row.month, timeZone: row.time_zone, fromMs: row.starts_at.getTime(), untilMs: row.ends_at.getTime() }
}
