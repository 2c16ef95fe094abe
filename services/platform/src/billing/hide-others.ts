// An input is stored beside the invoice and may be handed to the customer, who is to learn nothing of the customers that had a SIM before or after.

import type { RatePlan, RatingInput, SimRow } from './rating/rating-input.ts'

/** No id of a customer or plan has such characters. */
const OTHER = '*'
const PLAN_BY_DAYS = '*days'
const PLAN_BY_MONTHS = '*months'

/**
 * The same input, rated to the same invoice, without the names of other customers, their plans and what they used. Rows that show when another had the
 * SIM stay: who pays a whole month and how long a custody lasted depend on them.
 */
export function hideOthers(input: RatingInput): RatingInput {
  const { customerId } = input
  const plans = new Map(input.plans.map((plan) => [plan.planId, plan]))
  // A plan without prices is on no row that is charged, or the input could not be rated.
  const planOfOthers = (planId: string | null) =>
    planId === null ? null : plans.get(planId)?.prices.isProrated === false ? PLAN_BY_MONTHS : PLAN_BY_DAYS
  const hide = (row: SimRow): SimRow =>
    row.customerId === null || row.customerId === customerId ? row : { ...row, customerId: OTHER, planId: planOfOthers(row.planId) }
  const sims = input.sims.map((sim) => ({
    ...sim,
    history: sim.history.map(hide),
    firstActivation: sim.firstActivation?.customerId === customerId ? sim.firstActivation : null,
    usage: sim.usage.filter((entry) => entry.customerId === customerId),
  }))
  const named = new Set(sims.flatMap(({ history, usage }) => [...history, ...usage].map(({ planId }) => planId)))
  for (const { firstActivation } of sims) named.add(firstActivation?.planId ?? null)
  const masks = [namelessPlan(PLAN_BY_DAYS, true), namelessPlan(PLAN_BY_MONTHS, false)]
  return { ...input, sims, plans: [...input.plans, ...masks].filter(({ planId }) => named.has(planId)) }
}

function namelessPlan(planId: string, isProrated: boolean): RatePlan {
  const prices = { rental: '0', includedMegabytes: '0', overagePerMegabyte: '0', activationFee: '0', custodyFee: '0' }
  return { planId, version: 1, name: '', prices: { ...prices, custodyMinDays: 0, isPooled: false, isProrated } }
}
