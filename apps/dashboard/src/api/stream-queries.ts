// What the page about the stream connection asks for.

import type {
  PutStreamConnectionRequest,
  StreamConnection,
  StreamConnectionList,
  StreamConnectionTest,
} from '@roadworthy/contracts/platform-v1/stream-connection'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { withReasons } from '../said/refused.ts'
import { get, send } from './client.ts'

const STREAM = ['stream-connection']
const PATH = '/stream-connection'
/** Every few seconds a process reports how it is doing. */
const RENEW_MS = 4_000

/** `null`: there is none. */
export const streamQuery = queryOptions({
  queryKey: STREAM,
  queryFn: async ({ signal }) => {
    const { connections } = await translated(get<StreamConnectionList>('/stream-connections', {}, signal))
    return connections[0] ?? null
  },
  refetchInterval: ({ state }) => (state.data === null ? false : RENEW_MS),
})

/**
 * `PUT` sets all fields: what is not changed is read anew just before, so that nothing is taken back that somebody else stored since the page was shown.
 * Of undefined nothing is sent, and the answer is undefined.
 */
export function useChangeStream() {
  const queryClient = useQueryClient()
  return useMutation({
    // Its variables hold secrets.
    gcTime: 0,
    mutationFn: async (requestOf: (stored: StreamConnection | null) => PutStreamConnectionRequest | undefined) => {
      const request = requestOf(await queryClient.fetchQuery({ ...streamQuery, staleTime: 0 }))
      return request === undefined ? undefined : await translated(send<StreamConnection>('PUT', PATH, request))
    },
    onSuccess: (connection) => queryClient.setQueryData(STREAM, connection),
  })
}

export function useDeleteStream() {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: () => send('DELETE', PATH), onSuccess: () => queryClient.setQueryData(STREAM, null) })
}

export function useTestStream() {
  return useMutation({ mutationFn: () => translated(send<StreamConnectionTest>('POST', `${PATH}/test`)) })
}

async function translated<Answer>(asking: Promise<Answer>): Promise<Answer> {
  return withReasons(await asking, ['detail', 'reason'])
}
