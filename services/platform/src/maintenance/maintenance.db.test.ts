// Goal: work is planned and completed once, and everything that hangs on it follows in the same moment: event, alerts, schedules, prediction,
// outcome. Method: through the routes, with a scored fleet and an engine that answers what the test wants.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { scoreDueVehicles } from '../predictions/scoring/score-due-vehicles.ts'
import { benchSettings, never, START_MS } from '../predictions/test-bench.ts'
import { errorOf } from '../predictions/test-surface.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { DAY_MS, openWorkshop } from './test-workshop.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

const iso = (atMs: number) => new Date(atMs).toISOString()

test('work is planned, found by its filters, mended and removed', async (t) => {
  const { api, bench, plan } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle({ externalRef: 'truck-1' })
  const dueAt = iso(START_MS + 10 * DAY_MS)
  const cost = { amount_minor: 845_000, currency: 'INR' }
  const planned = await plan({ vehicleId: 'truck-1', dueAt, notes: 'Front pads', cost })
  assert.equal(planned.status, 200, JSON.stringify(planned.body))
  assert.deepEqual(planned.body, {
    ...{ id: planned.body.id, vehicleId, component: 'brakes', status: 'planned', scheduleId: null, dueAt, completedAt: null },
    ...{ odometer_km: null, engine_hours: null, cost, notes: 'Front pads', condition_found: null, renewed: true, predictionId: null },
    ...{ prediction: null, createdAt: iso(START_MS), updatedAt: iso(START_MS) },
  })
  const total = async (query: string) => (await api.get<{ total: number }>(`/maintenance${query}`)).body.total
  assert.equal(await total(`?vehicleId=${vehicleId}&status=planned&component=brakes`), 1)
  assert.equal(await total('?status=completed'), 0)
  assert.equal(await total('?component=battery'), 0)
  assert.equal(await total('?vehicleId=veh-none'), 0)
  const changed = await api.patch<Maintenance>(`/maintenance/${planned.body.id}`, { dueAt: null, notes: 'Rear pads' })
  assert.deepEqual([changed.body.dueAt, changed.body.notes, changed.body.cost], [null, 'Rear pads', cost])
  const early = await api.patch(`/maintenance/${planned.body.id}`, { condition_found: 'worn' })
  assert.deepEqual([early.status, errorOf(early)['code']], [409, 'conflict'])
  assert.deepEqual((await api.delete(`/maintenance/${planned.body.id}`)).body, { id: planned.body.id, removed: true })
  assert.equal((await api.delete(`/maintenance/${planned.body.id}`)).status, 404)
})

test('what cannot be is refused with the field and what would be right', async (t) => {
  const { api, bench, plan, done, schedule } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const other = await schedule({ vehicleId: await bench.addVehicle(), every: { days: 30 } })
  const cases: [body: object, status: number, field: string | undefined][] = [
    [{ vehicleId, completedAt: iso(START_MS) }, 400, 'completedAt'],
    [{ vehicleId, odometer_km: 1 }, 400, 'odometer_km'],
    [{ vehicleId, component: 'Brakes' }, 400, 'component'],
    [{ vehicleId, status: 'canceled' }, 400, 'status'],
    [{ vehicleId, dueAt: '2026-02-30T00:00:00Z' }, 400, 'dueAt'],
    [{ vehicleId, dueAt: '0001-01-01T00:00:00Z' }, 400, 'dueAt'],
    [{ vehicleId, cost: { amount_minor: 1.5, currency: 'INR' } }, 400, 'cost.amount_minor'],
    [{ vehicleId, cost: { amount_minor: 1 } }, 400, 'cost.currency'],
    [{ vehicleId, reseller_id: 'stranger' }, 400, 'reseller_id'],
    [{ vehicleId, predictionId: 'prd-none' }, 404, undefined],
    [{ vehicleId, scheduleId: other.body.id }, 404, undefined],
    [{ vehicleId: 'veh-none' }, 404, undefined],
  ]
  for (const [body, status, field] of cases) {
    const answer = await plan(body)
    assert.equal(answer.status, status, JSON.stringify(body))
    const details = (errorOf(answer as never)['details'] ?? {}) as { field?: string }
    assert.equal(details.field, field, JSON.stringify(body))
  }
  const ahead = await done({ vehicleId, completedAt: iso(START_MS + DAY_MS) })
  assert.match(String(errorOf(ahead as never)['message']), /"completedAt" lies in the future/)
  assert.equal((await api.get<{ total: number }>('/maintenance')).body.total, 0)
})

