// Goal: a digest is one message a day about what happened since the last, to those whom its rule names, and none on a day on which there is nothing. Method:
// incidents as the engine's findings make them, jobs over a real database, a real SMTP server, and a clock that the test moves.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { createPost } from '../../main/mail.ts'
import { startMailServer } from '../../main/test-mail-server.ts'
import { errorOf, startTestSurface, type TestCaller } from '../../predictions/test-surface.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { openTestDatabase } from '../../test-support.ts'
import { startPushService } from '../browsers/test-push-service.ts'
import { notificationPlatformRoutes } from '../routes.platform-v1.ts'
import { selectRule } from '../rules/rules.sql.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'
import { scheduleDigest } from './send-digest.ts'

const { database } = await openTestDatabase({ after })
const surface = await startTestSurface({ after }, platformSurface, [notificationPlatformRoutes({ database })])
const COOLANT = { type: 'coolant_high', severity: 'high' } as const
/** Neither has summer time. What a test does before the morning takes minutes of the clock: the zone whose 07:30 is hours away from now. */
const MORNINGS = [
  { timeZone: 'Asia/Kolkata', morningUtc: '02:00' },
  { timeZone: 'America/Bogota', morningUtc: '12:30' },
] as const
const { timeZone: ZONE, morningUtc: MORNING_UTC } = MORNINGS[new Date().getUTCHours() < 3 ? 1 : 0]
const MORNING_MS = Date.parse(`1970-01-01T${MORNING_UTC}Z`)
const DAY_MINUTES = 1_440

async function openBench(t: TestContext, refusal?: (attempt: number) => number | undefined) {
  const { url, received } = await startMailServer(t, refusal)
  const present = async (_resellerId: string, subClientId: string | undefined) => ({
    name: subClientId ?? 'Acme',
    baseUrl: 'https://fleet.acme.example',
  })
  const post = () =>
    createPost({ mailServer: { url, from: 'fleet@acme.example' }, present, random: () => 0, log: { error: () => undefined } })
  const desk = await openNotificationDesk(t, database, post())
  const { resellerId, clock } = desk.bench
  // Jobs are those of every reseller: the next test does not do these.
  t.after(() => database.systemPool.query('delete from jobs where reseller_id = $1', [resellerId]))
  const as = (caller: Partial<TestCaller> = {}) => surface.as({ resellerId, ...caller })
  /** As the API makes it, from then on. The routes go by the clock of the database. */
  clock.nowMs = Date.now()
  const create = async (body: object, caller: Partial<TestCaller> = {}) => {
    const made = await as(caller).post<NotificationRule>('/notification-rules', { name: 'Morning', minSeverity: 'medium', ...body })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    return made.body
  }
  const digest = { at: '07:30', timeZone: ZONE }
  /** To 07:30 of the next day of the zone, and a second. */
  const untilMorning = () => {
    const day = DAY_MINUTES * 60_000
    clock.nowMs = Math.floor((clock.nowMs - MORNING_MS) / day) * day + day + MORNING_MS + 1_000
  }
  const textOf = (nth: number) => received[nth]?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
  return { desk, as, create, digest, untilMorning, received, textOf, post }
}

test('what opened, is still open and was resolved since the last digest is one message a day, with links, and then nothing', async (t) => {
  const { desk, create, digest, untilMorning, received, textOf } = await openBench(t)
  await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  const [first, second] = [await desk.bench.addVehicle({ externalRef: 'truck 7' }), await desk.bench.addVehicle({ externalRef: 'truck 8' })]
  await database.systemPool.query("update vehicles set license_plate = 'KA 7', name = 'Seven' where vehicle_id = $1", [first])
  await desk.report(first, [COOLANT])
  await desk.report(second, [COOLANT])
  await desk.settle()
  assert.equal(received.length, 0)
  untilMorning()
  await desk.settle()
  await desk.settle()
  assert.equal(received.length, 1)
  const { id } = await desk.only(first)
  for (const said of [
    '2 opened',
    'Opened (2)',
    'High: KA 7: ',
    'High: truck 8: ',
    `https://fleet.acme.example/alerts/${id}`,
    '<h2',
    'rule "Morning"',
  ]) {
    assert.ok(textOf(0).includes(said), `${said}: ${textOf(0)}`)
  }
  assert.match(textOf(0), /^Subject: Digest of \d{4}-\d{2}-\d{2}: 2 opened$/m)
  await desk.api.patch(`/incidents/${id}`, { status: 'resolved', resolution: { reason: 'other' } })
  await database.systemPool.query('update incidents set resolved_at = $2 where incident_id = $1', [
    id,
    new Date(desk.bench.clock.nowMs + 60_000),
  ])
  untilMorning()
  await desk.settle()
  assert.match(textOf(1), /^Subject: Digest of \d{4}-\d{2}-\d{2}: 1 still open, 1 resolved$/m)
  const { id: other } = await desk.only(second)
  await desk.api.patch(`/incidents/${other}`, { status: 'resolved', resolution: { reason: 'other' } })
  await database.systemPool.query('update incidents set resolved_at = $2 where incident_id = $1', [
    other,
    new Date(desk.bench.clock.nowMs + 60_000),
  ])
  for (const _ of [1, 2, 3]) {
    untilMorning()
    await desk.settle()
  }
  // The second was resolved, and then there was nothing.
  assert.equal(received.length, 3)
})

