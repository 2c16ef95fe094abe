// Goal: whoever holds a device of one sub-client, or a key pinned to it, neither speaks for a vehicle of another nor fills the reseller with
// vehicles. Method: the real REST routes, embedded broker and pipeline on a real PostgreSQL; messages of external brokers and of streams are
// decoded as their receivers decode them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '@roadworthy/platform/audit/audit'
import { authenticateDevice } from '@roadworthy/platform/devices/authenticate-device'
import { sha256 } from '@roadworthy/platform/devices/credentials'
import { deviceExternalRoutes } from '@roadworthy/platform/devices/device.routes.external'
import { deviceLinks } from '@roadworthy/platform/devices/device-links'
import { DeviceLogins } from '@roadworthy/platform/devices/device-logins'
import { createDirectory } from '@roadworthy/platform/devices/directory'
import { vehicleExternalRoutes } from '@roadworthy/platform/fleet/vehicle.routes.external'
import { defaultGroupCommitLimits } from '@roadworthy/platform/ingest/group-commit'
import type { Outcome } from '@roadworthy/platform/ingest/inbound'
import { createIngestPipeline } from '@roadworthy/platform/ingest/pipeline'
import { unlimited } from '@roadworthy/platform/ingest/reading-quota'
import { decodeRecord } from '@roadworthy/platform/ingest/receivers/kafka/decode-record'
import { packBatch, unpackBatch } from '@roadworthy/platform/ingest/receivers/kafka/packed-batch'
import { decodeMessage } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/decode'
import { defaultMqttLimits } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/limits'
import {
  DEVICE,
  OTHER_DEVICE,
  publishPacket,
  RawClient,
  RESELLER,
  startReceiver,
  testDevices,
} from '@roadworthy/platform/ingest/receivers/mqtt-embedded/test-mqtt-receiver'
import { telemetryExternalRoutes } from '@roadworthy/platform/ingest/receivers/rest/rest-receiver'
import { createKey } from '@roadworthy/platform/keys/keys'
import { clearDue, markDue } from '@roadworthy/platform/readings/due.sql'
import { updateReseller } from '@roadworthy/platform/resellers/resellers'
import { insertResellerWithKey, lastFirst, openTestApi } from '@roadworthy/platform/surfaces/test-api'
import { openTestDatabase, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'
import { createSealer } from '@roadworthy/service-kit/process/sealed'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = () => new Date()
const { apiKey } = await insertResellerWithKey(database, RESELLER)
const run = async (sql: string, ...values: unknown[]) => (await database.systemPool.query<Record<string, never>>(sql, values)).rows
for (const subClient of ['north', 'south']) {
  await run('insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, $2)', RESELLER, subClient)
}
const makeKey = async (scopes: string[], subClientId?: string) => {
  const given = { name: 'test', scopes, perMinute: 0, perDay: 0, ...(subClientId === undefined ? {} : { subClientId }) }
  return (await createKey(database, RESELLER, given, now())).apiKey
}

// DEVICE is of north, OTHER_DEVICE of no sub-client.
await run(
  `insert into devices (reseller_id, device_id, device_type, connection_method, status, sub_client_id, mqtt_secret_sha256) values
     ($1, $2, 'other', 'mqtt', 'active', 'north', $4), ($1, $3, 'other', 'mqtt', 'active', null, $5)`,
  RESELLER,
  DEVICE,
  OTHER_DEVICE,
  ...testDevices.map(({ password }) => sha256(password)),
)
await run(
  `insert into vehicles (reseller_id, vehicle_id, external_ref, sub_client_id, vin) values
     ($1, 'veh-north0001', 'north van', 'north', null), ($1, 'veh-south0001', 'south van', 'south', 'SOUTHVAN1'), ($1, 'veh-stock0001', 'stock van', null, null)`,
  RESELLER,
)

const MAX_NAMED_VEHICLES = 40
const directory = createDirectory({ database, now, onFleetChanged: () => undefined, maxNamedVehicles: MAX_NAMED_VEHICLES })
const pipelineDeps = {
  database,
  now,
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: unlimited,
  limits: defaultGroupCommitLimits,
  onUnstorable: (error: unknown) => console.error('unstorable', error),
}
const { ingest } = createIngestPipeline({ ...pipelineDeps, directory })
const fleetDeps = { database, now, deviceLinks, forgetDue: clearDue, markDue, fleetChanged: directory.forget }
const { app } = await openTestApi(cleanUp, database, {
  external: [
    telemetryExternalRoutes({ ingest, database, now }),
    vehicleExternalRoutes(fleetDeps),
    deviceExternalRoutes({
      ...fleetDeps,
      sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
      mqtt: { broker: () => 'mqtt.example.com:1883', topicPrefix: 'fleet' },
      offlineAfterMs: 300_000,
    }),
  ],
})
type Body = {
  error: { code: string; details: { results: { error: { code: string } }[] } }
  vehicle_id: string | null
  warnings: { field: string; reason: string }[]
  results: { status: string; error?: { code: string } }[]
}
const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, payload: object, key = apiKey) => {
  const response = await app.inject({ method, url: `/api/external${path}`, headers: { 'x-api-key': key }, payload })
  return { status: response.statusCode, body: response.json<Body>() }
}
const codeOf = ({ body }: { body: Body }) => body.error?.code
/** No two have the same time, or one that is alike would be a duplicate. */
const startedMs = Date.now()
let second = 0
const reading = (more: object) => ({ rpm: 900, timestamp: new Date(startedMs - ++second * 1000).toISOString(), ...more })
const codesOf = (outcomes: readonly Outcome[]) => outcomes.map((each) => (each.status === 'refused' ? each.problem.code : each.status))
const speak = (deviceId: string, ...records: object[]) => {
  const bytes = Buffer.from(JSON.stringify(records.map(reading)))
  return ingest(decodeMessage(bytes, { resellerId: RESELLER, deviceId }, defaultMqttLimits, now()).inbound)
}
const vehicleCount = async () => Number((await run('select count(*) as n from vehicles where reseller_id = $1', RESELLER))[0]?.['n'])
const storedFor = async (vehicleId: string) => (await run('select 1 from readings where vehicle_id = $1', vehicleId)).length

