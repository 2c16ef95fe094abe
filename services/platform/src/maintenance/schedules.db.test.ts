// Goal: what falls due is published in time, once, and ends when the work is done; a score does not end it. Method: through the routes and the
// reviewing round, the clock by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { START_MS } from '../predictions/test-bench.ts'
import { errorOf } from '../predictions/test-surface.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { reviewSchedules, scheduleReviewJob } from './review-schedules.ts'
import { DAY_MS, openWorkshop, type WireAlert } from './test-workshop.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

const iso = (atMs: number) => new Date(atMs).toISOString()
const onUnjudged = (_schedule: unknown, error: unknown) => assert.fail(error as Error)
const kinds = (alerts: readonly WireAlert[]) => alerts.map(({ type, status }) => [type, status])

test('a schedule by time becomes due soon, then overdue, each an alert with its event, and ends when the work is done', async (t) => {
  const { bench, schedule, scheduleNow, review, alertsOf, standingAlertsOf, plan, complete, events } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const made = await schedule({ vehicleId, every: { days: 30 } })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  assert.deepEqual(
    [made.body.status, made.body.remind.days, made.body.last.at, made.body.next.at, made.body.next.expectedAt],
    ['ok', 6, iso(START_MS), iso(START_MS + 30 * DAY_MS), iso(START_MS + 30 * DAY_MS)],
  )
  assert.ok((await review()) >= 1)
  assert.deepEqual(await alertsOf(vehicleId), [])
  bench.clock.nowMs = START_MS + 25 * DAY_MS
  await review()
  await review()
  const [soon] = await alertsOf(vehicleId)
  assert.deepEqual([soon?.type, soon?.source, soon?.scheduleId], ['maintenance_due_soon', 'maintenance', made.body.id])
  assert.equal(soon?.message, 'Brake pads: is due on 2026-12-20')
  bench.clock.nowMs = START_MS + 30 * DAY_MS
  await review()
  await review()
  assert.deepEqual(kinds(await alertsOf(vehicleId)), [
    ['maintenance_overdue', 'open'],
    ['maintenance_due_soon', 'resolved'],
  ])
  assert.deepEqual(
    (await events('alert.created')).map(({ data }) => data['type']),
    ['maintenance_due_soon', 'maintenance_overdue'],
  )
  const record = await plan({ vehicleId, scheduleId: made.body.id })
  const doneAtMs = bench.clock.nowMs + DAY_MS
  bench.clock.nowMs = doneAtMs
  await complete(record.body.id)
  assert.deepEqual(await standingAlertsOf(vehicleId), [])
  const { last, next, status } = await scheduleNow(made.body.id)
  assert.deepEqual([last.at, next.at, status], [iso(doneAtMs), iso(doneAtMs + 30 * DAY_MS), 'ok'])
})

test('what falls due of a vehicle that is retired is reported when it is restored, and not before', async (t) => {
  const { bench, api, plan, schedule, review, alertsOf } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await schedule({ vehicleId, every: { days: 30 } })
  const setStatus = (status: string) =>
    database.systemPool.query('update vehicles set status = $2 where vehicle_id = $1', [vehicleId, status])
  await setStatus('retired')
  bench.clock.nowMs = START_MS + 31 * DAY_MS
  await review()
  assert.deepEqual(await alertsOf(vehicleId), [])
  const due = await schedule({ vehicleId, every: { days: 30 }, last: { at: '2026-01-01T08:00:00Z' } })
  assert.equal(due.body.status, 'overdue')
  await api.patch(`/maintenance/schedules/${due.body.id}`, { title: 'Pads and discs' })
  assert.deepEqual(await alertsOf(vehicleId), [], 'not by a change of its schedules either')
  await api.delete(`/maintenance/schedules/${due.body.id}`)
  await plan({ vehicleId, dueAt: '2026-12-01T09:00:00Z' })
  const done = await api.post<{ id: string }>('/maintenance', { vehicleId, component: 'tyres', status: 'completed' })
  const totals = async () => {
    const paths = ['schedules', `schedules?vehicleId=${vehicleId}`, '?status=planned', `?status=planned&vehicleId=${vehicleId}`]
    return await Promise.all(
      paths.map(async (path) => (await api.get<{ total: number }>(`/maintenance/${path}`.replace('/?', '?'))).body.total),
    )
  }
  assert.deepEqual(await totals(), [0, 1, 0, 1], 'what nobody reviews is listed where it is asked for')
  const { maintenance } = (await api.get<{ maintenance: { id: string }[] }>('/maintenance')).body
  assert.deepEqual(
    maintenance.map(({ id }) => id),
    [done.body.id],
  )
  await setStatus('active')
  assert.deepEqual(await totals(), [1, 1, 1, 1])
  await review()
  assert.deepEqual(kinds(await alertsOf(vehicleId)), [['maintenance_overdue', 'open']])
})

