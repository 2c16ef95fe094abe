// Goal: each bad input gets its own clear error, and nothing is lost or half done by it. Method: through HTTP, against the whole service;
// after each group the readings that are stored are counted, and the good ones read back.

import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../support/running-platform.ts'
import { callerAt, ok, openService, type Row, refused, type Tenant } from '../support/service.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const REVOKED_WITHIN_MS = 1_000

const service = await openService({ after })
const tenant = await service.newTenant()
const { device_id: deviceId } = ok<{ device_id: string }>(await tenant.external('POST', '/devices', { body: { imei: '356938035643809' } }))

async function storedCount({ slug }: Tenant): Promise<number> {
  const { rows } = await service.database.systemPool.query<{ count: string }>('select count(*) from readings where reseller_id = $1', [
    slug,
  ])
  return Number(rows[0]?.count)
}

/** Runs `work`, after which exactly `added` more readings must be stored. */
async function storing(added: number, work: () => Promise<void>): Promise<void> {
  const before = await storedCount(tenant)
  await work()
  assert.equal((await storedCount(tenant)) - before, added)
}

const sendRaw = (raw: string, path = '/telemetry') => tenant.external('POST', path, { raw })
const timeFromNow = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString()

test('an unknown device is refused by name, on every door of HTTP', async () => {
  await storing(0, async () => {
    for (const device of ['dev-unknown', '356938035643999', '../etc/passwd', "' or 1=1 --", 'DEV-UNKNOWN']) {
      const telemetry = refused(
        await tenant.external('POST', '/telemetry', { body: { device_id: device, speed: 1 } }),
        404,
        'device_not_found',
      )
      assert.deepEqual(telemetry['details'], { device_id: device })
      const track = { device_id: device, latitude: 1, longitude: 2 }
      assert.deepEqual(refused(await tenant.external('POST', '/track', { body: track }), 404, 'device_not_found')['details'], {
        device_id: device,
      })
    }
  })
})

test('a key without the scope is refused and told which it needs, and a pinned, expired or garbled one is refused too', async () => {
  const { secret } = await tenant.makeKey({ scopes: ['devices:read'] })
  const body = { device_id: deviceId, speed: 1 }
  await storing(0, async () => {
    const error = refused(await callerAt(`${service.baseUrl}/api/external`, secret)('POST', '/telemetry', { body }), 403, 'missing_scope')
    assert.deepEqual(error['details'], { required_scope: 'telemetry:write' })
    const wrong = [
      'x',
      'rw_live_',
      `${tenant.key}x`,
      tenant.key.slice(0, -1),
      tenant.key.toLowerCase(),
      'Bearer',
      '*',
      'ключ'.replace(/./g, '?'),
    ]
    for (const key of wrong) {
      refused(await callerAt(`${service.baseUrl}/api/external`, key)('POST', '/telemetry', { body }), 401, 'invalid_api_key')
    }
  })
})

test('a revoked key stops working within a second', async () => {
  const { id, secret } = await tenant.makeKey({ scopes: ['devices:read'] })
  const external = callerAt(`${service.baseUrl}/api/external`, secret)
  ok(await external('GET', '/devices'))
  ok(await tenant.platform('DELETE', `/api-keys/${id}`))
  const revokedAtMs = performance.now()
  let answer = await external('GET', '/devices')
  while (answer.status === 200 && performance.now() - revokedAtMs < REVOKED_WITHIN_MS) {
    await sleep(20)
    answer = await external('GET', '/devices')
  }
  refused(answer, 401, 'invalid_api_key')
})

