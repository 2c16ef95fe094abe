// Goal: a request ends in time and in one of its outcomes whatever the other side does, reaches nobody but the addresses that were looked at,
// and its error reports whether the other side may have got it. Method: real servers on loopback; short limits where running into them is the
// point.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createAddressGuard, ForbiddenTargetError, type ResolveName } from './address-guard.ts'
import { type GuardedRequest, NoAnswerError, type RequestLimits, sendGuarded } from './guarded-request.ts'

const AMPLE: RequestLimits = { connectMs: 20_000, totalMs: 30_000, maxAnswerBytes: 1_000 }
const SHORT_MS = 300
const noDns: ResolveName = () => Promise.reject(new Error('nobody is asked in this test'))

type Options = { limits?: Partial<RequestLimits>; allowCidrs?: string; resolveName?: ResolveName; signal?: AbortSignal }

async function send(url: string, change: Partial<GuardedRequest> = {}, options: Options = {}) {
  const { limits = {}, allowCidrs = '127.0.0.0/8', resolveName = noDns, signal = new AbortController().signal } = options
  const guard = createAddressGuard({ allowCidrs, resolveName })
  const request: GuardedRequest = { method: 'GET', url: new URL(url), headers: {}, body: undefined, ...change }
  return await sendGuarded({ guard, limits: { ...AMPLE, ...limits } }, request, signal)
}

async function listen(t: TestContext, server: net.Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  )

async function noAnswer(promise: Promise<unknown>): Promise<NoAnswerError> {
  const error = await failure(promise)
  assert.ok(error instanceof NoAnswerError, String(error))
  return error
}

/** Resolves when the head of an answer has come. */
function nextAnswer(): Promise<void> {
  const channel = 'http.client.response.finish'
  return new Promise((resolve) => {
    const onAnswer = () => {
      unsubscribe(channel, onAnswer)
      resolve()
    }
    subscribe(channel, onAnswer)
  })
}

test('method, headers, body and path arrive as they were given, and the whole answer comes back', async (t) => {
  const seen: string[] = []
  const port = await listen(
    t,
    http.createServer((request, response) => {
      request.on('data', (chunk: Buffer) => seen.push(chunk.toString()))
      request.on('end', () => {
        seen.push(request.method ?? '', request.url ?? '', String(request.headers['x-test']), String(request.headers['content-length']))
        response.writeHead(418, { 'x-answer': 'yes' }).end('short and stout')
      })
    }),
  )
  const answer = await send(`http://127.0.0.1:${port}/v1/x?a=1`, { method: 'POST', headers: { 'x-test': 't' }, body: 'ü' })
  assert.deepEqual(seen, ['ü', 'POST', '/v1/x?a=1', 't', '2'])
  assert.deepEqual([answer.status, answer.headers['x-answer'], answer.body.toString()], [418, 'yes', 'short and stout'])
})

test('a redirect is an answer like any other', async (t) => {
  const port = await listen(
    t,
    http.createServer((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
  )
  assert.equal((await send(`http://127.0.0.1:${port}/`)).status, 302)
})

test('an answer that is too long, never begins, never ends or breaks off is none, and the request may have been done', async (t) => {
  const replies: Record<string, (socket: Socket) => void> = {
    long: (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n${'x'.repeat(1_001)}`),
    endless: (socket) => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'400\r\n'.padEnd(1_029, 'x')}\r\n`),
    silent: () => undefined,
    halting: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    cut: (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy()),
    closed: (socket) => void socket.destroy(),
    noise: (socket) => socket.write('\u0000\u0001 this is no HTTP\r\n\r\n'),
    upgrade: (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  }
  for (const [name, reply] of Object.entries(replies)) {
    const asked = Promise.withResolvers<void>()
    const port = await listen(
      t,
      net.createServer((socket) =>
        socket.once('data', () => {
          reply(socket)
          asked.resolve()
        }),
      ),
    )
    const isLate = name === 'silent' || name === 'halting'
    // The time of these is over when the other side has done what it does, and never before they are connected.
    if (isLate) t.mock.timers.enable({ apis: ['setTimeout'] })
    const answering = name === 'halting' ? nextAnswer() : Promise.resolve()
    const failing = noAnswer(send(`http://127.0.0.1:${port}/`))
    if (isLate) {
      await Promise.all([asked.promise, answering])
      t.mock.timers.tick(AMPLE.totalMs)
    }
    const error = await failing
    t.mock.timers.reset()
    assert.equal(error.isSent, true, name)
    if (isLate) assert.equal(error.message, 'no complete answer within 30 s', name)
  }
})

test('where there is no connection, nothing was sent', async (t) => {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  assert.equal((await noAnswer(send(`http://127.0.0.1:${port}/`))).isSent, false)
  const dumb = await listen(t, net.createServer())
  const handshake = await noAnswer(send(`https://127.0.0.1:${dumb}/`, {}, { limits: { connectMs: SHORT_MS } }))
  assert.deepEqual([handshake.isSent, handshake.message], [false, 'no connection within 0.3 s'])
  const never: ResolveName = () => new Promise(() => undefined)
  const unresolved = await noAnswer(send('https://slow.example.com/', {}, { resolveName: never, limits: { connectMs: SHORT_MS } }))
  assert.equal(unresolved.isSent, false)
  assert.equal((await noAnswer(send('https://gone.example.com/'))).isSent, false)
})

test('an address that is not allowed is not connected to, by whatever name, and plain http only where it is', async (t) => {
  let connectionCount = 0
  const port = await listen(
    t,
    net.createServer(() => connectionCount++),
  )
  const resolveName: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://x.example.com:${port}/`,
    `https://[::1]:${port}/`,
  ]) {
    const error = await failure(send(url, {}, { allowCidrs: '10.0.0.0/8', resolveName }))
    assert.ok(error instanceof ForbiddenTargetError, url)
  }
  const outside: ResolveName = async () => [{ address: '93.184.215.14', family: 4 }]
  assert.ok((await failure(send('http://x.example.com/', {}, { resolveName: outside }))) instanceof ForbiddenTargetError)
  assert.equal(connectionCount, 0)
})

test('a name is resolved once, and what the guard saw is what is connected to', async (t) => {
  const port = await listen(
    t,
    http.createServer((request, response) => response.end(request.headers.host)),
  )
  let askedCount = 0
  const rebinding: ResolveName = async () => [{ address: askedCount++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
  const answer = await send(`http://pay.example.com:${port}/`, {}, { resolveName: rebinding })
  assert.deepEqual([answer.body.toString(), askedCount], [`pay.example.com:${port}`, 1])
})

test('who stops asking gets the reason of the stop', async (t) => {
  const stopping = new AbortController()
  const port = await listen(
    t,
    http.createServer(() => stopping.abort(new Error('stopped'))),
  )
  assert.equal(((await failure(send(`http://127.0.0.1:${port}/`, {}, { signal: stopping.signal }))) as Error).message, 'stopped')
  assert.equal(((await failure(send(`http://127.0.0.1:${port}/`, {}, { signal: stopping.signal }))) as Error).message, 'stopped')
})
