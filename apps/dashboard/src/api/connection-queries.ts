// What the pages about accounts at operators and at payment gateways ask for.

import type {
  GatewayConnectionAnswer,
  GatewayConnectionCreate,
  GatewayConnectionList,
  GatewayConnectionTest,
  GatewayConnectionUpdate,
} from '@roadworthy/contracts/sim-billing/gateway-connections'
import type {
  OperatorConnectionAnswer,
  OperatorConnectionCreate,
  OperatorConnectionList,
  OperatorConnectionTest,
  OperatorConnectionUpdate,
} from '@roadworthy/contracts/sim-billing/operator-connections'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withRefusals } from '../said/refused.ts'
import { simBilling } from './client.ts'

const OPERATORS = '/operator-connections'
const GATEWAYS = '/gateway-connections'
const POLL_MS = 30_000
/** More than there may be. */
const ALL = 100

export const operatorConnectionsQuery = queryOptions({
  queryKey: ['operator-connections'],
  queryFn: ({ signal }) => simBilling.get<Static<typeof OperatorConnectionList>>(OPERATORS, { limit: ALL }, signal),
  refetchInterval: POLL_MS,
})

export const operatorConnectionQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['operator-connections', connectionId],
    queryFn: ({ signal }) => simBilling.get<Static<typeof OperatorConnectionAnswer>>(at(OPERATORS, connectionId), {}, signal),
  })

export const gatewayConnectionsQuery = queryOptions({
  queryKey: ['gateway-connections'],
  queryFn: ({ signal }) => simBilling.get<Static<typeof GatewayConnectionList>>(GATEWAYS, {}, signal),
  refetchInterval: POLL_MS,
})

export function useCreateOperator() {
  return useSending((given: OperatorConnectionCreate) => simBilling.send<Static<typeof OperatorConnectionAnswer>>('POST', OPERATORS, given))
}

export function useChangeOperator(connectionId: string, onStored?: () => void) {
  return useSending(
    (given: OperatorConnectionUpdate) =>
      simBilling.send<Static<typeof OperatorConnectionAnswer>>('PUT', at(OPERATORS, connectionId), given),
    onStored,
  )
}

export function useTestOperator(connectionId: string) {
  return useMutation({
    mutationFn: async () => withRefusals(await simBilling.send<OperatorConnectionTest>('POST', `${at(OPERATORS, connectionId)}/test`)),
  })
}

export function useRemoveOperator(connectionId: string) {
  return useSending(() => simBilling.send('DELETE', at(OPERATORS, connectionId)))
}

export function useCreateGateway() {
  return useSending((given: GatewayConnectionCreate) => simBilling.send<Static<typeof GatewayConnectionAnswer>>('POST', GATEWAYS, given))
}

export function useChangeGateway(connectionId: string) {
  return useSending((given: GatewayConnectionUpdate) =>
    simBilling.send<Static<typeof GatewayConnectionAnswer>>('PUT', at(GATEWAYS, connectionId), given),
  )
}

export function useTestGateway(connectionId: string) {
  return useMutation({
    mutationFn: async () =>
      withRefusals(await simBilling.send<Static<typeof GatewayConnectionTest>>('POST', `${at(GATEWAYS, connectionId)}/test`)),
  })
}

export function useRemoveGateway(connectionId: string) {
  return useSending(() => simBilling.send('DELETE', at(GATEWAYS, connectionId)))
}

/** `onStored` is called though the form makes way for one of what is stored now; a callback of `mutate` is not. */
function useSending<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>, onStored?: () => void) {
  const queryClient = useQueryClient()
  const changed = [['operator-connections'], ['gateway-connections'], ['sync']]
  return useMutation({
    mutationFn,
    onSuccess: () => {
      onStored?.()
      return Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
  })
}

function at(path: string, connectionId: string): string {
  return `${path}/${encodeURIComponent(connectionId)}`
}
