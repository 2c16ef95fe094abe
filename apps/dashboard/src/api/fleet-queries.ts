// What the pages ask for of many vehicles: never all of them (docs/finding-vehicles.md).

import type { FleetMap, VehicleCounts } from '@roadworthy/contracts/platform-v1/fleet-map'
import type { VehicleList, VehicleListQuery } from '@roadworthy/contracts/platform-v1/vehicles'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { type Box, boxText } from '../map/box.ts'
import { get } from './client.ts'

type ListQuery = Static<typeof VehicleListQuery>
export type FleetChoice = Pick<ListQuery, 'search' | 'healthStatus' | 'presence' | 'groupId' | 'subClientId' | 'status'>
export type FleetSort = Required<Pick<ListQuery, 'sort' | 'order'>>

const PAGE_SIZE = 100
/** A list of more pages is not asked for again by itself: its rows are streamed, and its order stays while somebody reads in it. */
const MAX_RENEWED_PAGES = 3
/** In a field where a vehicle is chosen: as many as one looks through. */
const OFFERED = 50

export const fleetListQuery = (choice: FleetChoice, sort: FleetSort) =>
  infiniteQueryOptions({
    queryKey: ['vehicles', 'list', choice, sort],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof VehicleList>>('/vehicles', { ...choice, ...sort, limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > MAX_RENEWED_PAGES ? false : renewalMs()()),
    placeholderData: keepPreviousData,
  })

/** Without a box: the whole fleet. */
export const fleetMapQuery = (choice: FleetChoice, box: Box | undefined) =>
  queryOptions({
    queryKey: ['vehicles', 'map', choice, box === undefined ? null : boxText(box)],
    queryFn: ({ signal }) => get<FleetMap>('/fleet/map', { ...choice, bbox: box === undefined ? undefined : boxText(box) }, signal),
    refetchInterval: renewalMs(),
    placeholderData: keepPreviousData,
  })

export const vehicleCountsQuery = queryOptions({
  queryKey: ['vehicles', 'counts'],
  queryFn: ({ signal }) => get<VehicleCounts>('/fleet/counts', {}, signal),
  refetchInterval: renewalMs(),
})

/** For fields where a vehicle is chosen. */
export const offeredVehiclesQuery = (search: string) =>
  queryOptions({
    queryKey: ['vehicles', 'offered', search],
    queryFn: ({ signal }) =>
      get<Static<typeof VehicleList>>('/vehicles', { search: search === '' ? undefined : search, sort: 'name', limit: OFFERED }, signal),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
