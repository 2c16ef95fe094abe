// Goal: the list by urgency begins with what must be done at once and goes on by the day by which to act, page by page, and the history of an
// incident shows who did what. Method: findings of a scripted engine, and the routes on a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { IncidentHistory } from '@roadworthy/contracts/platform-v1/incidents'
import type { Static } from 'typebox'
import { START_MS } from '../predictions/test-bench.ts'
import { errorOf } from '../predictions/test-surface.ts'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const DAY_MS = 86_400_000

type Page = {
  total: number
  incidents: { component: string; actBy: string | null; openedAt: string }[]
  pagination: { endCursor: string | null; hasNextPage: boolean }
}

test('what must be done at once comes first, then the day by which to act, whatever opened last', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const words = { what: 'Do it', why: 'It is so', risk: 'It breaks' }
  const advice = { brakes: { act: 'plan', interval: [11, 48], ...words }, battery: { act: 'stop', ...words } }
  await desk.report(
    vehicleId,
    [
      { type: 'worn', component: 'brakes', severity: 'medium' },
      { type: 'weak', component: 'battery', severity: 'medium' },
      { type: 'hot', component: 'cooling', severity: 'critical' },
      { type: 'slip', component: 'transmission', severity: 'high' },
      { type: 'dirty', component: 'intake', severity: 'low' },
      { type: 'odd', component: 'network', severity: 'info' },
      { type: 'gas', component: 'emissions', severity: 'medium' },
    ],
    (answer) => ({ ...answer, predictions: { ...answer.predictions, advice } }),
  )
  const page = async (query: string) => (await desk.api.get<Page>(`/incidents?order=urgency${query}`)).body
  const all = await page('')
  // Brakes: 11 days of life less the 7 days of lead are 4; transmission 7; emissions 30.
  const expected = ['cooling', 'battery', 'brakes', 'transmission', 'emissions', 'intake', 'network']
  assert.deepEqual(
    all.incidents.map(({ component }) => component),
    expected,
  )
  const aheadDays = all.incidents.map(({ actBy, openedAt }) => Math.round((Date.parse(actBy ?? '') - Date.parse(openedAt)) / DAY_MS))
  assert.deepEqual(aheadDays, [0, 0, 4, 7, 30, 90, 365])

  const paged: string[] = []
  let after: string | undefined
  do {
    const { incidents, total, pagination } = await page(`&limit=2${after === undefined ? '' : `&after=${after}`}`)
    assert.equal(total, expected.length)
    paged.push(...incidents.map(({ component }) => component))
    after = pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined
  } while (after !== undefined)
  assert.deepEqual(paged, expected)

  const [first] = await desk.incidents('?component=cooling')
  await desk.api.patch(`/incidents/${first?.id}`, { status: 'resolved', resolution: { reason: 'false_alarm' } })
  const left = await page('')
  assert.deepEqual([left.total, left.incidents[0]?.component], [expected.length - 1, 'battery'])
  assert.equal((await desk.incidents('?status=resolved'))[0]?.actBy, null)
  const refused = await desk.api.get('/incidents?order=urgency&status=resolved')
  assert.deepEqual([refused.status, errorOf(refused)['details']], [400, { in: 'querystring', field: 'order' }])
})

test('of two that must be done at once the graver comes first, and of equals the one that stands longer', async (t) => {
  const desk = await openDesk(t, database)
  const [one, two] = [await desk.bench.addVehicle(), await desk.bench.addVehicle()]
  await desk.report(one, [{ type: 'hot', component: 'cooling', severity: 'critical' }])
  await desk.report(two, [{ type: 'hot', component: 'cooling', severity: 'critical' }])
  const order = async () => (await desk.incidents('?order=urgency')).map(({ vehicleId }) => vehicleId)
  assert.deepEqual(await order(), [one, two])
})

test('the history of an incident shows who acknowledged, assigned and resolved it, and a stranger finds none', async (t) => {
  const desk = await openDesk(t, database)
  await desk.bench.addSubClient('north')
  const vehicleId = await desk.bench.addVehicle({ subClientId: 'north' })
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id } = await desk.only(vehicleId)
  const [anna, ben] = [await desk.addUser('usr-anna'), await desk.addUser('usr-ben')]
  for (const change of [
    { assignee: anna },
    { status: 'acknowledged', assignee: ben },
    { status: 'resolved', resolution: { reason: 'other', note: 'Sold' } },
  ]) {
    assert.equal((await desk.api.patch(`/incidents/${id}`, change)).status, 200)
  }
  type History = Static<typeof IncidentHistory>
  const { total, history } = (await desk.api.get<History>(`/incidents/${id}/history`)).body
  assert.equal(total, 3)
  const steps = history.map(({ at: _, ...step }) => step).sort((a, b) => a.action.localeCompare(b.action))
  assert.deepEqual(steps, [
    { action: 'acknowledged', by: 'key-test', assignee: ben, formerAssignee: anna },
    { action: 'assigned', by: 'key-test', assignee: anna, formerAssignee: null },
    { action: 'resolved', by: 'key-test', reason: 'other', note: 'Sold' },
  ])
  assert.equal((await desk.as({ subClientPin: 'north' }).get<History>(`/incidents/${id}/history`)).body.total, 3)
  for (const api of [desk.as({ subClientPin: 'south' }), desk.as({ resellerId: 'stranger' })]) {
    assert.equal((await api.get(`/incidents/${id}/history`)).status, 404)
  }
})

test('work of a schedule is to be done by the day it is due, also when that is over; due by use alone, by its severity', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleIds = await Promise.all([1, 2, 3].map(() => desk.bench.addVehicle()))
  for (const vehicleId of vehicleIds) await desk.report(vehicleId, [{ type: 'maintenance_due_soon', severity: 'low' }])
  const due = ['2026-12-04T05:00:00.000Z', '2026-01-20T05:00:00.000Z', undefined]
  for (const [index, vehicleId] of vehicleIds.entries()) {
    await database.systemPool.query(`update incidents set source = 'maintenance' where vehicle_id = $1`, [vehicleId])
    await database.systemPool.query(
      `update alerts set evidence = jsonb_strip_nulls(jsonb_build_object('dueAt', $2::text)) where vehicle_id = $1`,
      [vehicleId, due[index] ?? null],
    )
  }
  const shown = await desk.incidents('?order=urgency')
  const actBy = (at: number) => shown.find(({ vehicleId }) => vehicleId === vehicleIds[at])
  assert.deepEqual([actBy(0)?.actBy, actBy(1)?.actBy], [due[0], due[1]])
  assert.equal((Date.parse(actBy(2)?.actBy ?? '') - Date.parse(actBy(2)?.openedAt ?? '')) / DAY_MS, 90)
  assert.equal(shown[0]?.vehicleId, vehicleIds[1], 'what is overdue comes first')
})
