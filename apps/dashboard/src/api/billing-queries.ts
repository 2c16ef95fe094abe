// What the pages about prices and invoice data ask for.

import type {
  BillingCustomerAnswer,
  BillingCustomerUpdate,
  BillingSettingsAnswer,
  BillingSettingsUpdate,
  PriceList,
  PriceListAnswer,
  PriceListUpdate,
  RatePlan,
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

/** `change`: from the versions that there are just before, so that nothing is taken back that somebody else stored since the page was shown. */
export function useChangeRatePlan(planId: string) {
  const queryClient = useQueryClient()
  return useSending(async (change: (versions: readonly RatePlan[]) => RatePlanUpdate) => {
    const { versions } = await queryClient.fetchQuery({ ...ratePlanQuery(planId), staleTime: 0 })
    return await simBilling.send<PlanAnswer>('PUT', pathOfPlan(planId), change(versions))
  })
}

export function useArchiveRatePlan(planId: string) {
  return useSending(() => simBilling.send<PlanAnswer>('DELETE', pathOfPlan(planId)))
}

/** See `useChangeRatePlan`. */
export function useChangePriceList() {
  const queryClient = useQueryClient()
  return useSending(async (change: (versions: readonly PriceList[]) => PriceListUpdate) => {
    const { versions } = await queryClient.fetchQuery({ ...priceListQuery, staleTime: 0 })
    return await simBilling.send<PricesAnswer>('PUT', '/price-list', change(versions))
  })
}

export function useChangeBillingSettings() {
  return useSending((given: BillingSettingsUpdate) => simBilling.send<SettingsAnswer>('PUT', '/billing-settings', given))
}

function useSending<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient()
  const changed = [['rate-plans'], ['price-list'], ['billing-settings'], ['billing-customer']]
  return useMutation({
    mutationFn,
    onSuccess: () => Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

function pathOfPlan(planId: string): string {
  return `/rate-plans/${encodeURIComponent(planId)}`
}

function pathOfCustomer(subClientId: string): string {
  return `/customers/${encodeURIComponent(subClientId)}`
}
