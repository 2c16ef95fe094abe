// Goal: people make, change, test and read rules and their log by the API, each within what is theirs. Method: the routes over a real database, the jobs, a
// real SMTP server.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Notification, NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { vehicleGroupPlatformRoutes } from '../../fleet/vehicle-group.routes.platform-v1.ts'
import { createPost } from '../../main/mail.ts'
import { startMailServer } from '../../main/test-mail-server.ts'
import { errorOf, startTestSurface, type TestCaller } from '../../predictions/test-surface.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { openTestDatabase } from '../../test-support.ts'
import { notificationPlatformRoutes } from '../routes.platform-v1.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'

const { database } = await openTestDatabase({ after })
const { url, received } = await startMailServer({ after })
const notices = createPost({
  mailServer: { url, from: 'fleet@acme.example' },
  present: async () => ({ name: 'Acme', baseUrl: 'https://fleet.acme.example' }),
  random: () => 0,
  log: { error: () => undefined },
})
const desk = await openNotificationDesk({ after }, database, notices)
const surface = await startTestSurface({ after }, platformSurface, [
  notificationPlatformRoutes({ database }),
  vehicleGroupPlatformRoutes({ database, now: () => new Date() }),
])
const { resellerId } = desk.bench
const as = (caller: Partial<TestCaller> = {}) => surface.as({ resellerId, ...caller })
await desk.bench.addSubClient('north')
await desk.bench.addSubClient('south')
const anna = await desk.addPerson('usr-anna')
const nora = await desk.addPerson('usr-nora', { subClientId: 'north' })
const gone = await desk.addUser('usr-gone', { deactivated: true })
const plain = { name: 'Workshop', minSeverity: 'medium', recipients: [anna] }
const create = async (more: object = {}, caller: Partial<TestCaller> = {}) =>
  await as(caller).post<NotificationRule>('/notification-rules', { ...plain, ...more })
const fieldOf = (answer: Parameters<typeof errorOf>[0]) => (errorOf(answer)['details'] as { field?: string } | undefined)?.field

test('a rule is as it was given, with our ids of vehicles, and changes and goes', async () => {
  const vehicleId = await desk.bench.addVehicle({ externalRef: 'truck 7' })
  const given = {
    ...{ vehicleIds: ['truck 7', vehicleId], components: ['cooling', 'air filter'], repeatMinutes: 60, criticalAtAnyHour: true },
    ...{ workingHours: { days: [1, 2], from: '08:00', to: '24:00' }, quietHours: { from: '22:00', to: '06:00' } },
    escalation: { afterMinutes: 30, recipients: [anna, anna] },
  }
  const { status, body } = await create(given)
  assert.equal(status, 200, JSON.stringify(body))
  const { id, createdAt, updatedAt, ...fields } = body
  const kept = {
    ...plain,
    ...given,
    vehicleIds: [vehicleId],
    escalation: { afterMinutes: 30, recipients: [anna] },
    subClientId: null,
    enabled: true,
    vehicleGroupIds: null,
    digest: null,
  }
  assert.deepEqual(fields, kept)
  assert.equal(createdAt, updatedAt)
  assert.deepEqual((await as().get(`/notification-rules/${id}`)).body, body)
  const changed = await as().patch<NotificationRule>(`/notification-rules/${id}`, { enabled: false, quietHours: null, vehicleIds: null })
  assert.deepEqual({ ...changed.body, updatedAt }, { ...body, enabled: false, quietHours: null, vehicleIds: null })
  const list = await as().get<{ total: number; notificationRules: NotificationRule[] }>('/notification-rules?limit=500')
  assert.ok(list.body.notificationRules.some((rule) => rule.id === id))
  assert.equal(list.body.total, list.body.notificationRules.length)
  assert.deepEqual((await as().delete(`/notification-rules/${id}`)).body, { id, deleted: true })
  assert.equal((await as().get(`/notification-rules/${id}`)).status, 404)
})

test('what could never be sent, or to somebody who does not see it, is refused and says why', async () => {
  assert.equal(fieldOf(await create({ workingHours: { days: [1], from: '18:00', to: '08:00' } })), 'workingHours/to')
  assert.equal(fieldOf(await create({ quietHours: { from: '08:00', to: '08:00' } })), 'quietHours/to')
  const never = { workingHours: { days: [1], from: '08:00', to: '10:00' }, quietHours: { from: '07:00', to: '11:00' } }
  assert.equal(fieldOf(await create(never)), 'quietHours')
  assert.equal((await create({ quietHours: { from: '08:10', to: '09:00' } })).status, 400)
  for (const recipients of [[gone], ['usr-nobody'], [nora]]) assert.equal((await create({ recipients })).status, 404)
  assert.equal((await create({ recipients: [nora], subClientId: 'north' })).status, 200)
  assert.equal((await create({ recipients: [nora], subClientId: 'south' })).status, 404)
  assert.equal((await create({ escalation: { afterMinutes: 5, recipients: [gone] } })).status, 404)
  assert.equal((await create({ vehicleIds: ['truck of nobody'] })).status, 404)
  assert.equal((await create({ recipients: [] })).status, 400)
  for (const name of [' ', 'two\nlines', 'nul\0']) assert.equal((await create({ name })).status, 400)
})

