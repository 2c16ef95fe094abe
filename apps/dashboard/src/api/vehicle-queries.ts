// What the tabs of a vehicle's page ask for.

import type { AlertList } from '@roadworthy/contracts/platform-v1/alerts'
import type { CorrectOdometerRequest, Odometer, OdometerCorrectionList } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { Readings } from '@roadworthy/contracts/platform-v1/readings'
import type { FaultCodes, HealthHistory, HealthPoint, Vehicle, VehicleChange } from '@roadworthy/contracts/platform-v1/vehicles'
import type { SignalName } from '@roadworthy/signals/registry'
import { wireKeyOf } from '@roadworthy/signals/wire-names'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withSaid } from '../said/said.ts'
import { get, send } from './client.ts'

const SLOW_MS = 60_000
/** At most so often, so that the charts of a page that is left open take less than 1 kB/s: on the demo fleet 2.5 kB/s at 10 s. */
const CHART_MS = 30_000
const HISTORY_PAGE_SIZE = 500
/** 2,500 points: a month of hours, and as many changes again. */
const MAX_HISTORY_PAGES = 5
const READINGS_PAGE_SIZE = 50
const MAX_MARKS = 200

const path = (vehicleId: string, rest = '') => `/vehicles/${encodeURIComponent(vehicleId)}${rest}`

/** `spanMs`: up to now, so that it moves on; else between two fixed times. */
export type ChartRange = { readonly spanMs: number } | { readonly from: string; readonly to: string }

function rangeParameters(range: ChartRange): { from: string; to?: string } {
  return 'spanMs' in range ? { from: new Date(Date.now() - range.spanMs).toISOString() } : { from: range.from, to: range.to }
}

/** All signals that were reported, or those asked for, in at most `points` buckets. */
export const seriesQuery = (vehicleId: string, range: ChartRange, points: number, signals?: readonly SignalName[]) =>
  queryOptions({
    queryKey: ['readings', vehicleId, range, points, signals ?? 'all'],
    queryFn: ({ signal }) => {
      const names = signals?.map((name) => wireKeyOf(name, 'engine').key).join(',')
      return get<Readings>(path(vehicleId, '/readings'), { ...rangeParameters(range), points, signals: names }, signal)
    },
    // What lies behind does not change, and nothing new can be drawn before the next bucket.
    refetchInterval: 'spanMs' in range ? renewalMs(Math.max(CHART_MS, range.spanMs / points)) : false,
    placeholderData: (previous) => previous,
  })

export type RawFilter = { readonly range: ChartRange; readonly signal: SignalName | undefined }

export const rawReadingsQuery = (vehicleId: string, { range, signal: name }: RawFilter) =>
  infiniteQueryOptions({
    queryKey: ['raw-readings', vehicleId, range, name ?? 'all'],
    queryFn: ({ signal, pageParam }) => {
      const signals = name === undefined ? undefined : wireKeyOf(name, 'engine').key
      return get<Readings>(
        path(vehicleId, '/readings'),
        { ...rangeParameters(range), signals, order: 'desc', limit: READINGS_PAGE_SIZE, after: pageParam },
        signal,
      )
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
  })

/** The alerts of a vehicle, for the marks of its charts. */
export const vehicleAlertsQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['alerts', 'of vehicle', vehicleId],
    queryFn: async ({ signal }) => withSaid(await get<Static<typeof AlertList>>('/alerts', { vehicleId, limit: MAX_MARKS }, signal)),
    refetchInterval: renewalMs(SLOW_MS),
  })

export const healthHistoryQuery = (vehicleId: string, days: number) =>
  queryOptions({
    queryKey: ['health-history', vehicleId, days],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - days * 86_400_000).toISOString()
      const points: HealthPoint[] = []
      let after: string | undefined
      for (let page = 0; page < MAX_HISTORY_PAGES; page++) {
        const parameters = { from, limit: HISTORY_PAGE_SIZE, after }
        const answer = await get<Static<typeof HealthHistory>>(path(vehicleId, '/health/history'), parameters, signal)
        points.push(...answer.history)
        after = answer.pagination.endCursor ?? undefined
        if (!answer.pagination.hasNextPage) break
      }
      return points
    },
    refetchInterval: renewalMs(SLOW_MS),
  })

export const faultCodesQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['fault-codes', vehicleId],
    queryFn: async ({ signal }) => withSaid(await get<Static<typeof FaultCodes>>(path(vehicleId, '/fault-codes'), {}, signal)),
    refetchInterval: renewalMs(SLOW_MS),
  })

export const odometerQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['odometer', vehicleId],
    queryFn: ({ signal }) => get<Static<typeof Odometer>>(path(vehicleId, '/odometer'), {}, signal),
    refetchInterval: renewalMs(SLOW_MS),
  })

export const correctionsQuery = (vehicleId: string) =>
  infiniteQueryOptions({
    queryKey: ['odometer', vehicleId, 'corrections'],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof OdometerCorrectionList>>(path(vehicleId, '/odometer/corrections'), { limit: 20, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
  })

export function useCorrectOdometer(vehicleId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (asked: CorrectOdometerRequest) => send<Static<typeof Odometer>>('POST', path(vehicleId, '/odometer'), asked),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['odometer', vehicleId] }),
  })
}

export function useChangeVehicle(vehicleId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: VehicleChange) => send<Vehicle>('PATCH', path(vehicleId), change),
    onSuccess: (vehicle) => queryClient.setQueryData(['vehicle', vehicleId], vehicle),
    onSettled: () => Promise.all(['vehicles', 'vehicle', 'devices'].map((name) => queryClient.invalidateQueries({ queryKey: [name] }))),
  })
}
