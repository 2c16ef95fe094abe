// What the pages about SIMs ask for.

import type { SimActionAnswer, SimActionList, SimBulk, SimBulkAnswer } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { SimAnomalies } from '@roadworthy/contracts/sim-billing/sim-anomalies'
import type { Sim, SimAnswer, SimHistory, SimList, SimUpdate, SimUsage } from '@roadworthy/contracts/sim-billing/sims'
import type { LatestSync, SyncAnswer } from '@roadworthy/contracts/sim-billing/sync'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withReasons, withRefusals } from '../said/refused.ts'
import { withSaid } from '../said/said.ts'
import type { SimResult } from '../sims/sim-result.ts'
import { ApiError, simBilling } from './client.ts'

/** What the runs of the synchronisation bring, minutes apart. */
const SLOW_POLL_MS = 30_000
const PAGE_SIZE = 50

/** Most that one question lists. */
export const MOST_SIMS = 500

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

/** All that match, up to `MOST_SIMS`. */
export function useMatchingSims() {
  return useMutation({
    mutationFn: async ({ status, search }: SimFilter) =>
      (await simBilling.get<Static<typeof SimList>>('/sims', { status, search, limit: MOST_SIMS })).sims,
  })
}

/** One result for each of `sims`. */
export async function sendBulkAction(sims: readonly Sim[], action: Omit<SimBulk, 'sim_ids'>): Promise<SimResult[]> {
  const body: SimBulk = { sim_ids: sims.map(({ id }) => id), ...action }
  const { results } = await withRefusals(await simBilling.send<SimBulkAnswer>('POST', '/sims/bulk', body))
  return results.flatMap(({ index, status, error }) => {
    const simId = sims[index]?.id
    return simId === undefined ? [] : [{ simId, status, ...(error === null ? {} : { refusal: error }) }]
  })
}

/** Of what no other SIM would get an answer to either: the session has ended, or the service asks to wait. */
const OF_ALL = [401, 429]

export async function sendAllocation({ id: simId }: Sim, changes: SimUpdate): Promise<SimResult> {
  try {
    await sendUpdate(simId, changes)
    return { simId, status: 'accepted' }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || OF_ALL.includes(error.status)) throw error
    const { code, message, details } = error
    return { simId, status: 'refused', refusal: { code, message, details } }
  }
}

function sendUpdate(simId: string, changes: SimUpdate): Promise<Static<typeof SimAnswer>> {
  return simBilling.send<Static<typeof SimAnswer>>('PUT', `/sims/${encodeURIComponent(simId)}`, changes)
}

export function useRefreshSims(): () => Promise<unknown> {
  const queryClient = useQueryClient()
  return () => Promise.all([['sims'], ['sim']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

export function useSimAction(simId: string) {
  const refresh = useRefreshSims()
  return useMutation({
    mutationFn: ({ action, body }: { action: SimActionName; body: object }) =>
      simBilling.send<SimActionAnswer>('POST', `/sims/${encodeURIComponent(simId)}/${action}`, body),
    onSettled: refresh,
  })
}

export function useUpdateSim(simId: string) {
  const refresh = useRefreshSims()
  return useMutation({
    mutationFn: (changes: SimUpdate) => sendUpdate(simId, changes),
    onSettled: refresh,
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
