// What the pages about sub-clients ask for.

import type {
  SubClient,
  SubClientChange,
  SubClientCreate,
  SubClientDeactivated,
  SubClientDeactivation,
  SubClientList,
} from '@roadworthy/contracts/platform-v1/sub-clients'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get, send } from './client.ts'

const POLL_MS = 30_000
const PAGE_SIZE = 50
/** More than anybody looks through in a menu; the id can be typed in the address of a list. */
const MOST_CHOICES = 500

export type SubClientStatus = SubClient['status']
export type SubClientFilter = { readonly status?: SubClientStatus; readonly search?: string }

export const subClientsQuery = (filter: SubClientFilter) =>
  infiniteQueryOptions({
    queryKey: ['sub-clients', filter],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof SubClientList>>('/sub-clients', { ...filter, limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: POLL_MS,
  })

/** To choose one from. */
export const subClientChoicesQuery = queryOptions({
  queryKey: ['sub-clients', 'choices'],
  queryFn: ({ signal }) => get<Static<typeof SubClientList>>('/sub-clients', { limit: MOST_CHOICES }, signal),
})

export const subClientQuery = (subClientId: string) =>
  queryOptions({
    queryKey: ['sub-client', subClientId],
    queryFn: ({ signal }) => get<SubClient>(pathOf(subClientId), {}, signal),
    refetchInterval: POLL_MS,
  })

export const deactivationQuery = (subClientId: string) =>
  queryOptions({
    queryKey: ['sub-client', subClientId, 'deactivation'],
    queryFn: ({ signal }) => get<SubClientDeactivation>(`${pathOf(subClientId)}/deactivation`, {}, signal),
    staleTime: 0,
  })

export function useCreateSubClient() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (given: SubClientCreate) => send<SubClient>('POST', '/sub-clients', given), onSettled: refresh })
}

export function useChangeSubClient(subClientId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (change: SubClientChange) => send<SubClient>('PATCH', pathOf(subClientId), change),
    onSettled: refresh,
  })
}

export function useDeactivateSubClient(subClientId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => send<Static<typeof SubClientDeactivated>>('DELETE', pathOf(subClientId)),
    onSettled: refresh,
  })
}

function pathOf(subClientId: string): string {
  return `/sub-clients/${encodeURIComponent(subClientId)}`
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [['sub-clients'], ['sub-client'], ['devices'], ['usage-limits']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
}
