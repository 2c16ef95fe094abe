// Goal: a person is shown each message once in each browser that they allowed, and nobody else is. Method: the routes over a real database, a push service on
// loopback with browsers that decrypt what they get, the jobs, and a clock that the test moves.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Notification } from '@roadworthy/contracts/platform-v1/notifications'
import type { PushSubscription } from '@roadworthy/contracts/platform-v1/push-subscriptions'
import type { FastifyRequest } from 'fastify'
import { withoutMailServer } from '../../people/test-notices.ts'
import { updateUser, updateUserPassword } from '../../people/users.sql.ts'
import { errorOf, startTestSurface } from '../../predictions/test-surface.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { openTestDatabase } from '../../test-support.ts'
import { answerWith } from '../../webhooks/test-receiver.ts'
import { notificationPlatformRoutes } from '../routes.platform-v1.ts'
import { loopbackExits, loopbackGuard } from '../test-loopback-exits.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'
import { type PushSubscriptionRoutesDeps, pushSubscriptionPlatformRoutes } from './push-subscription.routes.platform-v1.ts'
import { startPushService, type TestBrowser } from './test-push-service.ts'

type Person = { userId: string; subClientId?: string; viewing?: object }
type Listed = { publicKey: string; pushSubscriptions: PushSubscription[] }
type Tested = { status: string; error: string | null; notificationId: string }

const PATH = '/session/push-subscriptions'
/** So that five seconds have not passed, however long a busy machine takes. */
const MADE_NOW = "update notifications set created_at = now() + interval '1 minute' where notification_id = $1"
const COOLANT = { type: 'coolant_high', severity: 'critical' } as const
const { database } = await openTestDatabase({ after })
/** Who is signed in is named by the test. */
const findSignedIn = async ({ headers }: FastifyRequest) => {
  const { resellerId, person } = JSON.parse(String(headers['x-test-caller'])) as { resellerId: string; person?: Person }
  type Found = Awaited<ReturnType<PushSubscriptionRoutesDeps['findSignedIn']>>
  return (person === undefined ? undefined : { resellerId, ...person }) as Found
}
const surface = await startTestSurface({ after }, platformSurface, [
  pushSubscriptionPlatformRoutes({ database, exits: loopbackExits(), guard: loopbackGuard, findSignedIn }),
  notificationPlatformRoutes({ database }),
])

async function openBench(t: TestContext) {
  const desk = await openNotificationDesk(t, database, withoutMailServer)
  const { resellerId } = desk.bench
  const service = await startPushService(t, () => desk.bench.clock.nowMs)
  const as = (person?: Person) => surface.as(Object.assign({ resellerId }, { person }))
  const allow = async (person: Person, { target }: TestBrowser, more: object = {}) => {
    const { endpoint, ...keys } = target
    return await as(person).post<PushSubscription>(PATH, { endpoint, keys, name: 'Firefox on Linux', ...more })
  }
  const browsersOf = async (person?: Person) => (await as(person).get<Listed>(PATH)).body.pushSubscriptions
  const report = async (vehicleId: string) => {
    await desk.report(vehicleId, [COOLANT])
    await desk.settle()
  }
  return { desk, service, as, allow, browsersOf, report, resellerId }
}

test('an incident is one message in each browser of a person, and a click on it leads there', async (t) => {
  const { desk, service, as, allow, report } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  const browsers = [service.addBrowser(), service.addBrowser()]
  for (const browser of browsers) assert.equal((await allow(anna, browser)).status, 200)
  await desk.addRule({ recipients: [anna.userId] })
  const vehicleId = await desk.bench.addVehicle({ externalRef: 'truck 7' })
  for (let nth = 0; nth < 3; nth++) await report(vehicleId)
  const { id } = await desk.only(vehicleId)
  for (const { shown } of browsers) {
    assert.equal(shown.length, 1)
    const [message] = shown
    assert.match(message?.title ?? '', /^Critical: truck 7: /)
    assert.match(message?.body ?? '', /Vehicle: truck 7[\s\S]*You get this message by the rule "Workshop" of Acme\./)
    assert.deepEqual([message?.path, message?.topic], [`/alerts/${id}`, id])
  }
  const [taken] = service.taken
  assert.deepEqual([taken?.headers['urgency'], taken?.headers['topic'], taken?.headers['ttl']], ['high', id, '86400'])
  // The log names the person, and which browser; without a mail server the e-mail says so.
  const log = (await as().get<{ notifications: Notification[] }>(`/notifications?recipient=${anna.userId}`)).body.notifications
  const states = log.map(({ recipient, browserId, status }) => [recipient, browserId === null ? 'mail' : browserId.slice(0, 4), status])
  assert.deepEqual(states.sort(), [
    [anna.userId, 'mail', 'failed'],
    [anna.userId, 'psh-', 'sent'],
    [anna.userId, 'psh-', 'sent'],
  ])
})

