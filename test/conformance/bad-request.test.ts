// Goal: each request that is bad before its content matters (too large, too deep, no JSON, another coding, another path or method) gets its
// own clear error on every surface, and nothing of it is stored. Method: through HTTP, against the whole service.

import assert from 'node:assert/strict'
import { request as httpRequest, METHODS } from 'node:http'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../support/running-platform.ts'
import { ok, type Row, refused, untilReady } from '../support/service.ts'
import { openBadInput } from './bad-input-service.ts'

const { service, tenant, deviceId, storing } = await openBadInput({ after })

/** Of the surface of SIMs and invoices; what they name is not there, which is not the answer to a body that cannot be read. */
const simBillingPosts = ['/sims', '/sims/bulk', '/sims/none/activate', '/sync', '/invoices/none/pay', '/operator-connections']

const sendRaw = (raw: string, path = '/telemetry') => tenant.external('POST', path, { raw })

test('a body of 10 MB is refused by its size on every surface, and the connection is not lost to others', async () => {
  const raw = JSON.stringify({ device_id: deviceId, note: 'x'.repeat(10 * 1024 * 1024) })
  await storing(0, async () => {
    refused(await sendRaw(raw), 413, 'payload_too_large')
    refused(await sendRaw(raw, '/telemetry/batch'), 413, 'payload_too_large')
    refused(await tenant.platform('POST', '/telemetry', { raw }), 413, 'payload_too_large', 'platform')
    refused(await service.engine('POST', '/v1/predict', { raw }), 413, 'payload_too_large', 'engine')
    for (const path of simBillingPosts) refused(await tenant.simBilling('POST', path, { raw }), 413, 'payload_too_large')
    const limit = (bytes: number) =>
      JSON.stringify({ device_id: deviceId, extra: Array.from({ length: 200 }, () => 'x'.repeat(bytes / 200)) })
    refused(await sendRaw(limit(1024 * 1024 + 2000)), 413, 'payload_too_large')
  })
})

test('a body nested 100,000 deep is refused before it is parsed, on every surface', async () => {
  const arrays = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  await storing(0, async () => {
    for (const raw of [arrays, objects, '['.repeat(100_000), `{"device_id":"${deviceId}","extra":${objects}}`]) {
      for (const path of ['/telemetry', '/telemetry/batch', '/track/batch', '/devices', '/predict']) {
        refused(await sendRaw(raw, path), 400, 'invalid_request')
      }
      refused(await tenant.platform('POST', '/telemetry', { raw }), 400, 'invalid_request', 'platform')
      for (const path of simBillingPosts) refused(await tenant.simBilling('POST', path, { raw }), 400, 'invalid_request')
      for (const path of ['/v1/predict', '/v1/predict/batch'])
        refused(await service.engine('POST', path, { raw }), 400, 'invalid_input', 'engine')
    }
    const nested = (depth: number) => `{"device_id":"${deviceId}","extra":${'{"a":'.repeat(depth - 2)}{}${'}'.repeat(depth - 2)}}`
    refused(await sendRaw(nested(33)), 400, 'invalid_request')
  })
})

test('a refusal under an Idempotency-Key is answered once, whatever it is', async () => {
  const headers = { 'idempotency-key': 'bad-input' }
  await storing(0, async () => {
    refused(await tenant.external('POST', '/telemetry', { raw: '{', headers }), 400, 'invalid_request')
    refused(await tenant.external('POST', '/devices', { body: { imei: 'x' }, headers }), 400, 'invalid_request')
    refused(await tenant.external('POST', '/telemetry/batch', { body: [{ device_id: 'no' }], headers }), 400, 'invalid_request')
    refused(await tenant.external('POST', '/telemetry', { raw: `"${'x'.repeat(2_000_000)}"`, headers }), 413, 'payload_too_large')
  })
  await untilReady(service)
})

test('broken JSON is refused as such, with no half of it done', async () => {
  await storing(0, async () => {
    for (const raw of [
      '',
      ' ',
      '{',
      '}',
      '{"device_id":',
      '{"device_id":"x",}',
      "{'device_id':'x'}",
      'undefined',
      '{"a":1}{"a":2}',
      '\ufeff{',
      '<xml/>',
      '\\',
    ]) {
      const error = refused(await sendRaw(raw), 400, 'invalid_request')
      assert.match(String(error['message']), /JSON|body/, raw)
      refused(await sendRaw(raw, '/devices'), 400, 'invalid_request')
      // No body at all is one that leaves out every field.
      if (raw !== '') for (const path of simBillingPosts) refused(await tenant.simBilling('POST', path, { raw }), 400, 'invalid_request')
      refused(await tenant.platform('POST', '/telemetry', { raw }), 400, 'invalid_request', 'platform')
      refused(await service.engine('POST', '/v1/predict', { raw }), 400, 'invalid_input', 'engine')
    }
  })
})

