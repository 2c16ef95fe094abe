import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import {
  OperatorConnectionAnswer,
  OperatorConnectionCreate,
  OperatorConnectionDeleted,
  OperatorConnectionList,
  OperatorConnectionListQuery,
  OperatorConnectionParams,
  OperatorConnectionTest,
  OperatorConnectionUpdate,
  type OperatorConnection as WireConnection,
} from '@roadworthy/contracts/sim-billing/operator-connections'
import type { App } from '@roadworthy/service-kit/http/http'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { authorOf } from '../../audit/audit.ts'
import { OperatorError } from '../operators/operator.ts'
import {
  changeConnection,
  createConnection,
  type ManageConnectionsDeps,
  removeConnection,
  requireConnection,
  toGiven,
} from './change-connection.ts'
import { toWireFields } from './connection-fields.ts'
import { countConnections, type ListedConnection, selectListedConnections } from './connections.sql.ts'
import type { OperatorPool } from './operator-pool.ts'
import { openCredentials } from './operator-secrets.ts'

export type ConnectionRoutesDeps = ManageConnectionsDeps & { readonly operators: OperatorPool }

/** As of keys and people: it holds credentials, and costs money. */
const CHANGE_SCOPE = '*'
const TEST_MS = 25_000
const tags = ['Operators']

export function connectionSimBillingRoutes(deps: ConnectionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadingRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
    addTestRoute(app as App, deps)
  }
}

function addReadingRoutes(app: App, deps: ConnectionRoutesDeps): void {
  const { database } = deps
  app.get(
    '/operator-connections',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listOperatorConnections',
        tags,
        summary: 'List operator connections, oldest first',
        description: 'Empty for a key of one sub-client.',
        querystring: OperatorConnectionListQuery,
        response: { 200: OperatorConnectionList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const { resellerId, subClientPin } = caller
      const page = pageRequest('operator connections', query)
      const db = database.tenantPool(resellerId)
      const isShown = subClientPin === undefined
      const [rows, total] = isShown
        ? await Promise.all([selectListedConnections(db, resellerId, page), countConnections(db, resellerId)])
        : [[], 0]
      const { items, pagination } = endPage(rows, page, ({ createdAt, connectionId }) => ({ at: createdAt, id: connectionId }))
      return { total, connections: items.map((each) => toWireConnection(deps, each)), pagination }
    },
  )
  app.get(
    '/operator-connections/:connection_id',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getOperatorConnection',
        tags,
        summary: 'Get one operator connection',
        params: OperatorConnectionParams,
        response: { 200: OperatorConnectionAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const connection = await requireConnection(database, caller, params.connection_id)
      return { success: true as const, connection: toWireConnection(deps, connection) }
    },
  )
}

function addChangeRoutes(app: App, deps: ConnectionRoutesDeps): void {
  const { database, now } = deps
  app.post(
    '/operator-connections',
    {
      config: { scope: CHANGE_SCOPE },
      schema: {
        operationId: 'createOperatorConnection',
        tags,
        summary: 'Connect an account at an operator’s platform',
        description: 'Nothing is asked of the operator yet: test the connection, then synchronise.',
        body: OperatorConnectionCreate,
        response: { 200: OperatorConnectionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const made = await createConnection(deps, request.caller, request.body, authorOf(request, now()))
      return { success: true as const, connection: toWireConnection(deps, made) }
    },
  )
  app.put(
    '/operator-connections/:connection_id',
    {
      config: { scope: CHANGE_SCOPE },
      schema: {
        operationId: 'updateOperatorConnection',
        tags,
        summary: 'Change an operator connection',
        params: OperatorConnectionParams,
        body: OperatorConnectionUpdate,
        response: { 200: OperatorConnectionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      await requireConnection(database, caller, params.connection_id)
      await changeConnection(deps, params.connection_id, body, authorOf(request, now()))
      const connection = await requireConnection(database, caller, params.connection_id)
      return { success: true as const, connection: toWireConnection(deps, connection) }
    },
  )
  app.delete(
    '/operator-connections/:connection_id',
    {
      config: { scope: CHANGE_SCOPE },
      schema: {
        operationId: 'deleteOperatorConnection',
        tags,
        summary: 'Forget an operator connection that never had a SIM',
        params: OperatorConnectionParams,
        response: { 200: OperatorConnectionDeleted, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params } = request
      const { connectionId } = await requireConnection(database, caller, params.connection_id)
      await removeConnection(deps, connectionId, authorOf(request, now()))
      return { success: true as const, connection_id: connectionId }
    },
  )
}

function addTestRoute(app: App, { database, operators }: ConnectionRoutesDeps): void {
  app.post(
    '/operator-connections/:connection_id/test',
    {
      config: { scope: CHANGE_SCOPE },
      schema: {
        operationId: 'testOperatorConnection',
        tags,
        summary: 'Try an operator connection',
        description:
          'Enabled or not. Asks the operator for the least that proves the credentials; changes nothing. It takes up to half a minute.',
        params: OperatorConnectionParams,
        response: { 200: OperatorConnectionTest, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const connection = await requireConnection(database, caller, params.connection_id)
      const startedMs = performance.now()
      const tried = await operators
        .of(connection)
        .testConnection(AbortSignal.timeout(TEST_MS))
        .then(
          ({ message }) => ({ success: true, message }),
          (error: unknown) => {
            if (error instanceof OperatorError) return { success: false, message: error.message }
            throw error
          },
        )
      return { ...tried, duration_ms: Math.round(performance.now() - startedMs) }
    },
  )
}

function toWireConnection({ sealer }: ConnectionRoutesDeps, connection: ListedConnection): WireConnection {
  return {
    connection_id: connection.connectionId,
    operator: connection.operator,
    ...toGiven(connection),
    base_url: connection.baseUrl,
    settings: toWireFields(connection.settings),
    credential_names: Object.keys(toWireFields(openCredentials(sealer, connection))).sort(),
    sim_count: connection.simCount,
    synced_until: connection.syncedUntil?.toISOString() ?? null,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  }
}
