// What the pages about maintenance ask for.

import type {
  ChangeMaintenanceRequest,
  CompleteMaintenanceRequest,
  CreateMaintenanceRequest,
  LifeList,
  Maintenance,
  MaintenanceList,
  PredictionAccuracy,
} from '@roadworthy/contracts/platform-v1/maintenance'
import type {
  CalendarLink,
  ChangeScheduleRequest,
  CreateScheduleRequest,
  RevokedCalendarLink,
  Schedule,
  ScheduleList,
} from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { PredictionList } from '@roadworthy/contracts/platform-v1/predictions'
import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withSaid } from '../said/said.ts'
import { get, type QueryParameters, send } from './client.ts'

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

/** As many pages as a month of the largest fleets has, and no more than a person looks through. */
const MAX_MONTH_PAGES = 3
const MONTH_PAGE_SIZE = 500

export type MonthFilter = {
  readonly from: Date
  readonly to: Date
  readonly vehicleId?: string | undefined
  readonly component?: string | undefined
}

/** Work and schedules of a month, and the predictions of the vehicle where one is chosen. */
export const monthQuery = ({ from, to, vehicleId, component }: MonthFilter) =>
  queryOptions({
    queryKey: ['maintenance', 'month', from.getTime(), to.getTime(), vehicleId ?? null, component ?? null],
    queryFn: async ({ signal }) => {
      const asked = { from: from.toISOString(), to: to.toISOString(), vehicleId, component }
      const [work, schedules, predictions] = await Promise.all([
        allPages<Static<typeof MaintenanceList>>('/maintenance', asked, signal),
        allPages<Static<typeof ScheduleList>>('/maintenance/schedules', asked, signal),
        vehicleId === undefined ? [] : allPages<Static<typeof PredictionList>>('/predictions', { vehicleId }, signal),
      ])
      return {
        work: work.flatMap(({ maintenance }) => maintenance),
        schedules: schedules.flatMap((page) => page.schedules),
        predictions: (await withSaid(predictions))
          .flatMap((page) => page.predictions)
          .filter((prediction) => component === undefined || prediction.component === component),
        isCut:
          [...work, ...schedules].some(({ pagination }) => pagination.hasNextPage) &&
          [work, schedules].some((pages) => pages.length === MAX_MONTH_PAGES),
      }
    },
    refetchInterval: SLOW_POLL_MS,
    placeholderData: (previous) => previous,
  })

type AnyPage = { readonly pagination: { readonly hasNextPage: boolean; readonly endCursor: string | null } }

async function allPages<Page extends AnyPage>(path: string, parameters: QueryParameters, signal: AbortSignal): Promise<Page[]> {
  const pages: Page[] = []
  let after: string | undefined
  while (pages.length < MAX_MONTH_PAGES) {
    const page = await get<Page>(path, { ...parameters, limit: MONTH_PAGE_SIZE, after }, signal)
    pages.push(page)
    after = page.pagination.endCursor ?? undefined
    if (!page.pagination.hasNextPage) break
  }
  return pages
}

export type LifeUnit = Static<typeof LifeList>['unit']

export const livesQuery = (component: string, unit: LifeUnit) =>
  infiniteQueryOptions({
    queryKey: ['lives', component, unit],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof LifeList>>('/maintenance/lives', { component, unit, limit: MONTH_PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
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

export function useCreateSchedule() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (schedule: CreateScheduleRequest) => send<Schedule>('POST', '/maintenance/schedules', schedule),
    onSettled: () => refresh(queryClient),
  })
}

export function useChangeSchedule(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: ChangeScheduleRequest) => send<Schedule>('PATCH', `/maintenance/schedules/${encodeURIComponent(id)}`, changes),
    onSettled: () => refresh(queryClient),
  })
}

export function useRemoveSchedule(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => send('DELETE', `/maintenance/schedules/${encodeURIComponent(id)}`),
    onSettled: () => refresh(queryClient),
  })
}

export function useCreateCalendarLink() {
  return useMutation({
    mutationFn: (vehicleId: string) =>
      send<Static<typeof CalendarLink>>('POST', `/vehicles/${encodeURIComponent(vehicleId)}/calendar-link`),
  })
}

export function useRemoveCalendarLink() {
  return useMutation({
    mutationFn: (vehicleId: string) =>
      send<Static<typeof RevokedCalendarLink>>('DELETE', `/vehicles/${encodeURIComponent(vehicleId)}/calendar-link`),
  })
}

/** Work that is done resolves alerts, ends incidents, restarts schedules and begins lives anew. */
const CHANGED_BY_WORK = [
  'maintenance',
  'schedules',
  'accuracy',
  'lives',
  'alerts',
  'incidents',
  'health',
  'predictions',
  'vehicles',
  'vehicle',
]

function refresh(queryClient: QueryClient) {
  return Promise.all(CHANGED_BY_WORK.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
