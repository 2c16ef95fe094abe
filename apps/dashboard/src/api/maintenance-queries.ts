// What the pages about maintenance ask for.

import type {
  ChangeMaintenanceRequest,
  CompleteMaintenanceRequest,
  CreateMaintenanceRequest,
  Maintenance,
  MaintenanceList,
  PredictionAccuracy,
} from '@roadworthy/contracts/platform-v1/maintenance'
import type { Schedule, ScheduleList } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get, send } from './client.ts'

const SLOW_POLL_MS = 30_000
const PAGE_SIZE = 50

export type WorkFilter = {
  readonly status?: Maintenance['status'] | undefined
  readonly vehicleId?: string | undefined
  readonly component?: string | undefined
  /** Done, or to be done, before this time. */
  readonly to?: Date | undefined
}

export const workQuery = ({ status, vehicleId, component, to }: WorkFilter) =>
  infiniteQueryOptions({
    queryKey: ['maintenance', status ?? null, vehicleId ?? null, component ?? null, to?.getTime() ?? null],
    queryFn: ({ signal, pageParam }) => {
      const parameters = { status, vehicleId, component, to: to?.toISOString(), limit: PAGE_SIZE, after: pageParam }
      return get<Static<typeof MaintenanceList>>('/maintenance', parameters, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: SLOW_POLL_MS,
  })

export type ScheduleFilter = {
  readonly status?: Schedule['status'] | undefined
  readonly vehicleId?: string | undefined
  readonly component?: string | undefined
}

export const schedulesQuery = ({ status, vehicleId, component }: ScheduleFilter) =>
  infiniteQueryOptions({
    queryKey: ['schedules', status ?? null, vehicleId ?? null, component ?? null],
    queryFn: ({ signal, pageParam }) => {
      const parameters = { status, vehicleId, component, limit: PAGE_SIZE, after: pageParam }
      return get<Static<typeof ScheduleList>>('/maintenance/schedules', parameters, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: SLOW_POLL_MS,
  })

export const accuracyQuery = (component: string | undefined) =>
  queryOptions({
    queryKey: ['accuracy', component ?? null],
    queryFn: ({ signal }) => get<Static<typeof PredictionAccuracy>>('/predictions/accuracy', { component }, signal),
  })

/** Plans work, or puts on record what was done. */
export function useCreateWork() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (work: CreateMaintenanceRequest) => send<Maintenance>('POST', '/maintenance', work),
    onSettled: () => refresh(queryClient),
  })
}

export function useCompleteWork() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, done }: { id: string; done: CompleteMaintenanceRequest }) =>
      send<Maintenance>('POST', `/maintenance/${encodeURIComponent(id)}/complete`, done),
    onSettled: () => refresh(queryClient),
  })
}

export function useChangeWork(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: ChangeMaintenanceRequest) => send<Maintenance>('PATCH', `/maintenance/${encodeURIComponent(id)}`, changes),
    onSettled: () => refresh(queryClient),
  })
}

export function useRemoveWork(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => send('DELETE', `/maintenance/${encodeURIComponent(id)}`),
    onSettled: () => refresh(queryClient),
  })
}

/** Work that is done resolves alerts, ends incidents, restarts schedules and begins lives anew. */
const CHANGED_BY_WORK = ['maintenance', 'schedules', 'accuracy', 'alerts', 'incidents', 'health', 'predictions', 'vehicles', 'vehicle']

function refresh(queryClient: QueryClient) {
  return Promise.all(CHANGED_BY_WORK.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
