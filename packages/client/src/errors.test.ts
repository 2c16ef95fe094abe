// Goal: code that catches an error knows by its class and code what to do, no matter which server or proxy answered; no error contains a key.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import * as errors from './errors.ts'
import { Roadworthy } from './roadworthy.ts'
import { createTestClock } from './test-clock.ts'
import { type Answer, json, raw, refuse, startTestServer } from './test-server.ts'

const KEY = 'rw_live_4d9aXk20bQz7'

async function setUp(t: TestContext) {
  const server = await startTestServer(t)
  const client = new Roadworthy({ baseUrl: server.url, engineUrl: server.url, apiKey: KEY, clock: createTestClock(), maxRetries: 0 })
  return { server, client }
}

async function errorOf(call: Promise<unknown>): Promise<errors.RoadworthyError> {
  try {
    await call
  } catch (error) {
    assert.ok(error instanceof errors.RoadworthyError, String(error))
    return error
  }
  throw new Error('the call did not fail')
}

test('each status is a class, and two codes of 403 and one of 422 are their own', async (t) => {
  const { server, client } = await setUp(t)
  const cases: [number, string, new (...given: never[]) => errors.RoadworthyError][] = [
    [400, 'invalid_request', errors.ValidationError],
    [401, 'invalid_api_key', errors.AuthenticationError],
    [403, 'missing_scope', errors.PermissionError],
    [403, 'sub_client_suspended', errors.PermissionError],
    [403, 'subscription_required', errors.SubscriptionError],
    [403, 'quota_exceeded', errors.QuotaError],
    [404, 'device_not_found', errors.NotFoundError],
    [405, 'method_not_allowed', errors.ValidationError],
    [408, 'timeout', errors.TimeoutError],
    [409, 'device_exists', errors.ConflictError],
    [413, 'payload_too_large', errors.ValidationError],
    [415, 'unsupported_media_type', errors.ValidationError],
    [422, 'idempotency_conflict', errors.ConflictError],
    [429, 'rate_limit_exceeded', errors.RateLimitError],
    [500, 'server_error', errors.ServerError],
    [503, 'unavailable', errors.ServerError],
  ]
  for (const [status, code, Class] of cases) {
    server.answer(refuse(status, code))
    const error = await errorOf(client.external.devices.get('dev-1'))
    assert.equal(error.constructor, Class, `${status} ${code}`)
    assert.deepEqual([error.name, error.status, error.code, error.requestId], [Class.name, status, code, 'req-1'])
    assert.equal(error.message, `${status} ${code}: refused as ${code}. (GET /api/external/devices/{device_id}, request req-1)`)
  }
  const quota = new errors.QuotaError('none left', { code: 'quota_exceeded' })
  assert.ok(quota instanceof errors.PermissionError && quota instanceof errors.RoadworthyError && quota instanceof Error)
})

test('both bodies are understood, with all that they hold', async (t) => {
  const { server, client } = await setUp(t)
  const details = { required_scope: 'devices:read' }
  const error = {
    code: 'quota_exceeded',
    message: 'Used up.',
    request_id: 'req-7',
    action_required: 'upgrade_plan',
    retry_after: 60,
    details,
  }
  for (const body of [{ success: false, error }, { error }]) {
    server.answer(json(403, body))
    const found = await errorOf(client.platform.vehicles.list())
    assert.ok(found instanceof errors.QuotaError)
    assert.deepEqual(
      [found.code, found.requestId, found.actionRequired, found.retryAfterS],
      ['quota_exceeded', 'req-7', 'upgrade_plan', 60],
    )
    assert.deepEqual(found.details, details)
  }
  server.answer(json(503, { error: 'overloaded: The engine has more to do than it can answer in time.' }, { 'retry-after': '1' }))
  const ofEngine = await errorOf(client.engine.inference.model('turbofan'))
  assert.deepEqual([ofEngine.code, ofEngine.retryAfterS], ['overloaded', 1])
  assert.match(ofEngine.message, /^503 overloaded: The engine has more/)
})

test('an answer that is not of Roadworthy is an error like any other', async (t) => {
  const { server, client } = await setUp(t)
  const cases: [Answer, string, number][] = [
    [raw(502, 'text/html', '<h1>Bad gateway</h1>'), 'http_502', 502],
    [raw(404, 'application/json', '"nothing"'), 'http_404', 404],
    [raw(404, 'application/json', '{"error":'), 'http_404', 404],
    [raw(400, 'application/json', '{"error":{"code":7,"message":"?","request_id":{},"details":[1],"retry_after":"x"}}'), 'unknown', 400],
    [raw(403, 'application/json', '{"error":null}'), 'http_403', 403],
    [raw(400, 'application/json', '{"error":{"code":"constructor","message":"?"}}'), 'constructor', 400],
    [raw(503, '', ''), 'http_503', 503],
    [raw(200, 'text/html', '<h1>Welcome</h1>'), 'unexpected_answer', 200],
    [raw(200, 'application/json', '{"devices":['), 'unexpected_answer', 200],
    [raw(200, 'application/json', ''), 'unexpected_answer', 200],
  ]
  for (const [answer, code, status] of cases) {
    server.answer(answer)
    const error = await errorOf(client.external.devices.list())
    assert.deepEqual([error.code, error.status], [code, status])
    assert.match(error.message, /GET \/api\/external\/devices/)
  }
  server.answer((response) => response.writeHead(502, { 'x-request-id': 'req-9' }).end())
  assert.equal((await errorOf(client.external.devices.list())).requestId, 'req-9')
})

