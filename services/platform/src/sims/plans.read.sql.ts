// Rate plans, which the billing slice keeps in versions that are only added: the newest is the plan as it is now.

import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Undefined: there is none. */
export async function selectRatePlanState(db: Db, resellerId: string, planId: string): Promise<'in_use' | 'archived' | undefined> {
  const { rows } = await db.query<{ archived_at: Date | null }>(
    'select archived_at from rate_plans where reseller_id = $1 and plan_id = $2 order by version desc limit 1',
    [resellerId, planId],
  )
  if (rows[0] === undefined) return undefined
  return rows[0].archived_at === null ? 'in_use' : 'archived'
}

/** The rate plan that SIMs get by the operator's name of theirs; of several in use the one that was made first. */
export async function selectPlanOfOperatorPlan(db: Db, resellerId: string, operatorPlan: string): Promise<string | undefined> {
  const { rows } = await db.query<{ plan_id: string }>(
    `select plan_id
       from (select distinct on (plan_id) plan_id, operator_plan, archived_at, min(created_at) over (partition by plan_id) as made_at
               from rate_plans
              where reseller_id = $1
              order by plan_id, version desc) newest
      where operator_plan = $2 and archived_at is null
      order by made_at, plan_id
      limit 1`,
    [resellerId, operatorPlan],
  )
  return rows[0]?.plan_id
}

/** The operator's name of a rate plan, archived or not. */
export async function selectOperatorPlanOfPlan(db: Db, resellerId: string, planId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ operator_plan: string | null }>(
    'select operator_plan from rate_plans where reseller_id = $1 and plan_id = $2 order by version desc limit 1',
    [resellerId, planId],
  )
  return rows[0]?.operator_plan ?? undefined
}
