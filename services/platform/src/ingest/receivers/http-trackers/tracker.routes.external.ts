// Where phones and trackers send over HTTP. They have no API key: a token says which device it is. What differs between the formats is in a module of each;
// this reads the request and answers in the form that the senders expect.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  MessageRefused,
  OsmandQuery,
  TorqueQuery,
  TorqueTaken,
  TraccarClientBody,
  TrackerTokenParams,
} from '@roadworthy/contracts/external/trackers'
import type { App } from '@roadworthy/service-kit/http/http'
import { assertPlain } from '@roadworthy/service-kit/http/http'
import { parseJsonShallow, withoutByteOrderMark } from '@roadworthy/service-kit/http/json-limits'
import type { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { addFreematicsRoutes } from './freematics.routes.external.ts'
import { osmandIdKeys, parseOsmand } from './osmand.ts'
import { type Message, type TrackerDeps, TrackerReceiver } from './take-message.ts'
import { parseTorque } from './torque.ts'
import { parseTraccarClient } from './traccar-client.ts'
import { objectOf } from './tracker-reading.ts'
import { EMPTY, MAX_MESSAGE_BYTES, notValidatedHere, queryOf, TOKEN, tags, taken } from './tracker-routes.ts'

const osmandResponse = {
  200: {
    description: 'Stored, with an empty body; or refused for good, with the reason.',
    content: { 'text/plain': { schema: EMPTY }, 'application/json': { schema: MessageRefused } },
  },
  ...taken,
}

export function trackerExternalRoutes(deps: TrackerDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_MESSAGE_BYTES }, (request, body, done) => {
      try {
        assertPlain(request)
        done(null, body)
      } catch (error) {
        done(error as Error)
      }
    })
    const receiver = new TrackerReceiver(deps)
    addOsmandRoutes(app as App, receiver)
    addTorqueRoute(app as App, receiver)
    addFreematicsRoutes(app as App, receiver, deps.now)
  }
}

function addOsmandRoutes(app: App, receiver: TrackerReceiver): void {
  const take = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token, read } = readOsmand(request)
    return answerOsmand(request, reply, await receiver.take(request, token, read))
  }
  app.get(
    '/ingest/osmand',
    {
      exposeHeadRoute: false,
      config: { public: true, admitsDevices: true, anyQuery: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendOsmandQuery',
        tags,
        summary: 'Take a position of OsmAnd, an older Traccar Client or a tracker that speaks their protocol',
        description: TOKEN,
        querystring: OsmandQuery,
        response: osmandResponse,
      },
    },
    take,
  )
  app.post(
    '/ingest/osmand',
    {
      config: { public: true, admitsDevices: true, anyQuery: true },
      bodyLimit: MAX_MESSAGE_BYTES,
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendOsmandMessage',
        tags,
        summary: 'Take a position of Traccar Client, as JSON, as a form or as a query',
        description: TOKEN,
        headers: Type.Object({}),
        querystring: OsmandQuery,
        body: {
          content: { 'application/json': { schema: TraccarClientBody }, 'application/x-www-form-urlencoded': { schema: OsmandQuery } },
        },
        response: osmandResponse,
      },
    },
    take,
  )
}

type OsmandMessage = { readonly token: string | undefined; readonly read: () => Message }

const JSON_OBJECT = /^\s*\{/
const MAX_INDENT = 64

function readOsmand(request: FastifyRequest): OsmandMessage {
  const body = withoutByteOrderMark(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
  if (JSON_OBJECT.test(body.toString('latin1', 0, MAX_INDENT))) {
    // What cannot be stored of it is taken out by the record, as from a query: a phone repeats for ever what is answered 400.
    const message = objectOf(parseJsonShallow(body))
    const { device_id: token, ...rest } = message
    // `_` repeats the token.
    const { _: _repeated, ...location } = objectOf(rest['location'])
    const read = () => ({ receiver: 'osmand' as const, readings: [parseTraccarClient(message)], sent: { ...rest, location } })
    return { token: typeof token === 'string' ? token : undefined, read }
  }
  const parameters = queryOf(request)
  // Some name the device in the address, and send the position as a form.
  for (const [key, value] of new URLSearchParams(body.toString())) parameters.append(key, value)
  const token = osmandIdKeys.map((key) => parameters.get(key)).find((id) => id !== null)
  for (const key of osmandIdKeys) parameters.delete(key)
  const read = () => ({ receiver: 'osmand' as const, readings: [parseOsmand(parameters)], sent: Object.fromEntries(parameters) })
  return { token: token ?? undefined, read }
}

function answerOsmand(request: FastifyRequest, reply: FastifyReply, refusal: Problem | undefined): FastifyReply {
  if (refusal === undefined) return reply.code(200).type('text/plain; charset=utf-8').send('')
  const { code, message, details } = refusal
  const error = { code, message, request_id: request.id, ...(details === undefined ? {} : { details }) }
  return reply.code(200).type('application/json; charset=utf-8').send({ success: false, error })
}

/** Torque sends by GET, and takes any other body than this for a failure. */
function addTorqueRoute(app: App, receiver: TrackerReceiver): void {
  app.get(
    '/ingest/torque/:token',
    {
      exposeHeadRoute: false,
      config: { public: true, admitsDevices: true, anyQuery: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendTorqueUpload',
        tags,
        summary: 'Take an upload of Torque Pro',
        description: `Answered \`OK!\` once it is stored, and where it can never be; then the reason is among the messages of the device. ${TOKEN}`,
        params: TrackerTokenParams,
        querystring: TorqueQuery,
        response: { 200: { description: 'Taken.', content: { 'text/plain': { schema: TorqueTaken } } }, ...taken },
      },
    },
    async (request, reply) => {
      const parameters = queryOf(request)
      await receiver.take(request, request.params.token, () => {
        const reading = parseTorque(parameters)
        // The address of who owns the phone.
        parameters.delete('eml')
        return { receiver: 'torque', readings: reading === undefined ? [] : [reading], sent: Object.fromEntries(parameters) }
      })
      return reply.type('text/plain; charset=utf-8').send('OK!')
    },
  )
}
