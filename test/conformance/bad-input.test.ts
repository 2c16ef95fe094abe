// Goal: each bad record and each bad key gets its own clear error, and nothing is lost or half done by it. Method: through HTTP, against the
// whole service; around each group the readings that are stored are counted, and at the end a good one is read back.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerAt, ok, type Row, refused, untilReady } from '../support/service.ts'
import { openBadInput } from './bad-input-service.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const REVOKED_WITHIN_MS = 1_000

const { service, tenant, deviceId, storing } = await openBadInput({ after })

const sendRaw = (raw: string, path = '/telemetry') => tenant.external('POST', path, { raw })
const timeFromNow = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString()

test('an unknown device is refused by name, on every receiver of HTTP', async () => {
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

test('a key without the scope is refused with the one it needs, and a pinned, expired or garbled one is refused too', async () => {
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
  for (let beganMs = revokedAtMs; answer.status === 200; ) {
    // By when a call begins: how long the machine takes over it does not count.
    assert.ok(beganMs - revokedAtMs < REVOKED_WITHIN_MS, `it was accepted ${beganMs - revokedAtMs} ms later`)
    await sleep(20)
    beganMs = performance.now()
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
    [`{"device_id":"${deviceId}","lat":91,"lon":0}`, 'invalid_request', 'lat'],
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
  // A function where a slow machine would make it a good one: it is asked when it is sent.
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
    () => timeFromNow(5 * MINUTE_MS + MINUTE_MS),
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    Date.now(),
    true,
    [timeFromNow(0)],
    {},
  ]
  await storing(0, async () => {
    for (const time of times) {
      const timestamp = typeof time === 'function' ? time() : time
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
    ['"lat":91,"lon":0', 'lat'],
    ['"lat":-90.001,"lon":0', 'lat'],
    ['"lat":0,"lon":180.5', 'lon'],
    ['"location":{"lat":1e999,"lng":0}', 'lat'],
    ['"lat":1', 'lon'],
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
  await untilReady(service)
  assert.doesNotMatch(service.platform.output(), /request failed|server_error/)
})

test('what people are to read is not of blanks alone, whatever it names', async () => {
  const party = { name: 'Acme', address_lines: [], country_code: 'IN' }
  const blanks = [
    ['external', 'POST', '/devices', { name: ' ' }, 'name'],
    ['external', 'POST', '/devices', { vehicle: { mode: 'create', make: '\t' } }, 'vehicle.make'],
    ['external', 'PUT', `/devices/${deviceId}`, { sim_number: ' ' }, 'sim_number'],
    ['external', 'POST', '/sub-clients', { name: 'Acme', contact_phone: '\u00a0' }, 'contact_phone'],
    ['platform', 'PATCH', `/devices/${deviceId}`, { name: ' ' }, 'name'],
    ['simBilling', 'PUT', '/billing-settings', { issuer: { ...party, name: ' ' } }, 'issuer.name'],
    ['simBilling', 'PUT', '/billing-settings', { issuer: { ...party, address_lines: [' '] } }, 'issuer.address_lines.0'],
    ['simBilling', 'PUT', '/operator-connections/none', { name: ' ' }, 'name'],
    ['simBilling', 'POST', '/invoices/none/credit-notes', { reason: ' ', lines: [{ line: 1, amount_minor: 1 }] }, 'reason'],
    ['simBilling', 'POST', '/sims/none/suspend', { reason: ' ' }, 'reason'],
  ] as const
  for (const [surface, method, path, body, field] of blanks) {
    const error = refused(
      await tenant[surface](method, path, { body }),
      400,
      'invalid_request',
      surface === 'platform' ? surface : 'external',
    )
    assert.equal((error['details'] as Row)['field'], field, `${method} ${path}`)
    assert.match(String(error['message']), /must have more in it than blanks/)
  }
})

test('a name is one line and is read as it is stored; a reason may have line breaks', async () => {
  const party = { name: 'Acme', address_lines: ['1 Road'], country_code: 'US' }
  const names = [
    ['external', 'POST', '/sub-clients', { name: 'Acme\n[INFO] paid' }, 'name'],
    ['external', 'POST', '/devices', { name: 'Truck \u202e71' }, 'name'],
    ['external', 'POST', '/devices', { name: 'x', vehicle: { name: 'Truck\u001b[31m', make: 'Ford' } }, 'vehicle.name'],
    ['external', 'POST', '/vehicles', { license_plate: 'AB\u206612' }, 'license_plate'],
    ['external', 'PUT', `/devices/${deviceId}`, { name: 'x\u007f' }, 'name'],
    ['platform', 'PATCH', `/devices/${deviceId}`, { name: 'a\tb' }, 'name'],
    ['platform', 'POST', '/api-keys', { name: 'Key \u202d1', scopes: ['predict'] }, 'name'],
    ['platform', 'POST', '/vehicle-groups', { name: 'North\u202a', vehicleIds: [] }, 'name'],
    ['simBilling', 'PUT', '/billing-settings', { issuer: { ...party, name: 'Acme\u2069' } }, 'issuer.name'],
    ['simBilling', 'PUT', '/operator-connections/none', { name: 'a\u0001' }, 'name'],
  ] as const
  for (const [surface, method, path, body, field] of names) {
    const answer = await tenant[surface](method, path, { body })
    const error = refused(answer, 400, 'invalid_request', surface === 'platform' ? surface : 'external')
    assert.equal((error['details'] as Row)['field'], field, `${method} ${path}`)
    assert.match(String(error['message']), /one line of text/)
    assert.doesNotMatch(JSON.stringify(error), /[\u202a-\u202e\u2066-\u2069]/)
  }
  refused(await tenant.simBilling('POST', '/sims/none/suspend', { body: { reason: 'lost\nstolen' } }), 404, 'not_found')
})