test('a device does not speak for a vehicle of another sub-client over MQTT; its other records are stored', async (t) => {
  const { port } = await startReceiver(t, {
    ingest,
    authenticateDevice: (attempt) => authenticateDevice(new DeviceLogins(database), attempt, now()),
  })
  const device = await RawClient.signIn(port)
  const errors = `fleet/${RESELLER}/devices/${DEVICE}/errors`
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: errors, qos: 0 }] } as never)
  await device.next('suback')
  device.send(
    publishPacket(2, [
      reading({ vehicle_id: 'south van' }),
      reading({ vehicle_id: 'veh-south0001' }),
      reading({ vehicle_id: 'north van' }),
    ]),
  )
  await device.next('puback')
  const report = JSON.parse(String((await device.next('publish')).payload))
  assert.deepEqual(
    report.errors.map(({ index, code }: { index: number; code: string }) => [index, code]),
    [
      [0, 'vehicle_of_other_sub_client'],
      [1, 'vehicle_of_other_sub_client'],
    ],
  )
  assert.deepEqual([await storedFor('veh-south0001'), await storedFor('veh-north0001')], [0, 1])
  device.socket.destroy()
})

test('nor does one of no sub-client, which the reseller’s own key and stream may name for it; a vehicle of no sub-client is open to all', async () => {
  assert.deepEqual(
    codesOf(await speak(OTHER_DEVICE, { vehicle_id: 'south van' }, { vehicle_id: 'stock van' }, { sub_client_id: 'south' })),
    ['vehicle_of_other_sub_client', 'stored', 'invalid_request'],
  )
  assert.deepEqual(codesOf(await speak(DEVICE, { vehicle_id: 'stock van' })), ['stored'])
  assert.equal((await call('POST', '/telemetry', reading({ device_id: OTHER_DEVICE, vehicle_id: 'south van' }))).status, 200)
})

test('a reading of a device and a vehicle of two sub-clients is refused by its index over REST and from a stream', async () => {
  const other = reading({ device_id: DEVICE, vehicle_id: 'south van' })
  const before = await storedFor('veh-south0001')
  const single = await call('POST', '/telemetry', other)
  assert.deepEqual([single.status, codeOf(single)], [400, 'vehicle_of_other_sub_client'])
  const track = await call('POST', '/track', { ...other, lat: 1, lon: 2 })
  assert.deepEqual([track.status, codeOf(track)], [400, 'vehicle_of_other_sub_client'])
  const batch = await call('POST', '/telemetry/batch', { records: [other, reading({ device_id: DEVICE, vehicle_id: 'north van' })] })
  assert.deepEqual(
    batch.body.results.map(({ status, error }) => error?.code ?? status),
    ['vehicle_of_other_sub_client', 'stored'],
  )
  const message = { key: Buffer.from(DEVICE), value: Buffer.from(JSON.stringify(other)), headers: new Map(), timestamp: BigInt(Date.now()) }
  const decoded = decodeRecord(message, { nowMs: Date.now(), maxAheadMs: 300_000 })
  assert.ok('texts' in decoded)
  assert.deepEqual(codesOf(await ingest(unpackBatch(packBatch([decoded]), RESELLER))), ['vehicle_of_other_sub_client'])
  const named = await call('POST', '/telemetry', reading({ vehicle_id: 'south van', sub_client_id: 'north' }))
  assert.deepEqual([named.status, codeOf(named)], [400, 'vehicle_of_other_sub_client'])
  assert.equal(await storedFor('veh-south0001'), before)
})

