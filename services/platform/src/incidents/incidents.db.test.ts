// Goal: findings with one cause are one incident from opening to its end, whoever finds and ends them. Method: a real PostgreSQL, scores with
// an engine at the edge that reports what the test sets, and the routes that people use.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { START_MS } from '../predictions/test-bench.ts'
import { errorOf } from '../predictions/test-surface.ts'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const overheating = {
  cause: 'cooling/hot',
  component: 'cooling',
  severity: 'high',
  title: 'Overheating',
  recommendation: 'Stop',
  healthLost: 40,
  evidence: [],
}
const withIncidents = (answer: object) => ({ ...answer, incidents: [overheating] })
type WireAlert = { id: string; incidentId: string | null; status: string; resolvedBy: string | null; type: string }

test('findings that the engine puts to one cause are one incident, with its words and their evidence beside each other', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle({ subClientId: await desk.bench.addSubClient('north') })
  const reports = [
    { type: 'hot', incident: 'cooling/hot' },
    { type: 'lamp', component: 'engine', severity: 'low', incident: 'cooling/hot' },
    { type: 'dtc', component: 'engine', severity: 'critical', code: 'P0217', incident: 'cooling/hot' },
  ] as const
  await desk.report(vehicleId, reports, withIncidents)
  const incident = await desk.only(vehicleId)
  assert.deepEqual(
    [incident.component, incident.severity, incident.status, incident.title, incident.recommendation, incident.cause],
    ['cooling', 'critical', 'open', 'Overheating', 'Stop', 'cooling/hot'],
  )
  assert.deepEqual(incident.evidence.map(({ type, severity, code }) => [type, severity, code]).sort(), [
    ['dtc', 'critical', 'P0217'],
    ['hot', 'high', null],
    ['lamp', 'low', null],
  ])
  const { alerts } = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body
  assert.deepEqual(
    alerts.map(({ incidentId }) => incidentId),
    [incident.id, incident.id, incident.id],
  )
  assert.deepEqual(alerts.map(({ id }) => id).sort(), [...incident.alertIds].sort())
  const [opened, ...others] = await desk.events()
  assert.deepEqual([opened?.type, opened?.data['id'], opened?.sub_client_id, others.length], ['incident.opened', incident.id, 'north', 0])
  assert.deepEqual((await desk.api.get(`/incidents/${incident.id}`)).body, incident)
})

test('an engine that names no causes has its findings grouped by component', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [
    { type: 'hot' },
    { type: 'leak', severity: 'low' },
    { type: 'thin', component: 'brakes', incident: 'unsaid' },
  ])
  const found = await desk.incidents(`?vehicleId=${vehicleId}`)
  assert.deepEqual(found.map(({ cause, title, alertIds }) => [cause, title, alertIds.length]).sort(), [
    ['brakes', 'thin found', 1],
    ['cooling', 'hot found', 2],
  ])
  assert.match(found[0]?.recommendation ?? '', /^Have the (brakes|cooling) looked at within days\.$/)
})

test('a lamp that a code comes to explain goes over to the incident of the code; what is left without a finding ends with that reason', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const lamps = { ...overheating, cause: 'lamps', title: 'A lamp is on' }
  await desk.report(vehicleId, [{ type: 'lamp', incident: 'lamps' }], (answer) => ({ ...answer, incidents: [lamps] }))
  const before = await desk.only(vehicleId)
  await desk.report(
    vehicleId,
    [
      { type: 'lamp', incident: 'cooling/hot' },
      { type: 'dtc', code: 'P0217', incident: 'cooling/hot' },
    ],
    withIncidents,
  )
  const [now, old] = await desk.incidents(`?vehicleId=${vehicleId}`)
  assert.equal(old?.id, before.id)
  assert.deepEqual(old?.resolution, { reason: 'other', note: `It became part of ${now?.id}: Overheating`, maintenanceId: null })
  assert.equal(now?.alertIds.length, 2)
  assert.deepEqual((await desk.events()).map(({ type }) => type).sort(), ['incident.opened', 'incident.opened', 'incident.resolved'])
})

