// What dongles of Freematics call: their firmware sends samples by POST, or positions alone by GET, and notices of signing in and out.

import { FreematicsPacket, FreematicsParams, FreematicsPush, TrackerTokenParams } from '@roadworthy/contracts/external/trackers'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { parseFreematics, parseFreematicsPush } from './freematics.ts'
import type { TrackerReceiver } from './take-message.ts'
import { EMPTY, MAX_MESSAGE_BYTES, notValidatedHere, queryOf, TOKEN, tags, taken } from './tracker-routes.ts'

const response = { 200: { description: 'Taken.', content: { 'text/plain': { schema: EMPTY } } }, ...taken }
const answer = (reply: FastifyReply) => reply.type('text/plain; charset=utf-8').send('')

/** The firmware appends `/post/<id>` or `/push`, and `/notify/<id>`, to the path that is set as its server's. */
export function addFreematicsRoutes(app: App, receiver: TrackerReceiver, now: () => Date): void {
  addPushRoute(app, receiver)
  app.post(
    '/ingest/freematics/:token/post/:device',
    {
      config: { public: true, admitsDevices: true, anyQuery: true },
      bodyLimit: MAX_MESSAGE_BYTES,
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendFreematicsPacket',
        tags,
        summary: 'Take a packet of a Freematics dongle',
        description: `The path of the server in the firmware is \`/api/external/ingest/freematics/{token}\`. A packet with a wrong checksum is refused. ${TOKEN}`,
        headers: Type.Object({}),
        params: FreematicsParams,
        body: { content: { 'text/plain': { schema: FreematicsPacket } } },
        response,
      },
    },
    async (request, reply) => {
      const packet = Buffer.isBuffer(request.body) ? request.body.toString() : ''
      await receiver.take(request, request.params.token, () => {
        const readings = parseFreematics(packet, now().getTime())
        if (readings === undefined) throw new Problem('invalid_request', 'The checksum behind "*" is not that of the packet.')
        return { receiver: 'freematics', readings, sent: packet }
      })
      return answer(reply)
    },
  )
  app.get(
    '/ingest/freematics/:token/notify/:device',
    {
      exposeHeadRoute: false,
      config: { public: true, admitsDevices: true, anyQuery: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'notifyOfFreematicsEvent',
        tags,
        summary: 'Take notice that a Freematics dongle has signed in or out',
        description: `Its firmware sends nothing before this is answered. Nothing is stored of it. ${TOKEN}`,
        params: FreematicsParams,
        response,
      },
    },
    async (request, reply) => {
      await receiver.take(request, request.params.token, () => ({ receiver: 'freematics', readings: [], sent: undefined }))
      return answer(reply)
    },
  )
}

function addPushRoute(app: App, receiver: TrackerReceiver): void {
  app.get(
    '/ingest/freematics/:token/push',
    {
      exposeHeadRoute: false,
      config: { public: true, admitsDevices: true, anyQuery: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendFreematicsPosition',
        tags,
        summary: 'Take a position of a Freematics dongle whose firmware is set to GET',
        description: `It sends no other values this way. Nothing is stored of a call that has the id alone, which it sends before it has a position. ${TOKEN}`,
        params: TrackerTokenParams,
        querystring: FreematicsPush,
        response,
      },
    },
    async (request, reply) => {
      const parameters = queryOf(request)
      await receiver.take(request, request.params.token, () => {
        const reading = parseFreematicsPush(parameters)
        return { receiver: 'freematics', readings: reading === undefined ? [] : [reading], sent: Object.fromEntries(parameters) }
      })
      return answer(reply)
    },
  )
}
