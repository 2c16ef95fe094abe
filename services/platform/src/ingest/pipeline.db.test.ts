// Goal: what ingest acknowledges is in the store, once, and "latest" is the newest by recorded time. Method: the real pipeline on a real
// PostgreSQL; only the directory of devices is a map, because registration has its own tests.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { selectReading } from '../readings/reading.read.sql.ts'
import { parseReadingId } from '../readings/reading-id.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { applyEffects } from './apply-effects.ts'
import { defaultGroupCommitLimits, type GroupCommitLimits } from './group-commit.ts'
import type { Inbound, Outcome } from './inbound.ts'
import { createIngestPipeline } from './pipeline.ts'
import { unlimited } from './reading-quota.ts'
import type { FleetDirectory, ResolvedDevice } from './resolve.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const { database } = await openTestDatabase({ after }, NOW)
await insertReseller(database, 'acme')
await insertReseller(database, 'rival')

const device = (deviceId: string, more: Partial<ResolvedDevice> = {}): ResolvedDevice => ({
  deviceId,
  imei: undefined,
  status: 'active',
  subClientId: undefined,
  vehicleId: undefined,
  ...more,
})

function mapDirectory(
  devices: readonly ResolvedDevice[],
  statuses: Record<string, 'active' | 'suspended'> = {},
): FleetDirectory & { activated: string[] } {
  const activated: string[] = []
  return {
    activated,
    findDevice: (resellerId, id) => (resellerId === 'acme' ? devices.find((d) => d.deviceId === id || d.imei === id) : undefined),
    findVehicle: (_resellerId, reference) => (reference.startsWith('veh-') ? { vehicleId: reference, subClientId: 'fleet-a' } : undefined),
    createNamedVehicle: async (_resellerId, { reference, subClientId }) => ({
      vehicleId: `veh-made${reference.toLowerCase()}xx`,
      subClientId,
    }),
    findSubClientStatus: (_resellerId, id) => statuses[id],
    findTimeZone: () => 'Asia/Kolkata',
    activateDevices: async (pending) => void activated.push(...pending.map(({ deviceId }) => deviceId)),
  }
}

function pipeline(directory: FleetDirectory, db: Database = database, limits: Partial<GroupCommitLimits> = {}) {
  const unstorable: unknown[] = []
  const { ingest } = createIngestPipeline({
    database: db,
    directory,
    now: () => NOW,
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: { ...defaultGroupCommitLimits, ...limits },
    onUnstorable: (error) => unstorable.push(error),
  })
  return {
    ingest,
    unstorable,
    send: (...records: object[]) => ingest(records.map((record): Inbound => ({ resellerId: 'acme', kind: 'telemetry', record }))),
  }
}

/** The database, but for how statements on a tenant's rows end, on whichever node. */
const withStatements = (query: () => Promise<never>): Database => {
  const tenantPool = () => ({ query })
  return { ...database, tenantPool, copyIn: query, onNode: () => ({ tenant: database.tenant, tenantPool, copyIn: query }) }
}

const idOf = (outcome: Outcome | undefined): string =>
  outcome !== undefined && outcome.status !== 'refused' ? outcome.readingId : assert.fail(JSON.stringify(outcome))
const codeOf = (outcome: Outcome | undefined): string =>
  outcome?.status === 'refused' ? outcome.problem.code : `not refused: ${outcome?.status}`
const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1000).toISOString()
const latest = async (sourceId: string) => {
  const { rows } = await database.systemPool.query('select * from latest_states where source_id = $1', [sourceId])
  return rows[0] as Record<string, never>
}
const usage = async () => {
  await applyEffects(database)
  const { rows } = await database.systemPool.query<{ count: string }>(
    `select coalesce(sum(count), 0) as count from usage_entries where meter = 'points_ingested'`,
  )
  return Number(rows[0]?.count)
}

test('a stored reading is found by its id, by its own reseller only, with the sub-client of its device', async () => {
  const { send } = pipeline(
    mapDirectory([device('dev-aaaaaaaa1', { subClientId: 'fleet-a', vehicleId: 'veh-aaaaaaaa1', imei: '356938035643809' })], {
      'fleet-a': 'active',
    }),
  )
  const [outcome] = await send({
    device_id: '356938035643809',
    lat: 28.6,
    lon: 77.2,
    speed: 61,
    oil_pressure: 40,
    note: 'first',
    timestamp: at(60),
  })
  const key = parseReadingId(idOf(outcome))
  assert.ok(key)
  const mine = await database.tenant('acme', (db) => selectReading(db, 'acme', key))
  assert.deepEqual([mine?.deviceId, mine?.vehicleId, mine?.subClientId], ['dev-aaaaaaaa1', 'veh-aaaaaaaa1', 'fleet-a'])
  assert.equal(mine?.signals.oilPressureKpa, 275.79028)
  assert.deepEqual(mine?.attributes.extra, { note: 'first' })
  assert.equal(await database.tenant('rival', (db) => selectReading(db, 'acme', key)), undefined)
})

