// Goal: what was found when the work was done shows how good predictions are and how long parts last, and shows it honestly: what did not
// fail counts as not failed, what nobody described counts nowhere. Method: fleets with known histories.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { START_MS } from '../predictions/test-bench.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { DAY_MS, openWorkshop } from './test-workshop.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

type Accuracy = { expectedCoverage: number; components: Record<string, unknown>[] }
type Lives = {
  total: number
  leftOut: number
  lives: { vehicleId: string; startedAt: string; endedAt: string; age: number; failed: boolean }[]
  pagination: { endCursor: string | null; hasNextPage: boolean }
}

test('predictions are held against failures only; what was replaced before is counted beside them', async (t) => {
  const { bench, api, done, as } = await openWorkshop(t, database)
  await bench.addSubClient('north')
  // The engine predicts 120 days, between 60 and 240, of every vehicle's brakes.
  const worked: [afterDays: number, condition_found: string | undefined][] = [
    [30, 'failed'],
    [100, 'failed'],
    [200, 'failed'],
    [250, 'failed'],
    [90, 'worn'],
    [300, 'sound'],
    [90, undefined],
  ]
  const vehicles: string[] = []
  for (const [nth] of worked.entries()) {
    const vehicleId = await bench.addVehicle(nth === 0 ? { subClientId: 'north' } : {})
    await bench.report(vehicleId, { signals: { coolantTempC: 90 } })
    vehicles.push(vehicleId)
  }
  assert.equal(await bench.score(), worked.length)
  assert.deepEqual((await api.get<Accuracy>('/predictions/accuracy')).body, { expectedCoverage: 0.8, components: [] })
  for (const [nth, [days, condition_found]] of worked.entries()) {
    bench.clock.nowMs = START_MS + days * DAY_MS
    const { status, body } = await done({ vehicleId: vehicles[nth], ...(condition_found === undefined ? {} : { condition_found }) })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const brakes = {
    ...{ component: 'brakes', failures: 4, inside: 2, coverage: 0.5, coverage95: [0.15, 0.85] },
    ...{ meanError_days: 25, meanAbsoluteError_days: 80, censored: 2, censoredLater: 1, unknown: 1 },
  }
  assert.deepEqual((await api.get<Accuracy>('/predictions/accuracy')).body.components, [brakes])
  assert.deepEqual((await api.get<Accuracy>('/predictions/accuracy?component=battery')).body.components, [])
  const [ofNorth] = (await as({ subClientPin: 'north' }).get<Accuracy>('/predictions/accuracy')).body.components
  assert.deepEqual([ofNorth?.['failures'], ofNorth?.['inside'], ofNorth?.['meanError_days']], [1, 0, -90])
  assert.deepEqual((await as({ resellerId: 'stranger' }).get<Accuracy>('/predictions/accuracy')).body.components, [])

  const { maintenance } = (
    await api.get<{ maintenance: { id: string; condition_found: string | null; prediction: { outcome: string } }[] }>('/maintenance')
  ).body
  const unknown = maintenance.find(({ condition_found }) => condition_found === null)
  assert.equal(unknown?.prediction.outcome, 'unknown')
  await api.patch(`/maintenance/${unknown?.id}`, { condition_found: 'failed' })
  const [mended] = (await api.get<Accuracy>('/predictions/accuracy')).body.components
  assert.deepEqual([mended?.['failures'], mended?.['inside'], mended?.['unknown']], [5, 3, 0])
  await api.delete(`/maintenance/${unknown?.id}`)
  assert.equal((await api.get<Accuracy>('/predictions/accuracy')).body.components[0]?.['failures'], 4)
})

test('a prediction that was published after the work is not held against it', async (t) => {
  const { bench, done, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, { signals: { coolantTempC: 90 } })
  await bench.score()
  const { body } = await done({ vehicleId, completedAt: new Date(START_MS - 3_600_000).toISOString(), condition_found: 'failed' })
  assert.deepEqual([body.prediction, typeof body.predictionId], [null, 'string'])
  assert.deepEqual((await api.get<Accuracy>('/predictions/accuracy')).body.components, [])
})

test('a record that is corrected counts as what it turned out to be: the end of a part, or an inspection', async (t) => {
  const { bench, done, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, { signals: { coolantTempC: 90 } })
  await bench.score()
  bench.clock.nowMs += 100 * DAY_MS
  const { body } = await done({ vehicleId, renewed: false, condition_found: 'sound' })
  const shown = async () => {
    const [of] = (await api.get<Accuracy>('/predictions/accuracy')).body.components
    const { prediction } = (await api.get<{ prediction: { outcome: string } | null }>(`/maintenance/${body.id}`)).body
    return [of?.['failures'], of?.['censored'], prediction?.outcome]
  }
  assert.deepEqual(await shown(), [undefined, undefined, undefined])
  await api.patch(`/maintenance/${body.id}`, { renewed: true })
  assert.deepEqual(await shown(), [0, 1, 'censored'])
  await api.patch(`/maintenance/${body.id}`, { renewed: false, condition_found: 'failed' })
  assert.deepEqual(await shown(), [1, 0, 'inside'])
  await api.patch(`/maintenance/${body.id}`, { condition_found: 'worn' })
  assert.deepEqual(await shown(), [undefined, undefined, undefined])
})

/** Brakes replaced at these ages in km, found so; the last of each vehicle still runs. */
async function fleetWithLives(t: Parameters<typeof openWorkshop>[0]) {
  const workshop = await openWorkshop(t, database)
  const { bench, done } = workshop
  const histories: (readonly (readonly [km: number, condition: string | undefined])[])[] = [
    [
      [20_000, 'worn'],
      [50_000, 'failed'],
      [95_000, 'failed'],
    ],
    [
      [40_000, 'failed'],
      [90_000, 'worn'],
      [130_000, undefined],
    ],
  ]
  const vehicles: string[] = []
  for (const history of histories) {
    const vehicleId = await bench.addVehicle()
    vehicles.push(vehicleId)
    for (const [odometer_km, condition_found] of history) {
      bench.clock.nowMs += 200 * DAY_MS
      const answer = await done({ vehicleId, odometer_km, ...(condition_found === undefined ? {} : { condition_found }) })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
  }
  return { ...workshop, vehicles }
}

test('lives run from one replacement to the next; a part that was there before has no known age', async (t) => {
  const { api, vehicles, bench, done, as } = await fleetWithLives(t)
  const list = async (query: string) => (await api.get<Lives>(`/maintenance/lives?component=brakes${query}`)).body
  const [first, second] = vehicles
  const km = await list('')
  assert.deepEqual(
    km.lives.map(({ vehicleId, age, failed }) => [vehicleId, age, failed]),
    [
      [first, 30_000, true],
      [first, 45_000, true],
      [second, 50_000, false],
    ],
  )
  // The third life of each has not driven yet, and the second of the second ended with nobody reporting how.
  assert.deepEqual([km.total, km.leftOut], [3, 3])
  bench.clock.nowMs += 10 * DAY_MS
  const days = await list('&unit=days')
  assert.deepEqual(
    days.lives.map(({ age, failed }) => [age, failed]),
    [
      [200, true],
      [200, true],
      [610, false],
      [200, false],
      [10, false],
    ],
  )
  await done({ vehicleId: first, odometer_km: 99_000, condition_found: 'sound', renewed: false })
  assert.deepEqual((await list('')).lives.at(2), { ...(await list('')).lives.at(2), vehicleId: first, age: 4_000, failed: false })
  const page = await list('&unit=days&limit=2')
  const rest = await list(`&unit=days&limit=500&after=${page.pagination.endCursor}`)
  assert.deepEqual([...page.lives, ...rest.lives], (await list('&unit=days')).lives)
  assert.deepEqual((await list('&unit=engine_hours')).lives, [])
  for (const caller of [{ resellerId: 'stranger' }, { subClientPin: 'south' }]) {
    const { body } = await as(caller).get<Lives>('/maintenance/lives?component=brakes')
    assert.deepEqual([body.total, body.lives], [0, []])
  }
  assert.equal((await api.get('/maintenance/lives')).status, 400)
})

test('as CSV they are what the fit of a life takes', async (t) => {
  const { api, vehicles } = await fleetWithLives(t)
  const { status, contentType, text } = await api.text('/maintenance/lives?component=brakes&format=csv')
  assert.deepEqual([status, contentType], [200, 'text/csv; charset=utf-8'])
  const [header, ...rows] = text.trim().split('\n')
  assert.equal(header, 'vehicle_id,started_at,ended_at,km,failed')
  assert.deepEqual(
    rows.map((row) => [row.split(',')[0], ...row.split(',').slice(3)]),
    [
      [vehicles[0], '30000', '1'],
      [vehicles[0], '45000', '1'],
      [vehicles[1], '50000', '0'],
    ],
  )
})
