import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { EventList, EventListQuery } from '@roadworthy/contracts/platform-v1/events'
import type { Event } from '@roadworthy/contracts/webhooks/events'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Static } from 'typebox'
import type { Caller } from '../keys/caller.ts'
import { readLogCursor, writeLogCursor } from './cursor.ts'
import { eventScopes, readableTypes } from './event-scopes.ts'
import { selectEventsAfter, selectRemovedUpTo } from './events.sql.ts'

const DEFAULT_LIMIT = 100

export function eventPlatformRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/events',
      {
        config: { scope: eventScopes },
        schema: {
          operationId: 'listEvents',
          summary: 'Follow the log of events, oldest first',
          description:
            'What webhooks are sent, to be fetched. Keep `pagination.endCursor` and give it as `after` the next time: nothing is passed over, ' +
            'and nothing comes twice. A key sees the events of what it may read.',
          tags: ['Events'],
          querystring: EventListQuery,
          response: { 200: EventList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => listEvents(database, caller, query),
    )
  }
}

async function listEvents(database: Database, caller: Caller, query: Static<typeof EventListQuery>): Promise<Static<typeof EventList>> {
  const types = readableTypes(caller, query.type)
  const { resellerId, subClientPin } = caller
  const limit = query.limit ?? DEFAULT_LIMIT
  const after = query.after === undefined ? undefined : readLogCursor(query.after, 'after')
  const db = database.tenantPool(resellerId)
  const logged = await selectEventsAfter(db, resellerId, { types, subClientPin }, { after: after ?? 0, limit })
  // Asked after the page was read: what is removed from here on was in it.
  if (after !== undefined && after < (await selectRemovedUpTo(db, resellerId))) throw cursorTooOld()
  const page = logged.slice(0, limit)
  const last = page.at(-1)?.position ?? after
  return {
    events: page.map(({ body }) => JSON.parse(body) as Event),
    pagination: { endCursor: last === undefined ? null : writeLogCursor(last), hasNextPage: logged.length > limit },
  }
}

function cursorTooOld(): Problem {
  return new Problem(
    'invalid_request',
    'Events after this cursor are no longer kept. Leave "after" out to begin with the oldest there is.',
    {
      details: { in: 'querystring', field: 'after' },
    },
  )
}