test('completing publishes the event, resolves the alerts of the component and no other, and can be repeated', async (t) => {
  const { bench, plan, complete, alertsOf, events } = await openWorkshop(t, database)
  await bench.addSubClient('north')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  await bench.report(vehicleId, { signals: { coolantTempC: 110, odometerKm: 80_000 } })
  assert.equal(await bench.score(), 1)
  const [hot] = await alertsOf(vehicleId)
  assert.deepEqual([hot?.component, hot?.status, hot?.source], ['cooling', 'open', 'engine'])
  const brakes = await plan({ vehicleId })
  bench.clock.nowMs += 60_000
  await complete(brakes.body.id)
  assert.equal((await alertsOf(vehicleId))[0]?.status, 'open')

  const cooling = await plan({ vehicleId, component: 'cooling', notes: 'Thermostat' })
  bench.clock.nowMs += 60_000
  const body = { completedAt: iso(bench.clock.nowMs), odometer_km: 80_010, condition_found: 'failed' }
  const first = await complete(cooling.body.id, body)
  assert.deepEqual([first.status, first.body.status, first.body.odometer_km], [200, 'completed', 80_010], JSON.stringify(first.body))
  assert.deepEqual([(await alertsOf(vehicleId))[0]?.status, (await alertsOf(vehicleId))[0]?.resolvedBy], ['resolved', 'maintenance'])
  bench.clock.nowMs += 60_000
  assert.deepEqual((await complete(cooling.body.id, body)).body, first.body)
  assert.deepEqual((await complete(cooling.body.id)).body, first.body)
  const other = await complete(cooling.body.id, { ...body, odometer_km: 80_011 })
  assert.deepEqual([other.status, errorOf(other as never)['code']], [409, 'conflict'])
  assert.deepEqual(
    (await events('maintenance.completed')).map(({ data, sub_client_id }) => [data['component'], sub_client_id]),
    [
      ['brakes', 'north'],
      ['cooling', 'north'],
    ],
  )
  const { predictionId } = first.body
  assert.match(String(predictionId), /^prd-/)
  assert.deepEqual((await events('maintenance.completed'))[1]?.data, {
    ...{ vehicleId, component: 'cooling', maintenanceId: cooling.body.id, completedAt: body.completedAt },
    ...{ odometer_km: 80_010, notes: 'Thermostat', predictionId },
  })
})

test('of two that complete at once one does it, and the other answers the same', async (t) => {
  const { bench, plan, complete, events } = await openWorkshop(t, database)
  const { id } = (await plan({ vehicleId: await bench.addVehicle() })).body
  const answers = await Promise.all(Array.from({ length: 4 }, () => complete(id, { condition_found: 'worn' })))
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, answers[0]?.body])
  assert.equal((await events('maintenance.completed')).length, 1)
})

test('work is completed while the vehicle is being scored: neither stops the other, and the newest part is what is predicted', async (t) => {
  const { bench, done, schedule, events } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await schedule({ vehicleId, component: 'cooling', every: { days: 30 } })
  for (let round = 0; round < 12; round++) {
    bench.clock.nowMs += 60_000
    await bench.report(vehicleId, {
      signals: { coolantTempC: round % 2 === 0 ? 110 : 90, odometerKm: 80_000 + 2 * round, engineRunTimeS: 600 * round },
    })
    const [scored, worked] = await Promise.all([bench.score(), done({ vehicleId, component: 'cooling' })])
    // Not scored where the work came in between; it is due then.
    assert.ok(scored === 1 || (await bench.due()).length === 1)
    assert.equal(worked.status, 200, JSON.stringify(worked.body))
  }
  bench.clock.nowMs += 60_000
  await bench.score()
  assert.deepEqual([await bench.due(), bench.logged], [[], []])
  assert.equal((await events('maintenance.completed')).length, 12)
  const [part] = (bench.engine.seen.at(-1)?.['replacedParts'] ?? []) as { replacedAt: string }[]
  assert.equal(part?.replacedAt, iso(bench.clock.nowMs - 60_000))
})

