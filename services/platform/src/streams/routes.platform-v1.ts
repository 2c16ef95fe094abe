import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  DeletedStreamConnection,
  PutStreamConnectionRequest,
  StreamConnection,
  StreamConnectionList,
  StreamConnectionTest,
} from '@roadworthy/contracts/platform-v1/stream-connection'
import type { App } from '@roadworthy/service-kit/http/http'
import { authorOf } from '../audit/audit.ts'
import { type ManageDeps, putConnection, refusePinned, removeConnection, requireConnection } from './change-connection.ts'
import { selectConnection } from './connections.sql.ts'
import { selectConsumers } from './consumers.sql.ts'
import type { StreamConnection as Connection } from './stream-connection.ts'
import { selectStrike } from './strikes.sql.ts'
import { toPlatformConnection } from './wire-connection.ts'

export type StreamRoutesDeps = ManageDeps & {
  /** Tries the connection of a reseller where its brokers can do no harm. */
  readonly testConnection: (resellerId: string) => Promise<StreamConnectionTest>
}

/** As of keys and people: it holds credentials, and speaks for every device. */
const STREAM_SCOPE = '*'
/** Every few seconds a consumer reports its state. */
const SILENT_MS = 30_000
const tags = ['Stream']

export function streamPlatformRoutes(deps: StreamRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now } = deps
  const answer = async (connection: Connection) => {
    const { resellerId } = connection
    const at = now()
    const db = database.tenantPool(resellerId)
    const [consumers, strike] = await Promise.all([
      selectConsumers(db, resellerId, new Date(at.getTime() - SILENT_MS)),
      selectStrike(db, resellerId),
    ])
    const isLeftOut = strike !== undefined && strike.revision === connection.revision && strike.leftOutUntil > at
    return toPlatformConnection(connection, consumers, isLeftOut ? strike : undefined)
  }
  return async (app) => {
    addListRoute(app as App, deps, answer)
    app.get(
      '/stream-connection',
      {
        config: { scope: STREAM_SCOPE },
        schema: {
          operationId: 'getStreamConnection',
          tags,
          summary: 'Get where telemetry is read from by Kafka, and how that goes',
          response: { 200: StreamConnection, ...errorResponses(404) },
        },
      },
      async ({ caller }) => {
        refusePinned(caller)
        return await answer(await requireConnection(database, caller.resellerId))
      },
    )
    app.put(
      '/stream-connection',
      {
        config: { scope: STREAM_SCOPE },
        schema: {
          operationId: 'putStreamConnection',
          tags,
          summary: 'Set where telemetry is to be read from by Kafka',
          description:
            'What is left out is set back to its default, except for secrets, which stay. Reading begins anew at once, where it was.',
          body: PutStreamConnectionRequest,
          response: { 200: StreamConnection, ...errorResponses() },
        },
      },
      async (request) => {
        refusePinned(request.caller)
        return await answer(await putConnection(deps, request.body, authorOf(request, now())))
      },
    )
    app.delete(
      '/stream-connection',
      {
        config: { scope: STREAM_SCOPE },
        schema: {
          operationId: 'deleteStreamConnection',
          tags,
          summary: 'Stop reading, and forget the connection and how far it was read',
          response: { 200: DeletedStreamConnection, ...errorResponses(404) },
        },
      },
      async (request) => {
        refusePinned(request.caller)
        await removeConnection(deps, authorOf(request, now()))
        return { deleted: true as const }
      },
    )
    addTestRoute(app as App, deps)
  }
}

type WireConnection = ReturnType<typeof toPlatformConnection>

function addListRoute(app: App, { database }: StreamRoutesDeps, answer: (connection: Connection) => Promise<WireConnection>): void {
  app.get(
    '/stream-connections',
    {
      config: { scope: STREAM_SCOPE },
      schema: {
        operationId: 'listStreamConnections',
        tags,
        summary: 'Ask whether telemetry is read by Kafka, and if so, from where',
        description: 'None is an answer here, and no error. A key of a sub-client sees none: the stream is that of the reseller.',
        response: { 200: StreamConnectionList, ...errorResponses() },
      },
    },
    async ({ caller: { resellerId, subClientPin } }) => {
      if (subClientPin !== undefined) return { connections: [] }
      const connection = await selectConnection(database.tenantPool(resellerId), resellerId)
      return { connections: connection === undefined ? [] : [await answer(connection)] }
    },
  )
}

function addTestRoute(app: App, deps: StreamRoutesDeps): void {
  app.post(
    '/stream-connection/test',
    {
      config: { scope: STREAM_SCOPE },
      schema: {
        operationId: 'testStreamConnection',
        tags,
        summary: 'Try the connection, step by step',
        description: 'Enabled or not. Nothing is stored, and nothing is taken from the topic. It takes up to half a minute.',
        response: { 200: StreamConnectionTest, ...errorResponses(404, 409) },
      },
    },
    async ({ caller }) => {
      refusePinned(caller)
      await requireConnection(deps.database, caller.resellerId)
      return await deps.testConnection(caller.resellerId)
    },
  )
}
