// Goal: what a device raises by the event of a reading becomes one open alert of its vehicle, or of the device where it is in none, whatever else is
// away, and is neither lost nor opened twice. Method: the real ingest on a real PostgreSQL, with the task that opens alerts run by hand.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { applyEffects } from '../ingest/apply-effects.ts'
import { defaultGroupCommitLimits } from '../ingest/group-commit.ts'
import { createIngestPipeline } from '../ingest/pipeline.ts'
import { unlimited } from '../ingest/reading-quota.ts'
import type { FleetDirectory, ResolvedDevice } from '../ingest/resolve.ts'
import { startTestSurface } from '../predictions/test-surface.ts'
import { alarmEvents } from '../readings/alarm.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { changeAlert } from './change-alert.ts'
import { raiseDeviceAlerts } from './raise-device-alerts.ts'
import { alertPlatformRoutes } from './routes.platform-v1.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const { database } = await openTestDatabase({ after }, NOW)
const { systemPool } = database
await insertReseller(database, 'acme')
await systemPool.query(
  "insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'north'), ('acme', 'south', 'south')",
)

let made = 0
const devices = new Map<string, ResolvedDevice>()
/** A device of a vehicle of its own. */
async function newDevice(): Promise<{ deviceId: string; vehicleId: string }> {
  const vehicleId = `veh-${++made}`
  await systemPool.query("insert into vehicles (reseller_id, vehicle_id, sub_client_id, created_at) values ('acme', $1, 'north', $2)", [
    vehicleId,
    NOW,
  ])
  return { deviceId: await register('north', vehicleId), vehicleId }
}
async function register(subClientId: string, vehicleId?: string): Promise<string> {
  const deviceId = `dev-${String(++made).padStart(8, '0')}`
  devices.set(deviceId, { deviceId, imei: undefined, status: 'active', subClientId, vehicleId })
  await systemPool.query(
    `insert into devices (reseller_id, device_id, device_type, connection_method, status, sub_client_id, vehicle_id)
     values ('acme', $1, 'other', 'mqtt', 'active', $2, $3)`,
    [deviceId, subClientId, vehicleId],
  )
  return deviceId
}
const directory: FleetDirectory = {
  findDevice: (_resellerId, id) => devices.get(id),
  findVehicle: (_resellerId, vehicleId) => ({ vehicleId, subClientId: 'north' }),
  createNamedVehicle: () => Promise.reject(new Error('no reading here makes a vehicle')),
  findSubClientStatus: () => 'active',
  findTimeZone: () => 'Asia/Kolkata',
  activateDevices: async () => {},
}
const { ingest } = createIngestPipeline({
  database,
  directory,
  now: () => NOW,
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: unlimited,
  limits: defaultGroupCommitLimits,
  onUnstorable: (error) => console.error(error),
})
const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1000).toISOString()
async function send(...records: object[]): Promise<string[]> {
  return (await ingest(records.map((record) => ({ resellerId: 'acme', kind: 'telemetry' as const, record })))).map(({ status }) => status)
}
/** On a cluster they follow the readings. */
const noteAlarms = () => applyEffects(database)
const raise = async () => {
  await noteAlarms()
  while ((await raiseDeviceAlerts({ database, now: () => NOW })) > 0);
}
type Row = { alert_id: string; type: string; severity: string; status: string; occurrences: number; evidence: Record<string, unknown> }
async function alertsOf(vehicleId: string): Promise<Row[]> {
  const { rows } = await systemPool.query<Row>(
    "select alert_id, type, severity, status, occurrences, evidence from alerts where vehicle_id = $1 and source = 'device' order by opened_at, type",
    [vehicleId],
  )
  return rows
}
async function events(): Promise<{ type: string; data: Record<string, unknown>; sub_client_id: string | null }[]> {
  const { rows } = await systemPool.query(
    "select type, data::jsonb as data, sub_client_id from event_outbox where type like 'alert.%' order by data::jsonb->>'type', type",
  )
  return rows as never
}
const resolve = (alertId: string) =>
  changeAlert(database, { resellerId: 'acme', subClientPin: undefined }, { alertId, to: 'resolved' }, systemAuthor('acme', NOW))