test('the same content for the same device and time is one reading, metered once, also within a batch and in another key order', async () => {
  const { send } = pipeline(mapDirectory([device('dev-aaaaaaaa2')]))
  const before = await usage()
  const first = await send({ device_id: 'dev-aaaaaaaa2', rpm: 900, a: 1, b: { x: 1, y: 2 }, timestamp: at(10) })
  const again = await send(
    { timestamp: at(10), b: { y: 2, x: 1 }, a: 1, sensor_data: { engine_speed: 900 }, device_id: 'dev-aaaaaaaa2' },
    { device_id: 'dev-aaaaaaaa2', rpm: 901, timestamp: at(10) },
    { device_id: 'dev-aaaaaaaa2', rpm: 901, timestamp: at(10) },
  )
  assert.deepEqual(
    [...first, ...again].map((o) => o.status),
    ['stored', 'duplicate', 'stored', 'duplicate'],
  )
  assert.equal(idOf(first[0]), idOf(again[0]))
  assert.equal((await usage()) - before, 2)
})

test('concurrent senders of the same readings store each exactly once', async () => {
  const { send } = pipeline(mapDirectory([device('dev-aaaaaaaa3')]))
  const before = await usage()
  const batch = Array.from({ length: 50 }, (_, i) => ({ device_id: 'dev-aaaaaaaa3', rpm: 1000 + i, timestamp: at(100 + i) }))
  const outcomes = (await Promise.all(Array.from({ length: 8 }, () => send(...batch)))).flat()
  assert.equal(outcomes.filter(({ status }) => status === 'stored').length, 50)
  assert.equal(outcomes.filter(({ status }) => status === 'duplicate').length, 350)
  assert.equal((await usage()) - before, 50)
})

