// What the pages about incidents ask for.

import type { AssigneeList, Incident, IncidentChange, IncidentList } from '@roadworthy/contracts/platform-v1/incidents'
import type { MaintenanceList } from '@roadworthy/contracts/platform-v1/maintenance'
import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { get, send } from './client.ts'

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
}

/** What is over has no urgency. */
function orderOf({ status }: IncidentFilter): 'newest' | 'urgency' {
  return status === 'resolved' ? 'newest' : 'urgency'
}

export const incidentsQuery = (filter: IncidentFilter) =>
  infiniteQueryOptions({
    queryKey: ['incidents', filter],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof IncidentList>>('/incidents', { ...filter, order: orderOf(filter), limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: renewalMs(),
  })

/** What is not resolved of one vehicle, most urgent first. */
export const standingIncidentsQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['incidents', 'of vehicle', vehicleId],
    queryFn: ({ signal }) => get<Static<typeof IncidentList>>('/incidents', { vehicleId, order: 'urgency', limit: PAGE_SIZE }, signal),
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
    queryFn: ({ signal }) => get<Incident>(`/incidents/${encodeURIComponent(incidentId)}`, {}, signal),
    refetchInterval: renewalMs(),
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

export function useChangeIncident() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: IncidentChange }) => sendChange(id, change),
    onSettled: () => renewIncidents(queryClient),
  })
}

/** One after the other. What is refused does not keep the others from it; how many were is said at the end. */
export function useChangeIncidents() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, change }: { ids: readonly string[]; change: IncidentChange }) => {
      const refusals: Error[] = []
      for (const id of ids) {
        try {
          await sendChange(id, change)
        } catch (error) {
          if (!(error instanceof Error)) throw error
          refusals.push(error)
        }
      }
      const [first] = refusals
      if (first !== undefined) throw new Error(`${refusals.length} of ${ids.length} were refused. ${first.message}`, { cause: first })
    },
    onSettled: () => renewIncidents(queryClient),
  })
}
