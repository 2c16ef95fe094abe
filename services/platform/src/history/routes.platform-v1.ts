import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { ReadingsRetention, ReadingsRetentionChange } from '@roadworthy/contracts/platform-v1/settings'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { authorOf } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { changeRetention, type RetentionBounds, readRetention } from './retention.ts'

const tags = ['Vehicles']

type RetentionRoutesDeps = { readonly database: Database; readonly readingsRetention: RetentionBounds; readonly now: () => Date }

export function readingsRetentionPlatformRoutes({ database, readingsRetention, now }: RetentionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/settings/readings-retention',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getReadingsRetention',
          summary: 'For how long readings are kept',
          description: 'Of the whole account: a key of one sub-client is refused.',
          tags,
          response: { 200: ReadingsRetention, ...errorResponses() },
        },
      },
      async ({ caller }) => {
        refuseSubClient(caller, 'vehicles:read')
        return await readRetention(database.tenantPool(caller.resellerId), caller.resellerId, readingsRetention)
      },
    )
    app.put(
      '/settings/readings-retention',
      {
        config: { scope: '*' },
        schema: {
          operationId: 'putReadingsRetention',
          summary: 'Set for how long readings are kept',
          description:
            'Of the reseller and of its sub-clients, for ever included; takes the place of all that was set before. What is older is removed, in the database within ' +
            'minutes and in files within hours once the last reading of a file is; it cannot be had back. A key of one sub-client is refused.',
          tags,
          body: ReadingsRetentionChange,
          response: { 200: ReadingsRetention, ...errorResponses() },
        },
      },
      async (request) => {
        const { caller, body } = request
        refuseSubClient(caller, '*')
        return await changeRetention(database, caller.resellerId, body, readingsRetention, authorOf(request, now()))
      },
    )
  }
}

function refuseSubClient({ subClientPin }: Caller, scope: string): void {
  if (subClientPin === undefined) return
  throw new Problem('missing_scope', 'How long readings are kept is set for the whole account; this key belongs to one sub-client.', {
    details: { required_scope: scope },
  })
}