test('a rule of somebody who left can be changed and switched off, and takes nobody else who is gone', async () => {
  const eve = await desk.addPerson('usr-eve')
  const { body: rule } = await create({ recipients: [eve, anna], escalation: { afterMinutes: 5, recipients: [eve] } })
  const path = `/notification-rules/${rule.id}`
  await database.systemPool.query('update users set deactivated_at = now() where reseller_id = $1 and user_id = $2', [resellerId, eve])
  const off = await as().patch<NotificationRule>(path, { enabled: false, name: 'Old' })
  assert.deepEqual([off.status, off.body.enabled, off.body.name, off.body.recipients], [200, false, 'Old', [eve, anna]])
  assert.equal((await as().patch(path, { recipients: [eve, gone] })).status, 404)
  assert.equal((await create({ recipients: [eve] })).status, 404)
  const without = await as().patch<NotificationRule>(path, { recipients: [anna], escalation: null })
  assert.deepEqual([without.status, without.body.recipients], [200, [anna]])
  assert.equal((await as().patch(path, { recipients: [eve] })).status, 404)
})

test('a rule about groups is about the vehicles that are in them by then, and keeps its groups from being deleted', async () => {
  const inside = await desk.bench.addVehicle()
  const outside = await desk.bench.addVehicle()
  const groupId = await desk.addGroup([inside])
  const made = await create({ name: 'Depot', vehicleGroupIds: [groupId, groupId] })
  assert.deepEqual([made.status, made.body.vehicleGroupIds, made.body.vehicleIds], [200, [groupId], null])
  desk.bench.clock.nowMs = Date.now() + 1_000
  const sentFor = async (vehicleId: string) => {
    await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }])
    await desk.settle()
    const { id } = await desk.only(vehicleId)
    const { body } = await as().get<{ notifications: Notification[] }>(`/notifications?ruleId=${made.body.id}&incidentId=${id}`)
    return body.notifications.length
  }
  assert.deepEqual([await sentFor(inside), await sentFor(outside)], [1, 0])
  const group = `/vehicle-groups/${groupId}`
  await as().patch(group, { addVehicleIds: [await desk.bench.addVehicle({ externalRef: 'late' })], removeVehicleIds: [inside] })
  const refused = await as().delete(group)
  assert.deepEqual([refused.status, errorOf(refused)['details']], [409, { rules: ['Depot'] }])
  assert.deepEqual(
    (await as().patch<NotificationRule>(`/notification-rules/${made.body.id}`, { vehicleGroupIds: null })).body.vehicleGroupIds,
    null,
  )
  assert.equal((await as().delete(group)).status, 200)
})

test('a rule takes groups that its maker sees and that its sub-client may have vehicles in', async () => {
  const [whole, northern] = [await desk.addGroup([]), await desk.addGroup([], 'north')]
  const north = { subClientPin: 'north' }
  assert.equal((await create({ vehicleGroupIds: [northern] })).status, 200)
  assert.equal((await create({ vehicleGroupIds: [whole], subClientId: 'south' })).status, 200)
  assert.equal((await create({ vehicleGroupIds: [northern], subClientId: 'south' })).status, 404)
  assert.equal((await create({ vehicleGroupIds: [northern], recipients: [nora] }, north)).status, 200)
  assert.equal((await create({ vehicleGroupIds: [whole], recipients: [nora] }, north)).status, 404)
  assert.equal((await create({ vehicleGroupIds: ['vgr-nobodys'] })).status, 404)
  for (const vehicleGroupIds of [[], ['depot north']]) assert.equal((await create({ vehicleGroupIds })).status, 400)
})