test('101 records are refused and none of them is stored; 100 are all stored', async () => {
  const records = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ device_id: deviceId, timestamp: timeFromNow(-i * 1000), speed: i }))
  const points = (count: number) => records(count).map((record) => ({ ...record, latitude: 12, longitude: 77 }))
  await storing(0, async () => {
    for (const [path, body] of [
      ['/telemetry/batch', { records: records(101) }],
      ['/telemetry/batch', records(101)],
      ['/track/batch', points(101)],
      ['/track/batch', { points: points(101) }],
    ] as const) {
      const error = refused(await tenant.external('POST', path, { body }), 400, 'batch_too_large')
      assert.deepEqual(error['details'], { limit: 100, got: 101 })
    }
  })
  await storing(200, async () => {
    const telemetry = ok<Row>(await tenant.external('POST', '/telemetry/batch', { body: { records: records(100) } }))
    assert.deepEqual([telemetry['records_processed'], telemetry['records_rejected']], [100, 0])
    const track = ok<Row>(await tenant.external('POST', '/track/batch', { body: points(100) }))
    assert.deepEqual([track['records_processed'], track['records_rejected']], [100, 0])
  })
})

test('of a batch that is half bad the good half is stored, and each bad record is named with its reason', async () => {
  const at = timeFromNow(-MINUTE_MS)
  const good = (speed: number) => JSON.stringify({ device_id: deviceId, timestamp: at, speed })
  const bad: readonly [raw: string, code: string, field: string | undefined][] = [
    ['{"device_id":"dev-unknown","speed":1}', 'device_not_found', undefined],
    [`{"device_id":"${deviceId}","speed":"fast"}`, 'invalid_request', 'speed'],
    [`{"device_id":"${deviceId}","timestamp":"2026-02-30T00:00:00Z"}`, 'invalid_request', 'timestamp'],
    [`{"device_id":"${deviceId}","lat":91,"lon":0}`, 'invalid_request', 'latitude'],
    [`{"device_id":"${deviceId}","speed":1e999}`, 'invalid_request', 'speed'],
    [`{"device_id":"${deviceId}","note":"a\\u0000b"}`, 'invalid_request', undefined],
    [`{"device_id":"${deviceId}","__proto__":{"a":1}}`, 'invalid_request', '__proto__'],
    ['{"speed":1}', 'invalid_request', 'device_id'],
    ['"a string"', 'invalid_request', undefined],
    ['null', 'invalid_request', undefined],
    ['[]', 'invalid_request', undefined],
    ['7', 'invalid_request', undefined],
  ]
  await storing(bad.length, async () => {
    const raw = `{"records":[${bad.flatMap(([record], i) => [good(1000 + i), record]).join(',')}]}`
    const body = ok<{ results: Row[] } & Row>(await sendRaw(raw, '/telemetry/batch'))
    assert.deepEqual([body['records_processed'], body['records_rejected'], body['duplicates']], [bad.length, bad.length, 0])
    for (const [i, [record, code, field]] of bad.entries()) {
      const [stored, refusal] = body.results.slice(2 * i, 2 * i + 2) as [Row, { index: number; status: string; error: Row }]
      assert.equal(stored['status'], 'stored')
      ok(await tenant.external('GET', `/telemetry/${stored['id']}`))
      assert.deepEqual([refusal.index, refusal.status, refusal.error['code']], [2 * i + 1, 'rejected', code], record)
      if (field !== undefined) assert.equal((refusal.error['details'] as Row)['field'], field, record)
    }
  })
})

test('a batch of which nothing can be stored is refused with every reason, and so are an empty one and no batch at all', async () => {
  await storing(0, async () => {
    const error = refused(await tenant.external('POST', '/telemetry/batch', { body: [{ device_id: 'no' }, 1] }), 400, 'invalid_request')
    const { results } = error['details'] as { results: { index: number; error: Row }[] }
    assert.deepEqual(
      results.map(({ index, error: { code } }) => [index, code]),
      [
        [0, 'device_not_found'],
        [1, 'invalid_request'],
      ],
    )
    for (const body of [[], { records: [] }, {}, { points: [] }, { records: {} }, 'text', null, 7]) {
      refused(await tenant.external('POST', '/telemetry/batch', { body }), 400, 'invalid_request')
    }
  })
})

