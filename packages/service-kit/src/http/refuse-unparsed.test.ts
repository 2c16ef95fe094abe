// Goal: a request that Node's parser refuses is answered in the words of the surface that it was for. Method: bytes over a socket.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createHttpApp, type Surface, speakSurface } from './http.ts'
import { problemCodes } from './problem.ts'

const surfaceOf = (name: string, code: string, envelope: Surface['envelope']): Surface => {
  const errors = Object.fromEntries(problemCodes.map((problem) => [problem, { status: 400, code }])) as Surface['errors']
  return { name, errors, envelope }
}
const app = createHttpApp({ logger: false })
after(() => app.close())
app.register(
  async (api) =>
    speakSurface(
      api as typeof app,
      surfaceOf('a', 'invalid_request', (error) => ({ success: false, error })),
    ),
  {
    prefix: '/api/a',
  },
)
app.register(
  async (api) =>
    speakSurface(
      api as typeof app,
      surfaceOf('b', 'invalid_input', (error) => ({ error })),
    ),
  { prefix: '/b' },
)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

async function send(bytes: string) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const id = /^x-request-id: (\S+)$/im.exec(head)?.[1]
  return { status: Number(head.split(' ')[1]), id, body: JSON.parse(body) }
}

test('header fields that are too long are 431, and what is no HTTP is 400, each with the error object of its surface', async () => {
  const long = `X-Long: ${'a'.repeat(17 * 1024)}\r\n`
  const cases: [bytes: string, status: number, code: string, isOfA: boolean][] = [
    [`GET /api/a/vehicles HTTP/1.1\r\nHost: x\r\n${long}\r\n`, 431, 'invalid_request', true],
    ['FETCH /api/a/vehicles HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request', true],
    ['GET /b/health HTTP/1.1\r\nHost: x\r\nno field\r\n\r\n', 400, 'invalid_input', false],
    ['GET /elsewhere HTTP/1.1\r\nHost: x\r\nno field\r\n\r\n', 400, 'invalid_request', false],
    ['\u0016\u0003\u0001', 400, 'invalid_request', false],
  ]
  for (const [bytes, status, code, isOfA] of cases) {
    const answer = await send(bytes)
    assert.equal(answer.status, status, bytes.slice(0, 40))
    const { success, error } = answer.body
    assert.deepEqual([success, error.code, error.request_id], [isOfA ? false : undefined, code, answer.id])
    assert.ok(error.message.length > 10)
  }
})

test('a request of HTTP/1.1 without Host, as small devices write it, is 400 with the error object of its surface; HTTP/1.0 needs none', async () => {
  const ended = 'Connection: close\r\n\r\n'
  const a = await send(`GET /api/a/vehicles HTTP/1.1\r\n${ended}`)
  const message = 'The request has no header field Host, which HTTP/1.1 needs.'
  assert.deepEqual([a.status, a.body.success, a.body.error.code, a.body.error.message], [400, false, 'invalid_request', message])
  assert.equal(a.body.error.request_id, a.id)
  const b = await send(`POST /b/health HTTP/1.1\r\nContent-Length: 0\r\n${ended}`)
  assert.deepEqual([b.status, b.body.error.code], [400, 'invalid_input'])
  assert.match((await send(`GET /api/a/vehicles HTTP/1.0\r\n${ended}`)).body.error.message, /nothing at GET/)
  assert.match((await send(`GET /api/a/vehicles HTTP/1.1\r\nHost:\r\n${ended}`)).body.error.message, /nothing at GET/)
})
