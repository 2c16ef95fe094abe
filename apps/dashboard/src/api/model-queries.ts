import type { ModelDrift, ModelList, TryAnswer } from '@roadworthy/contracts/platform-v1/models'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get, send } from './client.ts'

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => get<Static<typeof ModelList>>('/models', {}, signal),
})

export const driftQuery = queryOptions({
  queryKey: ['models', 'drift'],
  queryFn: ({ signal }) => get<ModelDrift>('/models/drift', {}, signal),
})

export function useTry() {
  return useMutation({
    mutationFn: (reading: Readonly<Record<string, unknown>>) => send<TryAnswer>('POST', '/predictions/try', { reading }),
  })
}
