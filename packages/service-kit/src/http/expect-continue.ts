// `Expect: 100-continue` (RFC 9110 §10.1.1): the caller sends its body after it is asked for it. It is asked once the request is let in and its
// body is known to be within the limit. Who is refused before that sends none, so that its connection ends with the answer: what comes next on it
// could be a body or a request (RFC 9112 §9.6).

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const unasked = new WeakSet<IncomingMessage>()

/** `refuse` makes the error for a body whose length is above the limit of its route. */
export function askForBodies(app: Pick<FastifyInstance, 'addHook' | 'server'>, refuse: (limitBytes: number) => Error): void {
  const { server } = app
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    unasked.add(request)
    server.emit('request', request, response)
  })
  // Other expectations are left alone: Node's own 417 has no body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => void server.emit('request', request, response))
  app.addHook('preParsing', ({ raw, routeOptions: { bodyLimit } }, reply, _payload, done) => {
    if (!unasked.has(raw)) return done()
    if (Number(raw.headers['content-length'] ?? 0) > bodyLimit) return done(refuse(bodyLimit))
    unasked.delete(raw)
    reply.removeHeader('connection')
    reply.raw.writeContinue()
    done()
  })
}

/** Whether its body has not been asked for, so that none is to be waited for. */
export function isUnasked({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return unasked.has(raw)
}

/** Of an answer that is sent before the body was asked for. */
export function closeUnasked(request: Pick<FastifyRequest, 'raw'>, reply: FastifyReply): void {
  if (isUnasked(request)) reply.header('connection', 'close')
}
