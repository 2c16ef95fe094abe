// Goal: whatever finds something, the engine, a schedule or a device, also before there were incidents, it is in one; and what is advised has a day.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { adoptAlerts } from '../alerts/adopt-alerts.ts'
import { raiseDeviceAlerts } from '../alerts/raise-device-alerts.ts'
import { reviewSchedules } from '../maintenance/review-schedules.ts'
import { START_MS } from '../predictions/test-bench.ts'
import { errorOf } from '../predictions/test-surface.ts'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool
const DAY_MS = 86_400_000
type WireAlert = { id: string; incidentId: string | null; status: string; resolvedBy: string | null; type: string }

test('a life that ends is an incident, and the work that replaces the part ends both', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [
    { type: 'life_ending', component: 'brakes', severity: 'medium' },
    { type: 'thin', component: 'brakes', severity: 'low' },
  ])
  assert.equal((await desk.only(vehicleId)).title, 'life_ending found')
  const work = (await desk.api.post<{ id: string }>('/maintenance', { vehicleId, component: 'brakes', status: 'completed' })).body.id
  const incident = await desk.only(vehicleId)
  assert.deepEqual(
    [incident.status, incident.resolvedBy, incident.resolution],
    ['resolved', 'maintenance', { reason: 'work_done', note: null, maintenanceId: work }],
  )
  const { alerts } = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body
  assert.deepEqual(
    alerts.map(({ status }) => status),
    ['resolved', 'resolved'],
  )
})

test('a schedule is one incident from due soon to overdue, and ends with the work', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const { now } = desk.bench.deps
  const due = {
    vehicleId,
    component: 'brakes',
    title: 'Pads',
    every: { days: 30 },
    remind: { days: 10 },
    last: { at: new Date(desk.bench.clock.nowMs - 25 * DAY_MS).toISOString() },
  }
  const schedule = await desk.api.post<{ id: string }>('/maintenance/schedules', due)
  assert.equal(schedule.status, 200, JSON.stringify(schedule.body))
  const soon = await desk.only(vehicleId)
  assert.deepEqual(
    [soon.source, soon.cause, soon.severity, soon.title],
    ['maintenance', schedule.body.id, 'low', 'Maintenance due soon: Pads'],
  )
  desk.bench.clock.nowMs += 10 * DAY_MS
  await pool.query("update maintenance_schedules set reviewed_at = now() - interval '1 day' where reseller_id = $1", [
    desk.bench.resellerId,
  ])
  await reviewSchedules({ database, now, onUnjudged: (_schedule, error) => assert.fail(error as Error) })
  const overdue = await desk.only(vehicleId)
  assert.deepEqual([overdue.id, overdue.status, overdue.severity, overdue.title], [soon.id, 'open', 'medium', 'Maintenance overdue: Pads'])
  // It is renamed, which its incident follows, to more than a subject holds.
  const renamed = await desk.api.patch(`/maintenance/schedules/${schedule.body.id}`, { title: `Pads ${'x'.repeat(190)}` })
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
  assert.equal((await desk.only(vehicleId)).title, `Maintenance overdue: Pads ${'x'.repeat(74)}…`)
  await desk.api.patch(`/maintenance/schedules/${schedule.body.id}`, { title: 'Pads', every: { days: 40 } })
  const putOff = await desk.only(vehicleId)
  assert.deepEqual([putOff.id, putOff.severity, putOff.title], [soon.id, 'low', 'Maintenance due soon: Pads'])
  const about = { vehicleId, component: 'brakes', status: 'completed', scheduleId: schedule.body.id }
  const work = (await desk.api.post<{ id: string }>('/maintenance', about)).body.id
  const { status, resolvedBy, resolution } = await desk.only(vehicleId)
  assert.deepEqual([status, resolvedBy, resolution], ['resolved', 'maintenance', { reason: 'work_done', note: null, maintenanceId: work }])
})

test('what a device raises is an incident of its vehicle, or of the device where it is in none', async (t) => {
  const desk = await openDesk(t, database)
  const north = await desk.bench.addSubClient('north')
  const vehicleId = await desk.bench.addVehicle()
  const deviceId = newId('dev')
  const { resellerId } = desk.bench
  await pool.query(
    "insert into devices (reseller_id, device_id, device_type, connection_method, status, sub_client_id) values ($1, $2, 'obd_dongle', 'http', 'active', $3)",
    [...[resellerId, deviceId, north]],
  )
  const alarm = async (table: string, subject: object) => {
    const row = {
      reseller_id: resellerId,
      ...subject,
      event: 'sos',
      count: 1,
      first_recorded_at: desk.bench.deps.now(),
      last_recorded_at: desk.bench.deps.now(),
    }
    await pool.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [JSON.stringify(row)])
    await raiseDeviceAlerts({ database, now: desk.bench.deps.now })
  }
  await alarm('reading_alarms', { vehicle_id: vehicleId, device_id: deviceId })
  const ofVehicle = await desk.only(vehicleId)
  assert.deepEqual(
    [ofVehicle.source, ofVehicle.cause, ofVehicle.title, ofVehicle.recommendation],
    ['device', 'sos', 'SOS', 'Call the driver, and send help.'],
  )
  for (let twice = 0; twice < 2; twice++) await alarm('unlinked_device_alarms', { device_id: deviceId })
  const [loose, ...more] = (await desk.incidents()).filter((incident) => incident.vehicleId === null)
  assert.deepEqual([loose?.deviceId, loose?.status, more.length], [deviceId, 'open', 0])
  const pinned = desk.as({ subClientPin: 'north' })
  assert.deepEqual(
    (await pinned.get<{ incidents: { id: string }[] }>('/incidents')).body.incidents.map(({ id }) => id),
    [loose?.id],
  )
  assert.equal((await pinned.patch(`/incidents/${loose?.id}`, { status: 'resolved', resolution: { reason: 'other' } })).status, 200)
  await alarm('unlinked_device_alarms', { device_id: deviceId })
  assert.deepEqual(
    (await pinned.get<{ incidents: { status: string }[] }>('/incidents')).body.incidents.map(({ status }) => status).sort(),
    ['open', 'resolved'],
  )
})

