// What the page about usage asks for.

import type { UsageLimits, UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { type UsageSearch, usageFilter } from '../usage/usage-search.ts'
import { get } from './client.ts'

const PAGE_SIZE = 500
const REFETCH_MS = 30_000

/** Near is what the service publishes `usage.threshold` of first. */
const NEAR_PERCENT = 80

export const usageQuery = (search: Pick<UsageSearch, 'month' | 'subClientId'>) =>
  infiniteQueryOptions({
    queryKey: ['usage', search.month, search.subClientId],
    queryFn: ({ signal, pageParam }) =>
      get<UsageReport>('/usage', { ...usageFilter(search), granularity: 'day', limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: REFETCH_MS,
  })

export const usageLimitsQuery = ({ subClientId, limits }: UsageSearch) =>
  infiniteQueryOptions({
    queryKey: ['usage-limits', subClientId, limits],
    queryFn: ({ signal, pageParam }) => {
      const minUsedPercent = limits === 'near' ? NEAR_PERCENT : undefined
      return get<UsageLimits>('/usage/limits', { subClientId, minUsedPercent, limit: PAGE_SIZE, after: pageParam }, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: REFETCH_MS,
  })
