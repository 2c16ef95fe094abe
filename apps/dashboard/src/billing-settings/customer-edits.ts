// How one sub-client is billed as it is typed, and the body that follows from it.

import type { BillingCustomer, BillingCustomerUpdate, PriceList } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { emptyToNull, type PartyEdits, partyEditsOf, partyOf } from './settings-edits.ts'

export type Meter = PriceList['meters'][number]['meter']
export const planPriceNames = ['rental', 'overage_per_megabyte', 'activation_fee', 'custody_fee'] as const
export type PlanPriceName = (typeof planPriceNames)[number]

/** Prices of a rate plan that are others for this customer; an empty text is the price of the plan. */
export type PlanEdits = { readonly planId: string; readonly prices: Readonly<Record<PlanPriceName, string>> }

/** An empty text is what the settings, or the price list, have. */
export type CustomerEdits = {
  readonly enabled: boolean
  readonly party: PartyEdits
  readonly termsDays: string | number
  readonly marginPercent: string
  /** Null: all that there are. */
  readonly taxIds: readonly string[] | null
  readonly buyerReference: string
  readonly subscriptionFee: string
  readonly meters: Readonly<Partial<Record<Meter, string>>>
  readonly plans: readonly PlanEdits[]
}

export const noPlanPrices: PlanEdits['prices'] = { rental: '', overage_per_megabyte: '', activation_fee: '', custody_fee: '' }

export function customerEditsOf(customer: BillingCustomer): CustomerEdits {
  return {
    enabled: customer.enabled,
    party: partyEditsOf(customer.party),
    termsDays: customer.payment_terms_days ?? '',
    marginPercent: customer.margin_percent ?? '',
    taxIds: customer.tax_ids,
    buyerReference: customer.buyer_reference ?? '',
    subscriptionFee: customer.subscription_fee ?? '',
    meters: Object.fromEntries(customer.meter_overrides.map(({ meter, price }) => [meter, price])),
    plans: customer.plan_overrides.map(({ plan_id: planId, prices }) => ({ planId, prices: { ...noPlanPrices, ...prices } })),
  }
}

/** A plan without a price of its own is left out. */
export function customerBodyOf(edits: CustomerEdits): BillingCustomerUpdate {
  return {
    enabled: edits.enabled,
    party: partyOf(edits.party),
    payment_terms_days: edits.termsDays === '' ? null : Number(edits.termsDays),
    margin_percent: emptyToNull(edits.marginPercent),
    tax_ids: edits.taxIds === null ? null : [...edits.taxIds],
    buyer_reference: emptyToNull(edits.buyerReference),
    subscription_fee: emptyToNull(edits.subscriptionFee),
    meter_overrides: Object.entries(edits.meters).flatMap(([meter, price]) =>
      price.trim() === '' ? [] : [{ meter: meter as Meter, price: price.trim() }],
    ),
    plan_overrides: edits.plans.filter(hasPrices).map(({ planId, prices }) => ({ plan_id: planId, prices: givenPrices(prices) })),
  }
}

/** All that there are is null, so that a tax that comes later is borne too. */
export function withTax(taxIds: CustomerEdits['taxIds'], all: readonly string[], taxId: string, isBorne: boolean): CustomerEdits['taxIds'] {
  const borne = all.filter((each) => (each === taxId ? isBorne : taxIds === null || taxIds.includes(each)))
  return borne.length === all.length ? null : borne
}

export function hasPrices({ prices }: PlanEdits): boolean {
  return Object.values(prices).some((price) => price.trim() !== '')
}

function givenPrices(prices: PlanEdits['prices']) {
  return Object.fromEntries(Object.entries(prices).flatMap(([name, price]) => (price.trim() === '' ? [] : [[name, price.trim()]])))
}