test('maintenance that is due is in it, overdue first, and of retired vehicles nothing', async (t) => {
  const { desk, create, digest, untilMorning, textOf, received } = await openBench(t)
  await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  const [truck, old] = [await desk.bench.addVehicle({ externalRef: 'truck 7' }), await desk.bench.addVehicle({ externalRef: 'truck 8' })]
  const at = (days: number) => new Date(desk.bench.clock.nowMs + days * DAY_MINUTES * 60_000).toISOString()
  const plan = async (vehicleId: string, component: string, days: number) =>
    assert.equal((await desk.api.post('/maintenance', { vehicleId, component, status: 'planned', dueAt: at(days) })).status, 200)
  await plan(truck, 'brakes', 3)
  await plan(truck, 'battery', -2)
  await plan(truck, 'engine', 60)
  await plan(old, 'engine', 1)
  await database.systemPool.query("update vehicles set status = 'retired' where vehicle_id = $1", [old])
  untilMorning()
  await desk.settle()
  assert.equal(received.length, 1)
  assert.match(textOf(0), /^Subject: Digest of [\d-]+: 2 maintenance due$/m)
  assert.match(textOf(0), /truck 7: battery, overdue since \d{4}-\d{2}-\d{2}[\s\S]*truck 7: brakes, due \d{4}-\d{2}-\d{2}/)
})

test('work of the day itself is due and not overdue, and a vehicle without plate and name is called by its device', async (t) => {
  const { desk, create, digest, untilMorning, textOf } = await openBench(t)
  const { bench } = desk
  await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  const truck = await bench.addVehicle()
  const { resellerId } = bench
  await database.systemPool.query(
    `insert into devices (reseller_id, device_id, name, device_type, connection_method, status, vehicle_id)
     values ($1, 'dev-77777777777777777777', 'Dongle 7', 'obd_dongle', 'mqtt', 'active', $2), ($1, 'dev-66666666666666666666', 'Dongle 6', 'obd_dongle', 'mqtt', 'decommissioned', $2)`,
    [resellerId, truck],
  )
  await desk.report(truck, [COOLANT])
  untilMorning()
  const dueAt = (hours: number) => new Date(bench.clock.nowMs - hours * 3_600_000).toISOString()
  const plan = async (component: string, hours: number) =>
    assert.equal((await desk.api.post('/maintenance', { vehicleId: truck, component, status: 'planned', dueAt: dueAt(hours) })).status, 200)
  await plan('brakes', 1)
  await plan('battery', 8)
  const brief = await bench.addVehicle({ externalRef: 'brief' })
  bench.clock.nowMs -= 3_600_000
  await desk.report(brief, [{ type: 'coolant_high', severity: 'critical' }])
  const { id } = await desk.only(brief)
  await desk.api.patch(`/incidents/${id}`, { status: 'resolved', resolution: { reason: 'other' } })
  bench.clock.nowMs += 3_600_000
  await desk.settle()
  assert.match(textOf(0), /Opened \(2\)[\s\S]*High: Dongle 7: [^\n]*found[\s\S]*Critical: brief: [^\n]*found, already resolved/)
  assert.match(textOf(0), /Dongle 7: battery, overdue since \d{4}-\d{2}-\d{2}[\s\S]*Dongle 7: brakes, due \d{4}-\d{2}-\d{2}/)
  assert.ok(textOf(0).includes('High: Dongle 7: ') && !textOf(0).includes(`${truck}: `), textOf(0))
})

