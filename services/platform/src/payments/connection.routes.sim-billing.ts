import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import {
  GatewayConnectionAnswer,
  GatewayConnectionCreate,
  GatewayConnectionDeleted,
  GatewayConnectionList,
  GatewayConnectionParams,
  GatewayConnectionTest,
  GatewayConnectionUpdate,
} from '@roadworthy/contracts/sim-billing/gateway-connections'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { authorOf } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { changeConnection, createConnection, noSuchConnection, removeConnection, requireConnection } from './change-connection.ts'
import { selectConnections } from './connections.sql.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { tryConnection } from './try-connection.ts'
import { toWireConnection } from './wire-connection.ts'

/** As of keys and people: it holds credentials, and decides where money goes. */
const CONNECTION_SCOPE = '*'
const tags = ['Payments']

export function gatewayConnectionRoutes(deps: PaymentDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
    addTestRoute(app as App, deps)
  }
}

/** Of a key of one sub-client there are none: the money goes to the reseller. */
function refusePinned({ subClientPin }: Caller): void {
  if (subClientPin !== undefined) throw noSuchConnection()
}

function refusePinnedMaking({ subClientPin }: Caller): void {
  if (subClientPin === undefined) return
  throw new Problem('missing_scope', 'This key belongs to one sub-client; gateways are connected by the reseller.', {
    details: { required_scope: '*' },
  })
}

function addReadRoutes(app: App, deps: PaymentDeps): void {
  const { database } = deps
  app.get(
    '/gateway-connections',
    {
      config: { scope: CONNECTION_SCOPE },
      schema: {
        operationId: 'listGatewayConnections',
        tags,
        summary: 'List connections to payment gateways, oldest first',
        description: 'Empty for a key of one sub-client.',
        response: { 200: GatewayConnectionList, ...errorResponses() },
      },
    },
    async ({ caller }) => {
      const { resellerId, subClientPin } = caller
      const connections = subClientPin === undefined ? await selectConnections(database.tenantPool(resellerId), resellerId) : []
      return { total: connections.length, connections: connections.map((each) => toWireConnection(deps, each)) }
    },
  )
  app.get(
    '/gateway-connections/:connection_id',
    {
      config: { scope: CONNECTION_SCOPE },
      schema: {
        operationId: 'getGatewayConnection',
        tags,
        summary: 'Get one connection to a payment gateway',
        description: 'With the address to enter at the gateway for its callbacks. Credentials are never shown.',
        params: GatewayConnectionParams,
        response: { 200: GatewayConnectionAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      refusePinned(caller)
      const connection = await requireConnection(database, caller.resellerId, params.connection_id)
      return { success: true as const, connection: toWireConnection(deps, connection) }
    },
  )
}

function addChangeRoutes(app: App, deps: PaymentDeps): void {
  app.post(
    '/gateway-connections',
    {
      config: { scope: CONNECTION_SCOPE },
      schema: {
        operationId: 'createGatewayConnection',
        tags,
        summary: 'Connect an account at a payment gateway',
        description: 'Nothing is asked of the gateway yet: enter `callback_url` there, then test the connection.',
        body: GatewayConnectionCreate,
        response: { 200: GatewayConnectionAnswer, ...errorResponses(409) },
      },
    },
    async (request) => {
      refusePinnedMaking(request.caller)
      const connection = await createConnection(deps, request.body, authorOf(request, deps.now()))
      return { success: true as const, connection: toWireConnection(deps, connection) }
    },
  )
  app.put(
    '/gateway-connections/:connection_id',
    {
      config: { scope: CONNECTION_SCOPE },
      schema: {
        operationId: 'updateGatewayConnection',
        tags,
        summary: 'Change a connection to a payment gateway',
        description:
          'A webhook secret that is replaced stays valid for three days, because the gateway repeats what it signed with it. Another key has to be of the same ' +
          'account: once a payment was begun, the gateway is asked with it whether it knows that one, and another account is 409.',
        params: GatewayConnectionParams,
        body: GatewayConnectionUpdate,
        response: { 200: GatewayConnectionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      refusePinned(request.caller)
      const connection = await changeConnection(deps, request.params.connection_id, request.body, authorOf(request, deps.now()))
      return { success: true as const, connection: toWireConnection(deps, connection) }
    },
  )
  app.delete(
    '/gateway-connections/:connection_id',
    {
      config: { scope: CONNECTION_SCOPE },
      schema: {
        operationId: 'deleteGatewayConnection',
        tags,
        summary: 'Forget a connection to a payment gateway',
        description:
          'Refused while payments, refunds or disputes of it are under way, and for five days after a payment came to nothing, because it may be paid late. Afterwards its callbacks are refused, so that refunds and disputes of old ' +
          'payments are not seen any more: switching it off is mostly what is wanted.',
        params: GatewayConnectionParams,
        response: { 200: GatewayConnectionDeleted, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      refusePinned(request.caller)
      await removeConnection(deps, request.params.connection_id, authorOf(request, deps.now()))
      return { success: true as const, connection_id: request.params.connection_id }
    },
  )
}

function addTestRoute(app: App, deps: PaymentDeps): void {
  app.post(
    '/gateway-connections/:connection_id/test',
    {
      config: { scope: CONNECTION_SCOPE },
      schema: {
        operationId: 'testGatewayConnection',
        tags,
        summary: 'Ask the gateway something that moves no money',
        params: GatewayConnectionParams,
        response: { 200: GatewayConnectionTest, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      refusePinned(caller)
      return await tryConnection(deps, await requireConnection(deps.database, caller.resellerId, params.connection_id))
    },
  )
}