const surface = await startTestSurface({ after }, platformSurface, [alertPlatformRoutes({ database, now: () => NOW })])

beforeEach(async () => {
  await systemPool.query('delete from event_outbox')
})

test('each of the six events opens an alert of its own type, published with its vehicle; no other event does', async () => {
  const { deviceId, vehicleId } = await newDevice()
  const words = [...alarmEvents, 'periodic', 'harsh_braking', 'low_battery', 'sos2', 'toString']
  await send(...words.map((event, nth) => ({ device_id: deviceId, event, timestamp: at(nth), latitude: 28.6, longitude: 77.2 })))
  await raise()
  const alerts = await alertsOf(vehicleId)
  assert.deepEqual(
    alerts.map(({ type, severity, status }) => [type, severity, status]),
    [
      ['crash', 'critical', 'open'],
      ['jamming', 'high', 'open'],
      ['power_cut', 'medium', 'open'],
      ['sos', 'critical', 'open'],
      ['tamper', 'high', 'open'],
      ['tow', 'high', 'open'],
    ],
  )
  assert.deepEqual(alerts[3]?.evidence, { event: 'sos', deviceId, recordedAt: at(0), latitude: 28.6, longitude: 77.2 })
  const published = await events()
  assert.deepEqual(
    published.map(({ type, data, sub_client_id }) => [type, data['type'], data['vehicleId'], sub_client_id]),
    [...alarmEvents].sort().map((event) => ['alert.created', event, vehicleId, 'north']),
  )
})

test('a repeated reading counts once, a flood adds to one alert, and an old one that was buffered still opens it', async () => {
  const { deviceId, vehicleId } = await newDevice()
  const old = { device_id: deviceId, event: ' SOS ', timestamp: at(20 * 86_400) }
  assert.deepEqual(await send(old, old), ['stored', 'duplicate'])
  assert.deepEqual(await send(old), ['duplicate'])
  await raise()
  assert.deepEqual(
    (await alertsOf(vehicleId)).map(({ type, occurrences }) => [type, occurrences]),
    [['sos', 1]],
  )
  assert.deepEqual(await send(old), ['duplicate'])
  for (let batch = 0; batch < 20; batch++) {
    await send(...Array.from({ length: 50 }, (_, nth) => ({ device_id: deviceId, event: 'sos', timestamp: at(batch * 50 + nth) })))
  }
  await noteAlarms()
  const { rows } = await systemPool.query('select count(*)::int as count from reading_alarms')
  assert.deepEqual(rows, [{ count: 1 }])
  await raise()
  assert.deepEqual(
    (await alertsOf(vehicleId)).map(({ status, occurrences, evidence }) => [status, occurrences, evidence['recordedAt']]),
    [['open', 1001, at(0)]],
  )
  assert.equal((await events()).length, 1)
})

test('it ends when a person resolves it, which is published, and the next event opens another', async () => {
  const { deviceId, vehicleId } = await newDevice()
  await send({ device_id: deviceId, event: 'crash', timestamp: at(60) })
  await raise()
  const [first] = await alertsOf(vehicleId)
  await resolve(first?.alert_id ?? '')
  await raise()
  assert.equal((await alertsOf(vehicleId)).length, 1)
  await send({ device_id: deviceId, event: 'crash', timestamp: at(10) })
  await raise()
  assert.deepEqual((await alertsOf(vehicleId)).map(({ status }) => status).sort(), ['open', 'resolved'])
  assert.deepEqual((await events()).map(({ type }) => type).sort(), ['alert.created', 'alert.created', 'alert.resolved'])
})

