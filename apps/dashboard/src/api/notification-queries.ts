// What the page about notification rules, channels and what was sent asks for.

import type {
  CreatedNotificationChannel,
  CreateNotificationChannel,
  NotificationChannelChange,
  NotificationChannelList,
  NotificationChannelTest,
} from '@roadworthy/contracts/platform-v1/notification-channels'
import type {
  CreateNotificationRule,
  Notification,
  NotificationList,
  NotificationRule,
  NotificationRuleChange,
  NotificationRuleList,
  NotificationTestSent,
} from '@roadworthy/contracts/platform-v1/notifications'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withReasons } from '../said/refused.ts'
import { withSaid } from '../said/said.ts'
import { get, send } from './client.ts'

const PAGE_SIZE = 25
/** As many as there can be. */
const ALL = 500
const RULES = ['notification-rules']
const CHANNELS = ['notification-channels']
const LOG = ['notifications']
/** What is being sent is settled within seconds. */
const LOG_EVERY_MS = 10_000

export const rulesQuery = queryOptions({
  queryKey: RULES,
  queryFn: ({ signal }) => get<Static<typeof NotificationRuleList>>('/notification-rules', { limit: ALL }, signal),
})

export const channelsQuery = queryOptions({
  queryKey: CHANNELS,
  queryFn: ({ signal }) => get<Static<typeof NotificationChannelList>>('/notification-channels', { limit: ALL }, signal),
})

export type LogFilter = { readonly status?: Notification['status'] | undefined; readonly ruleId?: string | undefined }

export const notificationLogQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...LOG, filter],
    queryFn: async ({ signal, pageParam }) =>
      withReasons(
        await withSaid(
          await get<Static<typeof NotificationList>>('/notifications', { ...filter, limit: PAGE_SIZE, after: pageParam }, signal),
        ),
        ['error'],
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: LOG_EVERY_MS,
  })

export function useCreateRule() {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (given: CreateNotificationRule) => send<NotificationRule>('POST', '/notification-rules', given),
    onSettled,
  })
}

export function useChangeRule(ruleId: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (change: NotificationRuleChange) => send<NotificationRule>('PATCH', pathOfRule(ruleId), change),
    onSettled,
  })
}

export function useRemoveRule(ruleId: string) {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: () => send<object>('DELETE', pathOfRule(ruleId)), onSettled })
}

export function useTestRule(ruleId: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: () => send<Static<typeof NotificationTestSent>>('POST', `${pathOfRule(ruleId)}/test`),
    onSettled,
  })
}

/** The answer may hold a secret, so it is forgotten with the dialog that shows it. */
export function useConnectChannel() {
  const onSettled = useRenewed()
  return useMutation({
    gcTime: 0,
    mutationFn: (given: CreateNotificationChannel) =>
      send<Static<typeof CreatedNotificationChannel>>('POST', '/notification-channels', given),
    onSettled,
  })
}

export function useChangeChannel(channelId: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (change: NotificationChannelChange) => send<object>('PATCH', pathOfChannel(channelId), change),
    onSettled,
  })
}

export function useRemoveChannel(channelId: string) {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: () => send<object>('DELETE', pathOfChannel(channelId)), onSettled })
}

export function useTestChannel(channelId: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: async () =>
      withReasons(await send<Static<typeof NotificationChannelTest>>('POST', `${pathOfChannel(channelId)}/test`), ['error']),
    onSettled,
  })
}

const pathOfRule = (ruleId: string) => `/notification-rules/${encodeURIComponent(ruleId)}`
const pathOfChannel = (channelId: string) => `/notification-channels/${encodeURIComponent(channelId)}`

/** A change of one shows in the others: rules name channels, and tests are in the log. */
function useRenewed() {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all([RULES, CHANNELS, LOG].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
