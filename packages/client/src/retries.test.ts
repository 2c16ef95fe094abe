// Goal: what may be repeated is repeated, nothing else is, and never for longer than was allowed. Method: a real server that answers in turn
// what the test gives it, and a clock that the test moves.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { type TestContext, test } from 'node:test'
import type { ClientOptions } from './client-options.ts'
import { ConflictError, ConnectionError, RateLimitError, RoadworthyError, ServerError, TimeoutError } from './errors.ts'
import { Roadworthy } from './roadworthy.ts'
import { createTestClock, type TestClock } from './test-clock.ts'
import { type Answer, cutOff, json, refuse, reset, silence, startTestServer, type TestServer } from './test-server.ts'

const health = json(200, { status: 'healthy' })
const device = { name: 'Truck 17', imei: '356938035643809' }

async function setUp(t: TestContext, options: Partial<ClientOptions> = {}) {
  const server = await startTestServer(t)
  const clock = createTestClock()
  const client = new Roadworthy({ baseUrl: server.url, apiKey: 'rw_live_secret', engineUrl: server.url, clock, ...options })
  return { server, clock, client }
}

/** Lets the pauses of a call pass, each when it has begun, until the call ends. Of an attempt that is to time out, its request comes first. */
async function letPass<Result>(call: Promise<Result>, clock: TestClock, steps: readonly (number | Promise<void>)[]): Promise<Result> {
  // The test awaits it below; until then a rejection is not unhandled.
  call.catch(() => undefined)
  for (const step of steps) {
    await Promise.race([typeof step === 'number' ? clock.asleep(step) : step, call])
    if (typeof step === 'number') clock.advance(step)
  }
  return await call
}

const methodsOf = (server: TestServer) => server.seen.map(({ method }) => method)

test('a broken connection, 408, 429, 502, 503 and 504 are repeated 1.0 s apart', async (t) => {
  const { server, clock, client } = await setUp(t)
  const passing: [string, Answer][] = [
    ['reset', reset],
    ['cut off', cutOff],
    ...[408, 429, 502, 503, 504].map((status): [string, Answer] => [String(status), refuse(status, 'unavailable')]),
  ]
  for (const [name, answer] of passing) {
    server.answer(answer, answer, answer, health)
    const { status } = await letPass(client.external.health.get(), clock, [1000, 1000, 1000])
    assert.equal(status, 'healthy', name)
    assert.equal(server.seen.length, 4, name)
  }
  assert.deepEqual(clock.slept.length, 3 * passing.length)
  assert.equal(clock.sleeperCount(), 0, 'no timer is left')
})

test('other refusals, and 500, are not repeated', async (t) => {
  const { server, client } = await setUp(t)
  for (const status of [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 500, 501]) {
    server.answer(refuse(status, 'some_code'))
    await assert.rejects(client.external.devices.register(device), RoadworthyError)
    assert.equal(server.seen.length, 1, String(status))
  }
})

test('after the first attempt there are as many as were asked for, by default 3', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(refuse(503, 'unavailable'))
  await assert.rejects(letPass(client.external.health.get(), clock, [1000, 1000, 1000]), ServerError)
  assert.equal(server.seen.length, 4)
  server.answer(refuse(503, 'unavailable'))
  await assert.rejects(client.external.health.get({ maxRetries: 0 }), ServerError)
  assert.equal(server.seen.length, 1)
})

test('Retry-After is obeyed, in seconds and as a date', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(refuse(429, 'rate_limit_exceeded', {}, { 'retry-after': '7' }), health)
  await letPass(client.external.health.get(), clock, [7000])
  // By the clock of the answer: that of this machine is three years off.
  const date = { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:12 GMT' }
  server.answer(refuse(503, 'overloaded', {}, date), health)
  await letPass(client.external.health.get(), clock, [12_000])
  // Only in the body, as a proxy may have taken the header away.
  server.answer(refuse(503, 'overloaded', { retry_after: 3 }), health)
  await letPass(client.external.health.get(), clock, [3000])
  // Sooner than 1.0 s is not sooner.
  server.answer(refuse(503, 'overloaded', {}, { 'retry-after': '0' }), health)
  await letPass(client.external.health.get(), clock, [1000])
  assert.deepEqual(clock.slept, [7000, 12_000, 3000, 1000])
  const slow = new Roadworthy({ baseUrl: server.url, apiKey: 'rw_live_secret', clock, retryDelayMs: 5000 })
  server.answer(refuse(503, 'overloaded', {}, { 'retry-after': '1' }), health)
  await letPass(slow.external.health.get(), clock, [5000])
})

