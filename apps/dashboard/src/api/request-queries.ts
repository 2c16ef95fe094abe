// What the page of the request log asks for.

import type { ApiKeyList } from '@roadworthy/contracts/platform-v1/api-keys'
import type { RequestLogPage } from '@roadworthy/contracts/platform-v1/request-log'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type RequestSearch, requestFilter } from '../requests/request-search.ts'
import { get } from './client.ts'

const PAGE_SIZE = 50
/** The most that one request answers. */
const MOST = 500
/** Somebody tries a program and looks here what became of it. */
const RENEW_MS = 4_000

export const requestsQuery = (search: RequestSearch) =>
  infiniteQueryOptions({
    queryKey: ['requests', search],
    queryFn: ({ signal, pageParam }) =>
      get<RequestLogPage>('/request-log', { ...requestFilter(search), limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    // Of one page only: whoever reads further back is not to lose the place.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : RENEW_MS),
  })

/** Names of keys by their id. */
export const keyNamesQuery = queryOptions({
  queryKey: ['api-keys', 'names'],
  queryFn: async ({ signal }) => {
    const { apiKeys } = await get<ApiKeyList>('/api-keys', { limit: MOST }, signal)
    return new Map(apiKeys.map(({ id, name, last4 }) => [id, `${name} (…${last4})`]))
  },
})
