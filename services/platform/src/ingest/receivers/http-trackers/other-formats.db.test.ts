// Goal: what Torque, Freematics, Traccar servers and flespi send is stored for the right device, answered as each of them expects, and never for a device of somebody
// else. Method: the real routes, pipeline and database; requests from the golden files with times of now.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertResellerWithKey } from '../../../surfaces/test-api.ts'
import { type Fault, openTrackerReceiver, PREFIX } from './test-tracker-receiver.ts'

let fault: Fault
const { app, database, apiKey, api, recorder, register, readings } = await openTrackerReceiver({ after }, () => fault)
const other = await insertResellerWithKey(database, 'other')
let made = 0
const nextImei = () => `35693803${String(5_000_000 + made++)}`
/** The same throughout, so that what is sent twice is the same. */
const startedMs = Math.floor(Date.now() / 1000) * 1000
const now = () => startedMs
async function dongle() {
  const { id, trackerToken = '' } = await register({ name: `Dongle ${made++}`, deviceType: 'obd_dongle', connectionMethod: 'http' })
  return { id, token: trackerToken }
}
async function tracker(key = apiKey) {
  const imei = nextImei()
  const { id } =
    key === apiKey
      ? await register({ imei })
      : (await app.inject({ method: 'POST', url: '/api/v1/devices', headers: { 'x-api-key': key }, payload: { imei } })).json<{
          id: string
        }>()
  return { id, imei }
}
const forward = (path: 'traccar' | 'flespi', payload: object, key = apiKey) =>
  app.inject({ method: 'POST', url: `${PREFIX}/${path}`, headers: { 'x-api-key': key }, payload })

test('Torque gets OK! for an upload, for one that only announces names, and for one that can never be stored', async () => {
  const { id, token } = await dongle()
  const send = (fields: string) => app.inject({ method: 'GET', url: `${PREFIX}/torque/${token}?eml=asha@example.com&${fields}` })
  const uploads = [
    `time=${now()}&kff1005=77.5946&kff1006=12.9716&kd=72&k5=88&k31=321`,
    'userUnit2f=%25&userShortName2f=Fuel',
    `time=${now()}&kff1005=77.5946&kff1006=95`,
  ]
  for (const fields of uploads) {
    const response = await send(fields)
    assert.deepEqual([response.statusCode, response.body], [200, 'OK!'])
  }
  const stored = await readings(id)
  assert.deepEqual(
    stored.map(({ latitude, signals }) => [latitude, signals]),
    [[12.9716, { coolantTempC: 88, vehicleSpeedKmh: 72 }]],
  )
  await recorder.flush()
  const { messages } = await api<{ messages: { status: string; error: { field: string } | null }[] }>('GET', `/devices/${id}/messages`)
  assert.deepEqual(
    messages.filter(({ status }) => status === 'refused').map(({ error }) => error?.field),
    ['latitude'],
  )
  assert.doesNotMatch(JSON.stringify([messages, stored]), /asha@example.com/)
  const wrong = await app.inject({ method: 'GET', url: `${PREFIX}/torque/${token.replace(/.$/, '')}?kc=900` })
  assert.deepEqual([wrong.statusCode, wrong.json().error.code], [401, 'invalid_api_key'])
})

test('a Freematics packet is stored sample by sample, once, and one that was damaged is sent again; by GET it is a position', async () => {
  const { id, token } = await dongle()
  const base = `${PREFIX}/freematics/${token}`
  const at = new Date(now() - 60_000)
  const clock = (date: Date) => date.toISOString().slice(11, 19).replaceAll(':', '')
  const packet = `0=1000,10=${Number(`${clock(at)}00`)},A=12.971600,B=77.594600,10D=50,24=1380,0=2000,10C=1850`
  const sum = Buffer.from(packet).reduce((total, byte) => (total + byte) & 0xff, 0)
  const post = (payload: string) =>
    app.inject({ method: 'POST', url: `${base}/post/M0ZR4X0`, headers: { 'content-type': 'text/plain' }, payload })
  assert.equal((await app.inject({ method: 'GET', url: `${base}/notify/M0ZR4X0?EV=1&SSI=-71&VIN=` })).statusCode, 200)
  for (const payload of [packet, `${packet}*${sum.toString(16)}`]) assert.equal((await post(payload)).statusCode, 200)
  assert.equal((await post(`${packet}*${(sum ^ 1).toString(16)}`)).statusCode, 400)
  const push = (fields: string) => app.inject({ method: 'GET', url: `${base}/push?id=M0ZR4X0${fields}` })
  const position = `&timestamp=${new Date(at.getTime() + 2_000).toISOString()}&lat=12.972&lon=77.595&altitude=920&speed=27&heading=63`
  for (const fields of ['', position, position]) assert.equal((await push(fields)).statusCode, 200)
  const stored = await readings(id)
  assert.deepEqual(
    stored.map(({ recorded_at, signals }) => [recorded_at.getTime() - at.getTime(), signals]),
    [
      [0, { batteryVoltageV: 13.8, vehicleSpeedKmh: 50 }],
      [1_000, { engineSpeedRpm: 1850 }],
      [2_000, { vehicleSpeedKmh: 50.004 }],
    ],
  )
})