test('a body that is not plain JSON is refused by its type or its coding', async () => {
  const json = JSON.stringify({ device_id: deviceId, speed: 1 })
  await storing(0, async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'json',
      'image/png',
    ]) {
      refused(await tenant.external('POST', '/telemetry', { raw: json, headers: { 'content-type': type } }), 415, 'unsupported_media_type')
      refused(await tenant.simBilling('POST', '/sims', { raw: json, headers: { 'content-type': type } }), 415, 'unsupported_media_type')
    }
    for (const coding of ['gzip', 'br', 'deflate', 'zstd']) {
      const error = refused(
        await tenant.external('POST', '/telemetry', { raw: json, headers: { 'content-encoding': coding } }),
        415,
        'unsupported_media_type',
      )
      assert.match(String(error['message']), /Content-Encoding/)
    }
    const zipped = await sendBytes('POST', '/api/external/telemetry', gzipSync(json), { 'content-encoding': 'gzip' })
    assert.equal(zipped.status, 415)
    const unsaid = await sendBytes('POST', '/api/external/telemetry', gzipSync(json), {})
    assert.equal(unsaid.status, 400)
    const notUtf8 = await sendBytes('POST', '/api/external/telemetry', Buffer.from([0x22, 0xff, 0xfe, 0x22]), {})
    assert.equal(notUtf8.status, 400)
  })
  await storing(1, async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'identity' }
    ok(await tenant.external('POST', '/telemetry', { raw: json, headers }))
  })
})

/** What `fetch` will not send: bytes, odd methods, odd paths. */
async function sendBytes(
  method: string,
  path: string,
  body: Buffer | undefined,
  headers: Row,
): Promise<{ status: number; headers: Row; body: Row }> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(`${service.baseUrl}/`, {
      method,
      path,
      headers: {
        'x-api-key': tenant.key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }),
      )
    })
    request.end(body)
  })
}

test('an unknown path is 404 and an unknown method is 405 that names the known ones', async () => {
  refused(await tenant.external('GET', '/nothing'), 404, 'not_found')
  refused(await tenant.external('POST', '/telemetry/batch/more', { body: {} }), 404, 'not_found')
  refused(await tenant.platform('GET', '/nothing'), 404, 'not_found', 'platform')
  refused(await service.engine('GET', '/v1/nothing'), 404, 'not_found', 'engine')
  refused(await tenant.simBilling('GET', '/nothing'), 404, 'not_found')
  for (const [asked, surface, other] of [
    [tenant.platform('POST', '/track', { body: {} }), 'platform', 'POST /api/external/track'],
    [tenant.platform('POST', '/vehicles', { body: {} }), 'platform', 'POST /api/external/vehicles'],
    [tenant.external('GET', '/alerts'), 'external', 'GET /api/v1/alerts'],
  ] as const) {
    const answer = await asked
    const error = refused(answer, answer.status === 405 ? 405 : 404, answer.status === 405 ? 'method_not_allowed' : 'not_found', surface)
    assert.deepEqual((error['details'] as Row)['elsewhere'], [other])
    assert.ok(String(error['message']).endsWith(`Did you mean ${other}?`))
  }
  const wrong: readonly [answer: Promise<Answer>, surface: 'external' | 'platform' | 'engine', allowed: string][] = [
    [tenant.external('DELETE', '/devices'), 'external', 'POST'],
    [tenant.external('GET', '/telemetry'), 'external', 'POST'],
    [tenant.external('PATCH', `/devices/${deviceId}`, { body: {} }), 'external', 'PUT'],
    [tenant.platform('POST', '/vehicles', { body: {} }), 'platform', 'GET'],
    [tenant.platform('PUT', '/alerts/x', { body: {} }), 'platform', 'PATCH'],
    [service.engine('GET', '/v1/predict'), 'engine', 'POST'],
    [tenant.simBilling('GET', '/sims/none/activate'), 'external', 'POST'],
    [tenant.simBilling('DELETE', '/invoices'), 'external', 'GET'],
    [service.engine('DELETE', '/v1/models'), 'engine', 'GET'],
  ]
  for (const [asked, surface, allowed] of wrong) {
    const answer = await asked
    refused(answer, 405, 'method_not_allowed', surface)
    assert.ok(answer.headers.get('allow')?.split(', ').includes(allowed), `${answer.headers.get('allow')}`)
  }
  const known = ['GET', 'HEAD', 'POST']
  // CONNECT asks for a tunnel, which Node itself declines.
  for (const method of METHODS.filter((name) => !known.includes(name) && name !== 'CONNECT')) {
    const { status } = await sendBytes(method, '/api/external/devices', undefined, {})
    assert.equal(status, 405, method)
    assert.equal((await sendBytes(method, '/api/external/nothing', undefined, {})).status, 404, method)
  }
  assert.equal((await sendBytes('QUERY', '/api/external/devices', Buffer.from('{}'), { 'content-length': '2' })).status, 405)
  assert.equal((await sendBytes('QUERY', '/nothing', undefined, {})).status, 404)
})

