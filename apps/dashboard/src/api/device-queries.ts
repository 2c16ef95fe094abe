// What the pages about devices ask for.

import type { DeviceImport, DeviceImported } from '@roadworthy/contracts/platform-v1/device-import'
import type { DeviceMessages, Recording } from '@roadworthy/contracts/platform-v1/device-messages'
import type {
  CredentialsRotated,
  Device,
  DeviceChange,
  DeviceList,
  DeviceRegister,
  DeviceRegistered,
} from '@roadworthy/contracts/platform-v1/devices'
import type { TrackerTokenIssued } from '@roadworthy/contracts/platform-v1/tracker-tokens'
import type { SimList } from '@roadworthy/contracts/sim-billing/sims'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withReasons, withRefusals } from '../said/refused.ts'
import { get, send, simBilling } from './client.ts'

/** When a device was heard last changes with each message, and no event reports it. */
const HEARD_MS = 10_000
/** Somebody stands beside the vehicle and waits for it. */
const WAITING_POLL_MS = 1_000
/** Somebody looks at what a device sends, and the service writes it down once a second. */
const RECORDED_POLL_MS = 2_000
const PAGE_SIZE = 50
const OFFERED = 50

export type DeviceStatus = Device['status']
export type DevicePresence = 'online' | 'offline' | 'never'
export type DeviceFilter = {
  readonly status?: DeviceStatus
  readonly presence?: DevicePresence
  readonly subClientId?: string
  readonly search?: string
}

export const devicesQuery = (filter: DeviceFilter) =>
  infiniteQueryOptions({
    queryKey: ['devices', filter],
    queryFn: ({ signal, pageParam }) =>
      get<Static<typeof DeviceList>>('/devices', { ...filter, limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: renewalMs(HEARD_MS),
  })

export const deviceQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device', deviceId],
    queryFn: ({ signal }) => get<Device>(pathOf(deviceId), {}, signal),
    refetchInterval: (asked) => (asked.state.data?.lastSeenAt === null ? WAITING_POLL_MS : renewalMs(HEARD_MS)(asked)),
  })

/** For fields where a device is chosen. */
export const offeredDevicesQuery = (search: string) =>
  queryOptions({
    queryKey: ['devices', 'offered', search],
    queryFn: ({ signal }) =>
      get<Static<typeof DeviceList>>('/devices', { search: search === '' ? undefined : search, limit: OFFERED }, signal),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

export const messagesQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device', deviceId, 'messages'],
    queryFn: async ({ signal }) =>
      withReasons(await get<DeviceMessages>(`${pathOf(deviceId)}/messages`, {}, signal), ['message', 'reason']),
    refetchInterval: (asked) => (typeof asked.state.data?.recordingUntil === 'string' ? RECORDED_POLL_MS : renewalMs(HEARD_MS)(asked)),
  })

export const simOfDeviceQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['sims', 'of device', deviceId],
    queryFn: ({ signal }) => simBilling.get<Static<typeof SimList>>('/sims', { device_id: deviceId, limit: 1 }, signal),
  })

export function useRegisterDevice() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (device: DeviceRegister) => send<DeviceRegistered>('POST', '/devices', device),
    onSettled: refresh,
  })
}

/** Checks devices as if they were registered. */
export function useCheckImport() {
  return useMutation({
    mutationFn: async (devices: DeviceImport['devices']) =>
      withRefusals(await send<DeviceImported>('POST', '/devices/import', { devices, dryRun: true })),
  })
}

/** `onceKey`: sent again with the same one, an answer that was lost on its way comes again, with the same passwords. */
export type Import = Pick<DeviceImport, 'devices' | 'skipInvalid'> & { readonly onceKey: string }

export function useImportDevices() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ onceKey, ...body }: Import) =>
      withRefusals(await send<DeviceImported>('POST', '/devices/import', body, { 'idempotency-key': onceKey })),
    onSettled: refresh,
  })
}

export function useChangeDevice(deviceId: string) {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (change: DeviceChange) => send<Device>('PATCH', pathOf(deviceId), change), onSettled: refresh })
}

export function useRotateCredentials(deviceId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (graceSeconds: number) => send<CredentialsRotated>('POST', `${pathOf(deviceId)}/credentials/rotate`, { graceSeconds }),
    onSettled: refresh,
  })
}

export function useIssueTrackerToken(deviceId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => send<TrackerTokenIssued>('POST', `${pathOf(deviceId)}/tracker-token`, {}),
    onSettled: refresh,
  })
}

/** For so many minutes from now; without a number, no longer. */
export function useRecordMessages(deviceId: string) {
  const queryClient = useQueryClient()
  const path = `${pathOf(deviceId)}/messages/recording`
  return useMutation({
    mutationFn: (minutes: number | undefined) =>
      minutes === undefined ? send<Static<typeof Recording>>('DELETE', path) : send<Static<typeof Recording>>('POST', path, { minutes }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: messagesQuery(deviceId).queryKey }),
  })
}

export function useDecommissionDevice(deviceId: string) {
  const refresh = useRefresh()
  return useMutation({ mutationFn: () => send('POST', `${pathOf(deviceId)}/decommission`), onSettled: refresh })
}

function pathOf(deviceId: string): string {
  return `/devices/${encodeURIComponent(deviceId)}`
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () => Promise.all([['devices'], ['device'], ['vehicles'], ['sims']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