test('a long name of a vehicle or a fleet does not make a message too large', async (t) => {
  const { desk, service, allow, report } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  const browser = service.addBrowser()
  await allow(anna, browser)
  await desk.addRule({ recipients: [anna.userId], name: '车'.repeat(3_000) })
  await report(await desk.bench.addVehicle({ externalRef: '🚚'.repeat(2_000) }))
  assert.equal(browser.shown.length, 1)
})

test('a repetition is shown again, and what the push service cannot take now is taken later, once', async (t) => {
  const { desk, service, allow, report } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  const browser = service.addBrowser()
  await allow(anna, browser)
  await desk.addRule({ recipients: [anna.userId], repeat_minutes: 60 })
  service.failNext(answerWith(429, { 'retry-after': '600' }))
  await report(await desk.bench.addVehicle())
  desk.later(9)
  await desk.runJobs()
  assert.equal(service.asked(), 1)
  desk.later(1)
  await desk.runJobs()
  assert.equal(browser.shown.length, 1)
  desk.later(60)
  await desk.runJobs()
  assert.deepEqual(
    browser.shown.map(({ title }) => title.includes('Still open')),
    [false, true],
  )
})

test('where the answer of the push service is lost, the message is not sent again', async (t) => {
  const { desk, service, allow, report } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  await allow(anna, service.addBrowser())
  await desk.addRule({ recipients: [anna.userId] })
  service.failNext((response) => void response.destroy())
  await report(await desk.bench.addVehicle())
  desk.later(600)
  await desk.runJobs()
  const [row] = (await desk.log()).filter(({ recipient }) => recipient.startsWith('psh-'))
  assert.deepEqual([row?.status, row?.attempts, service.asked()], ['uncertain', 1, 1])
})

test('a browser in which messages are forbidden is removed, and the others are shown them', async (t) => {
  const { desk, service, allow, browsersOf, report } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  const [gone, kept] = [service.addBrowser(), service.addBrowser()]
  for (const browser of [gone, kept]) await allow(anna, browser)
  gone.forbid()
  await desk.addRule({ recipients: [anna.userId] })
  await report(await desk.bench.addVehicle())
  assert.deepEqual([gone.shown.length, kept.shown.length, (await browsersOf(anna)).length], [0, 1, 1])
  const [failed] = (await desk.log()).filter(({ error }) => /was removed/.test(error ?? ''))
  assert.deepEqual([failed?.status, failed?.attempts], ['failed', 1])
  await report(await desk.bench.addVehicle())
  assert.equal(service.asked(), 3)
})

test('a person of a sub-client is shown messages about its vehicles only', async (t) => {
  const { desk, service, allow, report } = await openBench(t)
  await desk.bench.addSubClient('north')
  const nora = { userId: await desk.addPerson('usr-nora', { subClientId: 'north' }), subClientId: 'north' }
  const browser = service.addBrowser()
  await allow(nora, browser)
  await desk.addRule({ recipients: [nora.userId] })
  await report(await desk.bench.addVehicle())
  assert.equal(browser.shown.length, 0)
  await report(await desk.bench.addVehicle({ subClientId: 'north' }))
  assert.equal(browser.shown.length, 1)
})

test('a browser belongs to who allowed it last, also of another reseller', async (t) => {
  const [ours, theirs] = [await openBench(t), await openBench(t)]
  const anna = { userId: await ours.desk.addPerson('usr-anna') }
  const ben = { userId: await theirs.desk.addPerson('usr-ben') }
  const browser = ours.service.addBrowser()
  const { body: first } = await ours.allow(anna, browser)
  const { body: again } = await ours.allow(anna, browser)
  assert.notEqual(first.id, again.id)
  assert.deepEqual(await ours.browsersOf(anna), [again])
  assert.match(again.endpointSha256, /^[0-9a-f]{64}$/)
  assert.equal((await theirs.allow(ben, browser)).status, 200)
  assert.deepEqual(await ours.browsersOf(anna), [])
  assert.equal((await theirs.browsersOf(ben)).length, 1)
})

test('browsers of others do not exist, and who is not signed in has none', async (t) => {
  const { desk, service, as, allow, browsersOf } = await openBench(t)
  const [anna, ben] = [{ userId: await desk.addPerson('usr-anna') }, { userId: await desk.addPerson('usr-ben') }]
  const browser = service.addBrowser()
  const { body } = await allow(anna, browser)
  for (const person of [ben, undefined]) {
    assert.deepEqual(await browsersOf(person), [])
    assert.equal((await as(person).delete(`${PATH}/${body.id}`)).status, 404)
    assert.equal((await as(person).post(`${PATH}/${body.id}/test`)).status, 404)
  }
  const { endpoint, ...keys } = service.addBrowser().target
  assert.equal((await as().post(PATH, { endpoint, keys, name: 'x' })).status, 401)
  const viewing = { ...anna, viewing: {} }
  assert.equal((await as(viewing).delete(`${PATH}/${body.id}`)).status, 409)
  assert.deepEqual((await as(anna).delete(`${PATH}/${body.id}`)).body, { id: body.id, deleted: true })
  assert.deepEqual(await browsersOf(anna), [])
})

