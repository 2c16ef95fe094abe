// Goal: an attempt ends in time and in one of the outcomes whatever the receiver does, and reaches nobody but the addresses that were
// checked. Method: real receivers on loopback; limits short enough to be run into, where running into them is the point.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ResolveName } from '@roadworthy/service-kit/network/address-guard'
import { type SendLimits, type SendResult, sendWebhook } from './send-webhook.ts'
import { createTargetGuard } from './target-guard.ts'
import { forbiddenHosts, resolveForbidden } from './test-addresses.ts'
import { answerWith, startRawReceiver, startReceiver, TEST_CERTIFICATE, urlOfNobody } from './test-receiver.ts'

const LOOPBACK = '127.0.0.0/8'
/** Enough for a loaded machine; nothing below waits for it. */
const AMPLE: SendLimits = { connectMs: 20_000, totalMs: 30_000, maxAnswerBytes: 65_536 }
const SHORT: SendLimits = { ...AMPLE, totalMs: 300 }
const BODY = '{"event":"alert.created","note":"Kühlmittel"}'

type Options = {
  limits?: SendLimits
  allowCidrs?: string
  resolveName?: ResolveName
  certificateAuthority?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

const noDns: ResolveName = () => Promise.reject(new Error('nobody is asked in this test'))

function send(url: string, options: Options = {}): Promise<SendResult> {
  const { limits = AMPLE, allowCidrs = LOOPBACK, resolveName = noDns, certificateAuthority, headers = {} } = options
  const guard = createTargetGuard({ allowCidrs, resolveName })
  return sendWebhook(
    { guard, limits, certificateAuthority },
    { url, headers: { 'content-type': 'application/json', ...headers }, body: BODY },
    options.signal ?? new AbortController().signal,
  )
}

test('what is sent is the body byte for byte, by POST, with its headers', async (t) => {
  const receiver = await startReceiver(t, answerWith(204))
  const result = await send(`${receiver.url}?a=1#fragment`, { headers: { 'X-Gateway-Key': 'k7f3' } })
  assert.deepEqual([result.outcome, result.answer?.status, result.error], ['delivered', 204, undefined])
  const [{ headers, body, path } = assert.fail('nothing was received')] = receiver.received
  assert.equal(body, BODY)
  assert.equal(path, '/hook?a=1')
  assert.equal(headers['content-length'], String(Buffer.byteLength(BODY)))
  assert.equal(headers['x-gateway-key'], 'k7f3')
  assert.equal(headers.host, `127.0.0.1:${receiver.port}`)
  assert.equal(headers.connection, 'close')
})

test('only 2xx is success; a redirect is not followed', async (t) => {
  const elsewhere = await startReceiver(t)
  for (const status of [200, 201, 299]) {
    const receiver = await startReceiver(t, answerWith(status))
    assert.equal((await send(receiver.url)).outcome, 'delivered', String(status))
  }
  for (const status of [300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 429, 500, 503]) {
    const receiver = await startReceiver(t, answerWith(status, { location: elsewhere.url }))
    const { outcome, answer, error } = await send(receiver.url)
    assert.deepEqual([outcome, answer?.status], ['refused', status])
    assert.match(error ?? '', status < 400 ? /redirects are not followed/ : new RegExp(`answered ${status}`))
  }
  assert.equal(elsewhere.connectionCount(), 0)
})

test('each of the forms of what is not public is refused before a packet is sent', async (t) => {
  const listener = await startRawReceiver(t, (socket) => socket.end())
  for (const host of forbiddenHosts) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${listener.port}/hook`
      const { outcome } = await send(url, { allowCidrs: '', resolveName: resolveForbidden })
      assert.equal(outcome, 'forbidden', url)
    }
  }
  assert.equal(listener.connectionCount(), 0)
})

test('a name that changes its address between the look and the connection is connected to where it was looked at', async (t) => {
  const inside = await startReceiver(t)
  let asked = 0
  // Allowed the first time it is asked of, forbidden ever after: a second question would be answered with the inside.
  const rebinding: ResolveName = async () => [{ address: asked++ % 2 === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
  const outcomes: Record<string, number> = {}
  for (let i = 0; i < 1000; i++) {
    const { outcome } = await send(`http://rebind.example.com:${inside.port}/`, { allowCidrs: '127.0.0.2/32', resolveName: rebinding })
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  assert.equal(asked, 1000)
  assert.deepEqual(outcomes, { unreachable: 500, forbidden: 500 })
  assert.equal(inside.connectionCount(), 0)
})

test('of several addresses one that answers is enough', async (t) => {
  const receiver = await startReceiver(t)
  const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 as const }))
  const { outcome, error } = await send(`http://hooks.example.com:${receiver.port}/`, { resolveName: async () => addresses })
  assert.equal(outcome, 'delivered', error)
  assert.equal(receiver.received[0]?.headers.host, `hooks.example.com:${receiver.port}`)
})