test('no device is linked across sub-clients, and the readings of one that is are refused', async () => {
  const before = { ...(await call('PUT', `/devices/${DEVICE}`, { vehicle_id: 'veh-south0001' })) }
  assert.deepEqual([before.status, codeOf(before)], [400, 'vehicle_of_other_sub_client'])
  const registered = await call('POST', '/devices', { name: 'new', sub_client_id: 'north', vehicle: { vin: 'SOUTHVAN1' } })
  assert.deepEqual([registered.status, codeOf(registered)], [400, 'vehicle_of_other_sub_client'])
  const upserted = await call('POST', '/vehicles', { vin: 'SOUTHVAN1', device_id: DEVICE })
  assert.deepEqual([upserted.status, codeOf(upserted)], [400, 'vehicle_of_other_sub_client'])
  await run(`update devices set vehicle_id = 'veh-south0001' where device_id = $1`, DEVICE)
  directory.forget(RESELLER)
  assert.deepEqual(codesOf(await speak(DEVICE, {}, { vehicle_id: 'north van' })), ['vehicle_of_other_sub_client', 'stored'])
  await run('update devices set vehicle_id = null where device_id = $1', DEVICE)
  directory.forget(RESELLER)
})

test('a key that is pinned to a sub-client reaches no vehicle of another, by its id, its reference, or a device', async () => {
  const pinned = await makeKey(['*'], 'north')
  for (const about of [{ vehicle_id: 'south van' }, { vehicle_id: 'veh-south0001' }, { device_id: DEVICE, vehicle_id: 'south van' }]) {
    const { status, body } = await call('POST', '/telemetry', reading(about), pinned)
    assert.equal(status, 404, JSON.stringify(body))
  }
  // Nor does it learn that there is one.
  for (const vehicle of [{ vin: 'SOUTHVAN1' }, { vehicle_id: 'south van' }, { vehicle_id: 'veh-stock0001' }]) {
    const linked = await call('POST', '/devices', { name: 'mine', vehicle: { mode: 'link', ...vehicle } }, pinned)
    assert.equal(linked.status, 404, JSON.stringify(linked.body))
  }
  // An inline vehicle that is the reseller's own, or another's, is neither taken over nor changed.
  await run(`update vehicles set vin = 'STOCKVAN1' where vehicle_id = 'veh-stock0001'`)
  for (const vin of ['SOUTHVAN1', 'STOCKVAN1']) {
    const taken = await call('POST', '/devices', { name: 'mine', vehicle: { mode: 'create', vin, make: 'Mine' } }, pinned)
    assert.deepEqual([taken.status, codeOf(taken)], [409, 'conflict'])
  }
  assert.deepEqual(await run(`select vehicle_id from vehicles where make = 'Mine'`), [])
  const before = await vehicleCount()
  assert.equal((await call('POST', '/telemetry', reading({ vehicle_id: 'mine', sub_client_id: 'south' }), pinned)).status, 404)
  assert.equal(await vehicleCount(), before)
})

