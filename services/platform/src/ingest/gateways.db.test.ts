// Goal: what a device reports of vehicles that it names is found by vehicle, as if each had a device of its own, and the device stays one device.
// Method: the real routes, directory and pipeline on a real PostgreSQL; pages of tables and indexes that statements touch are counted, which no
// other work on the machine changes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { deviceExternalRoutes } from '../devices/device.routes.external.ts'
import { deviceLinks } from '../devices/device-links.ts'
import { createDirectory } from '../devices/directory.ts'
import { locationExternalRoutes } from '../devices/location.routes.external.ts'
import { vehicleExternalRoutes } from '../fleet/vehicle.routes.external.ts'
import { createKey } from '../keys/keys.ts'
import { selectHistoriesAcrossResellers, selectScoringSubjectsAcrossResellers } from '../predictions/scoring/scoring.sql.ts'
import { clearDue, markDue } from '../readings/due.sql.ts'
import { createReading } from '../readings/reading.ts'
import { countVehicleReadings, selectReadingBuckets, selectVehicleReadings } from '../readings/readings.read.sql.ts'
import { readingsPlatformRoutes } from '../readings/routes.platform-v1.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, storeReadings, TEST_SECRET_KEY } from '../test-support.ts'
import { applyEffects } from './apply-effects.ts'
import { defaultGroupCommitLimits } from './group-commit.ts'
import type { Inbound } from './inbound.ts'
import { createIngestPipeline } from './pipeline.ts'
import { unlimited } from './reading-quota.ts'
import { telemetryExternalRoutes } from './receivers/rest/rest-receiver.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = () => new Date()
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { apiKey: rivalKey } = await insertResellerWithKey(database, 'rival')
const directory = createDirectory({ database, now, onFleetChanged: () => undefined })
const { ingest } = createIngestPipeline({
  database,
  directory,
  now,
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: unlimited,
  limits: defaultGroupCommitLimits,
  onUnstorable: assert.fail,
})
const fleetDeps = { database, now, deviceLinks, forgetDue: clearDue, markDue, fleetChanged: directory.forget }
const { app } = await openTestApi(cleanUp, database, {
  external: [
    telemetryExternalRoutes({ ingest, database, now }),
    vehicleExternalRoutes(fleetDeps),
    locationExternalRoutes({ database, now, offlineAfterMs: 300_000 }),
    deviceExternalRoutes({
      ...fleetDeps,
      sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
      mqtt: { broker: () => 'mqtt.example.com:1883', topicPrefix: 'fleet' },
      offlineAfterMs: 300_000,
    }),
  ],
  platform: [readingsPlatformRoutes({ database, now })],
})

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes, of which each test looks at a few fields
type Body = any
const call = async (method: 'GET' | 'POST' | 'PUT', url: string, { payload, key = apiKey }: { payload?: object; key?: string } = {}) => {
  const response = await app.inject({ method, url, headers: { 'x-api-key': key }, ...(payload === undefined ? {} : { payload }) })
  return { status: response.statusCode, body: response.json<Body>() }
}
const external = (method: 'GET' | 'POST' | 'PUT', path: string, given?: { payload?: object; key?: string }) =>
  call(method, `/api/external${path}`, given)
