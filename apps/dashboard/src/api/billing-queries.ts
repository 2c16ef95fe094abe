// What the pages about prices and invoice data ask for.

import type {
  BillingCustomerAnswer,
  BillingCustomerUpdate,
  BillingSettingsAnswer,
  BillingSettingsUpdate,
  PriceListAnswer,
  PriceListUpdate,
  RatePlanAnswer,
  RatePlanCreate,
  RatePlanList,
  RatePlanUpdate,
} from '@roadworthy/contracts/sim-billing/billing-configuration'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withRefusals } from '../said/refused.ts'
import { simBilling } from './client.ts'

type PlanAnswer = Static<typeof RatePlanAnswer>
type SettingsAnswer = Static<typeof BillingSettingsAnswer>
type CustomerAnswer = Static<typeof BillingCustomerAnswer>
type PricesAnswer = Static<typeof PriceListAnswer>

export const ratePlansQuery = queryOptions({
  queryKey: ['rate-plans'],
  queryFn: ({ signal }) => simBilling.get<Static<typeof RatePlanList>>('/rate-plans', {}, signal),
})

export const ratePlanQuery = (planId: string) =>
  queryOptions({
    queryKey: ['rate-plans', planId],
    queryFn: ({ signal }) => simBilling.get<PlanAnswer>(pathOfPlan(planId), {}, signal),
  })

export const priceListQuery = queryOptions({
  queryKey: ['price-list'],
  queryFn: ({ signal }) => simBilling.get<PricesAnswer>('/price-list', {}, signal),
})

export const billingSettingsQuery = queryOptions({
  queryKey: ['billing-settings'],
  queryFn: async ({ signal }) => withRefusals(await simBilling.get<SettingsAnswer>('/billing-settings', {}, signal)),
})

/** Of a sub-client. Refused as long as billing is not set up. */
export const billingCustomerQuery = (subClientId: string) =>
  queryOptions({
    queryKey: ['billing-customer', subClientId],
    queryFn: ({ signal }) => simBilling.get<CustomerAnswer>(pathOfCustomer(subClientId), {}, signal),
  })

export function useChangeBillingCustomer(subClientId: string) {
  return useSending((given: BillingCustomerUpdate) => simBilling.send<CustomerAnswer>('PUT', pathOfCustomer(subClientId), given))
}

export function useCreateRatePlan() {
  return useSending((given: RatePlanCreate) => simBilling.send<PlanAnswer>('POST', '/rate-plans', given))
}

export function useChangeRatePlan(planId: string, onStored: () => void) {
  return useSending((given: RatePlanUpdate) => simBilling.send<PlanAnswer>('PUT', pathOfPlan(planId), given), onStored)
}

export function useArchiveRatePlan(planId: string) {
  return useSending(() => simBilling.send<PlanAnswer>('DELETE', pathOfPlan(planId)))
}

export function useChangePriceList(onStored: () => void) {
  return useSending((given: PriceListUpdate) => simBilling.send<PricesAnswer>('PUT', '/price-list', given), onStored)
}

export function useChangeBillingSettings() {
  return useSending((given: BillingSettingsUpdate) => simBilling.send<SettingsAnswer>('PUT', '/billing-settings', given))
}

/** `onStored` is called though the form makes way for one of what is stored now; a callback of `mutate` is not. */
function useSending<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>, onStored?: () => void) {
  const queryClient = useQueryClient()
  const changed = [['rate-plans'], ['price-list'], ['billing-settings'], ['billing-customer']]
  return useMutation({
    mutationFn,
    onSuccess: () => {
      onStored?.()
      return Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
  })
}

function pathOfPlan(planId: string): string {
  return `/rate-plans/${encodeURIComponent(planId)}`
}

function pathOfCustomer(subClientId: string): string {
  return `/customers/${encodeURIComponent(subClientId)}`
}
