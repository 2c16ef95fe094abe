// Goal: a phone that is registered sends with nothing but its token, each position is stored once, and nobody gets in who should not. Method: the real routes,
// pipeline and database; requests as OsmAnd and both generations of Traccar Client make them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Fault, openTrackerReceiver, PREFIX } from './test-tracker-receiver.ts'

let fault: Fault
const stopped = new Date()
const { app, database, api, recorder, register, readings } = await openTrackerReceiver(
  { after },
  () => fault,
  () => stopped,
)
let made = 0
async function phone(fields: object = {}) {
  made++
  const { id, trackerToken = '' } = await register({
    name: `Phone ${made}`,
    deviceType: 'mobile_app',
    connectionMethod: 'osmand',
    ...fields,
  })
  return { id, token: trackerToken }
}
const ago = (seconds: number) => new Date(Math.floor(stopped.getTime() / 1000) * 1000 - seconds * 1000)
const query = (fields: Record<string, string | number>) => {
  const parameters = new URLSearchParams(Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]))
  return `${PREFIX}/osmand?${parameters}`
}
const json = (token: string, location: object) =>
  app.inject({ method: 'POST', url: `${PREFIX}/osmand`, payload: { location, device_id: token } })

test('a position as a query, as a form and as JSON is stored, answered with an empty 200, and the same one again is no second reading', async () => {
  const { id, token } = await phone()
  const at = ago(60)
  const classic = { id: token, lat: 12.9716, lon: 77.5946, timestamp: at.getTime() / 1000, speed: 10, bearing: 90, altitude: 920, batt: 79 }
  for (let i = 0; i < 2; i++) {
    const response = await app.inject({ method: 'GET', url: query(classic) })
    assert.deepEqual([response.statusCode, response.body], [200, ''], response.body)
  }
  const form = await app.inject({
    method: 'POST',
    url: `${PREFIX}/osmand`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: query({ ...classic, timestamp: at.getTime() + 1_000 }).split('?')[1] ?? '',
  })
  assert.deepEqual([form.statusCode, form.body], [200, ''])
  const location = {
    timestamp: ago(30).toISOString(),
    coords: { latitude: 12.9717, longitude: 77.5947, accuracy: 5, speed: 10, heading: -1, altitude: 921 },
    battery: { level: 0.5, is_charging: true },
    _: `&id=${token}&lat=12.9717&`,
  }
  assert.equal((await json(token, location)).statusCode, 200)
  const stored = await readings(id)
  assert.deepEqual(
    stored.map(({ latitude, signals, attributes }) => [latitude, signals?.['vehicleSpeedKmh'], attributes?.['deviceBatteryPct']]),
    [
      [12.9716, 18.52, 79],
      [12.9716, 18.52, 79],
      [12.9717, 36, 50],
    ],
  )
  assert.equal(stored[0]?.signals?.['batteryVoltageV'], undefined)
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(token))
})

test('the device shows the newest battery that it reported, whichever vehicle it was in and in whatever order the messages came', async () => {
  const { id, token } = await phone()
  type Shown = { id: string; battery: object | null }
  const shown = async () => (await api<Shown>('GET', `/devices/${id}`)).battery
  const send = (secondsAgo: number, batt: number | undefined) => {
    const fields = { id: token, lat: 12.9, lon: 77.5, timestamp: ago(secondsAgo).getTime() / 1000 }
    return app.inject({ method: 'GET', url: query(batt === undefined ? fields : { ...fields, batt }) })
  }
  assert.equal(await shown(), null)
  await send(60, undefined)
  assert.equal(await shown(), null)
  await send(50, 41)
  await send(55, 43)
  await send(40, undefined)
  // More than full is implausible: it is kept with the reading, and not shown.
  await send(30, 130)
  assert.deepEqual(await shown(), { percent: 41, voltageV: null, recordedAt: ago(50).toISOString() })
  await database.systemPool.query("insert into vehicles (reseller_id, vehicle_id, created_at) values ('acme', 'veh-battery000', now())")
  await api('PATCH', `/devices/${id}`, { vehicleId: 'veh-battery000' })
  await send(20, 40)
  assert.deepEqual(await shown(), { percent: 40, voltageV: null, recordedAt: ago(20).toISOString() })
  const { devices } = await api<{ devices: Shown[] }>('GET', '/devices?limit=100')
  assert.deepEqual(devices.find((device) => device.id === id)?.battery, await shown())
})

