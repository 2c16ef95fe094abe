// Goal: what is odd about a SIM is published once, to the right people, and ends by itself. Method: the synchronisation with the emulator, which moves a
// SIM to another device, and has it use what nobody expects.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSyncBench } from '../sync/test-sync-bench.ts'
import { selectShownAnomalies } from './anomalies.sql.ts'

const DAY_MS = 86_400_000
const MB = 1_048_576
const IMEI = '356938035643809'
const DEVICE = 'dev-0000000000000001'
const bench = await openSyncBench({ after }, { sims: 12, start: '2026-11-02T06:00:00.000Z' })
const { database, emulator, call } = bench
await bench.newConnection('cisco')
await database.systemPool.query(
  "insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North'), ('acme', 'south', 'South')",
)
await database.systemPool.query(
  "insert into vehicles (reseller_id, vehicle_id, license_plate, sub_client_id) values ('acme', 'veh-1', 'MH 12', 'north')",
)
await database.systemPool.query(
  `insert into devices (reseller_id, device_id, device_type, connection_method, status, imei, vehicle_id, sub_client_id)
   values ('acme', $2, 'gps_tracker', 'mqtt', 'active', $1, 'veh-1', 'north')`,
  [IMEI, DEVICE],
)
await bench.sync()
const [sim] = (await emulator.state()).accounts[0]?.sims.filter(({ state }) => state === 'active') ?? []
assert.ok(sim)
const { iccid } = sim
assert.equal((await call('PUT', `/sims/${iccid}`, { device_id: DEVICE })).status, 200)
await emulator.patch({ sims: [{ iccid, imei: IMEI, bytes_per_day: MB }] })

/** A day later, with what the operator then reports. */
async function nextDay(patch: object = {}): Promise<void> {
  await bench.moveClock(DAY_MS)
  await emulator.patch({ sims: [{ iccid, ...patch }] })
  await bench.sync({ full: true })
  await bench.runJobs()
}

const standing = async () => {
  const { rows } = await database.systemPool.query<{ kind: string }>('select kind from sim_anomalies where ended_at is null order by kind')
  return rows.map(({ kind }) => kind)
}
const alerts = async () => {
  const { rows } = await database.systemPool.query<{ type: string; status: string; vehicle_id: string; message: string }>(
    "select type, status, vehicle_id, message from alerts where type like 'sim%' order by opened_at, type",
  )
  return rows
}
const events = async () => {
  const { rows } = await database.systemPool.query<{ data: unknown }>("select data from event_outbox where type = 'sim.anomaly'")
  return rows.map(({ data }) => data)
}

test('nothing is reported of a SIM in its device that uses what it is used to', async () => {
  for (let day = 0; day < 8; day++) await nextDay()
  assert.deepEqual(await standing(), [])
  assert.deepEqual(await alerts(), [])
})

test('a SIM in another device opens one alert of its vehicle, which ends when it is back', async () => {
  await nextDay({ imei: '490154203237518' })
  await nextDay()
  assert.deepEqual(await standing(), ['wrong_device'])
  const [alert, ...others] = await alerts()
  assert.deepEqual([alert?.type, alert?.status, alert?.vehicle_id, others.length], ['sim_wrong_device', 'open', 'veh-1', 0])
  assert.equal(alert?.message, `The operator sees SIM ${iccid} in a device with IMEI 490154203237518; it was given to ${IMEI}.`)
  assert.equal((await events()).length, 1)
  const { anomalies } = (await call('GET', `/sims/${iccid}/anomalies`)).body
  assert.deepEqual(
    anomalies.map(({ type, message }) => [type, message]),
    [['wrong_device', alert?.message]],
  )
  const { sim_id: simId } = (await call('GET', `/sims/${iccid}`)).body.sim
  const seenBy = async (subClientPin: string) =>
    (await selectShownAnomalies(database.tenantPool('acme'), { resellerId: 'acme', subClientPin }, simId)).map(({ kind }) => kind)
  assert.deepEqual(await seenBy('north'), ['wrong_device'])
  const moved = await call('PUT', `/sims/${iccid}`, { device_id: null, sub_client_id: 'south' })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(await seenBy('south'), [], 'evidence of a time in which another sub-client had the SIM')
  assert.equal((await call('PUT', `/sims/${iccid}`, { device_id: DEVICE, sub_client_id: 'north' })).status, 200)
  await nextDay({ imei: IMEI })
  assert.deepEqual(await standing(), [])
  assert.deepEqual((await call('GET', `/sims/${iccid}/anomalies`)).body.anomalies, [])
  assert.deepEqual(
    (await alerts()).map(({ status }) => status),
    ['resolved'],
  )
})

test('use far above its habit is reported, with both amounts', async () => {
  await nextDay({ add_bytes: 300 * MB })
  assert.deepEqual(await standing(), ['usage_above_habit'])
  const alert = (await alerts()).find(({ type }) => type === 'sim_usage_above_habit')
  assert.match(alert?.message ?? '', /used 30\d MB in 24 hours, usually 1 MB/)
  await nextDay()
  assert.deepEqual(await standing(), [])
})

test('traffic in safe custody is reported a day after it began, and not what was counted late', async () => {
  await nextDay({ state: 'custody' })
  await bench.moveClock(DAY_MS / 2)
  await emulator.patch({ sims: [{ iccid, add_bytes: MB }] })
  await bench.sync({ full: true })
  assert.deepEqual(await standing(), [], 'of before, counted late')
  await nextDay({ add_bytes: 3 * MB })
  assert.deepEqual(await standing(), ['traffic_in_custody'])
  assert.match(
    (await alerts()).find(({ type }) => type === 'sim_traffic_in_custody')?.message ?? '',
    /is in safe custody and used 3 MB since/,
  )
})