test('what was being found out about a part that is replaced meanwhile is neither stored nor published; the new part is scored at once', async (t) => {
  const { api, bench, done, events } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const predictions = async () => {
    const { body } = await api.get<{ predictions: { id: string; component: string }[] }>(`/predictions?vehicleId=${vehicleId}`)
    return body.predictions.filter(({ component }) => component === 'cooling').map(({ id }) => id)
  }
  const publishedCount = async () => (await events('prediction.created')).filter(({ data }) => data['component'] === 'cooling').length
  const work = async () => assert.equal((await done({ vehicleId, component: 'cooling' })).status, 200)
  /** A round in which the work is completed after the engine has answered. */
  const scoreAround = async () => {
    await bench.letTimePass()
    const { engine } = bench.deps
    const predictBatch: typeof engine.predictBatch = async (inputs, signal) => {
      const answers = await engine.predictBatch(inputs, signal)
      await work()
      return answers
    }
    return (await scoreDueVehicles({ ...bench.deps, engine: { ...engine, predictBatch } }, benchSettings, never)).scored
  }
  const seenParts = () => (bench.engine.seen.at(-1)?.['replacedParts'] ?? []) as { replacedAt: string }[]

  await bench.report(vehicleId, { signals: { coolantTempC: 110, odometerKm: 80_000 } })
  assert.equal(await scoreAround(), 0)
  assert.deepEqual([await predictions(), await publishedCount(), seenParts()], [[], 0, []], 'of a vehicle that was never scored')
  assert.equal(await bench.score(), 1)
  const [first] = await predictions()
  assert.deepEqual([seenParts().length, await publishedCount()], [1, 1])

  bench.clock.nowMs += 60_000
  await bench.report(vehicleId, { signals: { coolantTempC: 110, odometerKm: 80_010 } })
  assert.equal(await scoreAround(), 0)
  assert.deepEqual([await predictions(), await publishedCount()], [[], 1])
  assert.equal(await bench.score(), 1)
  assert.equal(seenParts()[0]?.replacedAt, iso(bench.clock.nowMs))
  const [second, ...others] = await predictions()
  assert.ok(second !== undefined && second !== first && others.length === 0)
  assert.deepEqual([await publishedCount(), bench.logged], [2, []])
})

test('an alert that work resolved stays so while the vehicle still reports what was before; after a day it opens anew', async (t) => {
  const { bench, done, alertsOf } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const runHot = async (afterMs: number) => {
    bench.clock.nowMs += afterMs
    await bench.report(vehicleId, { signals: { coolantTempC: 110 } })
    assert.equal(await bench.score(), 1)
  }
  await runHot(0)
  await done({ vehicleId, component: 'cooling' })
  await runHot(3_600_000)
  assert.deepEqual(
    (await alertsOf(vehicleId)).map(({ status }) => status),
    ['resolved'],
  )
  await runHot(DAY_MS)
  assert.deepEqual(
    (await alertsOf(vehicleId)).map(({ status }) => status),
    ['open', 'resolved'],
  )
})

test('the prediction that stood is held against what happened; its part is gone, and the next score makes another', async (t) => {
  const { bench, done, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, { signals: { coolantTempC: 90, odometerKm: 50_000 } })
  assert.equal(await bench.score(), 1)
  type Predictions = { predictions: { id: string; component: string; rul_days: number; interval: [number, number] }[] }
  const predictionOf = async (component: string) =>
    (await api.get<Predictions>(`/predictions?vehicleId=${vehicleId}`)).body.predictions.find((each) => each.component === component)
  const [prediction] = (await api.get<Predictions>(`/predictions?vehicleId=${vehicleId}`)).body.predictions
  assert.ok(prediction !== undefined)
  bench.clock.nowMs += 12 * DAY_MS
  const { body } = await done({ vehicleId, component: prediction.component, condition_found: 'failed' })
  const [p10, p90] = prediction.interval
  assert.deepEqual(body.prediction, {
    ...{ id: prediction.id, toldAt: iso(START_MS), rul_days: prediction.rul_days, interval: prediction.interval, actual_days: 12 },
    outcome: 12 < p10 ? 'earlier' : 12 > p90 ? 'later' : 'inside',
  })
  assert.equal(await predictionOf(prediction.component), undefined)
  assert.equal(await bench.score(), 1, 'the vehicle is scored again though it reported nothing new')
  const next = await predictionOf(prediction.component)
  assert.ok(next !== undefined && next.id !== prediction.id)
  assert.deepEqual(bench.engine.seen.at(-1)?.['replacedParts'], [
    { component: prediction.component, odometerKm: 50_000, replacedAt: iso(START_MS + 12 * DAY_MS) },
  ])
})

