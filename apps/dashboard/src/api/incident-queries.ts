// What the pages about incidents ask for.

import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import type { AssigneeList, Incident, IncidentChange, IncidentHistory, IncidentList } from '@roadworthy/contracts/platform-v1/incidents'
import type { MaintenanceList } from '@roadworthy/contracts/platform-v1/maintenance'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withSaid } from '../said/said.ts'
import { t } from '../text/translate.ts'
import { get, send } from './client.ts'
import { type Move, movedIncident, movedPage, movedPages } from './moved-incidents.ts'

const PAGE_SIZE = 50
/** More people than have incidents assigned to them in practice; who is beyond is shown by their id. Assumption. */
const MAX_ASSIGNEES = 500

export type IncidentStatus = Incident['status']
export type IncidentFilter = {
  readonly status?: IncidentStatus | undefined
  readonly severity?: Incident['severity'] | undefined
  readonly component?: string | undefined
  readonly subClientId?: string | undefined
  readonly vehicleId?: string | undefined
  readonly groupId?: string | undefined
}

/** What is over has no urgency. */
function orderOf({ status }: IncidentFilter): 'newest' | 'urgency' {
  return status === 'resolved' ? 'newest' : 'urgency'
}

export const incidentsQuery = (filter: IncidentFilter) =>
  infiniteQueryOptions({
    queryKey: ['incidents', filter],
    queryFn: async ({ signal, pageParam }) => {
      const page = { order: orderOf(filter), limit: PAGE_SIZE, after: pageParam }
      return withSaid(await get<Static<typeof IncidentList>>('/incidents', { ...filter, ...page }, signal))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: renewalMs(),
  })

/** What is not resolved of one vehicle, most urgent first. */
export const standingIncidentsQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['incidents', 'of vehicle', vehicleId],
    queryFn: async ({ signal }) =>
      withSaid(await get<Static<typeof IncidentList>>('/incidents', { vehicleId, order: 'urgency', limit: PAGE_SIZE }, signal)),
    refetchInterval: renewalMs(),
  })

export const incidentCountQuery = (filter: IncidentFilter) =>
  queryOptions({
    queryKey: ['incidents', 'count', filter],
    queryFn: async ({ signal }) => (await get<Static<typeof IncidentList>>('/incidents', { ...filter, limit: 1 }, signal)).total,
    refetchInterval: renewalMs(),
  })

export const incidentQuery = (incidentId: string) =>
  queryOptions({
    queryKey: ['incident', incidentId],
    queryFn: async ({ signal }) => withSaid(await get<Incident>(`/incidents/${encodeURIComponent(incidentId)}`, {}, signal)),
    refetchInterval: renewalMs(),
  })

/** What people did to it, newest first. */
export const incidentHistoryQuery = (incidentId: string) =>
  infiniteQueryOptions({
    queryKey: ['incident', incidentId, 'history'],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof IncidentHistory>>(
        `/incidents/${encodeURIComponent(incidentId)}/history`,
        { limit: PAGE_SIZE, after: pageParam },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: renewalMs(),
  })

/** One of the alerts that an incident rests on. When it opened does not change. */
export const evidenceAlertQuery = (alertId: string) =>
  queryOptions({
    queryKey: ['alert', alertId],
    queryFn: async ({ signal }) => withSaid(await get<Alert>(`/alerts/${encodeURIComponent(alertId)}`, {}, signal)),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const assigneesQuery = queryOptions({
  queryKey: ['assignees'],
  queryFn: ({ signal }) => get<Static<typeof AssigneeList>>('/incidents/assignees', { limit: MAX_ASSIGNEES }, signal),
  staleTime: 60_000,
})

/** Work that was planned on the component of an incident. */
export const plannedWorkQuery = ({ vehicleId, component }: Incident & { readonly vehicleId: string }) =>
  queryOptions({
    queryKey: ['maintenance', 'planned', vehicleId, component],
    queryFn: ({ signal }) =>
      get<Static<typeof MaintenanceList>>('/maintenance', { vehicleId, component, status: 'planned', limit: PAGE_SIZE }, signal),
  })

export async function sendChange(incidentId: string, change: IncidentChange): Promise<Incident> {
  return await send<Incident>('PATCH', `/incidents/${encodeURIComponent(incidentId)}`, change)
}

/** What an incident shows elsewhere changes with it. */
export async function renewIncidents(queryClient: QueryClient): Promise<void> {
  const keys = [['incidents'], ['incident'], ['health'], ['vehicles'], ['vehicle'], ['maintenance']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

type Change = {
  readonly id: string
  readonly change: IncidentChange
  /** The incident may leave the list with this, and with its row the component that asked: the message is not left to that. */
  readonly onDone: () => void
}

export function useChangeIncident() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, change }: Change) => sendChange(id, change),
    onSuccess: (_, { onDone }) => onDone(),
    onSettled: () => renewIncidents(queryClient),
  })
}

type Moves = { readonly ids: readonly string[]; readonly status: Move['status']; readonly onDone?: () => void }

/**
 * Shown at once, and taken back where the service refuses. One after the other: what is refused does not keep the others from it; how many were is shown
 * at the end.
 */
export function useMoveIncidents() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, status }: Moves) => {
      const refusals: Error[] = []
      for (const id of ids) {
        try {
          await sendChange(id, { status })
        } catch (error) {
          if (!(error instanceof Error)) throw error
          refusals.push(error)
        }
      }
      const [first] = refusals
      if (first === undefined) return
      const text = t('{refused} of {count} were refused. {message}', {
        refused: refusals.length,
        count: ids.length,
        message: first.message,
      })
      throw ids.length === 1 ? first : new Error(text, { cause: first })
    },
    onMutate: async ({ ids, status }) => {
      await queryClient.cancelQueries({ queryKey: ['incidents'] })
      return showMoved(queryClient, { ids, status, at: new Date().toISOString() })
    },
    onError: (_, __, restore) => restore?.(),
    onSuccess: (_, { onDone }) => onDone?.(),
    onSettled: () => renewIncidents(queryClient),
  })
}

/** Answers with what shows it as it was. */
function showMoved(queryClient: QueryClient, move: Move): () => void {
  const keys = [['incidents'], ...move.ids.map((id) => ['incident', id])]
  const before = keys.flatMap((queryKey) => queryClient.getQueriesData({ queryKey }))
  for (const [key, data] of before) {
    const moved = data === undefined ? undefined : movedAnswer(key, data, move)
    if (moved !== undefined) queryClient.setQueryData(key, moved)
  }
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data)
  }
}

/** By the keys of the queries above. Counts and histories wait for the service. */
function movedAnswer([kind, of, more]: QueryKey, data: unknown, move: Move): unknown {
  if (kind === 'incident') return more === undefined ? movedIncident(data as Incident, move) : undefined
  if (of === 'of vehicle') return movedPage(data as Static<typeof IncidentList>, move)
  if (typeof of === 'object') return movedPages(data as InfiniteData<Static<typeof IncidentList>>, move, (of as IncidentFilter).status)
  return undefined
}
