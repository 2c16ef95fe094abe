// Goal: people find alerts and move them, within what their key may see, and what they did stands against later answers of the engine.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { START_MS, startBench } from '../predictions/test-bench.ts'
import { errorOf, startTestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { alertPlatformRoutes } from './routes.platform-v1.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

type WireAlert = {
  id: string
  vehicleId: string
  severity: string
  status: string
  resolvedBy: string | null
  acknowledgedAt: string | null
}
type List = { total: number; alerts: WireAlert[]; pagination: { endCursor: string | null; hasNextPage: boolean } }

/** Three hot vehicles, the third critical, with an alert each, opened a second apart. */
async function hotFleet(t: Parameters<typeof startBench>[0]) {
  const bench = await startBench(t, database)
  const surface = await startTestSurface(t, platformSurface, [alertPlatformRoutes({ database, now: bench.deps.now })])
  await bench.addSubClient('north')
  const vehicles: string[] = []
  for (const [coolantTempC, subClientId] of [
    [110, 'north'],
    [110, undefined],
    [120, undefined],
  ] as const) {
    const vehicleId = await bench.addVehicle(subClientId === undefined ? {} : { subClientId })
    await bench.report(vehicleId, { signals: { coolantTempC } })
    assert.equal(await bench.score(), 1)
    vehicles.push(vehicleId)
    bench.clock.nowMs += 1000
  }
  const { resellerId } = bench
  const api = surface.as({ resellerId })
  const { alerts } = (await api.get<List>('/alerts')).body
  return { bench, vehicles, api, alerts, surface, resellerId }
}

test('alerts are listed newest first, by severity, status and vehicle, in the shape of spec §2.8', async (t) => {
  const { api, vehicles, alerts } = await hotFleet(t)
  assert.deepEqual(
    alerts.map(({ vehicleId, severity, status }) => [vehicleId, severity, status]),
    [
      [vehicles[2], 'critical', 'open'],
      [vehicles[1], 'high', 'open'],
      [vehicles[0], 'high', 'open'],
    ],
  )
  const one = (await api.get(`/alerts/${alerts[0]?.id}`)).body
  assert.equal(one['message'], 'Coolant 120 °C is above 105 °C')
  assert.equal(one['timestamp'], new Date(START_MS + 2000).toISOString())
  const totalOf = async (query: string) => (await api.get<List>(`/alerts${query}`)).body.total
  assert.equal(await totalOf('?severity=critical'), 1)
  assert.equal(await totalOf('?status=resolved'), 0)
  assert.equal(await totalOf(`?vehicleId=${vehicles[1]}`), 1)
  assert.equal(await totalOf('?vehicleId=veh-none'), 0)
  assert.equal((await api.get('/alerts?severity=dreadful')).status, 400)
})

test('a page follows the one before while alerts keep opening', async (t) => {
  const { bench, api, alerts } = await hotFleet(t)
  const first = (await api.get<List>('/alerts?limit=2')).body
  assert.equal(first.pagination.hasNextPage, true)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, { signals: { coolantTempC: 110 } })
  assert.equal(await bench.score(), 1)
  const second = (await api.get<List>(`/alerts?limit=2&after=${first.pagination.endCursor}`)).body
  assert.deepEqual(
    [...first.alerts, ...second.alerts].map(({ id }) => id),
    alerts.map(({ id }) => id),
  )
})

test('a person acknowledges and resolves; a repeat is fine; what is not possible is 409', async (t) => {
  const { bench, api, alerts } = await hotFleet(t)
  const [first, second] = alerts
  const move = (id: string | undefined, status: string) => api.patch<WireAlert>(`/alerts/${id}`, { status })
  const acknowledged = await move(first?.id, 'acknowledged')
  assert.deepEqual([acknowledged.status, acknowledged.body.status], [200, 'acknowledged'])
  const acknowledgedAt = acknowledged.body.acknowledgedAt
  bench.clock.nowMs += 5000
  assert.equal((await move(first?.id, 'acknowledged')).body.acknowledgedAt, acknowledgedAt)
  const resolved = await move(first?.id, 'resolved')
  assert.deepEqual([resolved.body.status, resolved.body.resolvedBy, resolved.body.acknowledgedAt], ['resolved', 'user', acknowledgedAt])
  assert.equal((await move(first?.id, 'resolved')).status, 200)
  const back = await api.patch(`/alerts/${first?.id}`, { status: 'acknowledged' })
  assert.deepEqual([back.status, errorOf(back)['code']], [409, 'conflict'])
  assert.equal((await move(second?.id, 'resolved')).body.status, 'resolved')
  assert.equal((await move(second?.id, 'open')).status, 400)
  assert.equal((await api.patch(`/alerts/${second?.id}`, { status: 'resolved', note: 'x' })).status, 400)
  assert.equal((await move('alr-none', 'resolved')).status, 404)
})

test('what a person resolved stays resolved while the engine goes on reporting it', async (t) => {
  const { bench, api, alerts, vehicles } = await hotFleet(t)
  const alert = alerts.find(({ vehicleId }) => vehicleId === vehicles[0])
  assert.equal((await api.patch(`/alerts/${alert?.id}`, { status: 'resolved' })).status, 200)
  bench.clock.nowMs += 30_000
  await bench.report(vehicles[0] ?? '', { signals: { coolantTempC: 110 } })
  assert.equal(await bench.score(), 1)
  const { body } = await api.get<List>(`/alerts?vehicleId=${vehicles[0]}`)
  assert.deepEqual(
    body.alerts.map(({ id, status, resolvedBy }) => [id, status, resolvedBy]),
    [[alert?.id, 'resolved', 'user']],
  )
})

test('tenant matrix: a stranger and another sub-client’s key find no alert and cannot move one', async (t) => {
  const { surface, resellerId, alerts, vehicles } = await hotFleet(t)
  for (const caller of [{ resellerId: 'stranger' }, { resellerId, subClientPin: 'south' }]) {
    const outsider = surface.as(caller)
    assert.equal((await outsider.get<List>('/alerts')).body.total, 0)
    assert.equal((await outsider.get<List>(`/alerts?vehicleId=${vehicles[0]}`)).body.total, 0)
    for (const { id } of alerts) {
      for (const answer of [await outsider.get(`/alerts/${id}`), await outsider.patch(`/alerts/${id}`, { status: 'resolved' })]) {
        assert.equal(answer.status, 404)
        assert.equal(errorOf(answer)['message'], errorOf(await outsider.get('/alerts/alr-none'))['message'])
      }
    }
  }
  const north = surface.as({ resellerId, subClientPin: 'north' })
  const { alerts: own } = (await north.get<List>('/alerts')).body
  assert.deepEqual(
    own.map(({ vehicleId }) => vehicleId),
    [vehicles[0]],
  )
  assert.equal((await north.patch(`/alerts/${own[0]?.id}`, { status: 'acknowledged' })).status, 200)
  assert.equal((await north.get('/alerts/%00')).status, 404)
})
