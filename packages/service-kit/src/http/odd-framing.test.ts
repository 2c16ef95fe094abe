// Goal: a request whose end can be read in two ways is refused with the error object and ends its connection, so that nothing behind it is taken for a
// request of its own. Method: bytes over a socket, with another request right behind them.

import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createHttpApp, type Surface, speakSurface } from './http.ts'
import { problemCodes } from './problem.ts'

const app = createHttpApp({ logger: false })
after(() => app.close())
const errors = Object.fromEntries(
  problemCodes.map((code) => [code, { status: code === 'server_error' ? 500 : 400, code }]),
) as Surface['errors']
speakSurface(app, { name: 'a', errors, envelope: (error) => ({ error }) })
app.post('/r', { schema: { body: {} } }, async ({ body }) => ({ body }))
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

const BEHIND = 'POST /r HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n"smuggled"'
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n'

async function send(bytes: string): Promise<{ answers: number; status: number; last: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes + BEHIND)
  const all = await text(socket)
  return {
    answers: all.match(/HTTP\/1\.1 /g)?.length ?? 0,
    status: Number(all.split(' ')[1]),
    last: all.slice(all.lastIndexOf('\r\n\r\n') + 4),
  }
}

const post = (fields: string, body: string) => `POST /r HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${fields}\r\n\r\n${body}`

test('odd framing is refused with the error object, and nothing behind it is served', async () => {
  const refused: Readonly<Record<string, string>> = {
    'a coding before chunked': post('Transfer-Encoding: gzip, chunked', CHUNKS),
    'a coding in a field of its own': post('Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', CHUNKS),
    'a coding without chunked': post('Transfer-Encoding: gzip', '{}'),
    'chunked before another': post('Transfer-Encoding: chunked, gzip', CHUNKS),
    'chunked twice': post('Transfer-Encoding: chunked, chunked', CHUNKS),
    'no coding by name': post('Transfer-Encoding: identity\r\nContent-Length: 2', '{}'),
    'a blank before the colon': post('Transfer-Encoding : chunked', CHUNKS),
    'a vertical tab': post('Transfer-Encoding: \vchunked', CHUNKS),
    'a folded field': post('Transfer-Encoding:\r\n chunked', CHUNKS),
    'a length beside chunks': post('Content-Length: 4\r\nTransfer-Encoding: chunked', CHUNKS),
    'two lengths': post('Content-Length: 2\r\nContent-Length: 3', '{} '),
    'a length with a sign': post('Content-Length: +2', '{}'),
    'a size that is no number': post('Transfer-Encoding: chunked', '0x2\r\n{}\r\n0\r\n\r\n'),
    'a chunk that is longer than its size': post('Transfer-Encoding: chunked', '2\r\n{}X\r\n0\r\n\r\n'),
    'lines without CR': post('Transfer-Encoding: chunked', '2\n{}\n0\n\n'),
    'chunks in HTTP/1.0': post('Transfer-Encoding: chunked', CHUNKS).replace('HTTP/1.1', 'HTTP/1.0'),
    'chunks in HTTP/1.0 on a connection that is kept': post('Connection: keep-alive\r\nTransfer-Encoding: chunked', CHUNKS).replace(
      'HTTP/1.1',
      'HTTP/1.0',
    ),
    'two hosts': post('Host: y\r\nContent-Length: 2', '{}'),
    'a tunnel': 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  }
  for (const [what, bytes] of Object.entries(refused)) {
    const { answers, status, last } = await send(bytes)
    assert.deepEqual([answers, status], [1, what === 'a tunnel' ? 405 : 400], what)
    assert.equal(JSON.parse(last).error.code, 'invalid_request', what)
  }
})

test('what can be read in one way only is served, and so is what comes behind it', async () => {
  const served = [
    post('Transfer-Encoding: chunked', CHUNKS),
    post('Transfer-Encoding: Chunked', CHUNKS),
    post('Transfer-Encoding: chunked', '2;a=b\r\n{}\r\n0\r\nX-Trailer: c\r\n\r\n'),
    post('Content-Length: 2', '{}'),
  ]
  for (const bytes of served) assert.deepEqual(await send(bytes), { answers: 2, status: 200, last: '{"body":"smuggled"}' }, bytes)
})
