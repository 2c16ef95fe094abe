import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { Overview, OverviewQuery } from '@roadworthy/contracts/platform-v1/overview'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import type { LoadAdviceBases } from '../predictions/dated-advice.ts'
import { readOverview } from './read-overview.ts'

/** A long holiday. What was further back is in the lists. */
const MAX_SINCE_DAYS = 31
const DAY_MS = 86_400_000

export type OverviewRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly offlineAfterMs: number
  readonly loadAdviceBases: LoadAdviceBases
}

export function overviewPlatformRoutes({ database, now, ...deps }: OverviewRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/overview',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getOverview',
          summary: 'What needs someone today, how the fleet is, and what changed',
          description: 'Everything on the first page of the dashboard. Parts that need a scope which the caller does not have are null.',
          tags: ['Vehicles'],
          querystring: OverviewQuery,
          response: { 200: Overview, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const asked = { ...deps, now: now(), since: readSince(query.since, now()) }
        return await database.tenant(caller.resellerId, (db) => readOverview(db, caller, asked))
      },
    )
  }
}

function readSince(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const sinceMs = parseRfc3339(text)
  if (sinceMs === undefined || sinceMs < now.getTime() - MAX_SINCE_DAYS * DAY_MS) {
    throw new Problem(
      'invalid_request',
      `"since" must be an RFC 3339 date and time with an offset, at most ${MAX_SINCE_DAYS} days ago, such as ${now.toISOString()}.`,
      { details: { in: 'querystring', field: 'since' } },
    )
  }
  return new Date(sinceMs)
}