test('a redirect is not followed, so that no other host sees the key', async (t) => {
  const { server, client } = await setUp(t)
  const other = await startTestServer(t)
  other.answer(json(200, { devices: [] }))
  for (const status of [301, 302, 303, 307, 308]) {
    server.answer((response) => response.writeHead(status, { location: `${other.url}/api/external/devices` }).end())
    const error = await errorOf(client.external.devices.list())
    assert.ok(error instanceof errors.UnexpectedAnswerError)
    assert.deepEqual([error.code, error.status], ['redirected', status])
    assert.ok(error.message.includes(other.url), error.message)
  }
  assert.deepEqual(other.seen, [])
})

test('the key is sent as its surface wants it, to the service only, whatever a call adds', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(json(200, { status: 'ok' }))
  const headers = { Authorization: 'Bearer other', 'X-API-KEY': 'other', 'X-Trace': 'abc' }
  await client.external.health.get({ headers })
  await client.simBilling.priceList.get({ headers })
  await client.platform.plan.get({ headers })
  await client.engine.health.get({ headers })
  assert.deepEqual(
    server.seen.map((seen) => [seen.headers['x-api-key'], seen.headers.authorization, seen.headers['x-trace']]),
    [
      [KEY, undefined, 'abc'],
      [KEY, undefined, 'abc'],
      [undefined, `Bearer ${KEY}`, 'abc'],
      [undefined, undefined, 'abc'],
    ],
  )
})

test('the key is in no error and in no picture of the client', async (t) => {
  const { server, client } = await setUp(t)
  const shown: string[] = []
  const show = (thing: unknown) => shown.push(inspect(thing, { depth: 20, showHidden: true }), String(thing), JSON.stringify(thing))
  show(client)
  show(client.external)
  // A server that repeats what it was sent, in each place.
  const echoes: Answer[] = [
    refuse(401, 'invalid_api_key', { details: { key: KEY }, request_id: KEY }),
    json(401, { error: { code: 'invalid_api_key', message: `The key ${KEY} is unknown.` } }),
    raw(200, `text/${KEY}`, KEY),
    raw(200, 'application/json', `{"${KEY}`),
    (response) => response.writeHead(302, { location: `https://example.com/?key=${KEY}` }).end(),
  ]
  for (const answer of echoes) {
    server.answer(answer)
    show(await errorOf(client.external.devices.list()))
  }
  const failing = new Roadworthy({
    baseUrl: server.url,
    apiKey: KEY,
    maxRetries: 0,
    fetch: () => Promise.reject(new TypeError(`cannot send ${KEY}`)),
  })
  show(await errorOf(failing.external.devices.list()))
  assert.equal(shown.length, 24)
  for (const text of shown) assert.ok(!text?.includes(KEY), text)
})

test('what cannot work is refused when the client is made, in words that do not show the key', () => {
  const baseUrl = 'https://fleet.example.com'
  const cases: [object, RegExp][] = [
    [{}, /Give baseUrl with apiKey, or engineUrl/],
    [{ apiKey: KEY }, /apiKey goes with baseUrl/],
    [{ baseUrl }, /apiKey is missing/],
    [{ baseUrl, apiKey: '' }, /apiKey is missing/],
    [{ baseUrl, apiKey: `${KEY}\n` }, /a space, a line break/],
    [{ baseUrl, apiKey: `“${KEY}”` }, /a space, a line break/],
    [{ baseUrl: '', apiKey: KEY }, /baseUrl must be an address/],
    [{ baseUrl: 'fleet.example.com', apiKey: KEY }, /write it with http/],
    [{ baseUrl: 'ftp://fleet.example.com', apiKey: KEY }, /must begin with https/],
    [{ baseUrl: 'https://me:secret@fleet.example.com', apiKey: KEY }, /must not hold a user/],
    [{ baseUrl: `${baseUrl}?key=1`, apiKey: KEY }, /must not have a query/],
    [{ baseUrl: `${baseUrl}/api/external/`, apiKey: KEY }, /must end before \/api\/external/],
    [{ baseUrl: `${baseUrl}/api/v1`, apiKey: KEY }, /must end before \/api\/v1/],
    [{ engineUrl: 'http://engine:8090/v1' }, /engineUrl must end before \/v1/],
    [{ baseUrl, apiKey: KEY, timeoutMs: -1 }, /timeoutMs must be a number of milliseconds/],
    [{ baseUrl, apiKey: KEY, timeoutMs: 0 }, /must be more than 0/],
    [{ baseUrl, apiKey: KEY, maxRetries: 1.5 }, /maxRetries must be a whole number/],
    [{ baseUrl, apiKey: KEY, retryDelayMs: Number.NaN }, /retryDelayMs must be/],
  ]
  for (const [options, expected] of cases) {
    assert.throws(
      () => new Roadworthy(options),
      (error) => {
        assert.ok(error instanceof errors.ConfigurationError && expected.test(error.message), String(error))
        return !inspect(error).includes(KEY)
      },
    )
  }
  const engineOnly = new Roadworthy({ engineUrl: 'http://engine:8090/' })
  assert.throws(() => engineOnly.external, /baseUrl and apiKey were not given/)
  assert.throws(() => new Roadworthy({ baseUrl, apiKey: KEY }).engine, /engineUrl was not given/)
})

