// By which rate plan a SIM is billed where nobody chose one: that which bears the operator's name of its plan, else the default of its connection.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { OperatorConnection } from './connections/connection.ts'
import { hadRatePlan } from './history.sql.ts'
import { selectOperatorPlanOfPlan, selectPlanOfOperatorPlan, selectRatePlanState } from './plans.read.sql.ts'
import type { Sim } from './sim.ts'

export type SimPlan = Pick<Sim, 'planId' | 'isDefaultPlan'>
type Terms = Pick<OperatorConnection, 'defaultPlanId'>

const NONE: SimPlan = { planId: undefined, isDefaultPlan: false }

/** `field`: of the request, that names it. */
export async function assertPlanInUse(db: Db, resellerId: string, planId: string, field: string): Promise<void> {
  const state = await selectRatePlanState(db, resellerId, planId)
  if (state === undefined) throw new Problem('not_found', 'There is no such rate plan.', { details: { field } })
  if (state === 'archived')
    throw new Problem('conflict', `The rate plan "${planId}" is archived: it is for no further SIM. Name one that is in use.`, {
      details: { field },
    })
}

/** A default that was archived meanwhile is for no further SIM. */
export async function planFor(db: Db, { defaultPlanId }: Terms, sim: Sim): Promise<SimPlan> {
  const named = await planByName(db, sim)
  if (named.planId !== undefined || defaultPlanId === undefined) return named
  const isInUse = (await selectRatePlanState(db, sim.resellerId, defaultPlanId)) === 'in_use'
  return isInUse ? { planId: defaultPlanId, isDefaultPlan: true } : NONE
}

/**
 * A SIM follows its operator plan to another rate plan, unless somebody gave it one of their choice; on the plan for parking it keeps its own. One
 * that never had any gets it also when the rate plan was made later; one whose plan was taken away stays without. One that has the default follows
 * whatever claims it, and another default.
 */
export async function planAfter(db: Db, connection: Terms, held: Sim, moved: Sim): Promise<SimPlan> {
  const { planId, isDefaultPlan } = held
  const isSame = moved.operatorPlan === held.operatorPlan
  if (planId === undefined) {
    if (!(await hadRatePlan(db, held))) return await planFor(db, connection, moved)
    return isSame || moved.isParked ? NONE : await planByName(db, moved)
  }
  const isFollowing = isDefaultPlan || (!isSame && !moved.isParked && (await isByName(db, held, planId)))
  const next = isFollowing ? await planFor(db, connection, moved) : NONE
  return next.planId === undefined ? { planId, isDefaultPlan } : next
}

async function planByName(db: Db, { resellerId, operatorPlan }: Sim): Promise<SimPlan> {
  if (operatorPlan === undefined) return NONE
  return { planId: await selectPlanOfOperatorPlan(db, resellerId, operatorPlan), isDefaultPlan: false }
}

async function isByName(db: Db, { resellerId, operatorPlan }: Sim, planId: string): Promise<boolean> {
  return (await selectOperatorPlanOfPlan(db, resellerId, planId)) === operatorPlan
}
