// What a customer pays for one of something: the price of the plan or the list with the margin on it, or the customer's own.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { PlatformMeter, RatePlan, RatingInput, SimPriceName } from './rating-input.ts'
import { fraction, parseDecimal, product, type Rational, sum } from './rational.ts'

export type Prices = {
  /** Throws where no version of the plan is in the input. */
  readonly plan: (planId: string) => RatePlan
  readonly ofPlan: (planId: string, name: SimPriceName) => Rational
  readonly ofMeter: (meter: PlatformMeter, listed: string) => Rational
  readonly ofSubscription: (listed: string) => Rational
}

export function pricesOf({ plans, terms, month }: RatingInput): Prices {
  const margin = sum(fraction(1), product(parseDecimal(terms.marginPercent), fraction(1, 100)))
  if (margin.numerator < 0n) {
    throw new Problem('invalid_request', `A margin of ${terms.marginPercent} % makes prices negative; -100 is the least.`)
  }
  const plansById = new Map(plans.map((plan) => [plan.planId, plan]))
  const planOverrides = new Map(terms.planOverrides.map(({ planId, prices }) => [planId, prices]))
  const meterOverrides = new Map(terms.meterOverrides.map(({ meter, price }) => [meter, price]))
  const priceOf = (listed: string, own: string | null | undefined) =>
    own === undefined || own === null ? product(parseDecimal(listed), margin) : parseDecimal(own)
  const plan = (planId: string): RatePlan => {
    const found = plansById.get(planId)
    if (found === undefined) throw new Problem('invalid_request', `The plan ${JSON.stringify(planId)} has no prices in ${month.label}.`)
    return found
  }
  return {
    plan,
    ofPlan: (planId, name) => priceOf(plan(planId).prices[name], planOverrides.get(planId)?.[name]),
    ofMeter: (meter, listed) => priceOf(listed, meterOverrides.get(meter)),
    ofSubscription: (listed) => priceOf(listed, terms.subscriptionFeeOverride),
  }
}
