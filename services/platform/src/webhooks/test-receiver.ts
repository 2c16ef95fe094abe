// For tests only: receivers of webhooks on loopback, which remember what reached them and answer as a test sets them to.

import { readFileSync } from 'node:fs'
import http, { type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly bytes: Buffer; readonly path: string }

export type Receiver = {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** Resolves when so many requests have reached it. */
  until(count: number): Promise<void>
  /** Connections that were made to it, whatever came over them. */
  connectionCount(): number
}

export type Reply = (response: ServerResponse, received: Received, nth: number) => void

const FIXTURES = join(import.meta.dirname, '../../../../test/fixtures/tls')
/** For localhost and 127.0.0.1; signed by itself. */
export const TEST_CERTIFICATE = readFileSync(join(FIXTURES, 'test-only-cert.pem'), 'utf8')

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body)

/** Closed after the test, with whatever hangs on it. */
export async function startReceiver(t: CleanUp, reply: Reply = answerWith(200), options: { isTls?: boolean } = {}): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const each = { headers: request.headers, body: bytes.toString(), bytes, path: request.url ?? '' }
      received.push(each)
      for (const { count, resolve } of waiting) if (received.length >= count) resolve()
      reply(response, each, received.length)
    })
  }
  const key = options.isTls === true ? readFileSync(join(FIXTURES, 'test-only-key.pem')) : undefined
  const server = key === undefined ? http.createServer(listener) : https.createServer({ key, cert: TEST_CERTIFICATE }, listener)
  const { port, connectionCount } = await listen(t, server)
  const until = async (count: number) => {
    if (received.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
  }
  return { url: `${key === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`, port, received, until, connectionCount }
}

/** Where nobody listens until the test is over: the port is held on another address of this machine, so that none who asks for any port gets it. */
export async function urlOfNobody(t: CleanUp): Promise<string> {
  const { port } = await startRawReceiver(t, (socket) => socket.destroy())
  return `http://127.0.0.2:${port}/hook`
}

/** Takes connections and does with them whatever a test sets, in bytes. */
export async function startRawReceiver(
  t: CleanUp,
  onConnection: (socket: Socket) => void,
): Promise<{ port: number; connectionCount(): number }> {
  return await listen(t, net.createServer(onConnection))
}

async function listen(t: CleanUp, server: net.Server): Promise<{ port: number; connectionCount(): number }> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Cut off by the sender, which some tests are about.
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return { port: (server.address() as AddressInfo).port, connectionCount: () => connections }
}
