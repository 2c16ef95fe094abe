import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'

export type ClosedPeriod = Period & { readonly timeZone: string }

/** The months of a reseller that were closed, oldest first. */
export async function selectClosedPeriods(db: Db, resellerId: string): Promise<ClosedPeriod[]> {
  const { rows } = await db.query<PeriodRow>(
    'select month, time_zone, starts_at, ends_at from usage_periods where reseller_id = $1 order by month',
    [resellerId],
  )
  return rows.map(periodFromRow)
}

export async function insertPeriodAcrossResellers(db: Db, resellerId: string, period: ClosedPeriod): Promise<void> {
  await db.query('insert into usage_periods (reseller_id, month, time_zone, starts_at, ends_at) values ($1, $2, $3, $4, $5)', [
    resellerId,
    period.label,
    period.timeZone,
    new Date(period.fromMs),
    new Date(period.untilMs),
  ])
}

export type PeriodRow = { month: string; time_zone: string; starts_at: Date; ends_at: Date }

export function periodFromRow(row: PeriodRow): ClosedPeriod {
  return { label: row.month, timeZone: row.time_zone, fromMs: row.starts_at.getTime(), untilMs: row.ends_at.getTime() }
}