test('by distance it is expected by the vehicle’s own use, and overdue when its odometer passes', async (t) => {
  const { bench, schedule, scheduleNow, review, driveDaily, standingAlertsOf } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const { body: before } = await schedule({ vehicleId, every: { km: 10_000 } })
  assert.deepEqual([before.status, before.next.odometer_km], ['unknown', null])
  await driveDaily(vehicleId, [80_000])
  await review()
  const begun = await scheduleNow(before.id)
  assert.deepEqual([begun.last.odometer_km, begun.next.odometer_km, begun.status, begun.next.expectedAt], [80_000, 90_000, 'ok', null])
  await driveDaily(vehicleId, [80_200, 80_400, 80_600, 80_800, 81_000, 81_200, 81_400, 81_600])
  await review()
  const expected = await scheduleNow(before.id)
  const expectedDays = (Date.parse(String(expected.next.expectedAt)) - bench.clock.nowMs) / DAY_MS
  assert.ok(Math.abs(expectedDays - 42) < 0.1, `expected in ${expectedDays} days`)
  const kms = Array.from({ length: 16 }, (_, nth) => 81_600 + (nth + 1) * 510)
  await driveDaily(vehicleId, kms)
  await review()
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), [['maintenance_due_soon', 'open']])
  await driveDaily(vehicleId, [90_400])
  await review()
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), [['maintenance_overdue', 'open']])
})

test('scores leave the alerts of schedules alone, and reviews those of the engine', async (t) => {
  const { bench, schedule, review, standingAlertsOf } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await schedule({ vehicleId, every: { days: 30 }, last: { at: iso(START_MS - 60 * DAY_MS) } })
  const runHot = async (coolantTempC: number) => {
    bench.clock.nowMs += 60_000
    await bench.report(vehicleId, { signals: { coolantTempC } })
    assert.equal(await bench.score(), 1)
  }
  await runHot(110)
  const both = [
    ['coolant_high', 'open'],
    ['maintenance_overdue', 'open'],
  ]
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), both)
  await review()
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), both)
  for (let score = 0; score < 4; score++) await runHot(90)
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), [['maintenance_overdue', 'open']])
})

test('a person may resolve the alert; it stays so until something else is due', async (t) => {
  const { bench, schedule, review, standingAlertsOf, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await schedule({ vehicleId, every: { days: 30 }, last: { at: iso(START_MS - 25 * DAY_MS) } })
  const [soon] = await standingAlertsOf(vehicleId)
  await api.patch(`/alerts/${soon?.id}`, { status: 'resolved' })
  await review()
  assert.deepEqual(await standingAlertsOf(vehicleId), [])
  bench.clock.nowMs += 6 * DAY_MS
  await review()
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), [['maintenance_overdue', 'open']])
})

test('a new part restarts every schedule of its component; other work the one it names; older work none', async (t) => {
  const { bench, schedule, scheduleNow, done } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const last = { at: iso(START_MS - 10 * DAY_MS) }
  const pads = (await schedule({ vehicleId, every: { days: 700 }, last })).body
  const inspection = (await schedule({ vehicleId, title: 'Brake inspection', every: { days: 100 }, last })).body
  const oil = (await schedule({ vehicleId, component: 'lubrication', title: 'Oil', every: { days: 100 }, last })).body
  const lasts = async () =>
    Promise.all([pads, inspection, oil].map(async ({ id }) => (Date.parse((await scheduleNow(id)).last.at) - START_MS) / DAY_MS))
  await done({ vehicleId, renewed: false })
  assert.deepEqual(await lasts(), [-10, -10, -10])
  await done({ vehicleId, renewed: false, scheduleId: inspection.id })
  assert.deepEqual(await lasts(), [-10, 0, -10])
  await done({ vehicleId, completedAt: iso(START_MS - 20 * DAY_MS) })
  assert.deepEqual(await lasts(), [-10, 0, -10])
  bench.clock.nowMs += DAY_MS
  await done({ vehicleId })
  assert.deepEqual(await lasts(), [1, 1, -10])
})