test('the digest of a sub-client, of vehicles or of components is about these alone', async (t) => {
  const { desk, create, digest, untilMorning, received } = await openBench(t)
  await desk.bench.addSubClient('north')
  const nora = await desk.addPerson('usr-nora', { subClientId: 'north' })
  const anna = await desk.addPerson('usr-anna')
  const northern = await desk.bench.addVehicle({ subClientId: 'north', externalRef: 'northern' })
  const southern = await desk.bench.addVehicle({ externalRef: 'southern' })
  await create({ recipients: [nora], digest }, { subClientPin: 'north' })
  await create({ recipients: [anna], digest, vehicleIds: [southern] })
  await create({ recipients: [anna], digest, components: ['battery'] })
  await create({ recipients: [await desk.addPerson('usr-ben')], digest, components: ['air-filter'] })
  const dueAt = new Date(desk.bench.clock.nowMs + 3 * DAY_MINUTES * 60_000).toISOString()
  await desk.api.post('/maintenance', { vehicleId: northern, component: 'air filter', status: 'planned', dueAt })
  await desk.report(northern, [COOLANT])
  await desk.report(southern, [COOLANT])
  untilMorning()
  await desk.settle()
  const textTo = (who: string) => received.filter(({ to }) => to[0]?.startsWith(who)).map(({ text }) => text)
  assert.deepEqual([textTo('usr-nora').length, textTo('usr-anna').length], [1, 1])
  assert.match(textTo('usr-ben').join(), /^Subject: Digest of [\d-]+: 1 maintenance due$/m)
  assert.ok(textTo('usr-nora')[0]?.includes('northern') && !textTo('usr-nora')[0]?.includes('southern'))
  assert.ok(textTo('usr-anna')[0]?.includes('southern') && !textTo('usr-anna')[0]?.includes('northern'))
})

test('the digest of a group is about the vehicles that are in it', async (t) => {
  const { desk, create, digest, untilMorning, received } = await openBench(t)
  const anna = await desk.addPerson('usr-anna')
  const [inside, outside] = [
    await desk.bench.addVehicle({ externalRef: 'inside' }),
    await desk.bench.addVehicle({ externalRef: 'outside' }),
  ]
  const named = await desk.bench.addVehicle({ externalRef: 'named' })
  const groupId = await desk.addGroup([inside])
  await create({ recipients: [anna], digest, vehicleGroupIds: [groupId], vehicleIds: [named] })
  await create({ recipients: [anna], digest, vehicleGroupIds: [await desk.addGroup([])] })
  for (const vehicleId of [inside, outside, named]) await desk.report(vehicleId, [COOLANT])
  untilMorning()
  await desk.settle()
  assert.equal(received.length, 1)
  assert.match(received[0]?.text ?? '', /^Subject: Digest of [\d-]+: 2 opened$/m)
  assert.deepEqual(
    ['inside', 'outside', 'named'].map((name) => received[0]?.text.includes(`High: ${name}: `)),
    [true, false, true],
  )
})

test('two processes at once, and a holder that was thought dead, send one', async (t) => {
  const { desk, create, digest, untilMorning, received, post } = await openBench(t)
  const { id: key } = await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  await desk.report(await desk.bench.addVehicle(), [COOLANT])
  untilMorning()
  const job = { resellerId: desk.bench.resellerId, kind: 'notification-digest', key, failureCount: 0 }
  const signal = new AbortController().signal
  const runOf = () =>
    desk
      .jobs(post())
      .find(({ kind }) => kind === job.kind)
      ?.run(job, signal)
  await Promise.all([runOf(), runOf(), desk.runJobs(desk.jobs(post()))])
  assert.equal(received.length, 1)
  assert.equal((await desk.log()).length, 1)
})

test('a digest that the mail server refuses is tried again, and says the same', async (t) => {
  const { desk, create, digest, untilMorning, received, textOf } = await openBench(t, (attempt) => (attempt <= 4 ? 450 : undefined))
  await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  await desk.report(await desk.bench.addVehicle(), [COOLANT])
  untilMorning()
  await desk.settle()
  await desk.report(await desk.bench.addVehicle(), [COOLANT])
  for (const minutes of [1, 5]) {
    desk.later(minutes)
    await desk.settle()
  }
  assert.equal(received.length, 1)
  assert.match(textOf(0), /^Subject: Digest of [\d-]+: 1 opened$/m)
  assert.deepEqual(
    (await desk.log()).map(({ step, status, attempts }) => [step.slice(0, 7), status, attempts]),
    [['digest.', 'sent', 3]],
  )
})

test('a digest that waits for another attempt is sent in its time where its rule is renamed, and cancelled where that is switched off', async (t) => {
  const { desk, create, digest, untilMorning, received } = await openBench(t, (attempt) => (attempt <= 2 ? 450 : undefined))
  const { id: ruleId } = await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  const { resellerId, clock } = desk.bench
  const statuses = async () => (await desk.log()).map(({ status, error }) => [status, error])
  await desk.report(await desk.bench.addVehicle(), [COOLANT])
  untilMorning()
  await desk.settle()
  // What a change of the rule does, by the clock of the test: the routes go by that of the database, for which it is not morning yet.
  await database.tenant(resellerId, async (db) => {
    const rule = await selectRule(db, { resellerId, subClientPin: undefined }, ruleId)
    assert.ok(rule)
    await scheduleDigest(db, resellerId, rule, new Date(clock.nowMs))
  })
  desk.later(1)
  await desk.settle()
  assert.equal(received.length, 1)
  assert.deepEqual(await statuses(), [['sent', null]])

  const off = await openBench(t, () => 450)
  const { id } = await off.create({ recipients: [await off.desk.addPerson('usr-ben')], digest })
  await off.desk.report(await off.desk.bench.addVehicle(), [COOLANT])
  off.untilMorning()
  await off.desk.settle()
  await off.as().patch(`/notification-rules/${id}`, { enabled: false })
  off.desk.later(1)
  await off.desk.settle()
  assert.deepEqual(
    (await off.desk.log()).map(({ status, error }) => [status, error]),
    [['cancelled', 'The rule is gone or disabled, or sends no digest.']],
  )
})