test('latest is the newest by recorded time for each signal, whatever the order of arrival', async () => {
  const { send } = pipeline(mapDirectory([device('dev-aaaaaaaa4')]))
  const records = [
    { rpm: 1000, coolant_temp: 80, lat: 1, lon: 1, timestamp: at(50) },
    { rpm: 1100, timestamp: at(40) },
    { coolant_temp: 85, lat: 3, lon: 3, ignition: true, timestamp: at(30) },
    { speed: 50, timestamp: at(20) },
    { coolant_temp: 400, lat: 0, lon: 0, timestamp: at(10) },
  ].map((record) => ({ device_id: 'dev-aaaaaaaa4', ...record }))
  // Deliver one by one and in batches, in several orders, to sources of their own.
  const orders = [
    [0, 1, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [2, 0, 4, 1, 3],
    [3, 0, 1, 2, 4],
  ]
  for (const [n, order] of orders.entries()) {
    const deviceId = `dev-order000${n}`
    const { send: sendOne } = pipeline(mapDirectory([device(deviceId)]))
    for (const i of order) assert.equal((await sendOne({ ...records[i], device_id: deviceId }))[0]?.status, 'stored')
    const state = await latest(deviceId)
    assert.deepEqual(
      state['signals'],
      { engineSpeedRpm: [1100, Date.parse(at(40))], coolantTempC: [85, Date.parse(at(30))], vehicleSpeedKmh: [50, Date.parse(at(20))] },
      `order ${order}`,
    )
    assert.deepEqual([state['latitude'], state['longitude'], state['fix_recorded_at']], [3, 3, new Date(at(30))])
    assert.deepEqual(state['states'], { ignition: [true, Date.parse(at(30))] })
    assert.deepEqual(state['recorded_at'], new Date(at(10)))
  }
  await send(...records)
  assert.deepEqual((await latest('dev-aaaaaaaa4'))['signals'], (await latest('dev-order0000'))['signals'])
})

test('what a device reports of one vehicle is never kept as another’s, in one batch and over several', async () => {
  const { send } = pipeline(mapDirectory([device('dev-gateway01')]))
  const of = (vehicleId: string, more: object) => ({ device_id: 'dev-gateway01', vehicle_id: vehicleId, ...more })
  await send(of('veh-aaaaaaa01', { odometer: 800_000, timestamp: at(30) }), of('veh-aaaaaaa02', { coolant_temp: 90, timestamp: at(20) }), {
    device_id: 'dev-gateway01',
    rpm: 800,
    timestamp: at(15),
  })
  await send(of('veh-aaaaaaa01', { rpm: 1000, timestamp: at(10) }))
  await send(of('veh-aaaaaaa02', { rpm: 2000, timestamp: at(5) }))
  const { rows } = await database.systemPool.query(
    `select vehicle_id, signals from latest_states where source_id like 'dev-gateway01%' order by vehicle_id`,
  )
  assert.deepEqual(rows, [
    { vehicle_id: 'veh-aaaaaaa01', signals: { odometerKm: [800_000, Date.parse(at(30))], engineSpeedRpm: [1000, Date.parse(at(10))] } },
    { vehicle_id: 'veh-aaaaaaa02', signals: { coolantTempC: [90, Date.parse(at(20))], engineSpeedRpm: [2000, Date.parse(at(5))] } },
    { vehicle_id: null, signals: { engineSpeedRpm: [800, Date.parse(at(15))] } },
  ])
  // The way to each vehicle's readings does not lead through those of the others.
  const sources = await database.systemPool.query(
    `select vehicle_id, source_id from vehicle_sources where source_id like 'dev-gateway01%' order by 1`,
  )
  assert.deepEqual(
    sources.rows,
    ['veh-aaaaaaa01', 'veh-aaaaaaa02'].map((vehicle_id) => ({ vehicle_id, source_id: `dev-gateway01.${vehicle_id}` })),
  )
})

test('what a device recorded before it was moved to its vehicle is stored, and not as that vehicle’s unless it names that vehicle', async () => {
  const movedAtMs = Date.parse(at(60))
  const { send } = pipeline(mapDirectory([device('dev-moved0001', { vehicleId: 'veh-aaaaaaa03', vehicleSinceMs: movedAtMs })]))
  const outcomes = await send(
    { device_id: 'dev-moved0001', odometer: 800_000, timestamp: at(61) },
    { device_id: 'dev-moved0001', odometer: 12_000, timestamp: at(60) },
    { device_id: 'dev-moved0001', odometer: 12_000, timestamp: at(70), vehicle_id: 'veh-aaaaaaa03' },
  )
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'refused' ? outcome.problem.code : [outcome.status, outcome.vehicleId])),
    [
      ['stored', undefined],
      ['stored', 'veh-aaaaaaa03'],
      ['stored', 'veh-aaaaaaa03'],
    ],
  )
})

test('a half bad batch stores the good half and names the reason of each bad one', async () => {
  const { send } = pipeline(mapDirectory([device('dev-aaaaaaaa5'), device('dev-aaaaaaaa6', { status: 'suspended' })], {}))
  const outcomes = await send(
    { device_id: 'dev-aaaaaaaa5', rpm: 800 },
    { device_id: 'dev-unknown00' },
    { device_id: 'dev-aaaaaaaa5', rpm: '800' },
    { device_id: 'dev-aaaaaaaa6', rpm: 800 },
    { rpm: 800 },
    { device_id: 'dev-aaaaaaaa5', sub_client_id: 'nobody', rpm: 800 },
    { device_id: 'dev-aaaaaaaa5', rpm: 801, timestamp: '2026-02-30T00:00:00Z' },
    { vehicle_id: 'truck-17', rpm: 800 },
  )
  assert.deepEqual(
    outcomes.map((o) => (o.status === 'refused' ? o.problem.code : o.status)),
    ['stored', 'device_not_found', 'invalid_request', 'device_suspended', 'invalid_request', 'not_found', 'invalid_request', 'stored'],
  )
})

test('a record cannot carry a reading to another sub-client than its device’s; where the device has none it may name one', async () => {
  const { send } = pipeline(
    mapDirectory([device('dev-aaaaaaaa9', { subClientId: 'fleet-a' }), device('dev-aaaaaaab0')], {
      'fleet-a': 'active',
      'fleet-b': 'active',
    }),
  )
  const outcomes = await send(
    { device_id: 'dev-aaaaaaaa9', sub_client_id: 'fleet-b', rpm: 1 },
    { device_id: 'dev-aaaaaaaa9', sub_client_id: 'fleet-a', rpm: 2 },
    { device_id: 'dev-aaaaaaab0', sub_client_id: 'fleet-b', rpm: 3 },
  )
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'refused' ? outcome.problem.details : outcome.subClientId)),
    [{ field: 'sub_client_id' }, 'fleet-a', 'fleet-b'],
  )
})