test('work of before the vehicle reported an odometer counts from between what the schedule counted from and what is known since', async (t) => {
  const { bench, schedule, scheduleNow, done, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const other = await bench.addVehicle()
  for (const id of [vehicleId, other]) await api.post(`/vehicles/${id}/odometer`, { odometer_km: 55_000, reason: 'Read off' })
  const every = { km: 30_000 }
  const last = { at: iso(START_MS - 200 * DAY_MS), odometer_km: 30_000 }
  const { id } = (await schedule({ vehicleId, every, last })).body
  await done({ vehicleId, renewed: false, scheduleId: id, completedAt: iso(START_MS - 60 * DAY_MS) })
  assert.deepEqual((await scheduleNow(id)).last, { at: iso(START_MS - 60 * DAY_MS), odometer_km: 47_500, engine_hours: null })
  const wrong = (await schedule({ vehicleId: other, every, last: { ...last, odometer_km: 60_000 } })).body.id
  await done({ vehicleId: other, renewed: false, scheduleId: wrong, completedAt: iso(START_MS - 60 * DAY_MS) })
  assert.notEqual((await scheduleNow(wrong)).last.odometer_km, 60_000, 'an odometer that ran backwards since is no end of a line')
})

test('a schedule is changed and removed, and its alerts with it', async (t) => {
  const { bench, schedule, api, alertsOf, standingAlertsOf } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const { id } = (await schedule({ vehicleId, every: { days: 30 }, last: { at: iso(START_MS - 40 * DAY_MS) } })).body
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), [['maintenance_overdue', 'open']])
  const longer = await api.patch<Schedule>(`/maintenance/schedules/${id}`, { every: { days: 45 } })
  assert.deepEqual([longer.body.status, longer.body.remind.days], ['due_soon', 6])
  const shorter = await api.patch<Schedule>(`/maintenance/schedules/${id}`, { every: { days: 5 } })
  assert.deepEqual([shorter.body.status, shorter.body.remind.days], ['overdue', 1])
  await api.patch(`/maintenance/schedules/${id}`, { every: { days: 45 }, remind: { days: 6 } })
  assert.deepEqual(kinds(await standingAlertsOf(vehicleId)), [['maintenance_due_soon', 'open']])
  await api.patch(`/maintenance/schedules/${id}`, { title: 'Discs' })
  assert.match(String((await standingAlertsOf(vehicleId))[0]?.message), /^Discs: is due on/)
  assert.deepEqual((await api.delete(`/maintenance/schedules/${id}`)).body, { id, removed: true })
  assert.deepEqual(await standingAlertsOf(vehicleId), [])
  assert.equal((await alertsOf(vehicleId)).length, 4)
  assert.equal((await api.get(`/maintenance/schedules/${id}`)).status, 404)
})

test('two reviewers at once look at each schedule once and open one alert', async (t) => {
  const { bench, schedule, alertsOf, letReviewsAge } = await openWorkshop(t, database)
  const vehicles = await Promise.all(Array.from({ length: 20 }, () => bench.addVehicle()))
  for (const vehicleId of vehicles) await schedule({ vehicleId, every: { days: 30 } })
  bench.clock.nowMs += 40 * DAY_MS
  const now = () => new Date(bench.clock.nowMs)
  await letReviewsAge()
  await Promise.all([reviewSchedules({ database, now, onUnjudged }), reviewSchedules({ database, now, onUnjudged })])
  for (const vehicleId of vehicles) assert.deepEqual(kinds(await alertsOf(vehicleId)), [['maintenance_overdue', 'open']])
})

test('a clock of a process that is an hour ahead keeps no schedule from being looked at by others', async (t) => {
  const { bench, schedule, letReviewsAge } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await schedule({ vehicleId, every: { days: 30 } })
  const ahead = () => new Date(Date.now() + 3_600_000)
  await letReviewsAge()
  assert.ok((await reviewSchedules({ database, now: ahead, onUnjudged })) >= 1)
  assert.equal(await reviewSchedules({ database, now: ahead, onUnjudged }), 0)
  await letReviewsAge()
  assert.equal(await reviewSchedules({ database, now: () => new Date(), onUnjudged }), 1)
})