const made = async (path: string, payload: object): Promise<Body> => {
  const { status, body } = await external('POST', path, { payload })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const run = async (sql: string, ...values: unknown[]) => (await database.systemPool.query<Record<string, unknown>>(sql, values)).rows
const keyOf = async (subClientId: string) => {
  const given = { name: 'pinned', scopes: ['*'], perMinute: 0, perDay: 0, subClientId }
  return (await createKey(database, 'acme', given, now())).apiKey
}

const insertSubClient = async (subClientId: string) =>
  await run(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', $1, $1)`, subClientId)
for (const name of ['north', 'south']) await insertSubClient(name)
const [northKey, southKey] = [await keyOf('north'), await keyOf('south')]

let registered = 0
const register = async (more: object = {}): Promise<Body> =>
  await made('/devices', { imei: String(358_000_000_000_000 + ++registered), ...more })
const addVehicle = async (more: object = {}): Promise<string> =>
  (await made('/vehicles', { license_plate: `GW-${++registered}`, make: 'MAN', ...more })).vehicle_id
const START_MS = Date.now() - 600_000
const at = (second: number) => new Date(START_MS + second * 1000).toISOString()
const readingsOf = async (vehicleId: string, key = apiKey, query = '') =>
  (await call('GET', `/api/v1/vehicles/${vehicleId}/readings${query}`, { key })).body

/** Pages that the statements of `read` touch. They run under row-level security, and are answered: what one finds, the next may ask for. */
async function pagesTouched(read: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0
  const db = database.tenantPool('acme')
  const query = async (statement: string, values: readonly unknown[] = []) => {
    const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${statement}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    return await db.query(statement, values)
  }
  await read({ query } as unknown as Db)
  return pages
}

/** Reads the history of a vehicle with which it is scored. */
async function historyOf(vehicleId: string, before: Date) {
  const subjects = await selectScoringSubjectsAcrossResellers(database.systemPool, [{ resellerId: 'acme', vehicleId }])
  const wanted = subjects.map((subject) => ({ ...subject, before }))
  return async (db: Db) => await selectHistoriesAcrossResellers(db, wanted, { limit: 120, windowMs: 86_400_000 })
}

test('what is asked of a vehicle touches as many pages behind a gateway of 500 as with a device of its own', async (t) => {
  const VEHICLES = 500
  const MOMENTS = 30
  const many = `generate_series(0, ${2 * VEHICLES - 1}) n`
  const id = (prefix: string, n: number) => `${prefix}-${String(n).padStart(20, '0')}`
  const idOf = (prefix: string) => `'${prefix}-' || lpad(n::text, 20, '0')`
  await run(`insert into vehicles (reseller_id, vehicle_id) select 'acme', ${idOf('veh')} from ${many}`)
  // Half of the vehicles have a device each, and the first device of all speaks for the other half.
  await run(`insert into devices (reseller_id, device_id, device_type, connection_method, status, vehicle_id)
             select 'acme', ${idOf('dev')}, 'can_gateway', 'mqtt', 'active', ${idOf('veh')} from ${many} where n <= ${VEHICLES}`)
  const gateway = id('dev', VEHICLES)
  for (let moment = 0; moment < MOMENTS; moment++) {
    const batch = Array.from({ length: 2 * VEHICLES }, (_, n): Inbound => {
      const who = n < VEHICLES ? { device_id: id('dev', n) } : { device_id: gateway, vehicle_id: id('veh', n) }
      return { resellerId: 'acme', kind: 'telemetry', record: { ...who, coolant_temp: 80, timestamp: at(moment) } }
    })
    const outcomes = await ingest(batch)
    assert.ok(outcomes.every(({ status }) => status === 'stored'))
    // It reports more of itself than of any of the others.
    const own = Array.from({ length: 20 }, (_, n) => ({ device_id: gateway, rpm: n, timestamp: at(moment) }))
    await ingest(own.map((record): Inbound => ({ resellerId: 'acme', kind: 'telemetry', record })))
  }
  const range = { from: new Date(START_MS), to: new Date(START_MS + MOMENTS * 1000) }
  const looks: Record<string, (db: Db, vehicleId: string) => Promise<unknown>> = {
    readings: (db, vehicleId) => selectVehicleReadings(db, 'acme', { ...of(vehicleId), range }, { limit: 100, after: undefined }),
    count: (db, vehicleId) => countVehicleReadings(db, 'acme', { ...of(vehicleId), range }),
    buckets: (db, vehicleId) => selectReadingBuckets(db, 'acme', { ...of(vehicleId), range }, 60),
    'scoring histories': async (db, vehicleId) => await (await historyOf(vehicleId, range.to))(db),
  }
  const of = (vehicleId: string) => ({ vehicleId, subClientPin: undefined, signals: undefined })
  for (const [name, look] of Object.entries(looks)) {
    const ofOwn = () => pagesTouched((db) => look(db, id('veh', 7)))
    const before = await ofOwn()
    const behind = await pagesTouched((db) => look(db, id('veh', VEHICLES + 7)))
    // Autovacuum may look at the tables at any moment, and everything is then planned in another way.
    const own = Math.max(before, await ofOwn())
    t.diagnostic(`${name}: ${own} pages with a device of its own, ${behind} behind the gateway`)
    assert.ok(own > 0 && behind <= 1.5 * own, `${name}: ${behind} pages behind the gateway, ${own} with a device of its own`)
  }
  assert.equal((await readingsOf(id('veh', VEHICLES + 7))).total, MOMENTS)
})

test('the scoring history of a vehicle that very many devices name is that of those heard last, at the price of a few', async (t) => {
  const DEVICES = 200
  const id = (n: number) => `dev-crowd${String(n).padStart(4, '0')}`
  const vehicleId = await addVehicle()
  await run(`insert into devices (reseller_id, device_id, device_type, connection_method, status)
             select 'acme', 'dev-crowd' || lpad(n::text, 4, '0'), 'other', 'mqtt', 'active' from generate_series(0, ${DEVICES - 1}) n`)
  for (let moment = 0; moment < 3; moment++) {
    const batch = Array.from({ length: DEVICES }, (_, n): Inbound => {
      const record = { device_id: id(n), vehicle_id: vehicleId, coolant_temp: 80, timestamp: at(moment * DEVICES + n) }
      return { resellerId: 'acme', kind: 'telemetry', record }
    })
    assert.ok((await ingest(batch)).every(({ status }) => status === 'stored'))
  }
  const before = new Date(START_MS + 3 * DEVICES * 1000)
  const look = await historyOf(vehicleId, before)
  const history = (await look(database.systemPool)).get(`acme/${vehicleId}`) ?? []
  assert.deepEqual([history.length, history.at(-1)?.recordedAtMs], [3 * 16, START_MS + (3 * DEVICES - 1) * 1000])
  const pages = await pagesTouched(look)
  t.diagnostic(`${pages} pages`)
  assert.ok(pages > 0 && pages < 300, `${pages} pages`)
})

test('a reading of a vehicle that was named is read back by its id, and follows in pages, by those whose it is', async () => {
  const { device_id } = await register({ sub_client_id: 'north' })
  const [van, other] = [await addVehicle({ sub_client_id: 'north' }), await addVehicle({ sub_client_id: 'north' })]
  const ids: string[] = []
  for (let second = 0; second < 3; second++) {
    for (const vehicle_id of [van, other]) {
      const sent = await made('/telemetry', { device_id, vehicle_id, coolant_temp: 80, timestamp: at(second) })
      assert.deepEqual([sent.vehicle_id, sent.device_id, sent.duplicate], [vehicle_id, device_id, false])
      if (vehicle_id === van) ids.push(sent.telemetry_id)
    }
  }
  const track = await made('/track', { device_id, vehicle_id: van, latitude: 1, longitude: 2, timestamp: at(9) })
  for (const id of [...ids, track.track_id]) {
    assert.equal(encodeURIComponent(id), id)
    const read = await external('GET', `/telemetry/${id}`, { key: northKey })
    assert.deepEqual([read.status, read.body.id, read.body.device_id, read.body.vehicle_id], [200, id, device_id, van])
    const unknown = await external('GET', `/telemetry/${id.replace(/[0-9a-f]{32}/, '0'.repeat(32))}`, { key: southKey })
    for (const key of [southKey, rivalKey]) {
      const hidden = await external('GET', `/telemetry/${id}`, { key })
      assert.deepEqual([hidden.status, hidden.body.error.message], [404, unknown.body.error.message])
    }
  }
  const first = await readingsOf(van, northKey, '?limit=2')
  const second = await readingsOf(van, northKey, `?limit=2&after=${first.pagination.endCursor}`)
  const told = [...first.readings, ...second.readings].map(({ id }: { id: string }) => id)
  assert.deepEqual([told, first.total], [[...ids, track.track_id], 4])
  assert.equal((await call('GET', `/api/v1/vehicles/${van}/readings`, { key: southKey })).status, 404)
})

test('a vehicle that goes to another sub-client takes none of its earlier readings to callers that are pinned there', async () => {
  const { device_id } = await register({ sub_client_id: 'north' })
  const van = await addVehicle({ sub_client_id: 'north' })
  await made('/telemetry', { device_id, vehicle_id: van, coolant_temp: 80, timestamp: at(1) })
  assert.equal((await readingsOf(van, northKey)).total, 1)
  assert.equal((await external('PUT', `/vehicles/${van}`, { payload: { sub_client_id: 'south' } })).status, 200)
  assert.deepEqual([(await readingsOf(van, southKey)).total, (await readingsOf(van)).total], [0, 1])
})

test('a device that moves into a vehicle it named, and out again, has reported each thing once', async () => {
  const { device_id } = await register()
  const van = await addVehicle()
  const send = async (second: number, more: object = {}) =>
    (await made('/telemetry', { device_id, coolant_temp: 80, timestamp: at(second), ...more })).duplicate
  const named = { vehicle_id: van }
  const put = async (payload: object) => assert.equal((await external('PUT', `/devices/${device_id}`, { payload })).status, 200)
  assert.deepEqual([await send(1, named), await send(1, named)], [false, true])
  await put({ vehicle_id: van })
  // Named or not, it is its own.
  assert.deepEqual([await send(2), await send(2, named), await send(2)], [false, true, true])
  await put({ vehicle_id: null })
  assert.deepEqual([await send(1, named), await send(3, named), await send(3, named)], [true, false, true])
  const { readings, total } = await readingsOf(van)
  assert.deepEqual([total, readings.map(({ recordedAt }: { recordedAt: string }) => recordedAt)], [3, [1, 2, 3].map(at)])
})

test('what was stored under the gateway itself, by a version of before, is found beside what is stored since', async () => {
  const { device_id: deviceId } = await register()
  const van = await addVehicle()
  const content = { recordedAtMs: START_MS, position: undefined, signals: { coolantTempC: 70 }, attributes: {}, implausible: [] }
  const about = { kind: 'telemetry', resellerId: 'acme', sourceId: deviceId, deviceId, vehicleId: van, subClientId: undefined } as const
  const former = createReading(content, { ...about, receivedAtMs: START_MS })
  await storeReadings(database, [former])
  await made('/telemetry', { device_id: deviceId, vehicle_id: van, coolant_temp: 80, timestamp: at(1) })
  const { readings } = await readingsOf(van)
  assert.deepEqual(
    readings.map(({ signals }: { signals: object }) => signals),
    [{ coolant: 70 }, { coolant: 80 }],
  )
})

test('whatever it reports for, a gateway is one device: seen, located and counted once', async () => {
  await insertSubClient('yard')
  const { device_id } = await register({ sub_client_id: 'yard' })
  const vehicles = await Promise.all([1, 2, 3].map(() => addVehicle({ sub_client_id: 'yard' })))
  const records = vehicles.map((vehicle_id, n) => ({ device_id, vehicle_id, lat: 10 + n, lon: 20, speed: n, timestamp: at(n) }))
  // The newest by recorded time is the third, whichever comes last.
  const { results } = await made('/telemetry/batch', { records: [...records.slice(1), ...records.slice(0, 1)] })
  assert.ok(results.every(({ status }: { status: string }) => status === 'stored'))
  const { location } = (await external('GET', `/devices/${device_id}/location`)).body
  assert.deepEqual([location.latitude, location.speed, location.timestamp], [12, 2, at(2)])
  const listed = (await external('GET', '/devices/locations?sub_client_id=yard')).body
  assert.deepEqual([listed.total, listed.locations.length], [1, 1])
  const { device } = (await external('GET', `/devices/${device_id}`)).body
  assert.deepEqual([device.online, Date.parse(device.last_seen_at) > START_MS], [true, true])
  await applyEffects(database)
  const active = await run(
    'select device_id from usage_active_devices where device_id like $1 and period like $2',
    `${device_id}%`,
    '____-__-__',
  )
  assert.deepEqual(active, [{ device_id }])
  const woken = await run('select source_id, vehicle_id from latest_states where woken and device_id = $1', device_id)
  assert.deepEqual(woken, [{ source_id: device_id, vehicle_id: null }])
})