test('a test is shown at once, once in five seconds, and says what the push service answered', async (t) => {
  const { desk, service, as, allow } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  // The routes go by the clock of the database.
  desk.bench.clock.nowMs = Date.now()
  const browser = service.addBrowser()
  const { body: allowed } = await allow(anna, browser)
  const { body: tested } = await as(anna).post<Tested>(`${PATH}/${allowed.id}/test`)
  assert.deepEqual([tested.status, tested.error], ['sent', null])
  assert.match(browser.shown[0]?.body ?? '', /Nothing happened to any vehicle/)
  assert.deepEqual([browser.shown[0]?.path, browser.shown[0]?.id], ['/', tested.notificationId])
  await database.systemPool.query(MADE_NOW, [tested.notificationId])
  assert.equal((await as(anna).post(`${PATH}/${allowed.id}/test`)).status, 409)
  const other = service.addBrowser()
  const { body: second } = await allow(anna, other)
  service.failNext(answerWith(500, {}, 'oops'))
  const { body: failed } = await as(anna).post<Tested>(`${PATH}/${second.id}/test`)
  assert.deepEqual([failed.status, failed.error], ['failed', 'The push service answered 500: oops.'])
})

test('a new password and a deactivation end all browsers of a person, and removal of the person does', async (t) => {
  const { desk, service, allow, browsersOf, resellerId } = await openBench(t)
  const db = database.systemPool
  const anna = { userId: await desk.addPerson('usr-anna') }
  await allow(anna, service.addBrowser())
  const standing = { role: 'member', subClientId: undefined } as const
  await updateUser(db, resellerId, anna.userId, { ...standing, deactivatedAt: undefined })
  assert.equal((await browsersOf(anna)).length, 1)
  await updateUserPassword(db, resellerId, anna.userId, 'y')
  assert.equal((await browsersOf(anna)).length, 0)
  await allow(anna, service.addBrowser())
  await updateUser(db, resellerId, anna.userId, { ...standing, deactivatedAt: new Date() })
  assert.equal((await browsersOf(anna)).length, 0)
  await allow(anna, service.addBrowser())
  await db.query('delete from users where reseller_id = $1 and user_id = $2', [resellerId, anna.userId])
  assert.equal((await browsersOf(anna)).length, 0)
})

test('what is no browser, or inside the network, is refused by its field, and five are the most', async (t) => {
  const { desk, service, as, allow } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  const { endpoint, ...keys } = service.addBrowser().target
  const given = { endpoint, keys, name: 'Firefox' }
  const fieldOf = async (more: object) => {
    const refused = await as(anna).post(PATH, { ...given, ...more })
    return [refused.status, (errorOf(refused)['details'] as { field?: string } | undefined)?.field]
  }
  for (const inside of ['http://10.0.0.1/push', 'https://192.168.1.1/push', 'ftp://127.0.0.1/', 'http://u:p@127.0.0.1/', 'x']) {
    assert.deepEqual(await fieldOf({ endpoint: inside }), [400, 'endpoint'], inside)
  }
  assert.deepEqual(await fieldOf({ keys: { ...keys, p256dh: 'A'.repeat(87) } }), [400, 'keys/p256dh'])
  assert.equal((await fieldOf({ keys: { ...keys, auth: 'short' } }))[0], 400)
  assert.deepEqual(await fieldOf({ name: ' ' }), [400, 'name'])
  for (let nth = 0; nth < 5; nth++) assert.equal((await allow(anna, service.addBrowser())).status, 200)
  assert.equal((await allow(anna, service.addBrowser())).status, 409)
})

test('the endpoint and the keys of a browser are stored sealed, and are in no answer and no log', async (t) => {
  const { desk, service, allow, resellerId } = await openBench(t)
  const anna = { userId: await desk.addPerson('usr-anna') }
  const { target } = service.addBrowser()
  const { body } = await allow(anna, { target, shown: [], forbid: () => undefined })
  const { rows } = await database.systemPool.query('select * from push_subscriptions where reseller_id = $1', [resellerId])
  const { rows: audited } = await database.systemPool.query<{ action: string }>('select * from audit_log where reseller_id = $1', [
    resellerId,
  ])
  const secrets = [target.auth, target.p256dh, new URL(target.endpoint).pathname]
  const kept = JSON.stringify([rows.map((row) => ({ ...row, target_sealed: String(row['target_sealed']) })), audited, body])
  for (const secret of secrets) assert.ok(!kept.includes(secret))
  assert.deepEqual(
    audited.map(({ action }) => action).filter((action) => action.startsWith('push_')),
    ['push_subscription.created'],
  )
})