test('an older reading that comes late adds to the alert and does not change what its newest reading showed', async () => {
  const { deviceId, vehicleId } = await newDevice()
  for (const [secondsAgo, latitude] of [
    [10, 28],
    [500, 12],
  ]) {
    await send({ device_id: deviceId, event: 'sos', timestamp: at(secondsAgo ?? 0), latitude, longitude: 77 })
    await raise()
  }
  const [alert] = await alertsOf(vehicleId)
  assert.deepEqual([alert?.occurrences, alert?.evidence['recordedAt'], alert?.evidence['latitude']], [2, at(10), 28])
})

test('a process of the version before resolved it and left its condition standing: the next event opens another all the same', async () => {
  const { deviceId, vehicleId } = await newDevice()
  await send({ device_id: deviceId, event: 'tow', timestamp: at(3) })
  await raise()
  await systemPool.query(
    `update alerts set status = 'resolved', resolved_at = $2, resolved_by = 'user', condition_ended_at = null where vehicle_id = $1`,
    [vehicleId, NOW],
  )
  await send({ device_id: deviceId, event: 'tow', timestamp: at(2) })
  await raise()
  assert.deepEqual((await alertsOf(vehicleId)).map(({ status }) => status).sort(), ['open', 'resolved'])
})

test('an alarm whose vehicle is gone opens nothing and keeps no other waiting', async () => {
  const [gone, there] = [await newDevice(), await newDevice()]
  for (const { deviceId } of [gone, there]) await send({ device_id: deviceId, event: 'crash', timestamp: at(1) })
  await systemPool.query('update devices set vehicle_id = null where vehicle_id = $1', [gone.vehicleId])
  await systemPool.query('delete from vehicles where vehicle_id = $1', [gone.vehicleId])
  await raise()
  assert.deepEqual([(await alertsOf(gone.vehicleId)).length, (await alertsOf(there.vehicleId)).length], [0, 1])
})

test('the reading and what it raises are committed together, and a task that fails leaves it to the next', async () => {
  const { deviceId, vehicleId } = await newDevice()
  await send({ device_id: deviceId, event: 'tow', timestamp: at(5) })
  await noteAlarms()
  const failing = {
    ...database,
    system: <T>(run: (db: Db) => Promise<T>) =>
      database.system(async (db) => {
        await run(db)
        throw new Error('the process ends before its commit')
      }),
  }
  await assert.rejects(raiseDeviceAlerts({ database: failing, now: () => NOW }), /before its commit/)
  assert.deepEqual(await alertsOf(vehicleId), [])
  await Promise.all([raise(), raise(), raise()])
  assert.equal((await alertsOf(vehicleId)).length, 1)
})

test('an event in a batch with thousands of others is not lost', async () => {
  const { deviceId, vehicleId } = await newDevice()
  const quiet = Array.from({ length: 2000 }, (_, nth) => ({ device_id: deviceId, speed: 50, timestamp: at(nth) }))
  const statuses = await send(...quiet, { device_id: deviceId, event: 'sos', timestamp: at(3000) })
  assert.ok(statuses.every((status) => status === 'stored'))
  await raise()
  assert.equal((await alertsOf(vehicleId)).length, 1)
})

type WireAlert = { id: string; vehicleId: string | null; deviceId: string | null; type: string; status: string; occurrences: number }
type List = { total: number; alerts: WireAlert[] }

async function alertsSeen(pin: string | undefined, query: string): Promise<WireAlert[]> {
  const { status, body } = await surface.as({ resellerId: 'acme', subClientPin: pin }).get<List>(`/alerts${query}`)
  assert.equal(status, 200)
  assert.equal(body.total, body.alerts.length)
  return body.alerts
}