test('a Retry-After that is too long is not waited for, and is in the error', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(refuse(429, 'rate_limit_exceeded', {}, { 'retry-after': '61' }))
  await assert.rejects(client.external.health.get(), (error) => error instanceof RateLimitError && error.retryAfterS === 61)
  assert.deepEqual([server.seen.length, clock.slept], [1, []])
})

test('when a pause took longer than all attempts may, the error is what was refused', async (t) => {
  const { server, clock, client } = await setUp(t, { totalTimeoutMs: 5_000 })
  server.answer(refuse(503, 'draining'))
  const asking = client.external.devices.get('dev-1')
  asking.catch(() => undefined)
  await clock.asleep(1000)
  // A laptop that was closed meanwhile.
  clock.advance(60_000)
  await assert.rejects(asking, (error) => error instanceof ServerError && error.code === 'draining')
  assert.equal(server.seen.length, 1)
})

test('all attempts and pauses together end within the total', async (t) => {
  const { server, clock, client } = await setUp(t, { totalTimeoutMs: 70_000 })
  server.answer(refuse(429, 'rate_limit_exceeded', {}, { 'retry-after': '40' }))
  await assert.rejects(letPass(client.external.health.get(), clock, [40_000]), RateLimitError)
  assert.equal(server.seen.length, 2, 'a second pause of 40 s would be over')
  server.answer(silence)
  // The first attempt has its 60 s, the second what is left of the total.
  const [first, second] = [server.received(1), server.received(2)]
  await assert.rejects(letPass(client.external.health.get(), clock, [first, 60_000, 1000, second, 9000]), TimeoutError)
  assert.equal(server.seen.length, 2)
})

test('an attempt ends after 60 s, or what was asked for, and is repeated', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(silence, health)
  await letPass(client.external.health.get(), clock, [server.received(1), 60_000, 1000])
  server.answer(silence, health)
  await letPass(client.external.health.get({ timeoutMs: 2500 }), clock, [server.received(1), 2500, 1000])
  // Also while the body is read.
  const halfAnswer: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{')
  }
  server.answer(halfAnswer)
  const failing = letPass(client.external.health.get({ timeoutMs: 2500, maxRetries: 0 }), clock, [server.received(1), 2500])
  await assert.rejects(failing, (error) => error instanceof TimeoutError && error.code === 'timeout' && /2500 ms/.test(error.message))
})

test('a write is repeated under its key, and every write has another', async (t) => {
  const { server, clock, client } = await setUp(t)
  const registered = json(200, { success: true, device_id: 'dev-1' })
  server.answer(reset, refuse(503, 'unavailable'), registered)
  await letPass(client.external.devices.register(device), clock, [1000, 1000])
  const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
  assert.deepEqual(keys, [keys[0], keys[0], keys[0]])
  assert.deepEqual(new Set(server.seen.map(({ body }) => body)), new Set([JSON.stringify(device)]))
  server.answer(registered)
  await client.external.devices.register(device)
  assert.notEqual(server.seen[0]?.headers['idempotency-key'], keys[0])
  await client.external.devices.register(device, { idempotencyKey: 'order 4711' })
  assert.equal(server.seen[1]?.headers['idempotency-key'], 'order 4711')
})

test('only a POST has a key, and none of the engine; PUT, PATCH and DELETE are repeated without one', async (t) => {
  const { server, clock, client } = await setUp(t)
  const calls: [string, () => Promise<unknown>][] = [
    ['PUT', () => client.external.devices.update('dev-1', { name: 'Truck' })],
    ['PATCH', () => client.platform.alerts.update('alr-1', { status: 'resolved' })],
    ['DELETE', () => client.external.vehicles.retire('veh-1')],
    ['POST', () => client.engine.predict({ vehicleId: 'TRUCK-1' })],
  ]
  for (const [method, call] of calls) {
    server.answer(reset, json(200, { id: 'x' }))
    await letPass(call(), clock, [1000])
    assert.deepEqual(methodsOf(server), [method, method])
    assert.ok(
      server.seen.every(({ headers }) => headers['idempotency-key'] === undefined),
      method,
    )
  }
})

