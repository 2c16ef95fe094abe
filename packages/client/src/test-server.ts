// A server for tests that answers in turn what it was given, also what no good server does: it resets, is silent, and ends too early.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string }
export type Answer = (response: ServerResponse, seen: Seen) => void

export type TestServer = {
  readonly url: string
  readonly seen: Seen[]
  /** What the next requests are answered, in order. The last is repeated. */
  answer(...answers: Answer[]): void
  /** Resolves when so many requests have come since the answers were given. */
  received(count: number): Promise<void>
}

export async function startTestServer(t: { after(cleanUp: () => Promise<void>): void }): Promise<TestServer> {
  const seen: Seen[] = []
  let answers: Answer[] = []
  let waiting: { count: number; resolve: () => void }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
      seen.push(one)
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer === undefined) response.destroy()
      else answer(response, one)
      for (const { resolve } of waiting.filter(({ count }) => seen.length >= count)) resolve()
    })
    request.on('error', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (...given) => {
      answers = given
      seen.length = 0
      waiting = []
    },
    received: (count) => new Promise((resolve) => (seen.length >= count ? resolve() : waiting.push({ count, resolve }))),
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(body))
  }

export const refuse = (status: number, code: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Answer =>
  json(status, { success: false, error: { code, message: `refused as ${code}.`, request_id: 'req-1', ...more } }, headers)

export const raw =
  (status: number, type: string, body: string | Buffer): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  }

/** Of the connection, before an answer. */
export const reset: Answer = (response) => void response.socket?.resetAndDestroy()
/** No answer at all. */
export const silence: Answer = () => undefined
/** Less than was announced. */
export const cutOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"total":')
  setImmediate(() => response.socket?.resetAndDestroy())
}
