// Rate plans, which the billing slice keeps.

import type { Db } from '@roadworthy/service-kit/db'

export async function hasRatePlan(db: Db, resellerId: string, planId: string): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>(
    'select exists (select from rate_plans where reseller_id = $1 and plan_id = $2 and archived_at is null) as known',
    [resellerId, planId],
  )
  return rows[0]?.known === true
}

/** The rate plan that SIMs get by the operator's name of theirs; of several the oldest. */
export async function selectPlanOfOperatorPlan(db: Db, resellerId: string, operatorPlan: string): Promise<string | undefined> {
  const { rows } = await db.query<{ plan_id: string }>(
    `select plan_id from rate_plans where reseller_id = $1 and operator_plan = $2 and archived_at is null
      order by created_at, plan_id limit 1`,
    [resellerId, operatorPlan],
  )
  return rows[0]?.plan_id
}

/** The operator's name of a rate plan, by its newest version. */
export async function selectOperatorPlanOfPlan(db: Db, resellerId: string, planId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ operator_plan: string | null }>(
    'select operator_plan from rate_plans where reseller_id = $1 and plan_id = $2 order by version desc limit 1',
    [resellerId, planId],
  )
  return rows[0]?.operator_plan ?? undefined
}