test('an incident ends with its last alert, comes back as it was within the hour, and is another after that', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const gone = async () => {
    for (let scores = 0; scores < 3; scores++) await desk.report(vehicleId, [])
  }
  for (let times = 0; times < 4; times++) {
    await desk.report(vehicleId, [{ type: 'hot' }])
    if (times === 0) await desk.api.patch(`/incidents/${(await desk.only(vehicleId)).id}`, { status: 'acknowledged' })
    assert.equal((await desk.only(vehicleId)).status, 'acknowledged')
    await gone()
    const ended = await desk.only(vehicleId)
    assert.deepEqual([ended.status, ended.resolvedBy, ended.resolution?.reason], ['resolved', 'engine', 'other'])
    assert.equal(ended.evidence[0]?.type, 'hot')
  }
  const flapping = await desk.only(vehicleId)
  assert.equal(flapping.occurrences, 4)
  assert.equal(flapping.flapping?.count, 3)
  assert.match(flapping.title, /^hot found \(comes and goes: back 3 times since 2026-/)
  assert.deepEqual(
    (await desk.events()).map(({ type }) => type),
    [...['incident.opened', 'incident.updated', 'incident.resolved'], ...['incident.updated', 'incident.resolved']],
  )
  desk.bench.clock.nowMs += 3_600_000
  await desk.report(vehicleId, [{ type: 'hot' }])
  assert.deepEqual(
    (await desk.incidents(`?vehicleId=${vehicleId}`)).map(({ status, occurrences }) => [status, occurrences]),
    [
      ['open', 1],
      ['resolved', 4],
    ],
  )
})

test('a person acknowledges, snoozes, assigns and resolves; it is audited, published, and safe to repeat', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const userId = await desk.addUser(newId('usr'))
  await desk.report(vehicleId, [{ type: 'hot' }, { type: 'leak' }])
  const { id } = await desk.only(vehicleId)
  const patch = async (body: object) => {
    const answer = await desk.api.patch(`/incidents/${id}`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  for (let twice = 0; twice < 2; twice++) {
    const acknowledged = await patch({ status: 'acknowledged', assignee: userId })
    assert.deepEqual(
      [acknowledged['status'], acknowledged['acknowledgedBy'], acknowledged['assignee']],
      ['acknowledged', 'key-test', userId],
    )
  }
  const until = inDays(2)
  for (let twice = 0; twice < 2; twice++) assert.equal((await patch({ status: 'snoozed', snoozedUntil: until }))['snoozedUntil'], until)
  assert.deepEqual(
    (await desk.incidents('?status=snoozed')).map((each) => each.id),
    [id],
  )
  // The snooze ends by the database's clock, without anybody doing anything.
  await pool.query("update incidents set snoozed_until = now() - interval '1 ms' where incident_id = $1", [id])
  const woken = await desk.only(vehicleId)
  assert.deepEqual([woken.status, woken.snoozedUntil], ['open', null])
  assert.deepEqual(
    (await desk.incidents('?status=open')).map((each) => each.id),
    [id],
  )
  assert.deepEqual(await desk.incidents('?status=snoozed'), [])
  await patch({ assignee: null })
  for (let twice = 0; twice < 2; twice++) {
    const resolved = await patch({ status: 'resolved', resolution: { reason: 'false_alarm', note: 'Sensor' } })
    assert.deepEqual(resolved['resolution'], { reason: 'false_alarm', note: 'Sensor', maintenanceId: null })
    assert.deepEqual([resolved['status'], resolved['resolvedBy']], ['resolved', 'user'])
  }
  const { alerts } = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body
  assert.deepEqual(
    alerts.map(({ status, resolvedBy }) => [status, resolvedBy]),
    [
      ['resolved', 'user'],
      ['resolved', 'user'],
    ],
  )
  const refused = await desk.api.patch(`/incidents/${id}`, { status: 'acknowledged' })
  assert.equal(refused.status, 409)
  assert.equal(errorOf(refused)['code'], 'invalid_transition')
  assert.deepEqual(errorOf(refused)['details'], { status: 'resolved', field: 'status', possible: [] })
  const audited = await desk.audited()
  assert.deepEqual(
    audited.map(({ action, actor_id }) => [action, actor_id]),
    [
      ...[
        ['incident.acknowledged', 'key-test'],
        ['incident.snoozed', 'key-test'],
        ['incident.assigned', 'key-test'],
        ['incident.resolved', 'key-test'],
      ],
    ],
  )
  assert.deepEqual(
    (await desk.events()).map(({ type, data }) => [type, data['status'], data['previousStatus']]),
    [
      ['incident.opened', 'open', undefined],
      ['incident.updated', 'acknowledged', 'open'],
      ['incident.updated', 'snoozed', 'acknowledged'],
      ['incident.updated', 'open', 'open'],
      ['incident.resolved', 'resolved', undefined],
    ],
  )
  // The resolution holds while nothing gets worse.
  await desk.report(vehicleId, [{ type: 'hot' }, { type: 'leak' }])
  assert.equal((await desk.only(vehicleId)).status, 'resolved')
  await desk.report(vehicleId, [{ type: 'hot', severity: 'critical' }, { type: 'leak' }])
  assert.deepEqual(
    (await desk.incidents(`?vehicleId=${vehicleId}`)).map(({ status, severity }) => [status, severity]),
    [
      ['open', 'critical'],
      ['resolved', 'high'],
    ],
  )
})

test('the content of a change is bounded, and what it names must be there', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  const other = await desk.bench.addVehicle()
  const gone = await desk.addUser(newId('usr'), { deactivated: true })
  await desk.report(vehicleId, [{ type: 'hot' }])
  const work = (await desk.api.post<{ id: string }>('/maintenance', { vehicleId: other, component: 'cooling', status: 'planned' })).body.id
  const { id } = await desk.only(vehicleId)
  const done = (resolution: object) => ({ status: 'resolved', resolution })
  const bad: [number, object][] = [
    ...[{}, { state: 'open' }, { status: 'closed' }, { status: 'snoozed' }, { snoozedUntil: inDays(1) }, { status: 'resolved' }].map(
      (body) => [400, body] as [number, object],
    ),
    [400, { status: 'snoozed', snoozedUntil: inDays(-1) }],
    [400, { status: 'snoozed', snoozedUntil: inDays(91) }],
    [400, { status: 'acknowledged', resolution: { reason: 'other' } }],
    [400, done({ reason: 'bored' })],
    [400, done({ reason: 'other', note: 'x'.repeat(1001) })],
    [400, done({ reason: 'other', maintenanceId: work })],
    [404, done({ reason: 'work_done', maintenanceId: work })],
    [404, done({ reason: 'work_done', maintenanceId: 'mnt-unknown' })],
    [404, { assignee: 'usr-unknown' }],
    [400, done({ reason: 'other', note: 'half of a pair: \ud83d' })],
    [404, { assignee: gone }],
    [400, { assignee: 'usr-\u0000' }],
  ]
  for (const [status, body] of bad) assert.equal((await desk.api.patch(`/incidents/${id}`, body)).status, status, JSON.stringify(body))
  assert.equal((await desk.only(vehicleId)).status, 'open')
  const { alerts } = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body
  assert.deepEqual(
    alerts.map(({ status }) => status),
    ['open'],
    'a refused change leaves its alerts',
  )
  assert.deepEqual(await desk.audited(), [])
})