test('another reseller’s device does not exist, and a pinned key sees only its sub-client’s', async () => {
  const { ingest } = pipeline(
    mapDirectory([device('dev-aaaaaaaa7', { subClientId: 'fleet-a' })], { 'fleet-a': 'active', 'fleet-b': 'active' }),
  )
  const record = { device_id: 'dev-aaaaaaaa7', rpm: 700 }
  const send = async (more: Partial<Inbound>) => (await ingest([{ resellerId: 'acme', kind: 'telemetry', record, ...more }]))[0]
  assert.equal(codeOf(await send({ resellerId: 'rival' })), 'device_not_found')
  assert.equal(codeOf(await send({ subClientPin: 'fleet-b' })), 'device_not_found')
  assert.equal(codeOf(await send({ subClientPin: 'fleet-a', record: { ...record, sub_client_id: 'fleet-b' } })), 'not_found')
  assert.equal((await send({ subClientPin: 'fleet-a' }))?.status, 'stored')
})

test('a device that is connected cannot speak for another, and need not name itself', async () => {
  const { ingest } = pipeline(mapDirectory([device('dev-aaaaaaaa8', { imei: '356938035643808' }), device('dev-aaaaaaaa9')]))
  const send = async (record: object) =>
    (await ingest([{ resellerId: 'acme', kind: 'telemetry', senderDeviceId: 'dev-aaaaaaaa8', record }]))[0]
  assert.equal((await send({ rpm: 1 }))?.status, 'stored')
  assert.equal((await send({ rpm: 2, device_id: '356938035643808' }))?.status, 'stored')
  assert.equal(codeOf(await send({ rpm: 3, device_id: 'dev-aaaaaaaa9' })), 'invalid_request')
})

test('a suspended sub-client’s readings are refused, a pending device becomes active with its first', async () => {
  const directory = mapDirectory([device('dev-bbbbbbbb1', { subClientId: 'late-payer' }), device('dev-bbbbbbbb2', { status: 'pending' })], {
    'late-payer': 'suspended',
  })
  const { send } = pipeline(directory)
  assert.equal(codeOf((await send({ device_id: 'dev-bbbbbbbb1', rpm: 1 }))[0]), 'sub_client_suspended')
  assert.deepEqual(directory.activated, [])
  assert.equal((await send({ device_id: 'dev-bbbbbbbb2', rpm: 1 }))[0]?.status, 'stored')
  assert.deepEqual(directory.activated, ['dev-bbbbbbbb2'])
})

test('a reading the store cannot take is refused alone; those committed with it are stored', async () => {
  const { send, unstorable } = pipeline(mapDirectory([device('dev-bbbbbbbb3')]))
  const outcomes = await send(
    { device_id: 'dev-bbbbbbbb3', rpm: 1 },
    // Only direct callers of ingest can hand this over: every receiver refuses NUL before.
    { device_id: 'dev-bbbbbbbb3', rpm: 2, note: 'a\u0000b' },
    { device_id: 'dev-bbbbbbbb3', rpm: 3 },
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['stored', 'refused', 'stored'],
  )
  assert.equal(unstorable.length, 1)
})

test('readings of a week nobody made a partition for are stored all the same', async () => {
  const later = new Date('2031-03-05T12:00:00.000Z')
  const { ingest } = createIngestPipeline({
    database,
    directory: mapDirectory([device('dev-bbbbbbbb5')]),
    now: () => later,
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: defaultGroupCommitLimits,
    onUnstorable: assert.fail,
  })
  const records = ['2031-03-05T12:00:00Z', '2031-02-10T12:00:00Z'].map((timestamp) => ({ device_id: 'dev-bbbbbbbb5', rpm: 1, timestamp }))
  const outcomes = await ingest(records.map((record): Inbound => ({ resellerId: 'acme', kind: 'telemetry', record })))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['stored', 'stored'],
  )
})

test('a failure that is not the readings’ own fault acknowledges nothing and drops nothing', async () => {
  const broken = withStatements(() => Promise.reject(Object.assign(new Error('permission denied for table readings'), { code: '42501' })))
  const { send, unstorable } = pipeline(mapDirectory([device('dev-bbbbbbbb6')]), broken)
  await assert.rejects(send({ device_id: 'dev-bbbbbbbb6', rpm: 1 }, { device_id: 'dev-bbbbbbbb6', rpm: 2 }), /permission denied/)
  assert.deepEqual(unstorable, [])
})

