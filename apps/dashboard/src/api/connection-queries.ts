// What the pages about accounts at operators and at payment gateways ask for.

import type {
  GatewayConnectionAnswer,
  GatewayConnectionCreate,
  GatewayConnectionList,
  GatewayConnectionTest,
  GatewayConnectionUpdate,
} from '@roadworthy/contracts/sim-billing/gateway-connections'
import type {
  OperatorConnection,
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

export function useChangeOperator(connectionId: string) {
  return useSending((given: OperatorConnectionUpdate) => sendOperator(connectionId, given))
}

/**
 * `change`: from the connection as it is just before, so that nothing is taken back that somebody else stored since the page was shown. Where it comes to
 * nothing, nothing is sent.
 */
export function useEditOperator(connectionId: string) {
  const queryClient = useQueryClient()
  return useSending(async (change: (stored: OperatorConnection) => OperatorConnectionUpdate) => {
    const { connection } = await queryClient.fetchQuery({ ...operatorConnectionQuery(connectionId), staleTime: 0 })
    const given = change(connection)
    if (Object.keys(given).length > 0) await sendOperator(connectionId, given)
  })
}

function sendOperator(connectionId: string, given: OperatorConnectionUpdate) {
  return simBilling.send<Static<typeof OperatorConnectionAnswer>>('PUT', at(OPERATORS, connectionId), given)
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

function useSending<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient()
  const changed = [['operator-connections'], ['gateway-connections'], ['sync']]
  return useMutation({
    mutationFn,
    onSuccess: () => Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

function at(path: string, connectionId: string): string {
  return `${path}/${encodeURIComponent(connectionId)}`
}