test('work that a person names ends an incident as work does: what is still reported a day later opens another', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'hot' }])
  const work = (await desk.api.post<{ id: string }>('/maintenance', { vehicleId, component: 'brakes', status: 'planned' })).body.id
  const { id } = await desk.only(vehicleId)
  const answer = await desk.api.patch(`/incidents/${id}`, { status: 'resolved', resolution: { reason: 'work_done', maintenanceId: work } })
  assert.deepEqual(answer.body['resolution'], { reason: 'work_done', note: null, maintenanceId: work })
  const { alerts } = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body
  assert.deepEqual(
    alerts.map(({ resolvedBy }) => resolvedBy),
    ['maintenance'],
  )
  // By the clock of the database, which is not held by hand.
  desk.bench.clock.nowMs = Date.now() + DAY_MS + 120_000
  await desk.report(vehicleId, [{ type: 'hot' }])
  assert.deepEqual(
    (await desk.incidents(`?vehicleId=${vehicleId}`)).map(({ status }) => status),
    ['open', 'resolved'],
  )
})

test('the last alert that is resolved takes its incident with it; one that is acknowledged does nothing to it', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [
    { type: 'hot', severity: 'critical' },
    { type: 'leak', severity: 'low' },
  ])
  const alerts = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body.alerts.sort((a, b) =>
    a.type < b.type ? -1 : 1,
  )
  const move = async (nth: number, status: string) => await desk.api.patch(`/alerts/${alerts[nth]?.id}`, { status })
  for (const nth of [0, 1]) await move(nth, 'acknowledged')
  assert.equal((await desk.only(vehicleId)).status, 'open')
  await move(0, 'resolved')
  const left = await desk.only(vehicleId)
  assert.deepEqual([left.status, left.severity, left.evidence.map(({ type }) => type)], ['open', 'low', ['leak']])
  await move(1, 'resolved')
  const ended = await desk.only(vehicleId)
  assert.deepEqual([ended.status, ended.resolvedBy, ended.resolution?.note], ['resolved', 'user', 'Its last alert was resolved.'])
})

test('an incident is assigned to somebody who sees it', async (t) => {
  const desk = await openDesk(t, database)
  const [north, south] = [await desk.bench.addSubClient('north'), await desk.bench.addSubClient('south')]
  const vehicleId = await desk.bench.addVehicle({ subClientId: north })
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id } = await desk.only(vehicleId)
  const ofReseller = await desk.addUser(newId('usr'))
  const ofNorth = await desk.addUser(newId('usr'), { subClientId: north })
  const ofSouth = await desk.addUser(newId('usr'), { subClientId: south })
  const ofStranger = await (await openDesk(t, database)).addUser(newId('usr'))
  const [all, pinned] = [desk.as({}), desk.as({ subClientPin: north })]
  const assign = async (api: typeof all, assignee: string) => (await api.patch(`/incidents/${id}`, { assignee })).status
  assert.deepEqual([await assign(all, ofReseller), await assign(all, ofNorth), await assign(pinned, ofNorth)], [200, 200, 200])
  assert.deepEqual([await assign(all, ofSouth), await assign(all, ofStranger), await assign(pinned, ofReseller)], [404, 404, 404])
  assert.equal((await desk.only(vehicleId)).assignee, ofNorth)
})