test('a device creates no vehicle by naming it, unless its reseller allows it: the reading is stored under the device, the name in `extra`', async () => {
  const before = await vehicleCount()
  const [outcome] = await speak(DEVICE, { vehicle_id: 'made up 1', extra: { slot: 4 } })
  assert.ok(outcome?.status === 'stored')
  assert.deepEqual([outcome.deviceId, outcome.vehicleId, outcome.subClientId], [DEVICE, undefined, 'north'])
  assert.deepEqual(outcome.warnings, [{ field: 'vehicle_id', kind: 'unknown vehicle' }])
  const [row] = await run('select attributes from readings where device_id = $1 and vehicle_id is null', DEVICE)
  assert.deepEqual(row?.['attributes'], { extra: { slot: 4, vehicle_id: 'made up 1' } })
  assert.equal(await vehicleCount(), before)
  // Nor does a key that may only track.
  const tracking = await makeKey(['tracking:write'])
  const tracked = await call('POST', '/track', reading({ device_id: DEVICE, vehicle_id: 'made up 2', lat: 1, lon: 2 }), tracking)
  assert.deepEqual([tracked.status, tracked.body.vehicle_id, await vehicleCount()], [200, null, before])
  assert.deepEqual(tracked.body.warnings, [
    { field: 'vehicle_id', reason: 'unknown, kept in extra; there is no such vehicle, and the sender may not create one' },
  ])
  // One with telemetry:write keeps the right.
  const made = await call('POST', '/telemetry', reading({ device_id: DEVICE, vehicle_id: 'made by a key' }))
  assert.match(made.body.vehicle_id ?? '', /^veh-/)
  assert.equal(await vehicleCount(), before + 1)
})

test('nothing is stored of a retired vehicle: a device’s reading is kept under the device, one without a device is refused', async () => {
  await run(
    `insert into vehicles (reseller_id, vehicle_id, external_ref, status) values ($1, 'veh-retired01', 'sold van', 'retired')`,
    RESELLER,
  )
  const [outcome] = await speak(DEVICE, { vehicle_id: 'sold van' })
  assert.ok(outcome?.status === 'stored')
  assert.deepEqual([outcome.vehicleId, outcome.warnings], [undefined, [{ field: 'vehicle_id', kind: 'retired vehicle' }]])
  const refused = await call('POST', '/telemetry', reading({ vehicle_id: 'veh-retired01' }))
  assert.deepEqual([refused.status, codeOf(refused), await storedFor('veh-retired01')], [409, 'conflict', 0])
})

test('a vehicle that is retired is another sub-client’s all the same, and one that is retired now takes nothing from now on', async () => {
  await run(`update vehicles set status = 'retired' where vehicle_id = 'veh-south0001'`)
  directory.forget(RESELLER)
  assert.deepEqual(codesOf(await speak(DEVICE, { vehicle_id: 'south van' })), ['vehicle_of_other_sub_client'])
  assert.deepEqual(codesOf(await speak(OTHER_DEVICE, { vehicle_id: 'south van' })), ['vehicle_of_other_sub_client'])
  await run(`update vehicles set status = 'active' where vehicle_id = 'veh-south0001'`)
  directory.forget(RESELLER)

  const speakOf = async () => {
    const [outcome] = await speak(DEVICE, { vehicle_id: 'north van' })
    return outcome?.status === 'stored' ? outcome.vehicleId : outcome
  }
  assert.equal(await speakOf(), 'veh-north0001')
  assert.equal((await call('DELETE', '/vehicles/veh-north0001', {})).status, 200)
  assert.equal(await speakOf(), undefined)
  assert.equal((await call('PUT', '/vehicles/veh-north0001', { status: 'active' })).status, 200)
  assert.equal(await speakOf(), 'veh-north0001')
})

test('a device of no sub-client that its reseller linked to a vehicle of one may name that vehicle', async () => {
  await run(`update devices set vehicle_id = 'veh-south0001' where device_id = $1`, OTHER_DEVICE)
  directory.forget(RESELLER)
  const outcomes = await speak(OTHER_DEVICE, {}, { vehicle_id: 'south van' }, { vehicle_id: 'north van' })
  assert.deepEqual(codesOf(outcomes), ['stored', 'stored', 'vehicle_of_other_sub_client'])
  await run('update devices set vehicle_id = null where device_id = $1', OTHER_DEVICE)
  directory.forget(RESELLER)
})

test('a vehicle that another sub-client named in the same moment, in another process, is not reached by a key that is pinned', async () => {
  // A process that has not heard of the vehicle yet.
  const late = createIngestPipeline({ ...pipelineDeps, directory: { ...directory, findVehicle: () => undefined } })
  const { inbound } = decodeMessage(
    Buffer.from(JSON.stringify(reading({ vehicle_id: 'south van' }))),
    { resellerId: RESELLER, deviceId: DEVICE },
    defaultMqttLimits,
    now(),
  )
  const before = await storedFor('veh-south0001')
  for (const { senderDeviceId: _, ...record } of inbound) {
    assert.deepEqual(codesOf(await late.ingest([{ ...record, subClientPin: 'north' }])), ['not_found'])
    assert.deepEqual(codesOf(await late.ingest([{ ...record, record: { ...(record.record as object), sub_client_id: 'north' } }])), [
      'vehicle_of_other_sub_client',
    ])
  }
  assert.equal(await storedFor('veh-south0001'), before)
})