test('an operation that the package does not know can be asked, at the service only', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(json(200, { geofences: [] }))
  const answer = await client.request<{ geofences: unknown[] }>('POST', '/api/v1/geofences', {
    query: { limit: 3 },
    body: { name: 'Yard' },
  })
  assert.deepEqual(answer, { geofences: [] })
  const [seen] = server.seen
  assert.deepEqual([seen?.method, seen?.url, seen?.body], ['POST', '/api/v1/geofences?limit=3', '{"name":"Yard"}'])
  assert.deepEqual([seen?.headers.authorization, seen?.headers['x-api-key']], [`Bearer ${KEY}`, undefined])
  assert.match(String(seen?.headers['idempotency-key']), /^[0-9a-f]{32}$/)
  const elsewhere = [
    '',
    'api/v1/x',
    '@evil.example/api/x',
    '.evil.example/api/x',
    ':1/api/x',
    '//evil.example/api/',
    '/api/v1/x?a=1',
    '/api/{id}',
    'https://evil.example/api/x',
  ]
  for (const path of elsewhere) await assert.rejects(client.request('GET', path), errors.ConfigurationError, path)
  assert.equal(server.seen.length, 1)
})

test('what cannot be sent as it is meant is refused, and nothing is sent', async (t) => {
  const { server, client } = await setUp(t)
  const circle: Record<string, unknown> = {}
  circle['circle'] = circle
  const send = (more: object) => client.external.telemetry.send({ device_id: 'dev-1', ...more })
  const cases: [() => Promise<unknown>, RegExp][] = [
    [() => send({ speed: Number.NaN }), /speed is NaN/],
    [() => send({ speed: Number.POSITIVE_INFINITY }), /speed is Infinity/],
    [() => send({ timestamp: new Date(Number.NaN) }), /timestamp is an invalid date/],
    [() => send({ speed: 1n }), /a bigint/],
    [() => send(circle), /holds itself/],
    [() => client.external.telemetry.sendBatch([{ device_id: 'dev-1', speed: Number.NaN }]), /speed is NaN/],
    [() => client.external.telemetry.sendBatch('all of them' as never), /records must be an array, not string/],
    [() => client.external.devices.get('\ud800'), /surrogate pair/],
    [() => client.external.devices.list({}, { headers: { 'x y': 'secret' } }), /names that HTTP allows/],
  ]
  for (const [call, expected] of cases) {
    await assert.rejects(call(), (error) => {
      assert.ok(error instanceof errors.ConfigurationError && expected.test(error.message), String(error))
      return !inspect(error).includes('secret')
    })
  }
  assert.equal(server.seen.length, 0)
  server.answer(json(200, { success: true }))
  await send({ timestamp: new Date(0), note: undefined })
  assert.equal(server.seen[0]?.body, '{"device_id":"dev-1","timestamp":"1970-01-01T00:00:00.000Z"}')
})

test('what is answered 200 and is no object with fields is an error: a reading is stored where the service says so', async (t) => {
  const { server, client } = await setUp(t)
  for (const answer of [{}, [], null, true, 'ok', 0]) {
    server.answer(json(200, answer))
    await assert.rejects(client.external.telemetry.send({ device_id: 'dev-1', speed: 1 }), (error) => {
      assert.ok(error instanceof errors.UnexpectedAnswerError, JSON.stringify(answer))
      assert.match(error.message, /^200: .*no object with fields.*POST \/api\/external\/telemetry/)
      return true
    })
  }
})

test('an id cannot lead to another route', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(json(200, { status: 'ok' }))
  await client.external.devices.get('a/b?c#d%2e')
  assert.equal(server.seen[0]?.url, '/api/external/devices/a%2Fb%3Fc%23d%252e')
  for (const id of ['', '.', '..', undefined, null, 7, {}]) {
    await assert.rejects(client.external.devices.get(id as string), errors.ConfigurationError)
  }
  assert.equal(server.seen.length, 1)
  await assert.rejects(client.external.devices.register({ name: 'a' }, { idempotencyKey: 'ümlaut' }), /printable ASCII/)
})