test('an acknowledgement and a snooze can be taken back, which is audited', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id } = await desk.only(vehicleId)
  const patch = async (body: object) => (await desk.api.patch(`/incidents/${id}`, body)).status
  for (const body of [{ status: 'acknowledged' }, { status: 'snoozed', snoozedUntil: inDays(1) }]) {
    assert.deepEqual([await patch(body), await patch({ status: 'open' }), await patch({ status: 'open' })], [200, 200, 200])
    const { status, acknowledgedAt, snoozedUntil } = await desk.only(vehicleId)
    assert.deepEqual([status, acknowledgedAt, snoozedUntil], ['open', null, null])
  }
  assert.deepEqual(
    (await desk.audited()).map(({ action }) => action),
    ['incident.acknowledged', 'incident.reopened', 'incident.snoozed', 'incident.reopened'],
  )
  assert.equal(await patch({ status: 'resolved', resolution: { reason: 'other' } }), 200)
  assert.equal(await patch({ status: 'open' }), 409, 'what is resolved stays so')
})

test('nobody sees or moves what is not theirs', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle({ subClientId: await desk.bench.addSubClient('north') })
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id } = await desk.only(vehicleId)
  const strangers = [desk.as({ resellerId: 'stranger' }), desk.as({ subClientPin: 'south' })]
  for (const stranger of strangers) {
    assert.deepEqual((await stranger.get('/incidents')).body['incidents'], [])
    const unknown = await stranger.get('/incidents/inc-00000000000000000000')
    for (const answer of [await stranger.get(`/incidents/${id}`), await stranger.patch(`/incidents/${id}`, { status: 'acknowledged' })]) {
      assert.equal(answer.status, 404)
      assert.equal(errorOf(answer)['message'], errorOf(unknown)['message'])
    }
  }
  assert.equal((await desk.only(vehicleId)).status, 'open')
  for (const [query, found] of [
    ['subClientId=north', 1],
    ['subClientId=south', 0],
    ['component=cooling&severity=high&status=open', 1],
    ['component=fuel', 0],
    ['component=a%00b', 0],
  ]) {
    assert.equal((await desk.incidents(`?${query}`)).length, found, String(query))
  }
})

test('incidents and alerts of a suspended sub-client can be read, and not changed', async (t) => {
  const desk = await openDesk(t, database)
  const { resellerId } = desk.bench
  const vehicleId = await desk.bench.addVehicle({ subClientId: await desk.bench.addSubClient('north') })
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id, alertIds } = await desk.only(vehicleId)
  const setStatus = (status: string) =>
    pool.query("update sub_clients set status = $2 where reseller_id = $1 and sub_client_id = 'north'", [resellerId, status])
  await setStatus('suspended')
  for (const api of [desk.api, desk.as({ subClientPin: 'north' })]) {
    for (const path of [`/incidents/${id}`, `/alerts/${alertIds[0]}`]) {
      const refused = await api.patch(path, { status: 'acknowledged' })
      assert.deepEqual([refused.status, errorOf(refused)['code']], [403, 'sub_client_suspended'], path)
      assert.equal((await api.get<{ status: string }>(path)).body.status, 'open')
    }
  }
  await setStatus('active')
  for (const path of [`/alerts/${alertIds[0]}`, `/incidents/${id}`]) {
    assert.equal((await desk.api.patch(path, { status: 'acknowledged' })).status, 200)
  }
})

test('pages neither repeat nor pass over an incident', async (t) => {
  const desk = await openDesk(t, database)
  for (let nth = 0; nth < 5; nth++) await desk.report(await desk.bench.addVehicle(), [{ type: 'hot' }])
  const seen: string[] = []
  for (let after: string | null | undefined = ''; after !== undefined && after !== null; ) {
    const query: string = after === '' ? 'limit=2' : `limit=2&after=${after}`
    const { body } = await desk.api.get<{
      incidents: { id: string }[]
      total: number
      pagination: { endCursor: string; hasNextPage: boolean }
    }>(`/incidents?${query}`)
    seen.push(...body.incidents.map(({ id }) => id))
    assert.equal(body.total, 5)
    after = body.pagination.hasNextPage ? body.pagination.endCursor : undefined
  }
  assert.deepEqual([seen.length, new Set(seen).size], [5, 5])
})