test('a date that does not exist, has no offset, is too old or too far ahead is refused by its field', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const year = today.slice(0, 4)
  const times: readonly unknown[] = [
    `${year}-02-30T00:00:00Z`,
    `${year}-13-01T00:00:00Z`,
    `${year}-00-10T00:00:00Z`,
    '2025-02-29T12:00:00Z',
    `${today}T25:00:00Z`,
    `${today}T12:60:00Z`,
    `${today}T00:00:00`,
    `${today}T00:00:00+25:00`,
    today,
    'yesterday',
    '',
    ' ',
    'Infinity',
    '+275760-09-13T00:00:00.001Z',
    timeFromNow(-30 * DAY_MS - MINUTE_MS),
    timeFromNow(5 * MINUTE_MS + MINUTE_MS),
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    Date.now(),
    true,
    [timeFromNow(0)],
    {},
  ]
  await storing(0, async () => {
    for (const timestamp of times) {
      for (const [path, body] of [
        ['/telemetry', { device_id: deviceId, timestamp, speed: 1 }],
        ['/track', { device_id: deviceId, timestamp, lat: 1, lon: 2 }],
      ] as const) {
        const error = refused(await tenant.external('POST', path, { body }), 400, 'invalid_request')
        assert.equal((error['details'] as Row)['field'], 'timestamp', JSON.stringify(timestamp))
        assert.match(String(error['message']), /timestamp/)
      }
    }
  })
  await storing(2, async () => {
    for (const offsetMs of [-30 * DAY_MS + MINUTE_MS, 5 * MINUTE_MS - 10_000]) {
      ok(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, timestamp: timeFromNow(offsetMs), speed: 1 } }))
    }
  })
})

test('numbers that are none are refused by their field', async () => {
  const values: readonly [raw: string, field: string][] = [
    ['"speed":1e999', 'speed'],
    ['"speed":-1e999', 'speed'],
    ['"speed":"80"', 'speed'],
    ['"speed":true', 'speed'],
    ['"speed":[80]', 'speed'],
    ['"sensor_data":{"rpm":1e400}', 'rpm'],
    ['"sensor_data":{"rpm":"1450"}', 'rpm'],
    ['"lat":91,"lon":0', 'latitude'],
    ['"lat":-90.001,"lon":0', 'latitude'],
    ['"lat":0,"lon":180.5', 'longitude'],
    ['"location":{"lat":1e999,"lng":0}', 'lat'],
    ['"lat":1', 'longitude'],
  ]
  await storing(0, async () => {
    for (const [raw, field] of values) {
      const error = refused(await sendRaw(`{"device_id":"${deviceId}",${raw}}`), 400, 'invalid_request')
      assert.ok(String((error['details'] as Row)['field']).endsWith(field), `${raw}: ${JSON.stringify(error)}`)
      assert.ok(String(error['message']).includes(field), `${raw}: ${JSON.stringify(error)}`)
    }
    for (const raw of ['"speed":NaN', '"speed":Infinity', '"speed":0x10', '"speed":.5', '"speed":+1', '"speed":01']) {
      refused(await sendRaw(`{"device_id":"${deviceId}",${raw}}`), 400, 'invalid_request')
    }
  })
})

test('text that cannot be stored and keys that reach into prototypes are refused, wherever they stand', async () => {
  const rawBodies = [
    '{"device_id":"DEVICE","note":"a\\u0000b"}',
    '{"device_id":"DEVICE","extra":{"a\\u0000b":1}}',
    '{"device_id":"DEVICE","note":"\\ud800"}',
    '{"device_id":"DEVICE","note":"\\udc00\\ud800"}',
    '{"device_id":"DEVICE","extra":{"\\ud800":1}}',
    '{"device_id":"DEVICE","__proto__":{"isAdmin":true}}',
    '{"device_id":"DEVICE","extra":{"__proto__":{"isAdmin":true}}}',
    '{"device_id":"DEVICE","constructor":{"prototype":{"isAdmin":true}}}',
    '{"device_id":"DEVICE\\u0000","speed":1}',
    `{"device_id":"DEVICE","note":"${'x'.repeat(8193)}"}`,
    `{"device_id":"DEVICE","extra":{${Array.from({ length: 257 }, (_, i) => `"k${i}":1`).join(',')}}}`,
  ]
  await storing(0, async () => {
    for (const raw of rawBodies) {
      refused(await sendRaw(raw.replaceAll('DEVICE', deviceId)), 400, 'invalid_request')
    }
    refused(await sendRaw('{"name":"a\\u0000b"}', '/sub-clients'), 400, 'invalid_request')
    refused(await sendRaw('{"name":"a","metadata":{"__proto__":{"a":1}}}', '/sub-clients'), 400, 'invalid_request')
    const platform = await tenant.platform('POST', '/telemetry', { raw: '{"vehicleId":"v\\u0000"}' })
    refused(platform, 400, 'invalid_request', 'platform')
  })
  assert.equal(({} as Row)['isAdmin'], undefined)
  for (const path of [
    '/devices/a%00b',
    '/vehicles/a%00b',
    '/sub-clients/%00',
    '/telemetry/%00',
    '/devices?sub_client_id=%00',
    '/predictions?vehicle_id=%00',
  ]) {
    const { status } = await tenant.external('GET', path)
    assert.ok([200, 400, 404].includes(status), `${path}: ${status}`)
  }
})

