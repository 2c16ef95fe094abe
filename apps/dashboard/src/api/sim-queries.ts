// What the pages about SIMs ask for.

import type { SimActionAnswer, SimActionList } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { SimAnomalies } from '@roadworthy/contracts/sim-billing/sim-anomalies'
import type { Sim, SimAnswer, SimHistory, SimList, SimUpdate, SimUsage } from '@roadworthy/contracts/sim-billing/sims'
import type { LatestSync, SyncAnswer } from '@roadworthy/contracts/sim-billing/sync'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withReasons, withRefusals } from '../said/refused.ts'
import { withSaid } from '../said/said.ts'
import { simBilling } from './client.ts'

/** What the runs of the synchronisation bring, minutes apart. */
const SLOW_POLL_MS = 30_000
const PAGE_SIZE = 50

export type SimStatus = Sim['status']
export type SimFilter = { readonly status?: SimStatus | undefined; readonly search?: string | undefined }
/** What people ask for; `resume` is asked for as `activate`. */
export type SimActionName = 'activate' | 'suspend' | 'safe-custody' | 'terminate'

export const simsQuery = ({ status, search }: SimFilter) =>
  infiniteQueryOptions({
    queryKey: ['sims', status ?? null, search ?? null],
    queryFn: ({ signal, pageParam }) =>
      simBilling.get<Static<typeof SimList>>('/sims', { status, search, limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: SLOW_POLL_MS,
  })

export const simQuery = (simId: string) =>
  queryOptions({
    queryKey: ['sim', simId],
    queryFn: async ({ signal }) =>
      withReasons(
        await simBilling.get<Static<typeof SimAnswer>>(`/sims/${encodeURIComponent(simId)}`, {}, signal),
        ['suspended_reason'],
        ({ suspended_by: by }) => by === 'system',
      ),
    refetchInterval: renewalMs(),
  })

export const simHistoryQuery = (simId: string) =>
  queryOptions({
    queryKey: ['sim', simId, 'history'],
    queryFn: async ({ signal }) =>
      withReasons(
        await simBilling.get<Static<typeof SimHistory>>(`/sims/${encodeURIComponent(simId)}/history`, { limit: 50 }, signal),
        ['reason'],
        ({ source }) => source === 'system',
      ),
    refetchInterval: renewalMs(),
  })

export const simActionsQuery = (simId: string) =>
  queryOptions({
    queryKey: ['sim', simId, 'actions'],
    queryFn: async ({ signal }) =>
      withRefusals(await simBilling.get<Static<typeof SimActionList>>(`/sims/${encodeURIComponent(simId)}/actions`, { limit: 10 }, signal)),
    refetchInterval: renewalMs(),
  })

export const simAnomaliesQuery = (simId: string) =>
  queryOptions({
    queryKey: ['sim', simId, 'anomalies'],
    queryFn: async ({ signal }) => withSaid(await simBilling.get<SimAnomalies>(`/sims/${encodeURIComponent(simId)}/anomalies`, {}, signal)),
    refetchInterval: SLOW_POLL_MS,
  })

export const simUsageQuery = (simId: string) =>
  queryOptions({
    queryKey: ['sim', simId, 'usage'],
    queryFn: ({ signal }) => simBilling.get<SimUsage>(`/sims/${encodeURIComponent(simId)}/usage`, {}, signal),
    refetchInterval: SLOW_POLL_MS,
  })

export const latestSyncQuery = queryOptions({
  queryKey: ['sync'],
  queryFn: async ({ signal }) => withRefusals(await simBilling.get<Static<typeof LatestSync>>('/sync', {}, signal)),
  refetchInterval: ({ state }) => (state.data?.sync?.status === 'running' ? 1_000 : SLOW_POLL_MS),
})

export function useSimAction(simId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ action, body }: { action: SimActionName; body: object }) =>
      simBilling.send<SimActionAnswer>('POST', `/sims/${encodeURIComponent(simId)}/${action}`, body),
    onSettled: () => Promise.all([['sims'], ['sim']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

export function useUpdateSim(simId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: SimUpdate) => simBilling.send<Static<typeof SimAnswer>>('PUT', `/sims/${encodeURIComponent(simId)}`, changes),
    onSettled: () => Promise.all([['sims'], ['sim']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

export function useSync() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => simBilling.send<Static<typeof SyncAnswer>>('POST', '/sync', {}),
    // A run shows its progress while it is waited for.
    onMutate: () => setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['sync'] }), 300),
    onSettled: () => Promise.all([['sims'], ['sim'], ['sync']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}