test('a position that Traccar forwards is found by the IMEI; an unknown device, one of another reseller, and one that is pinned away are the same 404', async () => {
  const { id, imei } = await tracker()
  const position = {
    ...{
      fixTime: new Date(now() - 5_000).toISOString().replace('Z', '+0000'),
      valid: true,
      latitude: 12.9716,
      longitude: 77.5946,
      speed: 27,
    },
    attributes: { power: 13.9, battery: 4.1, odometer: 50_012_345, io24: 7 },
  }
  const response = await forward('traccar', { position, device: { uniqueId: imei } })
  assert.equal(response.statusCode, 200, response.body)
  const { telemetry_id, device_id, warnings } = response.json()
  assert.deepEqual([device_id, warnings], [id, [{ field: 'io24', reason: 'unknown, kept in extra; no mapping of this format reads it' }]])
  assert.match(telemetry_id, /^tel-/)
  assert.equal((await forward('traccar', { position, device: { uniqueId: imei } })).json().duplicate, true)
  const [stored] = await readings(id)
  assert.deepEqual(stored?.signals, { batteryVoltageV: 13.9, odometerKm: 50012.345, vehicleSpeedKmh: 50.004 })
  assert.deepEqual(stored?.attributes, { deviceBatteryV: 4.1, extra: { io24: 7 } })
  const theirs = await tracker(other.apiKey)
  const refusals = await Promise.all(
    [theirs.imei, theirs.id, nextImei(), 'serial-7'].map((uniqueId) => forward('traccar', { position, device: { uniqueId } })),
  )
  assert.deepEqual(new Set(refusals.map(({ statusCode }) => statusCode)), new Set([404]))
  assert.deepEqual(new Set(refusals.map((each) => each.json().error.code)), new Set(['device_not_found']))
  const broken = [
    { device: { uniqueId: imei } },
    { position, device: {} },
    { position: { latitude: 95, longitude: 1 }, device: { uniqueId: imei } },
  ]
  for (const body of broken) assert.equal((await forward('traccar', body)).statusCode, 400)
  assert.deepEqual((await forward('traccar', { position, device: {} })).json().error.details, { field: 'device.uniqueId' })
})

test('a flespi stream is always answered 200, so that one device does not stop it: each message is stored or named, and 503 is for the store alone', async () => {
  const { id, imei } = await tracker()
  const message = (ident: string, extra: object = {}) => ({
    ...{ ident, timestamp: now() / 1000 - 10, 'position.latitude': 1, 'position.longitude': 2, 'battery.voltage': 4.1 },
    ...extra,
  })
  const batch = [message(imei), message(nextImei()), message(imei, { 'position.latitude': 95 }), { 'no.ident': 1 }, 'nothing', message(id)]
  fault = 'away'
  assert.equal((await forward('flespi', batch)).statusCode, 503)
  fault = undefined
  fault = 'held'
  assert.equal((await forward('flespi', batch.slice(0, 1))).statusCode, 503)
  fault = undefined
  const answer = await forward('flespi', batch)
  assert.equal(answer.statusCode, 200, answer.body)
  const { results, records_processed } = answer.json()
  assert.deepEqual(
    results.map((each: { status: string; error?: { code: string } }) => each.error?.code ?? each.status),
    ['stored', 'device_not_found', 'invalid_request', 'invalid_request', 'invalid_request', 'duplicate'],
  )
  assert.equal(records_processed, 2)
  const [stored, second] = await readings(id)
  assert.deepEqual([stored?.signals, stored?.attributes, second], [null, { deviceBatteryV: 4.1 }, undefined])
  const nobody = await forward('flespi', [message(nextImei())])
  assert.deepEqual([nobody.statusCode, nobody.json().records_rejected], [200, 1])
  assert.equal((await forward('flespi', message(imei))).json().duplicates, 1)
  assert.equal(
    (
      await forward(
        'flespi',
        Array.from({ length: 501 }, () => message(imei)),
      )
    ).statusCode,
    400,
  )
  const hostile = await app.inject({
    ...{ method: 'POST', url: `${PREFIX}/flespi`, headers: { 'x-api-key': apiKey, 'content-type': 'application/json' } },
    payload: `[{"ident":"${imei}","__proto__":{"device_id":"x"}},{"ident":"${imei}","note":"\\u0000"}]`,
  })
  assert.deepEqual([hostile.statusCode, hostile.json().records_rejected], [200, 2])
  const tooMany = { ...message(imei), ...Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`io.${i}`, i])) }
  const reasons = await forward('flespi', [message(''), tooMany, message(imei)])
  assert.deepEqual(
    reasons.json().results.map((each: { error?: { message: string } }) => each.error?.message),
    ['"ident" must be the IMEI of the device, or its id here.', 'The body has more than 256 keys.', undefined],
  )
})

test('a message that a tracker sends flespi again, from another port and later, is the same reading', async () => {
  const { id, imei } = await tracker()
  const message = { ident: imei, timestamp: now() / 1000 - 20, 'can.engine.rpm': 900, 'channel.id': 7 }
  const first = { ...message, peer: '198.51.100.7:49152', 'server.timestamp': now() / 1000 - 19, 'message.buffered.status': false }
  const again = { ...message, peer: '198.51.100.7:50001', 'server.timestamp': now() / 1000 - 2, 'message.buffered.status': true }
  assert.equal((await forward('flespi', [first])).json().duplicates, 0)
  assert.equal((await forward('flespi', [again])).json().duplicates, 1)
  assert.deepEqual(
    (await readings(id)).map(({ attributes }) => attributes),
    [{ extra: { 'channel.id': 7 } }],
  )
})

test('forwarders need a key with the scope for telemetry, and a token of a device is none', async () => {
  const { token } = await dongle()
  assert.equal((await forward('flespi', [], token)).statusCode, 401)
  const reader = await insertResellerWithKey(database, 'reader', { scopes: ['telemetry:read'] })
  for (const path of ['traccar', 'flespi'] as const) assert.equal((await forward(path, {}, reader.apiKey)).statusCode, 403)
})