test('an inspection keeps the age of the part, and its prediction', async (t) => {
  const { bench, done, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await bench.report(vehicleId, { signals: { coolantTempC: 90, odometerKm: 50_000 } })
  assert.equal(await bench.score(), 1)
  const list = async () => (await api.get<{ predictions: { id: string; component: string }[] }>('/predictions')).body.predictions
  const before = await list()
  const inspected = await done({ vehicleId, component: before[0]?.component, condition_found: 'sound', renewed: false })
  assert.deepEqual([inspected.body.predictionId, inspected.body.prediction], [before[0]?.id, null])
  assert.deepEqual(await list(), before)
  bench.clock.nowMs += 60_000
  assert.equal(await bench.score(), 1)
  assert.equal(bench.engine.seen.at(-1)?.['replacedParts'], undefined)
})

test('an odometer that the vehicle cannot have had is refused; left out, what it reported then is taken', async (t) => {
  const { bench, done, driveDaily, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await driveDaily(vehicleId, [80_000, 80_200, 80_400])
  const twoDaysAgo = iso(bench.clock.nowMs - 2 * DAY_MS + 12 * 3_600_000)
  assert.equal((await done({ vehicleId, completedAt: twoDaysAgo })).body.odometer_km, 80_100)
  assert.equal((await done({ vehicleId })).body.odometer_km, 80_400)
  for (const odometer_km of [8_040, 804_000]) {
    const answer = await done({ vehicleId, odometer_km })
    assert.equal(answer.status, 400)
    assert.match(String(errorOf(answer as never)['message']), /the vehicle's odometer was between 79496 and \d+ km then/)
  }
  const mended = await done({ vehicleId, odometer_km: 80_430 })
  assert.equal(mended.status, 200)
  assert.equal((await api.patch(`/maintenance/${mended.body.id}`, { odometer_km: 804_300 })).status, 400)
})

test('tenant matrix: a stranger and another sub-client’s key find, change and complete nothing', async (t) => {
  const { as, bench, plan, api } = await openWorkshop(t, database)
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  const { body: record } = await plan({ vehicleId })
  for (const caller of [{ resellerId: 'stranger' }, { subClientPin: 'south' }]) {
    const outsider = as(caller)
    assert.equal((await outsider.get<{ total: number }>('/maintenance')).body.total, 0)
    assert.equal((await outsider.get<{ total: number }>(`/maintenance?vehicleId=${vehicleId}`)).body.total, 0)
    const missing = errorOf(await outsider.get('/maintenance/mnt-none'))['message']
    for (const answer of [
      await outsider.get(`/maintenance/${record.id}`),
      await outsider.patch(`/maintenance/${record.id}`, { notes: 'mine' }),
      await outsider.post(`/maintenance/${record.id}/complete`, {}),
      await outsider.delete(`/maintenance/${record.id}`),
    ]) {
      assert.deepEqual([answer.status, errorOf(answer)['message']], [404, missing])
    }
    assert.equal((await outsider.post('/maintenance', { vehicleId, component: 'brakes', status: 'planned' })).status, 404)
  }
  assert.equal((await as({ subClientPin: 'north' }).get(`/maintenance/${record.id}`)).status, 200)
  assert.deepEqual((await api.get(`/maintenance/${record.id}`)).body, record)
  await database.systemPool.query(`update sub_clients set status = 'suspended' where reseller_id = $1 and sub_client_id = 'north'`, [
    bench.resellerId,
  ])
  const refused = await api.post(`/maintenance/${record.id}/complete`, {})
  assert.deepEqual([refused.status, errorOf(refused)['code']], [403, 'sub_client_suspended'])
})

test('pages follow each other, newest first', async (t) => {
  const { bench, plan, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    ids.unshift((await plan({ vehicleId })).body.id)
    bench.clock.nowMs += 1000
  }
  type List = { total: number; maintenance: { id: string }[]; pagination: { endCursor: string | null; hasNextPage: boolean } }
  const found: string[] = []
  let after = ''
  do {
    const { body } = await api.get<List>(`/maintenance?limit=2${after}`)
    assert.equal(body.total, 5)
    found.push(...body.maintenance.map(({ id }) => id))
    after = body.pagination.hasNextPage ? `&after=${body.pagination.endCursor}` : ''
  } while (after !== '')
  assert.deepEqual(found, ids)
})

test('a list can be limited to when work was done or is to be done', async (t) => {
  const { bench, plan, done, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const at = (days: number) => new Date(bench.clock.nowMs + days * DAY_MS).toISOString()
  const { id: early } = (await plan({ vehicleId, dueAt: at(1) })).body
  const { id: late } = (await plan({ vehicleId, dueAt: at(3) })).body
  await plan({ vehicleId })
  const { id: past } = (await done({ vehicleId, completedAt: at(-1) })).body
  const found = async (query: string) => {
    const { body } = await api.get<{ total: number; maintenance: { id: string }[] }>(`/maintenance?${query}`)
    assert.equal(body.total, body.maintenance.length)
    return body.maintenance.map(({ id }) => id).sort()
  }
  assert.deepEqual(await found(`from=${at(1)}`), [early, late].sort(), 'the beginning is in it')
  assert.deepEqual(await found(`to=${at(3)}`), [early, past].sort(), 'the end is not')
  assert.deepEqual(await found(`from=${at(0)}&to=${at(2)}&status=planned`), [early])
  for (const list of ['/maintenance', '/maintenance/schedules']) {
    const turned = await api.get(`${list}?from=${at(3)}&to=${at(1)}`)
    assert.deepEqual(
      [turned.status, errorOf(turned)['message']],
      [400, '"from" is later than "to".'],
      'nothing is in it, which looks like no work',
    )
  }
  const refused = await api.get('/maintenance?from=2026-02-31T00:00:00Z')
  assert.equal(refused.status, 400)
  assert.match(String(errorOf(refused)['message']), /"from" must be/)
})
