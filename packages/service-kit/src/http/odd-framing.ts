// Requests that Node's parser lets through, and that somebody on the way may read in another way. What is refused here ends its connection, so that
// nothing after it is taken for a request (RFC 9112 §11.2).

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { Problem } from './problem.ts'
import type { ConnectionError } from './refuse-unparsed.ts'

/** Why the request is not taken as it is framed. */
export function refuseOddFraming({ headers, httpVersion, rawHeaders }: IncomingMessage, reply: FastifyReply): Problem | undefined {
  const coding = headers['transfer-encoding']
  // RFC 9112 §6.1. Node reads `gzip, chunked` as chunked and ignores the other coding; what does not end with chunked its parser refuses.
  if (coding?.includes(',') === true) {
    reply.header('connection', 'close')
    const details = { field: 'Transfer-Encoding' }
    return new Problem('invalid_request', 'Of transfer codings only chunked is taken. Send the body without another.', { details })
  }
  // RFC 9112 §6.1: who speaks 1.0 on the way knows no codings, and takes the body for what comes after it.
  if (coding !== undefined && httpVersion === '1.0') {
    reply.header('connection', 'close')
    const details = { field: 'Transfer-Encoding' }
    return new Problem('invalid_request', 'A body of HTTP/1.0 has a Content-Length and no transfer coding.', { details })
  }
  // RFC 9112 §3.2.
  if (headers.host === undefined && httpVersion === '1.1')
    return new Problem('invalid_request', 'The request has no header field Host, which HTTP/1.1 needs.')
  if (countHosts(rawHeaders) > 1) {
    reply.header('connection', 'close')
    return new Problem('invalid_request', 'The request has more than one header field Host.', { details: { field: 'Host' } })
  }
  return undefined
}

/** Of several, `headers` has the first. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++
  return count
}

/** Node closes such a connection without an answer. */
export function refuseTunnels(server: Server, refuse: (error: ConnectionError, socket: Socket) => void): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined)
    refuse(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket)
  })
}
