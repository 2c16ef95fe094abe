// Goal: what is slow is not taken for a proxy that buffers. Method: services and proxies of the test, whose streams begin when it is their turn.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { checkBaseUrl } from './check-base-url.ts'

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service, as far as the check asks it; `stream` answers a request for the stream. */
const service =
  (stream: (answer: ServerResponse) => void): RequestListener =>
  ({ url, headers }, answer) => {
    if (url?.startsWith('/api/v1/stream') === true) return stream(answer)
    answer.writeHead(200, { 'x-request-id': headers['x-request-id'] ?? 'none' }).end('{"status":"healthy"}')
  }

const statusOfBuffering = async (publicUrl: string, directUrl: string) =>
  (await checkBaseUrl({ publicUrl, directUrl, apiKey: 'key' })).find(({ name }) => name === 'proxy buffering')?.status

test('a service that is slow to begin its stream is slow both ways, which is no fault of a proxy', async (t) => {
  const asked: ServerResponse[] = []
  // Begins when both have asked.
  const slow = service((answer) => {
    if (asked.push(answer) < 2) return
    for (const each of asked) each.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\n')
  })
  assert.equal(await statusOfBuffering(await listen(t, slow), await listen(t, slow)), 'ok')
})

test('a stream that begins here and not through the proxy is held by it, and one that does not begin here shows nothing', async (t) => {
  const begins = await listen(
    t,
    service((answer) => answer.writeHead(200).write('id: 1\n\n')),
  )
  const holds = await listen(
    t,
    service(() => undefined),
  )
  const refuses = await listen(
    t,
    service((answer) => answer.writeHead(403).end('{}')),
  )
  assert.equal(await statusOfBuffering(holds, begins), 'wrong')
  assert.equal(await statusOfBuffering(refuses, begins), 'wrong')
  assert.equal(await statusOfBuffering(begins, refuses), 'skipped')
})