test('what the service does not know by its key is repeated only when it was refused', async (t) => {
  const { server, clock, client } = await setUp(t)
  const signIn = () => client.platform.session.signIn({ email: 'a@example.com', password: 'secret' })
  for (const answer of [reset, refuse(502, 'bad_gateway')]) {
    server.answer(answer)
    await assert.rejects(signIn(), RoadworthyError)
    assert.equal(server.seen.length, 1)
  }
  server.answer(refuse(503, 'draining'), json(200, { id: 'x' }))
  await letPass(signIn(), clock, [1000])
  assert.equal(server.seen.length, 2)
})

test('a repeat that meets its first attempt at work waits for its answer', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(reset, refuse(409, 'idempotency_in_progress', {}, { 'retry-after': '1' }), json(200, { device_id: 'dev-1' }))
  const { device_id: id } = await letPass(client.external.devices.register(device), clock, [1000, 1000])
  assert.equal(id, 'dev-1')
  server.answer(refuse(409, 'device_exists'))
  await assert.rejects(client.external.devices.register(device), ConflictError)
})

test('a stream is sent once; bytes and a Blob are sent again', async (t) => {
  const { server, clock, client } = await setUp(t)
  const bytes = new Uint8Array([1, 2, 3])
  const done = json(200, { brand: {} })
  for (const body of [bytes, new Blob([bytes], { type: 'image/png' })]) {
    server.answer(reset, done)
    await letPass(client.platform.brands.putLogoOfReseller(body, { headers: { 'content-type': 'image/png' } }), clock, [1000])
    assert.deepEqual(
      server.seen.map((seen) => [seen.headers['content-type'], seen.body]),
      Array.from({ length: 2 }, () => ['image/png', '\x01\x02\x03']),
    )
  }
  for (const answer of [reset, refuse(503, 'unavailable')]) {
    server.answer(answer)
    const stream = new Blob([bytes]).stream()
    await assert.rejects(client.platform.brands.putLogoOfReseller(stream, { headers: { 'content-type': 'image/png' } }), RoadworthyError)
    assert.deepEqual(
      server.seen.map((seen) => seen.body),
      ['\x01\x02\x03'],
    )
  }
})

test('a signal ends a call at once: before it, while it waits for an answer, and in a pause', async (t) => {
  const { server, clock, client } = await setUp(t)
  const reason = new Error('the page was left')
  server.answer(health)
  await assert.rejects(client.external.health.get({ signal: AbortSignal.abort(reason) }), reason)
  assert.equal(server.seen.length, 0)

  const waiting = new AbortController()
  server.answer(() => waiting.abort(reason))
  await assert.rejects(client.external.health.get({ signal: waiting.signal }), reason)
  assert.equal(server.seen.length, 1)

  const pausing = new AbortController()
  server.answer(refuse(503, 'unavailable', {}, { 'retry-after': '30' }))
  const call = client.external.health.get({ signal: pausing.signal })
  await clock.asleep(30_000)
  pausing.abort(reason)
  await assert.rejects(call, reason)
  assert.equal(server.seen.length, 1)
  assert.deepEqual(clock.slept, [])

  const unused = new AbortController()
  server.answer(reset, health)
  await letPass(client.external.health.get({ signal: unused.signal }), clock, [1000])
  for (const { signal } of [waiting, pausing, unused])
    assert.equal(getEventListeners(signal, 'abort').length, 0, 'nothing listens any more')
})

test('a service that is not there is a ConnectionError that names why', async () => {
  const clock = createTestClock()
  const client = new Roadworthy({ baseUrl: 'http://127.0.0.1:1', apiKey: 'rw_live_secret', clock, maxRetries: 0 })
  await assert.rejects(client.external.health.get(), (error) => {
    assert.ok(error instanceof ConnectionError && error.code === 'connection_failed')
    assert.match(error.message, /^The connection failed: fetch failed: .*(bad port|ECONNREFUSED).*\(GET \/api\/external\/health\)\.$/)
    return true
  })
})