test('a record without a time that is offered again with the time the receiver took it is one reading', async () => {
  const { ingest } = pipeline(mapDirectory([device('dev-bbbbbbbb7')]))
  const taken: Inbound = {
    resellerId: 'acme',
    kind: 'telemetry',
    record: { device_id: 'dev-bbbbbbbb7', rpm: 1 },
    receivedAt: new Date(NOW.getTime() - 4_000),
  }
  const [first] = await ingest([taken])
  const [again] = await ingest([taken])
  assert.deepEqual([first?.status, again?.status, idOf(first)], ['stored', 'duplicate', idOf(again)])
})

test('when the store is away nothing is acknowledged, and a full queue asks to come back', async () => {
  const away = withStatements(() => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })))
  const { send } = pipeline(mapDirectory([device('dev-bbbbbbbb4')]), away)
  await assert.rejects(send({ device_id: 'dev-bbbbbbbb4', rpm: 1 }), /ECONNREFUSED/)
  const { ingest } = pipeline(mapDirectory([device('dev-bbbbbbbb4')]), database, { maxQueuedReadings: 2 })
  const three = [1, 2, 3].map((rpm): Inbound => ({ resellerId: 'acme', kind: 'telemetry', record: { device_id: 'dev-bbbbbbbb4', rpm } }))
  await assert.rejects(ingest(three), { code: 'unavailable', retryAfterS: 1 })
  assert.equal((await ingest(three.slice(0, 2))).length, 2)
})

test('when the store hangs, what waits behind the statements that hang fails with the first of them', async () => {
  const hanging: ((error: Error) => void)[] = []
  const { ingest, queuedCount, takeMostQueued } = createIngestPipeline({
    database: {
      ...database,
      tenantPool: () => ({ query: () => new Promise((_resolve, reject) => hanging.push(reject)) }),
      // What it is asked once: whether readings are on several nodes.
      systemPool: { query: () => Promise.resolve({ rows: [], rowCount: 0 }) },
    },
    directory: mapDirectory([device('dev-bbbbbbbb5')]),
    now: () => NOW,
    window: { maxAgeMs: 1e9, maxAheadMs: 1 },
    quota: unlimited,
    limits: { ...defaultGroupCommitLimits, maxReadingsPerCommit: 1 },
    onUnstorable: assert.fail,
  })
  const send = (rpm: number) => ingest([{ resellerId: 'acme', kind: 'telemetry', record: { device_id: 'dev-bbbbbbbb5', rpm } }])
  const [first, second, ...behind] = [1, 2, 3, 4, 5].map(send)
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  assert.equal(hanging.length, defaultGroupCommitLimits.concurrentCommits)
  hanging[0]?.(new Error('Query read timeout'))
  for (const each of [first, ...behind]) await assert.rejects(each ?? Promise.resolve(), /Query read timeout/)
  assert.deepEqual([hanging.length, queuedCount()], [defaultGroupCommitLimits.concurrentCommits, 1])
  hanging[1]?.(new Error('Query read timeout'))
  await assert.rejects(second ?? Promise.resolve())
  assert.deepEqual([takeMostQueued(), takeMostQueued()], [5, 0])
})

test('a gateway that reports the same of two vehicles at one instant has sent two readings; of its own vehicle it need not name it', async () => {
  const gateway = device('dev-gateway01', { subClientId: 'fleet-a', vehicleId: 'veh-linked001', vehicleSubClientId: 'fleet-a' })
  const { send } = pipeline(mapDirectory([gateway], { 'fleet-a': 'active' }))
  const said = { device_id: 'dev-gateway01', timestamp: '2026-11-20T11:00:00Z', coolant_temp: 88 }
  const first = await send({ ...said, vehicle_id: 'veh-carried01' }, { ...said, vehicle_id: 'veh-carried02' }, said)
  assert.deepEqual(
    first.map(({ status }) => status),
    ['stored', 'stored', 'stored'],
  )
  assert.equal(new Set(first.map(idOf)).size, 3)
  const again = await send({ ...said, vehicle_id: 'veh-carried02' }, { ...said, vehicle_id: 'veh-linked001' })
  assert.deepEqual(
    again.map(({ status }) => status),
    ['duplicate', 'duplicate'],
  )
})