test('alerts from before there were incidents, and of a process that knows none, are placed; what such a process ended ends', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'hot' }, { type: 'leak' }])
  const due = {
    vehicleId,
    component: 'brakes',
    title: 'Pads',
    every: { days: 30 },
    remind: { days: 10 },
    last: { at: new Date(desk.bench.clock.nowMs - 25 * DAY_MS).toISOString() },
  }
  await desk.api.post('/maintenance/schedules', due)
  const forget = async (only = '') => {
    await pool.query(`update alerts set incident_id = null where reseller_id = $1 ${only}`, [desk.bench.resellerId])
  }
  await forget()
  await pool.query('delete from incidents where reseller_id = $1', [desk.bench.resellerId])
  await adoptAlerts({ database, now: desk.bench.deps.now })
  const placed = await desk.incidents()
  assert.deepEqual(placed.map(({ source, alertIds }) => [source, alertIds.length]).sort(), [
    ['engine', 2],
    ['maintenance', 1],
  ])
  // One alert of two is new and unplaced: it joins the other.
  await forget("and type = 'leak'")
  await adoptAlerts({ database, now: desk.bench.deps.now })
  assert.deepEqual((await desk.incidents()).map(({ alertIds }) => alertIds.length).sort(), [1, 2])
  // The next score places as well.
  await forget("and source = 'engine'")
  await desk.report(vehicleId, [{ type: 'hot' }, { type: 'leak' }])
  assert.deepEqual((await desk.incidents('?status=open')).map(({ alertIds }) => alertIds.length).sort(), [1, 2])
  await pool.query("update alerts set status = 'resolved', resolved_at = now(), resolved_by = 'user' where reseller_id = $1", [
    desk.bench.resellerId,
  ])
  assert.ok((await adoptAlerts({ database, now: desk.bench.deps.now })) >= 2)
  assert.deepEqual(await desk.incidents('?status=open'), [])
  assert.equal(await adoptAlerts({ database, now: desk.bench.deps.now }), 0)
})

test('advice has a day by the lead time of the reseller, in the health of the vehicle and in its incident', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const plan = { act: 'plan', interval: [11, 48], what: 'Replace the pads', why: 'They are thin', risk: 'The discs wear too' }
  const stop = { act: 'stop', what: 'Stop', why: 'It boils', risk: 'The engine seizes' }
  const reports = [{ type: 'life_ending', component: 'brakes' }, { type: 'hot' }]
  await desk.report(vehicleId, reports, (answer) => ({
    ...answer,
    timestamp: desk.bench.deps.now().toISOString(),
    predictions: { ...answer.predictions, advice: { brakes: plan, cooling: stop, fuel: { ...plan, act: 'unheard-of' } } },
  }))
  type Dated = Record<string, { act: string; by?: string }>
  const adviceOf = async () => (await desk.api.get<{ advice: Dated }>(`/vehicles/${vehicleId}/health`)).body.advice
  const day = (days: number) => new Date(desk.bench.clock.nowMs + days * DAY_MS).toISOString().slice(0, 10)
  assert.deepEqual(await adviceOf(), { brakes: { ...plan, by: day(4) }, cooling: { ...stop, by: day(0) } })
  assert.deepEqual(
    (await desk.incidents('?component=brakes')).map(({ advice }) => advice?.by),
    [day(4)],
  )
  assert.deepEqual((await desk.api.get('/settings/maintenance')).body, { leadDays: 7 })
  for (const leadDays of [-1, 91, 0.5, '7']) assert.equal((await desk.api.put('/settings/maintenance', { leadDays })).status, 400)
  const pinned = await desk.as({ subClientPin: 'north' }).put('/settings/maintenance', { leadDays: 1 })
  assert.deepEqual([pinned.status, errorOf(pinned)['code']], [403, 'missing_scope'])
  assert.deepEqual((await desk.api.put('/settings/maintenance', { leadDays: 0 })).body, { leadDays: 0 })
  assert.equal((await adviceOf())['brakes']?.by, day(11))
})
