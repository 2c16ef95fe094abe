import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'

export type BilledMonth = Period & { readonly timeZone: string; readonly draftedAt: Date; readonly failures: readonly DraftFailure[] }
/** A customer whose month could not be drafted, and why. */
export type DraftFailure = { readonly customerId: string; readonly message: string }

const COLUMNS = 'month, time_zone, starts_at, ends_at, drafted_at, failures'

/** The newest month of which the book was drafted. */
export async function selectLastBilledMonth(db: Db, bookId: string): Promise<BilledMonth | undefined> {
  const { rows } = await db.query<MonthRow>(`select ${COLUMNS} from billing_months where reseller_id = $1 order by month desc limit 1`, [
    bookId,
  ])
  return rows.map(monthFromRow)[0]
}

export async function selectBilledMonth(db: Db, bookId: string, month: string): Promise<BilledMonth | undefined> {
  const { rows } = await db.query<MonthRow>(`select ${COLUMNS} from billing_months where reseller_id = $1 and month = $2`, [bookId, month])
  return rows.map(monthFromRow)[0]
}

export async function upsertBilledMonth(db: Db, bookId: string, month: BilledMonth): Promise<void> {
  await db.query(
    `insert into billing_months (reseller_id, month, time_zone, starts_at, ends_at, drafted_at, failures)
     values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (reseller_id, month) do update set failures = excluded.failures`,
    [
      ...[bookId, month.label, month.timeZone, new Date(month.fromMs), new Date(month.untilMs), month.draftedAt],
      JSON.stringify(month.failures),
    ],
  )
}

/** After the customers of a month were drafted again, or the one that is named: only those count that could not be drafted this time. */
export async function updateMonthFailures(
  db: Db,
  bookId: string,
  month: string,
  { customerId, failures }: { readonly customerId: string | undefined; readonly failures: readonly DraftFailure[] },
): Promise<void> {
  await db.query(
    `update billing_months
        set failures = (select coalesce(jsonb_agg(f), '[]') from jsonb_array_elements(failures) f where f ->> 'customerId' <> $3) || $4::jsonb
      where reseller_id = $1 and month = $2`,
    [bookId, month, customerId ?? null, JSON.stringify(failures)],
  )
}

type MonthRow = { month: string; time_zone: string; starts_at: Date; ends_at: Date; drafted_at: Date; failures: DraftFailure[] }

function monthFromRow({ month, time_zone, starts_at, ends_at, drafted_at, failures }: MonthRow): BilledMonth {
  return {
    label: month,
    timeZone: time_zone,
    fromMs: starts_at.getTime(),
    untilMs: ends_at.getTime(),
    draftedAt: drafted_at,
    failures,
  }
}
