import type { ModelDrift, ModelList, TryAnswer } from '@roadworthy/contracts/platform-v1/models'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withReasons } from '../said/refused.ts'
import { withSaid } from '../said/said.ts'
import { get, send } from './client.ts'

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => withSaid(await get<Static<typeof ModelList>>('/models', {}, signal)),
})

export const driftQuery = queryOptions({
  queryKey: ['models', 'drift'],
  queryFn: ({ signal }) => get<ModelDrift>('/models/drift', {}, signal),
})

export function useTry() {
  return useMutation({
    mutationFn: async (reading: Readonly<Record<string, unknown>>) =>
      withReasons(await withSaid(await send<TryAnswer>('POST', '/predictions/try', { reading })), ['warning']),
  })
}
