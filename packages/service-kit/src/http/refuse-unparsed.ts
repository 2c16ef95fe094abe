// What Node's parser of HTTP refuses has no route and no reply yet. Fastify's own answer to it has a text as `error`, where clients of
// every surface read an object.

import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

export type ConnectionError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

/** What is used of a surface. */
type Surface = {
  readonly errors: { readonly invalid_request: { readonly code: string } }
  readonly envelope: (error: { code: string; message: string; request_id: string }) => object
  readonly contentType?: string
}

type Refusal = { readonly status: number; readonly reason: string; readonly message: string }

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The header fields are longer than 16 KiB in all.',
  },
  CONNECT: { status: 405, reason: 'Method Not Allowed', message: 'CONNECT is for proxies, and this is none.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time.' },
}
const MALFORMED: Refusal = { status: 400, reason: 'Bad Request', message: 'This is not a valid HTTP request.' }

/** Of a path in a request line; longer ones are not looked at, because only their beginning names a surface. */
const MAX_LINE_BYTES = 256

/** `surfaceAt` is undefined for a path that is under none. */
export function refuseUnparsed(error: ConnectionError, socket: Socket, surfaceAt: (path: string) => Surface | undefined): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, reason, message } = refusals[error.code ?? ''] ?? MALFORMED
  const line = error.rawPacket?.subarray(0, MAX_LINE_BYTES).toString('latin1') ?? ''
  const surface = surfaceAt(/^\S+ (\/\S*)/.exec(line)?.[1] ?? '/')
  const requestId = randomUUID()
  const refusal = { code: surface?.errors.invalid_request.code ?? 'invalid_request', message, request_id: requestId }
  const body = JSON.stringify(surface?.envelope(refusal) ?? { error: refusal })
  const fields = [
    `HTTP/1.1 ${status} ${reason}`,
    `content-type: ${surface?.contentType ?? 'application/json; charset=utf-8'}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${fields.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
