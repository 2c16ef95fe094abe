import type { ChangeDemoFleetRequest, DemoFleet } from '@roadworthy/contracts/platform-v1/demo-fleet'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, send } from './client.ts'

const queryKey = ['demo-fleet']

/** Only owners are answered. */
export const demoFleetQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => get<DemoFleet>('/demo-fleet', {}, signal),
})

export function useChangeDemoFleet() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ChangeDemoFleetRequest) => send<DemoFleet>('PUT', '/demo-fleet', change),
    onSuccess: (demoFleet) => queryClient.setQueryData(queryKey, demoFleet),
    onSettled: () => Promise.all(['demo-fleet', 'overview', 'vehicles'].map((name) => queryClient.invalidateQueries({ queryKey: [name] }))),
  })
}
