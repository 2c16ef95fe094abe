import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { LiveHeaders, LiveQuery } from '@roadworthy/contracts/platform-v1/live'
import { chooseEncoding } from '@roadworthy/service-kit/http/compact-answers'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readLogCursor } from '../events/cursor.ts'
import { eventScopes } from '../events/event-scopes.ts'
import { missingScope } from '../keys/missing-scope.ts'
import { compressStream } from './compress-stream.ts'
import type { LiveStream } from './live-stream.ts'
import { type LiveDeps, type LiveSettings, LiveStreams, maySeeVehicles } from './live-streams.ts'
import { readShownVehicles } from './shown-vehicles.ts'

const example =
  'event: ready\nid: cDQx\ndata: {"watched":1}\n\n' +
  'event: vehicles\ndata: {"vehicles":[{"id":"veh-1","healthScore":91.5,"online":true,"location":null}]}\n\n' +
  'event: event\nid: cDQy\ndata: {"id":"evt-1","event":"alert.created","timestamp":"2026-11-20T12:00:00.000Z","data":{},"sub_client_id":null}\n\n'

const description = `Server-sent events, for \`EventSource\`. Messages:

- \`ready\`: the stream stands. Its id is where the log ends, or what was given as \`Last-Event-ID\`.
- \`event\`: one event of the log that the caller may read, as webhooks get it. Its id is its cursor in the log, also for \`GET /api/v1/events\`.
- \`vehicles\`: \`{"vehicles": […]}\`, the newest state of those that changed (\`VehicleChange\`), first of all that are shown, then at most once a
  second. It needs the scope \`vehicles:read\`.
- \`reset\`: more has happened than is sent again, or it is no longer kept. Fetch anew what you show; the stream goes on from here.

After a cut, connect again with \`Last-Event-ID\`: nothing is passed over and nothing comes twice. The stream ends when the key is revoked, the
session ends, or rights change. At most 10 streams of a key or person and 200 of a reseller at a process, else 429. A connection is one call.`

/** Streams end before the server waits for its requests. */
export function livePlatformRoutes(deps: LiveDeps, settings?: LiveSettings): FastifyPluginAsyncTypebox {
  return async (app) => {
    const streams = new LiveStreams(deps, settings)
    app.addHook('preClose', () => streams.close())
    app.get(
      '/stream',
      {
        config: { scope: eventScopes },
        // The answer to HEAD would be a stream that nobody reads.
        exposeHeadRoute: false,
        schema: {
          operationId: 'followChanges',
          summary: 'Follow events and vehicles as they change',
          description,
          tags: ['Events'],
          querystring: LiveQuery,
          headers: LiveHeaders,
          response: {
            200: {
              description: 'Messages until one side ends it.',
              content: { 'text/event-stream': { schema: Type.String(), examples: { beginning: { value: example } } } },
            },
            ...errorResponses(),
          },
        },
      },
      async (request, reply) => {
        requireStreaming(request.headers.accept)
        const { caller, query, headers } = request
        const shown = readShownVehicles(query)
        if ((shown.ids.length > 0 || shown.box !== undefined) && !maySeeVehicles(caller)) throw missingScope('vehicles:read')
        const isStillAdmitted = () => request.isStillAdmitted()
        const stream = await streams.open({ caller, shown, after: readPlace(headers['last-event-id'], query.lastEventId), isStillAdmitted })
        return sendStream(request, reply, stream)
      },
    )
  }
}

function sendStream(request: FastifyRequest, reply: FastifyReply, stream: LiveStream): FastifyReply {
  void reply
    .type('text/event-stream; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no', vary: 'accept-encoding' })
  if (chooseEncoding(request.headers['accept-encoding'], ['gzip']) === undefined) return reply.send(stream)
  return reply.header('content-encoding', 'gzip').send(compressStream(stream))
}

function readPlace(header: string | undefined, query: string | undefined): number | undefined {
  if (header !== undefined && header !== '') return readLogCursor(header, 'last-event-id', 'headers')
  return query === undefined ? undefined : readLogCursor(query, 'lastEventId')
}

/** A caller that wants a document would wait for its end for ever. */
function requireStreaming(accept: string | undefined): void {
  if (accept?.includes('text/event-stream') === true) return
  throw new Problem(
    'invalid_request',
    'This answer is a stream that does not end: send "Accept: text/event-stream", as EventSource does.',
    {
      details: { in: 'headers', field: 'accept' },
    },
  )
}