test('a body of 10 MB is refused by its size on every surface, and the connection is not lost to others', async () => {
  const raw = JSON.stringify({ device_id: deviceId, note: 'x'.repeat(10 * 1024 * 1024) })
  await storing(0, async () => {
    refused(await sendRaw(raw), 413, 'payload_too_large')
    refused(await sendRaw(raw, '/telemetry/batch'), 413, 'payload_too_large')
    refused(await tenant.platform('POST', '/telemetry', { raw }), 413, 'payload_too_large', 'platform')
    refused(await service.engine('POST', '/v1/predict', { raw }), 413, 'payload_too_large', 'engine')
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
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
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
  const wrong: readonly [answer: Promise<Answer>, surface: 'external' | 'platform' | 'engine', allowed: string][] = [
    [tenant.external('DELETE', '/devices'), 'external', 'POST'],
    [tenant.external('GET', '/telemetry'), 'external', 'POST'],
    [tenant.external('PATCH', `/devices/${deviceId}`, { body: {} }), 'external', 'PUT'],
    [tenant.platform('POST', '/vehicles', { body: {} }), 'platform', 'GET'],
    [tenant.platform('PUT', '/alerts/x', { body: {} }), 'platform', 'PATCH'],
    [service.engine('GET', '/v1/predict'), 'engine', 'POST'],
    [service.engine('DELETE', '/v1/models'), 'engine', 'GET'],
  ]
  for (const [asked, surface, allowed] of wrong) {
    const answer = await asked
    refused(answer, 405, 'method_not_allowed', surface)
    assert.ok(answer.headers.get('allow')?.split(', ').includes(allowed), `${answer.headers.get('allow')}`)
  }
  for (const method of ['TRACE', 'PROPFIND', 'OPTIONS', 'SEARCH']) {
    const { status } = await sendBytes(method, '/api/external/devices', undefined, {})
    assert.equal(status, 405, method)
  }
})

test('a path that cannot be decoded and a parameter that is too long are refused in the words of their surface', async () => {
  for (const [path, surface] of [
    ['/api/external/devices/%zz', 'external'],
    ['/api/external/devices/%c0%af', 'external'],
    ['/api/v1/vehicles/%', 'platform'],
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

test('two keys that differ are no key, wherever they stand', async () => {
  const { secret } = await tenant.makeKey({ scopes: ['*'] })
  const both = (bearer: string) => tenant.external('GET', '/devices', { headers: { authorization: `Bearer ${bearer}` } })
  refused(await both(secret), 401, 'invalid_api_key')
  ok(await both(tenant.key))
})

test('after all of it the service is as it was, and what was stored before can be read', async () => {
  const sent = { device_id: deviceId, timestamp: timeFromNow(-2 * MINUTE_MS), sensor_data: { rpm: 1450, coolant_temp: 91.5 } }
  const { telemetry_id: id } = ok<{ telemetry_id: string }>(await tenant.external('POST', '/telemetry', { body: sent }))
  const read = ok<Row>(await tenant.external('GET', `/telemetry/${id}`))
  assert.deepEqual([read['timestamp'], read['sensor_data']], [sent.timestamp, sent.sensor_data])
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
  assert.doesNotMatch(service.platform.output(), /request failed|server_error/)
})
