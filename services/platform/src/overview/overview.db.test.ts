// Goal: the first page shows what needs somebody, how the fleet is and what changed, to each caller of what they may see. Method: a fleet that
// reported and was scored by a stand-in for the engine; work, silence and the past are written as their slices write them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Overview } from '@roadworthy/contracts/platform-v1/overview'
import { applyEffects } from '../ingest/apply-effects.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import { START_MS } from '../predictions/test-bench.ts'
import { judgedFleet } from '../predictions/test-judged-fleet.ts'
import { errorOf, startTestSurface, type TestCaller } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { overviewPlatformRoutes } from './routes.platform-v1.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (ms: number) => new Date(START_MS + ms)

type T = Parameters<typeof judgedFleet>[0]

async function openFleet(t: T) {
  const fleet = await judgedFleet(t, database)
  const { bench, hot, cool } = fleet
  const { resellerId } = bench
  const surface = await startTestSurface(t, platformSurface, [
    overviewPlatformRoutes({ database, now: bench.deps.now, offlineAfterMs: 300_000, loadAdviceBases }),
  ])
  const read = async (caller: Omit<TestCaller, 'resellerId'> = {}, query = '') => {
    // On a cluster the ledger follows the readings.
    await applyEffects(database)
    const { status, body } = await surface.as({ resellerId, ...caller }).get<Overview>(`/overview${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const insert = (table: string, row: Record<string, unknown>) => {
    const all = { reseller_id: resellerId, ...row }
    const columns = Object.keys(all)
    const values = columns.map((_, nth) => `$${nth + 1}`)
    return database.systemPool.query(`insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`, Object.values(all))
  }
  const addSchedule = (schedule_id: string, vehicle_id: string, status: string, projected_at: Date) =>
    insert('maintenance_schedules', {
      ...{ schedule_id, vehicle_id, status, projected_at, component: 'brakes', title: 'Brake pads', every_days: 90, remind_days: 7 },
      ...{ remind_km: 500, remind_engine_hours: 20, last_at: at(-90 * DAY_MS), reviewed_at: at(0), created_at: at(0), updated_at: at(0) },
    })
  const addWork = (maintenance_id: string, vehicle_id: string, more: Record<string, unknown>) =>
    insert('maintenance_records', {
      ...{ maintenance_id, vehicle_id, component: 'tyres', renewed: false, created_at: at(-DAY_MS), updated_at: at(0), ...more },
    })
  const since = (ms: number) => `?since=${at(ms).toISOString()}`
  return { ...fleet, resellerId, hot, cool, surface, read, insert, addSchedule, addWork, since }
}

const idsOf = (items: readonly { id: string }[] | undefined) => items?.map(({ id }) => id)

test('vehicles are counted by health and by connection, retired ones in neither', async (t) => {
  const { bench, read, insert } = await openFleet(t)
  await bench.addVehicle()
  await insert('vehicles', { vehicle_id: 'veh-gone', status: 'retired', retired_at: at(0) })
  const whole = await read()
  assert.deepEqual(whole.vehicles, {
    total: 3,
    health: { critical: 0, warning: 1, healthy: 1, unknown: 1 },
    connection: { online: 2, offline: 0, never: 1 },
  })
  bench.clock.nowMs += 300_001
  assert.deepEqual((await read()).vehicles.connection, { online: 0, offline: 2, never: 1 })
  assert.deepEqual((await read({ subClientPin: 'north' })).vehicles.health, { critical: 0, warning: 1, healthy: 0, unknown: 0 })
})

test('open incidents come gravest first, and those that somebody is at are counted', async (t) => {
  const { bench, hot, cool, read } = await openFleet(t)
  const first = (await read()).incidents
  assert.equal(first?.open, 1)
  const [incident] = first?.items ?? []
  assert.deepEqual(
    [incident?.vehicle, incident?.component, incident?.severity, incident?.source],
    [{ id: hot, name: null, licensePlate: null, externalRef: 'truck-1', vin: null }, 'cooling', 'high', 'engine'],
  )
  assert.ok(incident !== undefined && incident.title !== '' && incident.recommendation !== '')
  const change = (set: string) => database.systemPool.query(`update incidents set ${set} where reseller_id = $1`, [bench.resellerId])
  const copy = (id: string, severity: string, openedAt: Date, cause: string) =>
    database.systemPool.query(
      `insert into incidents (reseller_id, incident_id, vehicle_id, source, cause, component, severity, status, title, recommendation,
                              occurrences, opened_at, updated_at, resumes_as, published_live, published_severity)
       values ($1, $2, $3, 'engine', $4, 'brakes', $5, 'open', 'Brakes', 'Look at them', 1, $6, $6, 'open', true, $5)`,
      [bench.resellerId, id, cool, cause, severity, openedAt],
    )
  await copy('inc-late', 'critical', at(2000), 'a')
  await copy('inc-early', 'critical', at(1000), 'b')
  assert.deepEqual(idsOf((await read()).incidents?.items), ['inc-early', 'inc-late', incident.id])
  await change(`status = 'snoozed', snoozed_until = now() + interval '1 hour'`)
  assert.deepEqual([(await read()).incidents?.open, (await read()).incidents?.items], [0, []])
  await change(`snoozed_until = now() - interval '1 hour'`)
  assert.equal((await read()).incidents?.open, 3)
  await change(`status = 'acknowledged', snoozed_until = null`)
  assert.deepEqual((await read()).incidents, { open: 0, acknowledged: 3, items: [] })
  assert.equal((await read({ subClientPin: 'north' })).incidents?.acknowledged, 1)
})

test('work is due by schedule or by plan, overdue first, and once where it is planned for a schedule', async (t) => {
  const { hot, cool, read, addSchedule, addWork } = await openFleet(t)
  await addSchedule('sch-soon', hot, 'due_soon', at(3 * DAY_MS))
  await addSchedule('sch-ok', hot, 'ok', at(60 * DAY_MS))
  await addSchedule('sch-late', cool, 'overdue', at(-DAY_MS))
  await addWork('mnt-late', hot, { status: 'planned', due_at: at(-2 * DAY_MS), notes: 'Winter tyres' })
  await addWork('mnt-of-late', cool, { status: 'planned', due_at: at(DAY_MS), schedule_id: 'sch-late' })
  await addWork('mnt-far', hot, { status: 'planned', due_at: at(8 * DAY_MS) })
  const { work } = await read()
  assert.deepEqual([work.overdue, work.dueSoon], [2, 1])
  assert.deepEqual(idsOf(work.items), ['mnt-late', 'sch-late', 'sch-soon'])
  const [planned] = work.items
  assert.deepEqual(
    [planned?.kind, planned?.title, planned?.overdue, planned?.dueAt, planned?.vehicle.id],
    ['planned', 'Winter tyres', true, at(-2 * DAY_MS).toISOString(), hot],
  )
  assert.deepEqual(idsOf((await read({ subClientPin: 'south' })).work.items), ['sch-late'])
})

test('work that is planned for a day is overdue when that day of the reseller is over, and not at noon of it', async (t) => {
  const { hot, resellerId, read, addWork } = await openFleet(t)
  const workIn = async (timeZone: string) => {
    await database.systemPool.query('update resellers set time_zone = $2 where reseller_id = $1', [resellerId, timeZone])
    const { work } = await read()
    return [work.overdue, work.dueSoon, work.items[0]?.overdue]
  }
  const [today] = at(0).toISOString().split('T')
  await addWork('mnt-today', hot, { status: 'planned', due_at: new Date(`${today}T00:00:00Z`) })
  assert.deepEqual(await workIn('UTC'), [0, 1, false])
  // It is the next day there already.
  assert.deepEqual(await workIn('Pacific/Kiritimati'), [1, 0, true])
})

test('vehicles at risk come by the shortest remaining life, each once', async (t) => {
  const { hot, cool, read, insert } = await openFleet(t)
  await database.systemPool.query('delete from predictions where vehicle_id = any($1)', [[hot, cool]])
  const predict = (id: string, vehicle_id: string, component: string, rul_days: number) =>
    insert('predictions', {
      ...{ prediction_id: id, vehicle_id, component, issue: `${component} wears`, rul_days, rul_p10_days: rul_days / 2 },
      ...{ rul_p90_days: rul_days * 2, confidence: 0.5, severity: 'medium', created_at: at(0), updated_at: at(0) },
    })
  await predict('prd-1', hot, 'brakes', 20)
  await predict('prd-2', hot, 'cooling', 10)
  await predict('prd-3', cool, 'brakes', 14)
  const { atRisk } = await read()
  assert.deepEqual(
    atRisk?.map(({ vehicle, component, rul_days, interval, healthStatus }) => [vehicle.id, component, rul_days, interval, healthStatus]),
    [
      [hot, 'cooling', 10, [5, 20], 'warning'],
      [cool, 'brakes', 14, [7, 28], 'healthy'],
    ],
  )
  assert.equal((await read({ subClientPin: 'south' })).atRisk?.length, 1)
})

test('readings are counted by quarter-hours of the ledger, sealed or not', async (t) => {
  const { bench, read, insert } = await openFleet(t)
  const quarter = (nth: number) => at(-nth * 900_000)
  const count = (sub_client_id: string, bucket: Date, readings: number, meter = 'points_ingested') =>
    insert('usage_entries', { sub_client_id, meter, bucket, count: readings })
  // Beside the two that were reported a moment ago.
  await count('north', quarter(0), 40)
  await count('', quarter(1), 900)
  await count('north', quarter(1), 100, 'predictions')
  await count('north', quarter(24), 7)
  await insert('usage_chains', { sub_client_id: 'north', last_seq: 1, last_hash: Buffer.alloc(32) })
  await insert('usage_lines', {
    ...{ sub_client_id: 'north', seq: 1, bucket: quarter(23), meter: 'points_ingested', count: 5, hash: Buffer.alloc(32) },
  })
  bench.clock.nowMs = START_MS + 300_000
  const { throughput } = await read()
  assert.equal(throughput.quarters.length, 24)
  assert.deepEqual(throughput.quarters[0], { from: quarter(23).toISOString(), readings: 5 })
  assert.deepEqual(
    throughput.quarters.slice(-2).map(({ readings }) => readings),
    [900, 42],
  )
  assert.equal(throughput.perMinute, 47.1)
  assert.equal((await read({ subClientPin: 'north' })).throughput.perMinute, 2)
})

test('what changed since a time is counted and named, and what was so before is not', async (t) => {
  const { bench, hot, cool, read, insert, addWork, since } = await openFleet(t)
  assert.equal((await read()).changes, null)
  const changes = async (sinceMs: number, caller = {}) => (await read(caller, since(sinceMs))).changes
  const first = await changes(-HOUR_MS)
  assert.deepEqual([first?.incidentsOpened?.total, first?.incidentsOpened?.items[0]?.vehicle?.id], [1, hot])
  assert.deepEqual(first?.vehiclesWorsened, {
    total: 1,
    items: [{ vehicle: first?.incidentsOpened?.items[0]?.vehicle, healthStatus: 'warning', before: null }],
  })
  const later = await changes(HOUR_MS)
  assert.deepEqual([later?.incidentsOpened?.total, later?.vehiclesWorsened.total], [0, 0])
  await insert('health_history', { vehicle_id: hot, scored_at: at(-2 * HOUR_MS), health_score: 90, health_status: 'healthy' })
  assert.equal((await changes(-HOUR_MS))?.vehiclesWorsened.items[0]?.before, 'healthy')

  await addWork('mnt-old', hot, { status: 'completed', completed_at: at(-2 * DAY_MS), created_at: at(-2 * DAY_MS) })
  await addWork('mnt-recorded-late', hot, { status: 'completed', completed_at: at(-2 * DAY_MS), created_at: at(0) })
  await addWork('mnt-new', cool, { status: 'completed', completed_at: at(0) })
  await addWork('mnt-planned', cool, { status: 'planned' })
  assert.deepEqual(idsOf((await changes(-HOUR_MS))?.workDone.items), ['mnt-new', 'mnt-recorded-late'])

  const device = { device_type: 'obd_dongle', connection_method: 'mqtt', status: 'active', sub_client_id: 'north', vehicle_id: hot }
  for (const [device_id, is_online, changed_at] of [
    ['dev-silent00', false, at(0)],
    ['dev-before00', false, at(-DAY_MS)],
    ['dev-talking0', true, at(0)],
  ] as const) {
    await insert('devices', { device_id, ...device })
    await database.systemPool.query('delete from device_presence where device_id = $1', [device_id])
    await insert('device_presence', { device_id, is_online, changed_at })
  }
  const silent = (await changes(-HOUR_MS))?.devicesSilent
  assert.deepEqual([silent?.total, silent?.items[0]?.deviceId, silent?.items[0]?.vehicle?.id], [1, 'dev-silent00', hot])

  await database.systemPool.query(
    `update incidents set status = 'resolved', resolved_at = $2, resolved_by = 'user', resolution_reason = 'other' where reseller_id = $1`,
    [bench.resellerId, at(HOUR_MS)],
  )
  assert.equal((await changes(-HOUR_MS))?.incidentsResolved?.total, 1)
  assert.equal((await changes(2 * HOUR_MS))?.incidentsResolved?.total, 0)
  const south = await changes(-HOUR_MS, { subClientPin: 'south' })
  assert.deepEqual(
    [south?.incidentsOpened?.total, south?.vehiclesWorsened.total, south?.devicesSilent?.total, idsOf(south?.workDone.items)],
    [0, 0, 0, ['mnt-new']],
  )
})

test('what a key has no scope for is null, and another reseller is shown nothing', async (t) => {
  const { read, surface, since } = await openFleet(t)
  const { incidents, atRisk, changes, vehicles } = await read({ scopes: ['vehicles:read'] }, since(-HOUR_MS))
  assert.deepEqual([incidents, atRisk, changes?.incidentsOpened, changes?.incidentsResolved, changes?.devicesSilent], Array(5).fill(null))
  assert.equal(vehicles.total, 2)
  const { body } = await surface.as({ resellerId: 'stranger' }).get<Overview>('/overview')
  assert.deepEqual([body.vehicles.total, body.incidents?.open, body.atRisk, body.work.items], [0, 0, [], []])
})

test('the first steps turn done by what is there, and are not for people of one sub-client', async (t) => {
  const { read, insert, surface } = await openFleet(t)
  const nothing = (await surface.as({ resellerId: 'stranger' }).get<Overview>('/overview')).body.firstSteps
  assert.deepEqual(nothing, { apiKey: false, device: false, reading: false, prediction: false, webhook: false })
  assert.equal((await read({ subClientPin: 'north' })).firstSteps, null)
  assert.deepEqual((await read()).firstSteps, { apiKey: false, device: false, reading: true, prediction: true, webhook: false })
  await insert('api_keys', {
    ...{ key_id: 'key-1', name: 'k', key_sha256: Buffer.from(`of ${START_MS}`), prefix: 'p', last4: 'last', scopes: [], expires_at: at(1) },
  })
  assert.equal((await read()).firstSteps?.apiKey, false, 'it has expired')
  await database.systemPool.query(`update api_keys set expires_at = null where key_id = 'key-1'`)
  await insert('devices', { device_id: 'dev-first000', device_type: 'obd_dongle', connection_method: 'mqtt', status: 'pending' })
  const webhook = {
    endpoint_id: 'whe-1',
    url: 'https://example.com',
    secrets_sealed: Buffer.alloc(1),
    created_at: at(0),
    updated_at: at(0),
  }
  await insert('webhook_endpoints', webhook)
  assert.deepEqual((await read()).firstSteps, { apiKey: true, device: true, reading: true, prediction: true, webhook: true })
})

test('a time that is no time, or further back than a month, is refused by name', async (t) => {
  const { surface, resellerId } = await openFleet(t)
  for (const since of ['yesterday', at(-32 * DAY_MS).toISOString(), '2026-11-20T12:00:00']) {
    const answer = await surface.as({ resellerId }).get(`/overview?since=${since}`)
    assert.equal(answer.status, 400, since)
    assert.equal((errorOf(answer)['details'] as { field?: string }).field, 'since')
  }
})