test('the token may be in the address and the position in a form, and JSON may begin with a space or a byte order mark', async () => {
  const { id, token } = await phone()
  const position = { lat: 12.5, lon: 77.5, timestamp: ago(60).getTime() / 1000 }
  const form = await app.inject({
    method: 'POST',
    url: query({ id: token }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: query(position).split('?')[1] ?? '',
  })
  assert.deepEqual([form.statusCode, form.body], [200, ''])
  const location = { timestamp: ago(30).toISOString(), coords: { latitude: 12.6, longitude: 77.6 } }
  const indented = await app.inject({
    method: 'POST',
    url: `${PREFIX}/osmand`,
    headers: { 'content-type': 'application/json' },
    payload: `\n  ${JSON.stringify({ device_id: token, location })}`,
  })
  assert.deepEqual([indented.statusCode, indented.body], [200, ''])
  const later = { timestamp: ago(20).toISOString(), coords: { latitude: 12.7, longitude: 77.7 } }
  const marked = await app.inject({
    method: 'POST',
    url: `${PREFIX}/osmand`,
    headers: { 'content-type': 'application/json' },
    payload: `\ufeff${JSON.stringify({ device_id: token, location: later })}`,
  })
  assert.deepEqual([marked.statusCode, marked.body], [200, ''])
  assert.deepEqual(
    (await readings(id)).map(({ latitude, recorded_at }) => [latitude, recorded_at.getTime()]),
    [
      [12.5, ago(60).getTime()],
      [12.6, ago(30).getTime()],
      [12.7, ago(20).getTime()],
    ],
  )
})

test('a plus that is not escaped in the address, and spaces around a number, cost no position', async () => {
  const { id, token } = await phone()
  const inKolkata = (seconds: number) => new Date(ago(seconds).getTime() + 5.5 * 3_600_000).toISOString().slice(0, 19)
  const queries = [
    `lat=+12.5&lon=+077.5&timestamp=+${ago(60).getTime() / 1000}`,
    `location=12.5,%2077.5&timestamp=${inKolkata(50)}+05:30`,
    `lat=12.5%20&lon=77.5&timestamp=${inKolkata(40)}+0530`,
  ]
  for (const each of queries) {
    const response = await app.inject({ method: 'GET', url: `${PREFIX}/osmand?id=${token}&${each}` })
    assert.deepEqual([response.statusCode, response.body], [200, ''])
  }
  assert.deepEqual(
    (await readings(id)).map(({ latitude, longitude, recorded_at }) => [latitude, longitude, recorded_at.getTime()]),
    [60, 50, 40].map((seconds) => [12.5, 77.5, ago(seconds).getTime()]),
  )
})

test('a list in place of a location is refused by its name, and no empty reading is stored', async () => {
  const { id, token } = await phone()
  const response = await json(token, [{ timestamp: ago(60).toISOString(), coords: { latitude: 1, longitude: 2 } }])
  assert.deepEqual([response.statusCode, response.json().success, response.json().error.details.field], [200, false, 'location'])
  assert.equal((await readings(id)).length, 0)
})

test('what JSON may not have elsewhere costs no position, and is no 400, which a phone would send again for ever', async () => {
  const { id, token } = await phone()
  const extras = `"a":"\\u0000","b":"\\ud800","c":1e999,"constructor":1,"__proto__":{"d":1},"e":"${'x'.repeat(9_000)}"`
  const send = async (latitude: string) => {
    const location = `{"timestamp":"${ago(60).toISOString()}","coords":{"latitude":${latitude},"longitude":77.5},"extras":{${extras}}}`
    const headers = { 'content-type': 'application/json' }
    const payload = `{"device_id":"${token}","location":${location}}`
    return (await app.inject({ method: 'POST', url: `${PREFIX}/osmand`, headers, payload })).statusCode
  }
  assert.deepEqual([await send('12.5'), await send('1e999')], [200, 200])
  const [reading, ...others] = await readings(id)
  assert.deepEqual([reading?.latitude, others.length], [12.5, 0])
  assert.deepEqual(reading?.attributes?.['extra'], { a: '\ufffd', b: '\ufffd', _constructor: 1, ___proto__: '{"d":1}', e: 'x'.repeat(256) })
  await recorder.flush()
  const { messages } = await api<{ messages: { status: string }[] }>('GET', `/devices/${id}/messages`)
  assert.deepEqual(messages.map(({ status }) => status).toSorted(), ['refused', 'stored'])
})

test('a HEAD request, which previews of links make, stores nothing', async () => {
  const { id, token } = await phone()
  const response = await app.inject({ method: 'HEAD', url: query({ id: token, lat: 1, lon: 1 }) })
  assert.equal(response.statusCode, 405)
  assert.equal((await readings(id)).length, 0)
})

test('what repeating cannot change is answered 200, so that it does not block what is behind it, and stands among the messages', async () => {
  const { id, token } = await phone()
  const response = await app.inject({ method: 'GET', url: query({ id: token, lat: 91, lon: 1 }) })
  assert.deepEqual([response.statusCode, response.json().success, response.json().error.details.field], [200, false, 'latitude'])
  const old = await json(token, { timestamp: '2021-07-21T08:06:34.444Z', coords: { latitude: 1, longitude: 1 }, _: `&id=${token}&` })
  assert.deepEqual([old.statusCode, old.json().error.details.field], [200, 'timestamp'])
  await recorder.flush()
  const { messages } = await api<{ messages: { status: string; receiver: string; body: string }[] }>('GET', `/devices/${id}/messages`)
  assert.deepEqual(
    messages.map(({ status, receiver }) => [status, receiver]),
    [
      ['refused', 'osmand'],
      ['refused', 'osmand'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(messages), new RegExp(token))
})

test('keys that nobody reads are kept, and reported among the messages of the device once an hour, with nobody looking', async () => {
  const { id, token } = await phone()
  const sent = { id: token, lat: 1, lon: 2, odometer: 5_000_000, fuel: 24, battery: 4.1, distance: 12, mood: 'good' }
  for (const timestamp of [ago(20), ago(10)]) {
    assert.equal((await app.inject({ method: 'GET', url: query({ ...sent, timestamp: timestamp.getTime() }) })).statusCode, 200)
  }
  await recorder.flush()
  type Message = { keptUnread: object; warnings: { field: string; reason: string }[]; body: string | null }
  const { messages } = await api<{ messages: Message[] }>('GET', `/devices/${id}/messages`)
  const reported = messages.filter(({ warnings }) => warnings.length > 0)
  assert.equal(reported.length, 1)
  assert.deepEqual(reported[0]?.keptUnread, { battery: 4.1, distance: 12, fuel: 24, mood: 'good', odometer: 5_000_000 })
  assert.deepEqual(reported[0]?.warnings.map(({ field }) => field).sort(), ['battery', 'distance', 'fuel', 'mood', 'odometer'])
  for (const { signals } of await readings(id)) assert.equal(signals, null)
})

test('without a token, and with one that is unknown, replaced, revoked or of a device that is gone, it is the same 401', async () => {
  const position = { lat: 1, lon: 1 }
  const codeOf = async (fields: Record<string, string | number>) => {
    const response = await app.inject({ method: 'GET', url: query(fields) })
    return [response.statusCode, response.json().error.details.reason]
  }
  assert.deepEqual(await codeOf(position), [401, 'missing'])
  for (const id of ['48241179', 'rwt-aaaaaaaaaaaaaaaaaaaaaaaaaa', '\u0000', 'x'.repeat(5_000)]) {
    assert.deepEqual(await codeOf({ id, ...position }), [401, 'not_valid'])
  }
  const { id, token } = await phone()
  const issued = await api<{ trackerToken: string; previousValidUntil: null }>('POST', `/devices/${id}/tracker-token`)
  assert.deepEqual(await codeOf({ id: token, ...position }), [401, 'not_valid'])
  const kept = await api<{ trackerToken: string; previousValidUntil: string }>('POST', `/devices/${id}/tracker-token`, { graceSeconds: 60 })
  for (const good of [issued.trackerToken, kept.trackerToken, ` ${kept.trackerToken.toUpperCase()}`]) {
    assert.equal((await app.inject({ method: 'GET', url: query({ id: good, ...position }) })).statusCode, 200)
  }
  await database.systemPool.query(`update device_tokens set valid_until = now() - interval '1 second' where valid_until is not null`)
  assert.deepEqual(await codeOf({ id: issued.trackerToken, ...position }), [401, 'not_valid'])
  assert.deepEqual(await api('DELETE', `/devices/${id}/tracker-token`), { id, revoked: true })
  assert.deepEqual(await api('DELETE', `/devices/${id}/tracker-token`), { id, revoked: false })
  assert.deepEqual(await codeOf({ id: kept.trackerToken, ...position }), [401, 'not_valid'])
  const gone = await phone()
  await api('POST', `/devices/${gone.id}/decommission`)
  assert.deepEqual(await codeOf({ id: gone.token, ...position }), [401, 'not_valid'])
})

test('of a device that is suspended, and of a sub-client or reseller that is not served, nothing is taken from then on: 403, for the phone keeps it', async () => {
  const { id, token } = await phone()
  const send = async () => {
    const response = await app.inject({ method: 'GET', url: query({ id: token, lat: 1, lon: 1 }) })
    return [response.statusCode, response.body === '' ? '' : response.json().error.code]
  }
  assert.deepEqual(await send(), [200, ''])
  await api('PATCH', `/devices/${id}`, { status: 'suspended' })
  assert.deepEqual(await send(), [403, 'device_suspended'])
  await api('PATCH', `/devices/${id}`, { status: 'active' })
  assert.deepEqual(await send(), [200, ''])
  await database.systemPool.query(`update resellers set subscription = 'canceled' where reseller_id = 'acme'`)
  assert.deepEqual(await send(), [403, 'subscription_required'])
  await database.systemPool.query(`update resellers set subscription = 'active' where reseller_id = 'acme'`)
})

test('what is not stored is 503 with Retry-After, and a device that sends without end is 429', async () => {
  const { token } = await phone()
  fault = 'away'
  const away = await app.inject({ method: 'GET', url: query({ id: token, lat: 1, lon: 1 }) })
  fault = undefined
  assert.deepEqual([away.statusCode, away.headers['retry-after']], [503, '1'])
  fault = 'held'
  const held = await app.inject({ method: 'GET', url: query({ id: token, lat: 1, lon: 1 }) })
  assert.deepEqual([held.statusCode, held.headers['retry-after']], [503, '1'])
  fault = 'quota'
  const used = await app.inject({ method: 'GET', url: query({ id: token, lat: 1, lon: 1 }) })
  assert.deepEqual([used.statusCode, used.json().error.code], [403, 'quota_exceeded'])
  fault = undefined
  const url = query({ id: token, lat: 1, lon: 1, timestamp: ago(600).getTime() / 1000 })
  const answers = await Promise.all(Array.from({ length: 700 }, () => app.inject({ method: 'GET', url })))
  assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))].sort(), [200, 429])
  // Three came before, and no time has passed.
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 600 - 3)
  assert.ok(answers.every(({ statusCode, headers }) => statusCode === 200 || Number(headers['retry-after']) >= 1))
})

