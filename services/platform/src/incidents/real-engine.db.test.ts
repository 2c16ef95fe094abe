// Goal: what the engine puts to one cause is one incident of the platform, and what it advises has a day. Method: the engine's own process. What
// belongs to which cause is the engine's matter and tested there.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import type { Health } from '@roadworthy/contracts/platform-v1/vehicles'
import type { LampStates, SignalValues } from '@roadworthy/signals/registry'
import { startRealEngine } from '../predictions/engine/test-real-engine.ts'
import { START_MS } from '../predictions/test-bench.ts'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const engineUrl = await startRealEngine({ after })
const DAY_MS = 86_400_000

const driving: SignalValues = { engineSpeedRpm: 2000, vehicleSpeedKmh: 60, coolantTempC: 90, batteryVoltageV: 14.1, odometerKm: 80_000 }

async function vehicleOnTheRoad(t: Parameters<typeof openDesk>[0], year: number) {
  const desk = await openDesk(t, database, { engineUrl })
  const vehicleId = await desk.bench.addVehicle({ year })
  const drive = async (signals: SignalValues = {}, attributes: { lamps?: LampStates; dtcCodes?: string[] } = {}) => {
    desk.bench.clock.nowMs += 60_000
    await desk.bench.report(vehicleId, { signals: { ...driving, ...signals }, attributes })
    assert.equal(await desk.bench.score(), 1)
  }
  const live = async (): Promise<Incident[]> =>
    (await desk.incidents(`?vehicleId=${vehicleId}`)).filter(({ status, severity }) => status !== 'resolved' && severity !== 'info')
  const health = async () => (await desk.api.get<Health>(`/vehicles/${vehicleId}/health`)).body
  return { ...desk, vehicleId, drive, live, health }
}

test('a lamp and the code that explains it are one incident, which advises to act today; both gone, it ends', async (t) => {
  const { drive, live, health, bench, incidents, vehicleId } = await vehicleOnTheRoad(t, 2024)
  await drive()
  assert.deepEqual(await live(), [])
  const lit = { lamps: { redStopLamp: true }, dtcCodes: ['P0217'] }
  for (let minutes = 0; minutes < 3; minutes++) await drive({}, lit)
  const [incident, ...others] = await live()
  assert.deepEqual(
    others.map(({ title }) => title),
    [],
  )
  assert.ok((incident?.evidence.length ?? 0) >= 2, JSON.stringify(incident))
  assert.deepEqual([incident?.component, incident?.severity], ['cooling', 'critical'])
  const today = new Date(bench.clock.nowMs).toISOString().slice(0, 10)
  assert.deepEqual([incident?.advice?.act, incident?.advice?.by], ['stop', today])
  assert.deepEqual((await health()).advice['cooling'], incident?.advice)
  for (let minutes = 0; minutes < 5; minutes++) await drive({}, { lamps: { redStopLamp: false }, dtcCodes: [] })
  assert.deepEqual(await live(), [])
  assert.equal((await incidents(`?vehicleId=${vehicleId}`))[0]?.resolvedBy, 'engine')
})

test('a life that runs short is an incident with its interval and a day, and the work that replaces the part ends it for good', async (t) => {
  const { drive, live, api, bench, vehicleId } = await vehicleOnTheRoad(t, 2011)
  const old = { odometerKm: 640_000 }
  await drive(old)
  const ending = async () => (await live()).filter(({ evidence }) => evidence.some(({ type }) => type === 'life_ending'))
  const before = await ending()
  const components = before.map(({ component }) => component)
  assert.ok(components.includes('engine') && components.includes('transmission'), JSON.stringify(components))
  const engine = before.find(({ component }) => component === 'engine')
  const { interval: [p10 = 0] = [], by } = engine?.advice ?? {}
  assert.equal(by, new Date(bench.clock.nowMs + Math.max(0, p10 - 7) * DAY_MS).toISOString().slice(0, 10))
  assert.ok(engine?.evidence.every(({ message }) => !/normal/i.test(message)))
  const { rows } = await database.systemPool.query<{ component: string; issue: string }>(
    'select component, issue from predictions where vehicle_id = $1',
    [vehicleId],
  )
  for (const { component, issue } of rows) assert.ok(!components.includes(component) || !/expected wear/.test(issue), issue)
  const work = { vehicleId, component: 'engine', status: 'completed', odometer_km: 640_000 }
  const { id } = (await api.post<{ id: string }>('/maintenance', work)).body
  assert.deepEqual((await api.get<Incident>(`/incidents/${engine?.id}`)).body.resolution, {
    reason: 'work_done',
    note: null,
    maintenanceId: id,
  })
  for (let days = 0; days < 3; days++) {
    bench.clock.nowMs += DAY_MS
    await drive(old)
  }
  assert.deepEqual(
    (await ending()).map(({ component }) => component),
    components.filter((component) => component !== 'engine'),
  )
})
