// What the pages about prices and invoice data ask for.

import type { RatePlanList } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { simBilling } from './client.ts'

export const ratePlansQuery = queryOptions({
  queryKey: ['rate-plans'],
  queryFn: ({ signal }) => simBilling.get<Static<typeof RatePlanList>>('/rate-plans', {}, signal),
})
