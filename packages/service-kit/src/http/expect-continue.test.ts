// Goal: a caller that asks before it sends its body is asked for it only where the body will be read, and a refusal leaves no connection on which
// a body could be taken for a request. Method: bytes over a socket.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createHttpApp, type Surface, speakSurface } from './http.ts'
import { Problem, problemCodes } from './problem.ts'

const LIMIT_BYTES = 1000
const statuses: Record<string, number> = { payload_too_large: 413, invalid_api_key: 401, not_found: 404 }
const app = createHttpApp({ logger: false, maxBodyBytes: LIMIT_BYTES })
after(() => app.close())
const errors = Object.fromEntries(problemCodes.map((code) => [code, { status: statuses[code] ?? 400, code }])) as Surface['errors']
speakSurface(app, { name: 'a', errors, envelope: (error) => ({ error }) })
app.addHook('onRequest', async ({ headers }) => {
  if (headers['x-api-key'] === 'wrong') throw new Problem('invalid_api_key', 'Not this one.')
})
app.post('/short', { bodyLimit: 10, schema: { body: {} } }, async ({ body }) => ({ body }))
app.post('/readings', { schema: { body: {} } }, async ({ body }) => ({ body }))
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

const headOf = (path: string, fields: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${fields}\r\n\r\n`

test('a body above the limit, and one of who is refused anyway, is not asked for: the answer comes at once and ends the connection', async () => {
  const cases: [bytes: string, status: number, code: string][] = [
    [headOf('/readings', `Content-Length: ${LIMIT_BYTES + 1}`), 413, 'payload_too_large'],
    [headOf('/short', 'Content-Length: 11'), 413, 'payload_too_large'],
    [headOf('/short', 'Content-Length: 9\r\nX-Api-Key: wrong'), 401, 'invalid_api_key'],
  ]
  for (const [bytes, status, code] of cases) {
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), bytes)
    assert.match(head, /^connection: close$/im)
    assert.equal(JSON.parse(body).error.code, code)
  }
})

test('what arrives after the refusal of a body is no request', async () => {
  let served = 0
  app.server.on('request', () => served++)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`${headOf('/readings', 'Content-Length: 5000')}POST /readings HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
  assert.equal((await text(socket)).match(/HTTP\/1\.1/g)?.length, 1)
  assert.equal(served, 1)
})

test('a body within the limit, of a length or in chunks, is asked for and read, and the connection stays open', async () => {
  const socket = connect(port, '127.0.0.1')
  for (const [fields, body] of [
    ['Content-Length: 7', '{"a":1}'],
    ['Transfer-Encoding: chunked', '7\r\n{"a":1}\r\n0\r\n\r\n'],
  ] as const) {
    socket.write(headOf('/readings', fields))
    assert.equal(String((await once(socket, 'data'))[0]), 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    const answer = String((await once(socket, 'data'))[0])
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    assert.doesNotMatch(answer, /connection: close/i)
    assert.match(answer, /\{"body":\{"a":1\}\}$/)
  }
  socket.destroy()
})

test('a body in chunks that grows above the limit is 413 after it was asked for', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(headOf('/short', 'Transfer-Encoding: chunked\r\nConnection: close'))
  await once(socket, 'data')
  socket.write(`14\r\n"${'a'.repeat(18)}"\r\n0\r\n\r\n`)
  assert.match(await text(socket), /^HTTP\/1\.1 413 .*"code":"payload_too_large"/s)
})

test('another expectation is no reason to refuse a request', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /readings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}',
  )
  assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n.*\{"body":\{\}\}$/s)
})