test('TLS is checked against the name and the authorities', async (t) => {
  const receiver = await startReceiver(t, answerWith(200), { isTls: true })
  const loopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]
  const untrusted = await send(receiver.url)
  assert.equal(untrusted.outcome, 'unreachable')
  assert.match(untrusted.error ?? '', /self-signed certificate/)
  const certificateAuthority = TEST_CERTIFICATE
  const trusted = await send(`https://localhost:${receiver.port}/`, { certificateAuthority, resolveName: loopback })
  assert.equal(trusted.outcome, 'delivered', trusted.error)
  const misnamed = await send(`https://hooks.example.com:${receiver.port}/`, { certificateAuthority, resolveName: loopback })
  assert.equal(misnamed.outcome, 'unreachable')
  assert.match(misnamed.error ?? '', /does not match certificate/)
  assert.equal(receiver.received.length, 1)
  const plain = await startReceiver(t)
  const noTls = await send(`https://127.0.0.1:${plain.port}/`)
  assert.equal(noTls.outcome, 'unreachable')
})

test('an endless answer is read to 64 KiB and no further, and its first 4 kB are kept', async (t) => {
  let sentBytes = 0
  const { promise: cutOff, resolve: onCutOff } = Promise.withResolvers<void>()
  const receiver = await startReceiver(t, (response) => {
    response.writeHead(200, { 'content-length': String(2 ** 30) })
    response.once('close', onCutOff)
    const write = () => {
      if (response.destroyed) return
      sentBytes += 65_536
      response.write(Buffer.alloc(65_536, 'a'), write)
    }
    write()
  })
  const { outcome, answer } = await send(receiver.url)
  assert.equal(outcome, 'delivered')
  assert.equal(answer?.body, 'a'.repeat(4096))
  await cutOff
  // What the operating system holds between the two is megabytes; what was announced is a gigabyte.
  assert.ok(sentBytes < 2 ** 28, `${sentBytes} bytes were taken`)
})

test('a receiver that never answers, or drips, is left in time', async (t) => {
  const silent = await startReceiver(t, () => undefined)
  const dripping = await startReceiver(t, (response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(drip))
  })
  const headers = await startRawReceiver(t, (socket) => {
    const drip = setInterval(() => socket.write('x'), 20)
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
    socket.once('close', () => clearInterval(drip))
  })
  const mute = await startRawReceiver(t, () => undefined)
  for (const port of [silent.port, dripping.port, headers.port]) {
    const { outcome, error } = await send(`http://127.0.0.1:${port}/`, { limits: SHORT })
    assert.equal(outcome, 'timeout')
    assert.match(error ?? '', /no complete answer within 0\.3 s/)
  }
  const handshake = await send(`https://127.0.0.1:${mute.port}/`, { limits: { ...AMPLE, connectMs: 300 } })
  assert.equal(handshake.outcome, 'timeout')
  assert.match(handshake.error ?? '', /no connection within 0\.3 s/)
})

test('a name server that never answers is left in time', async () => {
  const never: ResolveName = () => new Promise(() => undefined)
  const { outcome } = await send('https://hooks.example.com/', { resolveName: never, limits: { ...AMPLE, connectMs: 300 } })
  assert.equal(outcome, 'timeout')
})

test('what is no answer is reported as such', async (t: TestContext) => {
  const replies: Readonly<Record<string, RegExp>> = {
    '': /hang up|without an answer/,
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc': /aborted|closed within/,
    'nonsense\r\n\r\n': /Parse Error/,
    [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`]: /Parse Error|overflow/i,
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n': /without an answer|hang up/,
  }
  for (const [bytes, expected] of Object.entries(replies)) {
    const receiver = await startRawReceiver(t, (socket) => socket.once('data', () => socket.end(bytes)))
    const { outcome, error } = await send(`http://127.0.0.1:${receiver.port}/`)
    assert.equal(outcome, 'unreachable', bytes.slice(0, 60))
    assert.match(error ?? '', expected)
  }
})

test('where nobody listens nothing is reached', async (t) => {
  const { outcome, error } = await send(await urlOfNobody(t))
  assert.equal(outcome, 'unreachable')
  assert.match(error ?? '', /ECONNREFUSED/)
})

test('an answer is kept as text that can be stored, its headers in bounds', async (t) => {
  const headers = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x-${i}`, 'v'.repeat(200)]))
  const receiver = await startReceiver(t, (response) => {
    response.writeHead(500, headers).end(Buffer.from([0x61, 0x00, 0xff, 0x62]))
  })
  const { answer } = await send(receiver.url)
  assert.equal(answer?.body, 'a\ufffd\ufffdb')
  assert.equal(Object.keys(answer?.headers ?? {}).length, 40)
})

test('abandoning ends it at once, whenever', async (t) => {
  const stopped = new AbortController()
  const receiver = await startReceiver(t, () => stopped.abort())
  assert.equal((await send(receiver.url, { signal: stopped.signal })).outcome, 'abandoned')
  assert.equal((await send(receiver.url, { signal: stopped.signal })).outcome, 'abandoned')
  assert.equal(receiver.received.length, 1)
})
