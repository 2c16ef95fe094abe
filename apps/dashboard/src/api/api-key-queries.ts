// What the page about API keys asks for.

import type {
  ApiKeyList,
  CreateApiKeyRequest,
  CreatedApiKey,
  RevokedApiKey,
  RotatedApiKey,
} from '@roadworthy/contracts/platform-v1/api-keys'
import type { AuditList } from '@roadworthy/contracts/platform-v1/audit'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { makersOf } from '../settings/api-key-makers.ts'
import { get, send } from './client.ts'

const PAGE_SIZE = 100
/** The most that one request answers. */
const MOST = 500
const KEYS = ['api-keys']

export const apiKeysQuery = infiniteQueryOptions({
  queryKey: KEYS,
  queryFn: ({ signal, pageParam }) => get<ApiKeyList>('/api-keys', { limit: PAGE_SIZE, after: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
})

/** Who made each key, by its id, as far as the newest entries of the audit log name it. */
export const apiKeyMakersQuery = queryOptions({
  queryKey: [...KEYS, 'makers'],
  queryFn: async ({ signal }) => {
    const entriesOf = (action: string) => get<Static<typeof AuditList>>('/audit', { action, limit: MOST }, signal)
    const [created, rotated] = await Promise.all([entriesOf('api_key.created'), entriesOf('api_key.rotated')])
    return makersOf([...created.entries, ...rotated.entries])
  },
})

/** The answers hold secrets, so they are forgotten with the dialog that shows them. */
const NOT_KEPT = { gcTime: 0 }

export function useCreateApiKey() {
  const onSettled = useRenewedKeys()
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (given: CreateApiKeyRequest) => send<CreatedApiKey>('POST', '/api-keys', given),
    onSettled,
  })
}

export function useRotateApiKey(keyId: string) {
  const onSettled = useRenewedKeys()
  return useMutation({
    ...NOT_KEPT,
    mutationFn: (overlapHours: number) => send<RotatedApiKey>('POST', `/api-keys/${encodeURIComponent(keyId)}/rotate`, { overlapHours }),
    onSettled,
  })
}

export function useRevokeApiKey(keyId: string) {
  const onSettled = useRenewedKeys()
  return useMutation({ mutationFn: () => send<RevokedApiKey>('DELETE', `/api-keys/${encodeURIComponent(keyId)}`), onSettled })
}

function useRenewedKeys() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: KEYS })
}
