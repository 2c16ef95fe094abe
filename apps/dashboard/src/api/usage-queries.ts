// What the page about usage asks for.

import type { UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { type UsageSearch, usageFilter } from '../usage/usage-search.ts'
import { get } from './client.ts'

const PAGE_SIZE = 500
const REFETCH_MS = 30_000

export const usageQuery = (search: UsageSearch) =>
  infiniteQueryOptions({
    queryKey: ['usage', search],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof UsageReport>>('/usage', { ...usageFilter(search), granularity: 'day', limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: REFETCH_MS,
  })