test('of a device in no vehicle an event opens an alert of the device, which its sub-client sees, moves and is sent', async () => {
  const [loose, other] = [await register('north'), await register('south')]
  assert.deepEqual(
    await send(
      { device_id: loose, event: 'sos', timestamp: at(20), latitude: 28.6, longitude: 77.2 },
      { device_id: loose, event: 'sos', timestamp: at(9) },
      { device_id: loose, event: 'tow', timestamp: at(9) },
      { device_id: other, event: 'sos', timestamp: at(3) },
    ),
    ['stored', 'stored', 'stored', 'stored'],
  )
  await raise()
  await send({ device_id: loose, event: 'sos', timestamp: at(1) })
  await raise()
  const seen = await alertsSeen('north', `?deviceId=${loose}`)
  assert.deepEqual(
    seen.map(({ vehicleId, deviceId, type, status, occurrences }) => [vehicleId, deviceId, type, status, occurrences]).sort(),
    [
      [null, loose, 'sos', 'open', 3],
      [null, loose, 'tow', 'open', 1],
    ],
  )
  const published = (await events()).map(({ type, data, sub_client_id }) => [type, data['vehicleId'], data['deviceId'], sub_client_id])
  assert.deepEqual(published.sort(), [
    ['alert.created', null, loose, 'north'],
    ['alert.created', null, loose, 'north'],
    ['alert.created', null, other, 'south'],
  ])
  const sos = seen.find(({ type }) => type === 'sos')?.id ?? ''
  const move = (pin: string, status: string) =>
    surface.as({ resellerId: 'acme', subClientPin: pin }).patch<WireAlert>(`/alerts/${sos}`, { status })
  assert.deepEqual(await alertsSeen('south', `?deviceId=${loose}`), [])
  assert.ok((await alertsSeen('south', '')).every(({ deviceId }) => deviceId === other))
  assert.equal((await move('south', 'resolved')).status, 404)
  assert.equal((await move('north', 'acknowledged')).body.status, 'acknowledged')
  assert.equal((await move('north', 'resolved')).body.status, 'resolved')
  assert.equal((await events()).filter(({ type, data }) => type === 'alert.resolved' && data['deviceId'] === loose).length, 1)
  await send({ device_id: loose, event: 'sos', timestamp: at(0) })
  await raise()
  assert.deepEqual((await alertsSeen('north', `?deviceId=${loose}&status=open`)).map(({ type }) => type).sort(), ['sos', 'tow'])
})

test('a device that comes into a vehicle raises an alert of the vehicle beside its own, and is named by both', async () => {
  const loose = await register('north')
  const { vehicleId } = await newDevice()
  await send({ device_id: loose, event: 'crash', timestamp: at(20) })
  await raise()
  devices.set(loose, { deviceId: loose, imei: undefined, status: 'active', subClientId: 'north', vehicleId })
  await send({ device_id: loose, event: 'crash', timestamp: at(10) })
  await raise()
  assert.deepEqual((await alertsSeen('north', `?deviceId=${loose}`)).map(({ vehicleId }) => vehicleId).sort(), [null, vehicleId].sort())
})

test('what a device raises in a vehicle that is its reseller’s own is its reseller’s to see, and not its sub-client’s', async () => {
  const { vehicleId, deviceId } = await newDevice()
  await systemPool.query('update vehicles set sub_client_id = null where vehicle_id = $1', [vehicleId])
  await send({ device_id: deviceId, event: 'sos', timestamp: at(1) })
  await raise()
  assert.deepEqual(
    (await events()).map(({ type, sub_client_id }) => [type, sub_client_id]),
    [['alert.created', null]],
  )
  assert.equal((await alertsSeen(undefined, `?deviceId=${deviceId}`)).length, 1)
  assert.deepEqual(await alertsSeen('north', `?deviceId=${deviceId}`), [])
})

test('at most one alert of a type stands for a device, whichever processes open it', async () => {
  const loose = await register('north')
  await Promise.all(
    Array.from({ length: 8 }, async (_, nth) => {
      await send({ device_id: loose, event: 'jamming', timestamp: at(nth) })
      await Promise.all([raise(), raise()])
    }),
  )
  await raise()
  const [only, ...others] = await alertsSeen('north', `?deviceId=${loose}`)
  assert.deepEqual([only?.occurrences, others], [8, []])
})
