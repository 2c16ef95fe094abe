// Rate plans and price lists, in versions that are only added. A version holds from its month; of two of the same month, the later one.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PlatformPrices, PriceListVersion, RatePlanVersion } from '../settings/billing-settings.ts'
import type { RatePlan } from './rating-input.ts'

const PLAN_COLUMNS = 'plan_id, version, effective_from, name, operator_plan, prices, archived_at'

/** Adds the next version. `isNew`: false where there was one to come after, or none where none may be; then nothing is added. */
export async function insertPlanVersion(
  db: Db,
  bookId: string,
  plan: Omit<RatePlanVersion, 'version'>,
  { isNew, at }: { readonly isNew: boolean; readonly at: Date },
): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number }>(
    `insert into rate_plans (reseller_id, plan_id, version, effective_from, name, operator_plan, prices, archived_at, created_at)
     select $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7, $8
       from rate_plans
      where reseller_id = $1 and plan_id = $2
     having (count(*) = 0) = $9
     returning version`,
    [
      ...[bookId, plan.planId, plan.effectiveFrom, plan.name, plan.operatorPlan ?? null, JSON.stringify(plan.prices)],
      ...[plan.archivedAt ?? null, at, isNew],
    ],
  )
  return rows[0]?.version
}

/** Every version of every plan, or of one, oldest first. */
export async function selectPlanVersions(db: Db, bookId: string, planId: string | undefined): Promise<RatePlanVersion[]> {
  const { rows } = await db.query<PlanRow>(
    `select ${PLAN_COLUMNS} from rate_plans where reseller_id = $1 and ($2::text is null or plan_id = $2) order by plan_id, version`,
    [bookId, planId ?? null],
  )
  return rows.map(planFromRow)
}

/** Of each of these plans the version that holds in the month. One that is not there has none. */
export async function selectPlansOfMonth(db: Db, bookId: string, month: string, planIds: readonly string[]): Promise<RatePlan[]> {
  const { rows } = await db.query<PlanRow>(
    `select distinct on (plan_id) ${PLAN_COLUMNS}
       from rate_plans
      where reseller_id = $1 and effective_from <= $2 and plan_id = any ($3)
      order by plan_id, effective_from desc, version desc`,
    [bookId, month, planIds],
  )
  return rows.map(planFromRow).map(({ planId, version, name, prices }) => ({ planId, version, name, prices }))
}

export async function insertPriceListVersion(
  db: Db,
  bookId: string,
  { effectiveFrom, subscriptionFee, meters }: Omit<PriceListVersion, 'version'>,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into price_lists (reseller_id, version, effective_from, prices, created_at)
     select $1, coalesce(max(version), 0) + 1, $2, $3, $4 from price_lists where reseller_id = $1`,
    [bookId, effectiveFrom, JSON.stringify({ subscriptionFee, meters }), at],
  )
}

/** Oldest first. */
export async function selectPriceListVersions(db: Db, bookId: string): Promise<PriceListVersion[]> {
  const { rows } = await db.query<PriceListRow>(
    'select version, effective_from, prices from price_lists where reseller_id = $1 order by version',
    [bookId],
  )
  return rows.map(({ version, effective_from, prices }) => ({ version, effectiveFrom: effective_from, ...prices }))
}

export async function selectPricesOfMonth(db: Db, bookId: string, month: string): Promise<PlatformPrices | undefined> {
  const { rows } = await db.query<PriceListRow>(
    `select version, effective_from, prices
       from price_lists
      where reseller_id = $1 and effective_from <= $2
      order by effective_from desc, version desc
      limit 1`,
    [bookId, month],
  )
  return rows.map(({ version, prices }) => ({ version, ...prices }))[0]
}

type PlanRow = {
  plan_id: string
  version: number
  effective_from: string
  name: string
  operator_plan: string | null
  prices: RatePlan['prices']
  archived_at: Date | null
}
type PriceListRow = { version: number; effective_from: string; prices: Omit<PlatformPrices, 'version'> }

function planFromRow(row: PlanRow): RatePlanVersion {
  return {
    planId: row.plan_id,
    version: row.version,
    effectiveFrom: row.effective_from,
    name: row.name,
    operatorPlan: row.operator_plan ?? undefined,
    prices: row.prices,
    archivedAt: row.archived_at ?? undefined,
  }
}
