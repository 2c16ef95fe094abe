// Goal: who looks on sees what changes, all of it, once, and nothing that is not his. Method: streams over real connections to two processes'
// worth of API on one database; events go through the outbox and the relay, readings through ingest's own statement.

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import { newId } from '@roadworthy/service-kit/text/ids'
import { writeEvents } from '../events/outbox.ts'
import { relayEvents } from '../events/relay.ts'
import { createKey } from '../keys/keys.ts'
import type { Scope } from '../keys/scopes.ts'
import { createTestUser } from '../people/test-users.ts'
import { createReading } from '../readings/reading.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, storeReadings } from '../test-support.ts'
import { defaultLiveSettings, LiveStreams } from './live-streams.ts'
import { livePlatformRoutes } from './routes.platform-v1.ts'
import { openReader, type StreamReader } from './test-reader.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = () => new Date()
const log = { error: (details: object, message: string) => console.error(message, details) }
const deps = { database, now, offlineAfterMs: 300_000, log }
const settings = { ...defaultLiveSettings, eventsEveryMs: 20, vehiclesEveryMs: 50, boxEveryMs: 50, recheckEveryMs: 50, heartbeatMs: 50 }

async function startProcess() {
  const { app, access } = await openTestApi(cleanUp, database, { platform: [livePlatformRoutes(deps, settings)] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, access, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1` }
}
const one = await startProcess()
const two = await startProcess()

const newTenant = async () => {
  const resellerId = `r-${newId('x').slice(2, 12)}`
  return { resellerId, ...(await insertResellerWithKey(database, resellerId)) }
}

async function follow(apiKey: string, query = '', { url, lastEventId }: { url?: string; lastEventId?: string | undefined } = {}) {
  const given = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const { response, reader } = await openReader(`${url ?? one.url}/stream${query}`, { authorization: `Bearer ${apiKey}`, ...given })
  assert.equal(response.status, 200)
  await reader.until(() => reader.of('ready').length === 1)
  return reader
}

async function happen(resellerId: string, deviceIds: readonly string[], subClientId?: string): Promise<void> {
  const rest = { imei: null, name: null, vehicleId: null, online: false, reason: 'silent', lastSeenAt: null, disconnectedAt: null } as const
  const events = deviceIds.map((deviceId) => {
    return { resellerId, type: 'device.offline', data: { deviceId, ...rest }, subClientId, occurredAt: now() } as const
  })
  await database.tenant(resellerId, (db) => writeEvents(db, events))
  while ((await relayEvents({ database, recorders: [], now })) > 0);
}

const devicesOf = (reader: StreamReader) => reader.of('event').map(({ data }) => (data['data'] as { deviceId: string }).deviceId)

async function addSubClient(resellerId: string, subClientId: string): Promise<string> {
  const sql = 'insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, $2)'
  await database.systemPool.query(sql, [resellerId, subClientId])
  return subClientId
}

async function addVehicle(resellerId: string, subClientId?: string): Promise<string> {
  const vehicleId = newId('veh')
  const sql = 'insert into vehicles (reseller_id, vehicle_id, sub_client_id) values ($1, $2, $3)'
  await database.systemPool.query(sql, [resellerId, vehicleId, subClientId ?? null])
  return vehicleId
}

const STARTED_MS = Date.now() - 60_000
let reportedMs = STARTED_MS

/** Each recorded after the one before. */
async function drive(resellerId: string, vehicleId: string, speedKmh: number, [latitude, longitude] = [12.9, 77.5]): Promise<void> {
  reportedMs += 1
  const content = {
    recordedAtMs: reportedMs,
    position: { latitude: latitude ?? 0, longitude: longitude ?? 0 },
    signals: { vehicleSpeedKmh: speedKmh },
    attributes: { headingDeg: 90 },
    implausible: [],
  }
  const about = { kind: 'telemetry', resellerId, sourceId: vehicleId, deviceId: undefined, vehicleId, subClientId: undefined } as const
  const reading = createReading(content, { ...about, receivedAtMs: Date.now() })
  await storeReadings(database, [reading])
}

const changesOf = (reader: StreamReader, vehicleId: string) =>
  reader.of('vehicles').flatMap(({ data }) => (data['vehicles'] as VehicleChange[]).filter(({ id }) => id === vehicleId))
const speedOf = (reader: StreamReader, vehicleId: string) => changesOf(reader, vehicleId).at(-1)?.location?.speed

test('what follows a cut has each event once, also from another process, whatever happened meanwhile', async () => {
  const { resellerId, apiKey } = await newTenant()
  await happen(resellerId, ['before'])
  const first = await follow(apiKey)
  await happen(resellerId, ['1', '2'])
  await first.until(() => devicesOf(first).length === 2)
  await first.cut()
  await happen(resellerId, ['3', '4', '5'])
  const second = await follow(apiKey, '', { url: two.url, lastEventId: first.lastEventId })
  await happen(resellerId, ['6'])
  await second.until(() => devicesOf(second).length === 4)
  await second.cut()
  const third = await follow(apiKey, `?lastEventId=${second.lastEventId}`)
  await happen(resellerId, ['7'])
  await third.until(() => devicesOf(third).length === 1)
  assert.deepEqual([first, second, third].flatMap(devicesOf), ['1', '2', '3', '4', '5', '6', '7'])
  assert.equal([first, second, third].flatMap((reader) => reader.of('reset')).length, 0)
  await third.cut()
})

test('a quiet stream moves its reader past what was not for him, and is kept open', async () => {
  const { resellerId, apiKey } = await newTenant()
  await addSubClient(resellerId, 'north')
  const { apiKey: pinned } = await pinnedKey(resellerId, 'north')
  const reader = await follow(pinned)
  const began = reader.lastEventId
  await happen(resellerId, ['of-south'])
  const whole = await follow(apiKey)
  await reader.until(() => reader.lastEventId === whole.lastEventId)
  assert.notEqual(began, reader.lastEventId)
  assert.deepEqual(devicesOf(reader), [])
  await Promise.all([reader.cut(), whole.cut()])
})

test('who was away for too much, or comes from another log, is asked to fetch anew and goes on from there', async () => {
  const { resellerId, apiKey } = await newTenant()
  const first = await follow(apiKey)
  await first.cut()
  await happen(
    resellerId,
    Array.from({ length: 501 }, (_, nth) => `missed-${nth}`),
  )
  // At the process of the first, the newest 500 may still be coming in one by one; the other one has read none of them.
  const second = await follow(apiKey, '', { url: two.url, lastEventId: first.lastEventId })
  await second.until(() => second.of('reset').length === 1)
  await happen(resellerId, ['next'])
  await second.until(() => devicesOf(second).length === 1)
  assert.deepEqual(devicesOf(second), ['next'])
  const beyond = Buffer.from('p999999999').toString('base64url')
  const third = await follow(apiKey, '', { lastEventId: beyond })
  await third.until(() => third.of('reset').length === 1)
  await Promise.all([second.cut(), third.cut()])
})

async function pinnedKey(resellerId: string, subClientId: string) {
  return await createKey(database, resellerId, { name: 'pinned', scopes: ['*'], perMinute: 0, perDay: 0, subClientId }, now())
}

test('vehicles come as they are, then as they change, and only those', async () => {
  const { resellerId, apiKey } = await newTenant()
  const [moving, parked, unseen] = [await addVehicle(resellerId), await addVehicle(resellerId), await addVehicle(resellerId)]
  for (const id of [moving, parked, unseen]) await drive(resellerId, id, 10)
  const readers = [
    await follow(apiKey, `?vehicles=${moving},${parked}`),
    await follow(apiKey, `?vehicles=${moving},${parked}`, { url: two.url }),
  ]
  for (const reader of readers) await reader.until(() => speedOf(reader, moving) === 10 && speedOf(reader, parked) === 10)
  await drive(resellerId, moving, 80)
  for (const reader of readers) {
    await reader.until(() => speedOf(reader, moving) === 80)
    assert.equal(changesOf(reader, parked).length, 1)
    assert.equal(changesOf(reader, unseen).length, 0)
    const change = changesOf(reader, moving).at(-1)
    assert.equal(change?.online, true)
    assert.equal(change?.location?.heading, 90)
    await reader.cut()
  }
})

test('a stream is compressed for those who take that, and sends the same to all', async () => {
  const { resellerId, apiKey } = await newTenant()
  const vehicleId = await addVehicle(resellerId)
  for (const [takes, encoding] of [
    ['gzip, deflate, br', 'gzip'],
    ['identity', null],
    ['br', null],
  ] as const) {
    const headers = { authorization: `Bearer ${apiKey}`, 'accept-encoding': takes }
    const { response, reader } = await openReader(`${one.url}/stream?vehicles=${vehicleId}`, headers)
    assert.deepEqual([response.headers.get('content-encoding'), response.headers.get('vary')], [encoding, 'accept-encoding'])
    const speed = takes.length
    await drive(resellerId, vehicleId, speed)
    await reader.until(() => speedOf(reader, vehicleId) === speed)
    await reader.cut()
  }
})

test('a box shows those that are in it, and those that come', async () => {
  const { resellerId, apiKey } = await newTenant()
  const [inside, coming, acrossTheDateLine] = [await addVehicle(resellerId), await addVehicle(resellerId), await addVehicle(resellerId)]
  await drive(resellerId, inside, 10, [12.9, 77.5])
  await drive(resellerId, coming, 20, [50, 8])
  await drive(resellerId, acrossTheDateLine, 30, [-17, -179.9])
  const bangalore = await follow(apiKey, '?bbox=77,12,78,13')
  const fiji = await follow(apiKey, '?bbox=177,-20,-178,-15')
  await bangalore.until(() => speedOf(bangalore, inside) === 10)
  await fiji.until(() => speedOf(fiji, acrossTheDateLine) === 30)
  await drive(resellerId, coming, 40, [12.8, 77.4])
  await bangalore.until(() => speedOf(bangalore, coming) === 40)
  assert.equal(changesOf(fiji, inside).length + changesOf(fiji, coming).length, 0)
  await Promise.all([bangalore.cut(), fiji.cut()])
})

test('another tenant, and another sub-client, sees nothing, by id or by box', async () => {
  const acme = await newTenant()
  const rival = await newTenant()
  await addSubClient(acme.resellerId, 'north')
  await addSubClient(acme.resellerId, 'south')
  const ofNorth = await addVehicle(acme.resellerId, 'north')
  const ofRival = await addVehicle(rival.resellerId)
  const query = `?vehicles=${ofNorth},${ofRival}&bbox=-180,-90,180,90`
  const south = await follow((await pinnedKey(acme.resellerId, 'south')).apiKey, query)
  const north = await follow((await pinnedKey(acme.resellerId, 'north')).apiKey, query)
  const other = await follow(rival.apiKey, query)
  await drive(acme.resellerId, ofNorth, 55)
  await drive(rival.resellerId, ofRival, 66)
  await happen(acme.resellerId, ['of-north'], 'north')
  await happen(rival.resellerId, ['of-rival'])
  await north.until(() => speedOf(north, ofNorth) === 55 && devicesOf(north).length === 1)
  await other.until(() => speedOf(other, ofRival) === 66 && devicesOf(other).length === 1)
  // A round after the one in which its own sub-client saw it.
  await drive(acme.resellerId, ofNorth, 56)
  await north.until(() => speedOf(north, ofNorth) === 56)
  assert.equal(changesOf(south, ofNorth).length, 0)
  // The vehicle moves to the other sub-client: from then on it is that one's to see.
  await database.systemPool.query(`update vehicles set sub_client_id = 'south' where vehicle_id = $1`, [ofNorth])
  await south.until(() => speedOf(south, ofNorth) === 56)
  const seen = changesOf(north, ofNorth).length
  await drive(acme.resellerId, ofNorth, 77)
  await south.until(() => speedOf(south, ofNorth) === 77)
  assert.equal(changesOf(north, ofNorth).length, seen)
  assert.deepEqual(devicesOf(south), [])
  assert.deepEqual(devicesOf(other), ['of-rival'])
  assert.equal(changesOf(other, ofNorth).length + changesOf(north, ofRival).length + changesOf(south, ofRival).length, 0)
  await Promise.all([south.cut(), north.cut(), other.cut()])
})

test('scopes decide what comes', async () => {
  const { resellerId } = await newTenant()
  const keyWith = async (scopes: Scope[]) =>
    (await createKey(database, resellerId, { name: 'some', scopes, perMinute: 0, perDay: 0 }, now())).apiKey
  const blind = await openReader(`${one.url}/stream?bbox=0,0,1,1`, { authorization: `Bearer ${await keyWith(['predict'])}` })
  assert.equal(blind.response.status, 403)
  const predicting = await follow(await keyWith(['predict']))
  const ofDevices = await follow(await keyWith(['devices:read']))
  await happen(resellerId, ['1'])
  await ofDevices.until(() => devicesOf(ofDevices).length === 1)
  await predicting.until(() => predicting.lastEventId === ofDevices.lastEventId)
  assert.deepEqual(devicesOf(predicting), [])
  await Promise.all([predicting.cut(), ofDevices.cut()])
})

/** Rejects where the stream closes first. */
async function nextData(stream: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onClose = () => reject(new Error('the stream was closed'))
  stream.once('data', () => resolve()).once('close', onClose)
  await promise.finally(() => stream.off('close', onClose))
}

test('a reader that takes nothing costs a bounded buffer, and then gets the newest state once', async () => {
  const { resellerId, keyId } = await newTenant()
  const ids: string[] = []
  for (let nth = 0; nth < 50; nth++) ids.push(await addVehicle(resellerId))
  const streams = new LiveStreams(deps, { ...settings, vehiclesEveryMs: 5, stalledMs: Number.POSITIVE_INFINITY })
  cleanUp.after(() => streams.close())
  const caller = { resellerId, keyId, scopes: new Set(['*']), subClientPin: undefined }
  const open = () => streams.open({ caller, shown: { ids, box: undefined }, after: undefined, isStillAdmitted: async () => true })
  const slow = await open()
  const quick = await open()
  let textOfQuick = ''
  let textOfSlow = ''
  quick.on('data', (text: string) => {
    textOfQuick += text
  })
  // It takes its first message, and then nothing for a while.
  slow.once('data', () => slow.pause())
  for (let speed = 1; speed <= 40; speed++) {
    for (const id of ids) await drive(resellerId, id, speed)
    while (textOfQuick.split(`"speed":${speed},`).length <= ids.length) await nextData(quick)
  }
  const messageChars = textOfQuick.length / 40
  assert.ok(slow.readableLength <= 64 * 1024 + 2 * messageChars, `${slow.readableLength} characters wait`)
  slow.on('data', (text: string) => {
    textOfSlow += text
  })
  slow.resume()
  while (textOfSlow.split('"speed":40,').length <= ids.length) await nextData(slow)
  assert.ok(textOfSlow.length < textOfQuick.length, 'it got fewer')
  for (const id of ids) {
    const last = textOfSlow.lastIndexOf(`"id":"${id}"`)
    assert.match(textOfSlow.slice(last, last + 400), /"speed":40,/)
  }
  slow.destroy()
  quick.destroy()
})

test('a thousand updates of a vehicle are as many messages as there were rounds', async () => {
  const { resellerId, apiKey } = await newTenant()
  const vehicleId = await addVehicle(resellerId)
  const reader = await follow(apiKey, `?vehicles=${vehicleId}`)
  const begunMs = performance.now()
  for (let speed = 1; speed <= 1000; speed++) await drive(resellerId, vehicleId, (speed % 100) + 1)
  await drive(resellerId, vehicleId, 123)
  await reader.until(() => speedOf(reader, vehicleId) === 123)
  const mostRounds = (performance.now() - begunMs) / settings.vehiclesEveryMs + 3
  assert.ok(reader.of('vehicles').length <= mostRounds, `${reader.of('vehicles').length} messages in ${mostRounds} rounds`)
  await reader.cut()
})

test('the stream ends when its key is revoked, its session is, or the reseller owes', async () => {
  const { resellerId, apiKey, keyId } = await newTenant()
  const other = await newTenant()
  const owing = await follow(other.apiKey)
  const byKey = await follow(apiKey)
  const email = `owner@${resellerId}.example`
  await createTestUser(database, { resellerId, email, password: 'correct horse battery' }, now())
  const page = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: new URL(one.url).origin }
  const signedIn = await fetch(`${one.url}/session`, {
    ...{ method: 'POST', headers: page, body: JSON.stringify({ email, password: 'correct horse battery' }) },
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const bySession = await openReader(`${one.url}/stream`, { cookie, 'sec-fetch-site': 'same-origin' })
  assert.equal(bySession.response.status, 200)
  await bySession.reader.until(() => bySession.reader.of('ready').length === 1)
  assert.equal((await fetch(`${one.url}/session`, { method: 'DELETE', headers: { ...page, cookie } })).status, 200)
  await bySession.reader.ended
  await fetch(`${one.url}/api-keys/${keyId}`, { method: 'DELETE', headers: { authorization: `Bearer ${apiKey}` } })
  await byKey.ended
  await database.systemPool.query(`update resellers set subscription = 'past_due' where reseller_id = $1`, [other.resellerId])
  await owing.ended
})

test('a connection is one call, however long it lasts', async () => {
  const { resellerId, apiKey } = await newTenant()
  const reader = await follow(apiKey)
  await happen(resellerId, ['1', '2', '3'])
  await reader.until(() => devicesOf(reader).length === 3)
  await reader.cut()
  const sql = `select sum(count)::int as count from usage_entries where reseller_id = $1 and meter = 'api_calls_platform'`
  const { rows } = await database.systemPool.query<{ count: number }>(sql, [resellerId])
  assert.equal(rows[0]?.count, 1)
})

test('the connection that is one too many is refused, and finds a place when another closes', async () => {
  const { apiKey } = await newTenant()
  const readers = await Promise.all(Array.from({ length: settings.maxPerCaller }, () => follow(apiKey)))
  const { response } = await openReader(`${one.url}/stream`, { authorization: `Bearer ${apiKey}` })
  assert.equal(response.status, 429)
  assert.equal(response.headers.get('retry-after'), '10')
  await readers[0]?.cut()
  const again = await openUntilFree(apiKey)
  await Promise.all([...readers, again].map((reader) => reader.cut()))
})

/** The server learns a moment later that a connection is closed. */
async function openUntilFree(apiKey: string): Promise<StreamReader> {
  for (;;) {
    const { response, reader } = await openReader(`${one.url}/stream`, { authorization: `Bearer ${apiKey}` })
    if (response.status === 200) return reader
    assert.equal(response.status, 429)
  }
}

test('what a stream cannot be opened with is reported', async () => {
  const { apiKey } = await newTenant()
  const headers = { authorization: `Bearer ${apiKey}` }
  const tooMany = Array.from({ length: 501 }, (_, nth) => `veh-${nth}`).join(',')
  for (const query of ['bbox=1,2,3', 'bbox=0,10,10,0', 'bbox=0,-91,0,0', 'lastEventId=x', `vehicles=${tooMany}`, 'other=1']) {
    const { response } = await openReader(`${one.url}/stream?${query}`, headers)
    assert.equal(response.status, 400, query)
  }
  assert.equal((await fetch(`${one.url}/stream`, { headers })).status, 400)
  const { response, reader } = await openReader(`${one.url}/stream`, headers)
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => response.headers.get(name)),
    ['text/event-stream; charset=utf-8', 'no-store', 'no'],
  )
  await reader.cut()
})

test('a stop ends streams at once, and one that is being opened is refused, and nothing is left running for it', async () => {
  const { apiKey, resellerId, keyId } = await newTenant()
  const third = await startProcess()
  const reader = await follow(apiKey, '', { url: third.url })
  await Promise.all([third.app.close(), reader.ended])
  const streams = new LiveStreams(deps, settings)
  const caller = { resellerId, keyId, scopes: new Set(['*']), subClientPin: undefined }
  const opening = streams.open({ caller, shown: { ids: [], box: undefined }, after: undefined, isStillAdmitted: async () => true })
  await Promise.all([streams.close(), assert.rejects(opening, { code: 'draining' })])
  assert.equal(streams.count, 0)
})
