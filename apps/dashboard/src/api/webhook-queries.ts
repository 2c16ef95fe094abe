// What the pages about webhooks ask for.

import type {
  CreateWebhookRequest,
  Recovered,
  RecoverRequest,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookList,
  WebhookStatistics,
  WebhookWithSecret,
} from '@roadworthy/contracts/platform-v1/webhooks'
import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { withReasons } from '../said/refused.ts'
import { type DeliverySearch, deliveryFilter } from '../webhooks/delivery-search.ts'
import { get, send } from './client.ts'

const WEBHOOKS = ['webhooks']
const PAGE_SIZE = 50
/** Somebody watches whether the receiver takes what is sent. */
const RENEW_MS = 3_000

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }: { pagination: { hasNextPage: boolean; endCursor: string | null } }) =>
    pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined,
}

export const webhooksQuery = infiniteQueryOptions({
  ...paging,
  queryKey: [...WEBHOOKS, 'list'],
  queryFn: ({ signal, pageParam }) => get<WebhookList>('/webhooks', { limit: PAGE_SIZE, after: pageParam }, signal),
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, id],
    queryFn: ({ signal }) => get<Webhook>(pathOf(id), {}, signal),
    refetchInterval: RENEW_MS,
  })

export const webhookStatisticsQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, id, 'statistics'],
    queryFn: ({ signal }) => get<WebhookStatistics>(`${pathOf(id)}/statistics`, {}, signal),
    refetchInterval: 4 * RENEW_MS,
  })

export const deliveriesQuery = (id: string, search: DeliverySearch) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: [...WEBHOOKS, id, 'deliveries', search],
    queryFn: ({ signal, pageParam }) =>
      get<WebhookDeliveryList>(
        `${pathOf(id)}/deliveries`,
        { ...deliveryFilter(search, Date.now()), limit: PAGE_SIZE, after: pageParam },
        signal,
      ),
    // Of one page only: whoever reads further back is not to lose the place.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : RENEW_MS),
  })

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, id, 'deliveries', 'one', deliveryId],
    queryFn: async ({ signal }) => withReasons(await get<WebhookDeliveryDetail>(deliveryPathOf(id, deliveryId), {}, signal), ['error']),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? RENEW_MS : false),
  })

/** The answers hold secrets, so they are forgotten with the dialog that shows them. */
const NOT_KEPT = { gcTime: 0 }

export function useCreateWebhook() {
  const onSettled = useRenewed()
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (given: CreateWebhookRequest) => send<WebhookWithSecret>('POST', '/webhooks', given),
    onSettled,
  })
}

export function useRotateWebhookSecret(id: string) {
  const onSettled = useRenewed()
  return useMutation({ ...NOT_KEPT, mutationFn: () => send<WebhookWithSecret>('POST', `${pathOf(id)}/secret/rotate`), onSettled })
}

export function useChangeWebhook(id: string) {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: (change: WebhookChange) => send<Webhook>('PATCH', pathOf(id), change), onSettled })
}

export function usePauseWebhook(id: string) {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: (action: 'pause' | 'resume') => send<Webhook>('POST', `${pathOf(id)}/${action}`), onSettled })
}

/** `leave`: away from the page that shows it. Whatever still shows it asks for it again, and is refused; a list that still has it asks for its statistics. */
export function useDeleteWebhook(id: string, leave: () => Promise<void>) {
  const queryClient = useQueryClient()
  const queryKey = [...WEBHOOKS, id]
  return useMutation({
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    mutationFn: () => send('DELETE', pathOf(id)),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: webhooksQuery.queryKey })
      await leave()
      queryClient.removeQueries({ queryKey })
    },
  })
}

export function useTestWebhook(id: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (eventType: EventType) => send<{ eventId: string }>('POST', `${pathOf(id)}/test`, { eventType }),
    onSettled,
  })
}

export function useResendDelivery(id: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (deliveryId: string) => send<WebhookDelivery>('POST', `${deliveryPathOf(id, deliveryId)}/resend`),
    onSettled,
  })
}

/** One request takes up a part of a long range; it is sent until nothing is left. */
export function useRecoverDeliveries(id: string) {
  const onSettled = useRenewed()
  const mutationFn = async (range: RecoverRequest) => {
    let recovered = 0
    for (;;) {
      const part = await send<Recovered>('POST', `${pathOf(id)}/recover`, range)
      recovered += part.recovered
      if (part.isComplete) return recovered
    }
  }
  return useMutation({ mutationFn, onSettled })
}

function pathOf(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`
}

function deliveryPathOf(id: string, deliveryId: string): string {
  return `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}`
}

function useRenewed() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: WEBHOOKS })
}