test('behind one address may be many phones, and who tries tokens there is slowed down', async () => {
  const remoteAddress = '203.0.113.7'
  const phones = [await phone(), await phone()]
  const sent = phones.flatMap(({ token }) =>
    Array.from({ length: 320 }, () => query({ id: token, lat: 1, lon: 1, timestamp: 1_700_000_000 })),
  )
  const answers = await Promise.all(sent.map((url) => app.inject({ method: 'GET', url, remoteAddress })))
  assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200])
  const guesses = await Promise.all(
    Array.from({ length: 25 }, (_, i) => app.inject({ method: 'GET', url: query({ id: `guess-${i}`, lat: 1, lon: 1 }), remoteAddress })),
  )
  assert.deepEqual([...new Set(guesses.map(({ statusCode }) => statusCode))].sort(), [401, 429])
})

test('a pre-provisioned phone becomes active with its first position, a device of another kind gets a token when it is asked for, and each call is counted', async () => {
  const pending = await phone({ status: 'pending' })
  assert.equal((await app.inject({ method: 'GET', url: query({ id: pending.token, lat: 1, lon: 1 }) })).statusCode, 200)
  assert.equal((await api<{ status: string }>('GET', `/devices/${pending.id}`)).status, 'active')
  const dongle = await register({ name: 'Dongle' })
  assert.equal('trackerToken' in dongle, false)
  const { trackerToken } = await api<{ trackerToken: string }>('POST', `/devices/${dongle.id}/tracker-token`)
  const countCalls = async () => {
    const { rows } = await database.systemPool.query<{ calls: string }>(
      `select coalesce(sum(count), 0)::text as calls from usage_entries where reseller_id = 'acme' and meter = 'api_calls_external'`,
    )
    return Number(rows[0]?.calls)
  }
  const before = await countCalls()
  assert.equal((await app.inject({ method: 'GET', url: query({ id: trackerToken, lat: 1, lon: 1 }) })).statusCode, 200)
  assert.equal(await countCalls(), before + 1)
})

test('a body that is too large, compressed, or broken JSON is refused by its status', async () => {
  const { token } = await phone()
  const url = `${PREFIX}/osmand`
  const large = await app.inject({ method: 'POST', url, payload: { device_id: token, location: { note: 'x'.repeat(70_000) } } })
  assert.equal(large.statusCode, 413)
  const coded = await app.inject({ method: 'POST', url, headers: { 'content-encoding': 'gzip' }, payload: { device_id: token } })
  assert.equal(coded.statusCode, 415)
  const broken = await app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: '{"device_id":' })
  assert.equal(broken.statusCode, 400)
})