test('a pinned key makes and sees rules of its sub-client, for its people, and the log of these', async () => {
  const north = { subClientPin: 'north' }
  const theirs = await create({ recipients: [nora] }, north)
  assert.equal(theirs.body.subClientId, 'north')
  assert.equal((await create({}, north)).status, 404, 'somebody of the reseller')
  assert.equal((await create({ recipients: [nora], subClientId: 'south' }, north)).status, 404)
  const whole = await create()
  assert.equal((await as(north).get(`/notification-rules/${whole.body.id}`)).status, 404)
  assert.equal((await as(north).patch(`/notification-rules/${whole.body.id}`, { name: 'mine' })).status, 404)
  assert.equal((await as({ subClientPin: 'south' }).delete(`/notification-rules/${theirs.body.id}`)).status, 404)
  // Both rules are about an incident of the sub-client.
  const vehicleId = await desk.bench.addVehicle({ subClientId: 'north' })
  desk.bench.clock.nowMs = Date.now() + 1_000
  await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }])
  await desk.settle()
  const { id: incidentId } = await desk.only(vehicleId)
  const logOf = async (caller: Partial<TestCaller>) =>
    (await as(caller).get<{ notifications: Notification[] }>(`/notifications?incidentId=${incidentId}`)).body.notifications
  const seen = await logOf(north)
  assert.ok(seen.length > 0 && seen.every(({ recipient }) => recipient === nora), JSON.stringify(seen))
  assert.ok((await logOf({})).some(({ ruleId, status }) => ruleId === whole.body.id && status === 'sent'))
  assert.ok(seen.every((each) => each.vehicleId === vehicleId && each.incidentTitle !== null && each.incidentTitle !== ''))
  assert.deepEqual(await logOf({ subClientPin: 'south' }), [])
})

test('a test goes to everybody a rule names, once a minute at most, and is in the log', async () => {
  const ben = await desk.addPerson('usr-ben')
  const { body: rule } = await create({ name: 'Night <shift>', escalation: { afterMinutes: 5, recipients: [ben, anna] } })
  const before = received.length
  const path = `/notification-rules/${rule.id}/test`
  assert.deepEqual((await as().post(path)).body, { id: rule.id, recipients: 2 })
  assert.equal((await as().post(path)).status, 409)
  desk.bench.clock.nowMs = Date.now() + 5_000
  await desk.runJobs()
  assert.deepEqual(
    received
      .slice(before)
      .map(({ to }) => to[0]?.split('@')[0])
      .sort(),
    ['usr-anna', 'usr-ben'],
  )
  assert.match(received.at(-1)?.text ?? '', /^Subject: Test: Night <shift>/m)
  const { notifications } = (await as().get<{ notifications: Notification[] }>(`/notifications?ruleId=${rule.id}&status=sent`)).body
  assert.deepEqual(
    notifications.map(({ step, incidentId, attemptCount }) => [step, incidentId, attemptCount]),
    [
      ['test', null, 1],
      ['test', null, 1],
    ],
  )
  const { rows } = await database.systemPool.query<{ action: string }>(
    'select action from audit_log where reseller_id = $1 and object_id = $2 order by at, audit_id',
    [resellerId, rule.id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['notification_rule.created', 'notification_rule.tested'],
  )
})

test('hours that are taken out hold no message back any longer, and an escalation and a repetition that are added come', async (t) => {
  const { bench, addPerson, report, settle, later, runJobs } = await openNotificationDesk(t, database, notices)
  const of = surface.as({ resellerId: bench.resellerId })
  const [carl, ben, before] = [await addPerson('usr-carl'), await addPerson('usr-ben'), received.length]
  const sentTo = () => received.slice(before).map(({ to }) => to[0]?.split('@')[0])
  await database.systemPool.query("update resellers set time_zone = 'UTC' where reseller_id = $1", [bench.resellerId])
  // The routes go by the clock of the database.
  bench.clock.nowMs = Date.now()
  const quarterMs = 15 * 60_000
  const [from, to] = [-1, 6].map((quarters) => new Date(bench.clock.nowMs + quarters * quarterMs - (bench.clock.nowMs % quarterMs)))
  const quietHours = { from: from?.toISOString().slice(11, 16), to: to?.toISOString().slice(11, 16) }
  const { body } = await of.post<NotificationRule>('/notification-rules', { ...plain, recipients: [carl], quietHours })
  const change = async (given: object) => {
    assert.equal((await of.patch(`/notification-rules/${body.id}`, given)).status, 200)
    later(1)
    await runJobs()
  }
  later(1)
  await report(await bench.addVehicle(), [{ type: 'coolant_high', severity: 'high' }])
  await settle()
  assert.deepEqual(sentTo(), [])
  await change({ quietHours: null })
  assert.deepEqual(sentTo(), ['usr-carl'])
  await change({ escalation: { afterMinutes: 30, recipients: [ben] }, repeatMinutes: 60 })
  assert.deepEqual(sentTo(), ['usr-carl'])
  later(30)
  await runJobs()
  assert.deepEqual(sentTo(), ['usr-carl', 'usr-ben'])
  later(30)
  await runJobs()
  assert.deepEqual(sentTo().slice(2).toSorted(), ['usr-ben', 'usr-carl'])
})