test('nothing is taken for a vehicle of a sub-client that is suspended, named without it', async () => {
  await run(`update sub_clients set status = 'suspended' where sub_client_id = 'south'`)
  directory.forget(RESELLER)
  const before = await storedFor('veh-south0001')
  const refused = await call('POST', '/telemetry', reading({ vehicle_id: 'south van' }))
  assert.deepEqual([refused.status, codeOf(refused), await storedFor('veh-south0001')], [403, 'sub_client_suspended', before])
  await run(`update sub_clients set status = 'active' where sub_client_id = 'south'`)
  directory.forget(RESELLER)
})

test('no vehicle is created in a sub-client for a record that is refused', async () => {
  const before = await vehicleCount()
  await run(`update sub_clients set status = 'suspended' where sub_client_id = 'south'`)
  directory.forget(RESELLER)
  const refused = await call('POST', '/telemetry', reading({ device_id: OTHER_DEVICE, vehicle_id: 'new 1', sub_client_id: 'south' }))
  assert.deepEqual([refused.status, codeOf(refused)], [403, 'sub_client_suspended'])
  await run(`update sub_clients set status = 'active' where sub_client_id = 'south'`)
  directory.forget(RESELLER)
  const foreign = await call('POST', '/telemetry', reading({ device_id: DEVICE, vehicle_id: 'new 2', sub_client_id: 'south' }))
  assert.deepEqual([foreign.status, codeOf(foreign)], [400, 'invalid_request'])
  assert.equal(await vehicleCount(), before)
})

test('where the reseller allows it devices create vehicles up to its limit, however many ask at once, in however many processes', async () => {
  await updateReseller(database, RESELLER, { deviceVehicleLimit: 5 }, systemAuthor(RESELLER, now()))
  const before = await vehicleCount()
  const processes = [1, 2, 3].map(() => createDirectory({ database, now, onFleetChanged: () => undefined }))
  const created = await Promise.all(
    processes.flatMap((process, nth) =>
      Array.from({ length: 20 }, (_, i) =>
        process.createNamedVehicle(RESELLER, { reference: `by device ${nth} ${i}`, subClientId: 'north', by: 'device' }),
      ),
    ),
  )
  assert.equal(await vehicleCount(), before + 5)
  assert.equal(new Set(created.flatMap((vehicle) => vehicle?.vehicleId ?? [])).size, 5)
  const [stored] = await speak(DEVICE, { vehicle_id: 'one too many' })
  assert.ok(stored?.status === 'stored')
  assert.deepEqual([stored.vehicleId, stored.warnings], [undefined, [{ field: 'vehicle_id', kind: 'unknown vehicle' }]])
  assert.equal(await vehicleCount(), before + 5)
  // What devices may not is not what keys may not, and a higher limit holds with the next reading.
  const byKey = await call('POST', '/telemetry', reading({ vehicle_id: 'beside the devices' }))
  assert.match(byKey.body.vehicle_id ?? '', /^veh-/)
  await updateReseller(database, RESELLER, { deviceVehicleLimit: 6 }, systemAuthor(RESELLER, now()))
  directory.forget(RESELLER)
  const [more] = await speak(DEVICE, { vehicle_id: 'one too many' })
  assert.match((more?.status === 'stored' && more.vehicleId) || '', /^veh-/)
})

test('keys too stop at a number of vehicles that were created by naming them, with an error that states it', async () => {
  const standing = Number((await run('select count(*) as n from vehicles where not registered'))[0]?.['n'])
  await run(
    `insert into vehicles (reseller_id, vehicle_id, external_ref, registered)
     select $1, 'veh-junk' || n, 'junk ' || n, false from generate_series(1, $2) n`,
    RESELLER,
    MAX_NAMED_VEHICLES - standing - 1,
  )
  directory.forget(RESELLER)
  const batch = await call('POST', '/telemetry/batch', { records: ['last', 'beyond', 'last'].map((vehicle_id) => reading({ vehicle_id })) })
  assert.deepEqual(
    batch.body.results.map(({ status, error }) => error?.code ?? status),
    ['stored', 'quota_exceeded', 'stored'],
  )
  const known = await call('POST', '/telemetry', reading({ vehicle_id: 'north van' }))
  assert.equal(known.status, 200)
})
