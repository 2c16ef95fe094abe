import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { type LoggedRequest, RequestLogPage, RequestLogQuery } from '@roadworthy/contracts/platform-v1/request-log'
import { queryRange } from '@roadworthy/service-kit/http/query-instant'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Static } from 'typebox'
import type { Caller } from '../keys/caller.ts'
import type { LoggedCall } from './logged-call.ts'
import { selectCalls } from './request-log.sql.ts'
import { CALLS_KEPT_OF_KEY, REQUESTS_KEPT_DAYS } from './request-log.ts'

export function requestLogPlatformRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/request-log',
      {
        // As of the keys themselves.
        config: { scope: '*' },
        schema: {
          operationId: 'listRequestLog',
          tags: ['API keys'],
          summary: 'List the last calls of API keys, newest first',
          description:
            'On every surface, about a second after they were answered, refusals with their reason. For looking into what went wrong, not for ' +
            'counting: of a key that calls all the time successful calls are sampled, and a crash of the database empties the log. Without ' +
            'bodies and credentials. A key that belongs to one sub-client sees the calls of keys of that sub-client.',
          querystring: RequestLogQuery,
          response: { 200: RequestLogPage, ...errorResponses() },
        },
      },
      async ({ caller, query }) => listCalls(database, caller, query),
    )
  }
}

async function listCalls(database: Database, caller: Caller, query: Static<typeof RequestLogQuery>): Promise<RequestLogPage> {
  const page = pageRequest('requests', query, 'newest first')
  const filter = {
    subClientPin: caller.subClientPin,
    keyId: query.keyId,
    statusClass: query.status,
    method: query.method,
    pathPrefix: query.path,
    requestId: query.requestId,
    ...queryRange(query),
  }
  const rows = await selectCalls(database.tenantPool(caller.resellerId), caller.resellerId, filter, page)
  const { items, pagination } = endPage(rows, page, ({ at, entryId }) => ({ at, id: entryId }))
  return { requests: items.map(toPlatformRequest), keptDays: REQUESTS_KEPT_DAYS, keptOfKey: CALLS_KEPT_OF_KEY, pagination }
}

function toPlatformRequest(call: LoggedCall): LoggedRequest {
  return {
    id: call.entryId,
    at: call.at.toISOString(),
    keyId: call.keyId,
    subClientId: call.subClientId ?? null,
    surface: call.surface,
    method: call.method,
    path: call.path,
    query: call.query ?? null,
    status: call.status,
    durationMs: call.durationMs,
    requestId: call.requestId,
    error: call.error === undefined ? null : { ...call.error },
    address: call.address,
    userAgent: call.userAgent ?? null,
  }
}