test('a service that was down over the time sends the digest when it is back, and one for all the days', async (t) => {
  const { desk, create, digest, untilMorning, received } = await openBench(t)
  await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  await desk.report(await desk.bench.addVehicle(), [COOLANT])
  untilMorning()
  desk.later(3 * DAY_MINUTES + 90)
  await desk.settle()
  await desk.settle()
  assert.equal(received.length, 1)
})

test('a person is shown it in their browsers too, and a channel gets it', async (t) => {
  const { desk, create, digest, untilMorning } = await openBench(t)
  const service = await startPushService(t, () => desk.bench.clock.nowMs)
  const browser = service.addBrowser()
  const anna = await desk.addPerson('usr-anna')
  await desk.allowBrowser(anna, browser.target)
  await create({ recipients: [anna], digest })
  await desk.report(await desk.bench.addVehicle({ externalRef: 'truck 7' }), [COOLANT])
  untilMorning()
  await desk.settle()
  assert.match(browser.shown[0]?.body ?? '', /Opened \(1\)\n- High: truck 7: /)
  assert.equal(browser.shown[0]?.path, '/')
})

test('a rule that gets, moves, loses or has its digest switched off sends by what it says then', async (t) => {
  const { desk, as, create, digest, untilMorning, received } = await openBench(t)
  const rule = await create({ recipients: [await desk.addPerson('usr-anna')], digest })
  assert.deepEqual(rule.digest, digest)
  const path = `/notification-rules/${rule.id}`
  const dueAt = async () => {
    const { rows } = await database.systemPool.query<{ due_at: Date }>('select due_at from jobs where reseller_id = $1 and key = $2', [
      desk.bench.resellerId,
      rule.id,
    ])
    return rows[0]?.due_at.toISOString().slice(11, 16)
  }
  assert.equal(await dueAt(), MORNING_UTC)
  await as().patch(path, { digest: { at: '18:00', timeZone: 'UTC' } })
  assert.equal(await dueAt(), '18:00')
  await as().patch(path, { enabled: false })
  assert.equal(await dueAt(), undefined)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  await as().patch(path, { enabled: true, digest: null })
  untilMorning()
  await desk.settle()
  assert.equal(received.length, 0)
  await desk.report(vehicleId, [COOLANT, { type: 'battery_low', component: 'battery', severity: 'high' }])
  await desk.settle()
  assert.ok(received.length > 0)
  await as().delete(path)
  assert.equal(await dueAt(), undefined)
})

test('a digest with hours, repetition or escalation, or in no time zone, is refused by its field', async (t) => {
  const { desk, as, create, digest } = await openBench(t)
  const recipients = [await desk.addPerson('usr-anna')]
  const fieldOf = async (more: object) => {
    const refused = await as().post('/notification-rules', { name: 'x', minSeverity: 'low', recipients, digest, ...more })
    return [refused.status, (errorOf(refused)['details'] as { field?: string } | undefined)?.field]
  }
  assert.deepEqual(await fieldOf({ repeatMinutes: 60 }), [400, 'repeatMinutes'])
  assert.deepEqual(await fieldOf({ quietHours: { from: '22:00', to: '06:00' } }), [400, 'quietHours'])
  assert.deepEqual(await fieldOf({ workingHours: { days: [1], from: '08:00', to: '10:00' } }), [400, 'workingHours'])
  assert.deepEqual(await fieldOf({ escalation: { afterMinutes: 5, recipients } }), [400, 'escalation'])
  assert.deepEqual(await fieldOf({ digest: { at: '07:30', timeZone: 'Mars/Olympus' } }), [400, 'digest/timeZone'])
  assert.equal((await fieldOf({ digest: { at: '07:31', timeZone: 'UTC' } }))[0], 400)
  const rule = await create({ recipients, repeatMinutes: 60 })
  assert.equal((await as().patch(`/notification-rules/${rule.id}`, { digest })).status, 400)
  assert.equal((await as().patch(`/notification-rules/${rule.id}`, { digest, repeatMinutes: null })).status, 200)
})