test('a schedule that cannot be judged holds up no other: it is logged once by its id, and reviewed when it can be', async (t) => {
  const { bench, schedule, scheduleNow, alertsOf, letReviewsAge } = await openWorkshop(t, database)
  const vehicles = await Promise.all(Array.from({ length: 7 }, () => bench.addVehicle()))
  const made: string[] = []
  for (const vehicleId of vehicles) made.push((await schedule({ vehicleId, every: { days: 30 } })).body.id)
  const [bad = '', badVehicle = ''] = [made[2], vehicles[2]]
  const serve = (at: string) => database.systemPool.query('update maintenance_schedules set last_at = $2 where schedule_id = $1', [bad, at])
  await serve('infinity')
  bench.clock.nowMs += 40 * DAY_MS
  const logged: object[] = []
  const log = { error: (details: object) => void logged.push(details) }
  const { run } = scheduleReviewJob({ database, now: bench.deps.now, log })
  const review = () => run({ resellerId: '_operator', kind: 'schedule_review', key: '0', failureCount: 0 }, AbortSignal.timeout(60_000))
  const isReviewed = async () => {
    assert.ok(
      logged.every((each) => 'scheduleId' in each),
      'a whole batch failed',
    )
    const { rows } = await database.systemPool.query("select 1 from maintenance_schedules where reviewed_at < now() - interval '5 minutes'")
    return rows.length === 0
  }
  for (let round = 0; round < 2; round++) {
    await letReviewsAge()
    await review()
    assert.ok(await isReviewed())
  }
  const open = [['maintenance_overdue', 'open']]
  for (const vehicleId of vehicles) assert.deepEqual(kinds(await alertsOf(vehicleId)), vehicleId === badVehicle ? [] : open)
  assert.deepEqual(
    logged.map((each) => (each as { scheduleId?: string }).scheduleId),
    [bad],
  )
  await serve(iso(START_MS))
  await letReviewsAge()
  await review()
  assert.equal((await scheduleNow(bad)).status, 'overdue')
  assert.deepEqual(kinds(await alertsOf(badVehicle)), open)
})

test('what cannot be is refused, and what is another’s is not there', async (t) => {
  const { bench, schedule, as, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const cases: [body: object, field: string | undefined][] = [
    [{ every: {} }, 'every'],
    [{ every: { days: 0 } }, 'every.days'],
    [{ every: { weeks: 1 } }, 'every.weeks'],
    [{ every: { days: 30 }, remind: { days: 30 } }, 'remind.days'],
    [{ every: { days: 30 }, last: { at: iso(START_MS + DAY_MS) } }, 'last.at'],
    [{ every: { km: 1000 }, last: { at: iso(START_MS - DAY_MS) } }, 'last.odometer_km'],
    [{ every: { days: 30 }, title: ' ' }, 'title'],
  ]
  for (const [body, field] of cases) {
    const answer = await schedule({ vehicleId, ...body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal((errorOf(answer as never)['details'] as { field?: string }).field, field, JSON.stringify(body))
  }
  const { id } = (await schedule({ vehicleId, every: { days: 30 } })).body
  for (const caller of [{ resellerId: 'stranger' }, { subClientPin: 'south' }]) {
    const outsider = as(caller)
    assert.equal((await outsider.get<{ total: number }>('/maintenance/schedules')).body.total, 0)
    for (const answer of [
      await outsider.get(`/maintenance/schedules/${id}`),
      await outsider.patch(`/maintenance/schedules/${id}`, { title: 'mine' }),
      await outsider.delete(`/maintenance/schedules/${id}`),
      await outsider.post('/maintenance/schedules', { vehicleId, component: 'brakes', title: 'mine', every: { days: 1 } }),
    ]) {
      assert.equal(answer.status, 404)
    }
  }
  const total = async (query: string) => (await api.get<{ total: number }>(`/maintenance/schedules${query}`)).body.total
  assert.deepEqual(
    [await total(''), await total('?status=ok'), await total('?status=overdue'), await total('?component=oil')],
    [1, 1, 0, 0],
  )
})

test('a list can be limited to when schedules are expected to fall due', async (t) => {
  const { bench, schedule, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const { id: soon } = (await schedule({ vehicleId, every: { days: 10 } })).body
  const { id: late } = (await schedule({ vehicleId, every: { days: 20 } })).body
  await schedule({ vehicleId, every: { km: 1_000 } })
  const found = async (query: string) => {
    const { body } = await api.get<{ total: number; schedules: Schedule[] }>(`/maintenance/schedules?${query}`)
    assert.equal(body.total, body.schedules.length)
    return new Set(body.schedules.map(({ id }) => id))
  }
  assert.deepEqual(await found(`from=${iso(START_MS + 10 * DAY_MS)}`), new Set([soon, late]))
  assert.deepEqual(await found(`to=${iso(START_MS + 20 * DAY_MS)}`), new Set([soon]))
})
