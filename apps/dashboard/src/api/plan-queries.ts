// What the page about the plan asks for.

import type { Plan } from '@roadworthy/contracts/platform-v1/plan'
import type { ReadingsRetention, ReadingsRetentionChange } from '@roadworthy/contracts/platform-v1/settings'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, send } from './client.ts'

export const planQuery = queryOptions({ queryKey: ['plan'], queryFn: ({ signal }) => get<Plan>('/plan', {}, signal) })

const RETENTION_PATH = '/settings/readings-retention'

export const retentionQuery = queryOptions({
  queryKey: ['readings-retention'],
  queryFn: ({ signal }) => get<ReadingsRetention>(RETENTION_PATH, {}, signal),
})

export function useChangeRetention() {
  const queries = useQueryClient()
  const mutationFn = (change: ReadingsRetentionChange) => send<ReadingsRetention>('PUT', RETENTION_PATH, change)
  return useMutation({ mutationFn, onSuccess: (set) => queries.setQueryData(retentionQuery.queryKey, set) })
}