test('a path that cannot be decoded and a parameter that is too long are refused in the words of their surface', async () => {
  for (const [path, surface] of [
    ['/api/external/devices/%zz', 'external'],
    ['/api/external/devices/%c0%af', 'external'],
    ['/api/v1/vehicles/%', 'platform'],
    ['/api/sim-billing/sims/%zz', 'external'],
  ] as const) {
    const { status, body } = await sendBytes('GET', path, undefined, {})
    assert.equal(status, 400, path)
    assert.equal((body['error'] as Row)['code'], 'invalid_request')
    assert.equal(body['success'], surface === 'external' ? false : undefined)
  }
  const { status } = await tenant.external('GET', `/devices/${'x'.repeat(2000)}`)
  assert.ok(status === 400 || status === 404)
  for (const query of ['limit=0', 'limit=501', 'limit=ten', 'limit=-1', 'limit=1.5', 'after=nonsense', 'after=%00', 'status=unheard-of']) {
    refused(await tenant.external('GET', `/devices?${query}`), 400, 'invalid_request')
  }
})

test('a slash at the end of an address asks for the same thing on every surface', async () => {
  assert.deepEqual((await tenant.external('GET', '/devices/')).body, (await tenant.external('GET', '/devices')).body)
  ok(await tenant.external('GET', '/devices/?status=active'))
  ok(await tenant.external('GET', `/devices/${deviceId}/`))
  ok(await tenant.platform('GET', '/vehicles/'))
  ok(await service.engine('GET', '/v1/models/'))
  ok(await tenant.simBilling('GET', '/sims/'))
  refused(await tenant.external('GET', '/nothing/'), 404, 'not_found')
  refused(await tenant.external('DELETE', '/devices/'), 405, 'method_not_allowed')
  const headers = { 'idempotency-key': 'slash' }
  const body = { name: 'Slash' }
  const first = ok<Row>(await tenant.external('POST', '/sub-clients', { body, headers }))
  assert.deepEqual(ok(await tenant.external('POST', '/sub-clients/', { body, headers })), first)
})

test('a query parameter that a route does not know is refused by its name, with those that it knows', async () => {
  const error = refused(await tenant.external('GET', '/devices?statuss=active'), 400, 'invalid_request')
  assert.match(String(error['message']), /"statuss".*sub_client_id, status, limit, after/)
  assert.deepEqual(error['details'], { in: 'querystring', field: 'statuss', allowed: ['sub_client_id', 'status', 'limit', 'after'] })
  refused(await tenant.external('GET', `/devices/${deviceId}?fields=id`), 400, 'invalid_request')
  refused(await tenant.platform('GET', '/alerts?vehicle=x'), 400, 'invalid_request', 'platform')
  refused(await service.engine('GET', '/v1/models?type=rules'), 400, 'invalid_input', 'engine')
  refused(await tenant.simBilling('POST', '/sync?scope=all'), 400, 'invalid_request')
  await storing(0, async () => {
    refused(await tenant.external('POST', '/telemetry?dry_run=true', { body: { device_id: deviceId, speed: 1 } }), 400, 'invalid_request')
  })
  // Probes put what they like against caches.
  ok(await tenant.external('GET', '/health?at=1'))
  ok(await service.engine('GET', '/v1/health?at=1'))
})

test('the refusal of a body names in plain words which field is wrong, and what would be right', async () => {
  const device = (body: unknown) => tenant.external('POST', '/devices', { body })
  const subClient = (body: unknown) => tenant.external('POST', '/sub-clients', { body })
  const table: readonly [asked: Promise<Answer>, message: string, field: string | undefined][] = [
    [device(null), 'The body must be an object, not null.', undefined],
    [device([]), 'The body must be an object, not an array.', undefined],
    [device({ vehicle: 7 }), '"vehicle" must be an object or null, not 7.', 'vehicle'],
    [device({ vehicle: { year: '2014' } }), '"vehicle.year" must be a whole number or null, not "2014".', 'vehicle.year'],
    [device({ imei: '12' }), '"imei" must be 14 to 16 digits, such as "356938035643809", not "12".', 'imei'],
    [device({ name: 'x'.repeat(300) }), '"name" must have 1 to 200 characters.', 'name'],
    [subClient({}), '"name" is required.', 'name'],
    [subClient({ name: ' ' }), '"name" must have more in it than blanks, such as "Acme Logistics", not " ".', 'name'],
    [
      subClient({ name: 'x', contact_email: 'nobody' }),
      '"contact_email" must be an e-mail address, such as fleet@example.com, not "nobody".',
      'contact_email',
    ],
    [tenant.external('GET', '/devices?limit=501'), '"limit" must be from 1 to 500.', 'limit'],
    [tenant.external('GET', '/devices?limit=ten'), '"limit" must be a whole number, not "ten".', 'limit'],
    [
      tenant.external('GET', '/devices?status=on'),
      '"status" must be "pending", "active", "suspended" or "decommissioned", not "on".',
      'status',
    ],
  ]
  for (const [asked, message, field] of table) {
    const error = refused(await asked, 400, 'invalid_request')
    assert.equal(error['message'], message)
    assert.equal((error['details'] as Row)['field'], field, message)
  }
})

test('after all of it the service is as it was', async () => {
  await untilReady(service)
  assert.doesNotMatch(service.platform.output(), /request failed|server_error|unexpected failure/)
})
