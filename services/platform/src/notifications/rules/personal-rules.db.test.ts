// Goal: a person is sent what they asked for themselves, about what they may see, and nobody else is. Method: the routes over a real database, the jobs, a
// real SMTP server, and a clock that the test moves.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { MAX_PERSONAL_RULES, type PersonalNotificationRule } from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import type { FastifyRequest } from 'fastify'
import { createPost } from '../../main/mail.ts'
import { startMailServer } from '../../main/test-mail-server.ts'
import { deleteUser, updateUser } from '../../people/users.sql.ts'
import { errorOf, startTestSurface } from '../../predictions/test-surface.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { openTestDatabase } from '../../test-support.ts'
import { notificationPlatformRoutes } from '../routes.platform-v1.ts'
import type { FindSignedIn } from '../signed-in.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'
import { personalRulePlatformRoutes } from './personal-rule.routes.platform-v1.ts'

type Person = { userId: string; subClientId?: string; viewing?: object }
type Listed = { limit: number; notificationRules: PersonalNotificationRule[] }

const PATH = '/session/notification-rules'
const COOLANT = { type: 'coolant_high', severity: 'high' } as const
const { database } = await openTestDatabase({ after })
/** Who is signed in is named by the test. */
const findSignedIn: FindSignedIn = async ({ headers }: FastifyRequest) => {
  const { resellerId, person } = JSON.parse(String(headers['x-test-caller'])) as { resellerId: string; person?: Person }
  return (person === undefined ? undefined : { resellerId, ...person }) as Awaited<ReturnType<FindSignedIn>>
}
const surface = await startTestSurface({ after }, platformSurface, [
  personalRulePlatformRoutes({ database, findSignedIn }),
  notificationPlatformRoutes({ database }),
])

async function openBench(t: TestContext) {
  const { url, received } = await startMailServer(t)
  const present = async () => ({ name: 'Acme', baseUrl: 'https://fleet.acme.example' })
  const mailServer = { url, from: 'fleet@acme.example' }
  const desk = await openNotificationDesk(
    t,
    database,
    createPost({ mailServer, present, random: () => 0, log: { error: () => undefined } }),
  )
  const { bench } = desk
  const { resellerId } = bench
  // Jobs are those of every reseller: the next test does not do these.
  t.after(() => database.systemPool.query('delete from jobs where reseller_id = $1', [resellerId]))
  // The routes go by the clock of the database.
  bench.clock.nowMs = Date.now()
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const as = (person?: Person) => surface.as(Object.assign({ resellerId }, { person }))
  const create = async (person: Person | undefined, more: object = {}) =>
    await as(person).post<PersonalNotificationRule>(PATH, { name: 'Mine', minSeverity: 'medium', ...more })
  const list = async (person?: Person) => (await as(person).get<Listed>(PATH)).body.notificationRules
  const report = async (...vehicleIds: string[]) => {
    desk.later(1)
    for (const vehicleId of vehicleIds) await desk.report(vehicleId, [COOLANT])
    await desk.settle()
  }
  const to = () => received.map((mail) => mail.to[0]?.split('@')[0])
  const viewer = async (name: string, subClientId: string) => ({ userId: await desk.addPerson(name, { subClientId }), subClientId })
  return { desk, bench, as, create, list, report, to, received, viewer, resellerId }
}

test('a viewer of a sub-client makes, changes, switches off and deletes a rule, which sends one e-mail to them about its vehicles', async (t) => {
  const { bench, as, create, list, report, to, received, viewer } = await openBench(t)
  const nora = await viewer('usr-nora', 'north')
  const [own, others] = [await bench.addVehicle({ subClientId: 'north' }), await bench.addVehicle({ subClientId: 'south' })]
  const quietHours = { from: '02:00', to: '02:15' }
  const { status, body: rule } = await create(nora, { quietHours, criticalAtAnyHour: true, repeatMinutes: 60 })
  assert.equal(status, 200, JSON.stringify(rule))
  assert.match(rule.id, /^nrp-/)
  assert.deepEqual([rule.own, rule.subClientId, rule.quietHours, rule.repeatMinutes], [true, 'north', quietHours, 60])
  assert.deepEqual(await list(nora), [rule])
  await as(nora).patch(`${PATH}/${rule.id}`, { quietHours: null, repeatMinutes: null, name: 'My vans' })
  await report(own, others)
  await report(own, others)
  assert.deepEqual(to(), ['usr-nora'])
  assert.match(received[0]?.text ?? '', /My vans/)
  assert.match(received[0]?.text ?? '', /^List-Unsubscribe: <https:\/\/fleet\.acme\.example\/settings\/preferences>\r$/m)
  assert.equal((await as(nora).patch<PersonalNotificationRule>(`${PATH}/${rule.id}`, { enabled: false })).body.enabled, false)
  await report(await bench.addVehicle({ subClientId: 'north' }))
  assert.deepEqual(to(), ['usr-nora'])
  assert.deepEqual((await as(nora).delete(`${PATH}/${rule.id}`)).body, { id: rule.id, deleted: true })
  assert.deepEqual(await list(nora), [])
})

test('it cannot name anybody else, or vehicles and groups that the person does not see', async (t) => {
  const { desk, bench, create, viewer } = await openBench(t)
  const nora = await viewer('usr-nora', 'north')
  const foreign = await bench.addVehicle({ subClientId: 'south' })
  const channelId = await desk.addChannel({ kind: 'ntfy', serverUrl: 'http://127.0.0.1:9', topic: 'x', token: undefined } as never)
  for (const more of [
    { recipients: [channelId] },
    { escalation: { afterMinutes: 5, recipients: [channelId] } },
    { subClientId: 'south' },
  ]) {
    assert.equal((await create(nora, more)).status, 400, JSON.stringify(more))
  }
  assert.equal((await create(nora, { vehicleIds: [foreign] })).status, 404)
  assert.equal((await create(nora, { vehicleGroupIds: [await desk.addGroup([foreign], 'south')] })).status, 404)
  assert.equal((await create(nora, { vehicleGroupIds: [await desk.addGroup([foreign])] })).status, 404)
})

test('it follows the person to another sub-client, rests while they are deactivated, and goes with them', async (t) => {
  const { bench, as, create, report, to, viewer, list, resellerId } = await openBench(t)
  const nora = await viewer('usr-nora', 'north')
  const northern = await bench.addVehicle({ subClientId: 'north' })
  const { body: rule } = await create(nora, { vehicleIds: [northern] })
  await create(nora)
  const standing = { role: 'sub_client_viewer', subClientId: 'south', deactivatedAt: undefined } as const
  await updateUser(database.systemPool, resellerId, nora.userId, standing)
  await report(northern, await bench.addVehicle({ subClientId: 'south' }))
  assert.deepEqual(to(), ['usr-nora'])
  const moved = { ...nora, subClientId: 'south' }
  assert.deepEqual(
    (await list(moved)).map(({ subClientId }) => subClientId),
    ['south', 'south'],
  )
  // A rule about vehicles that are no longer seen can still be switched off.
  assert.equal((await as(moved).patch(`${PATH}/${rule.id}`, { enabled: false })).status, 200)
  await updateUser(database.systemPool, resellerId, nora.userId, { ...standing, deactivatedAt: new Date() })
  await report(await bench.addVehicle({ subClientId: 'south' }))
  assert.deepEqual(to(), ['usr-nora'])
  await updateUser(database.systemPool, resellerId, nora.userId, standing)
  await report(await bench.addVehicle({ subClientId: 'south' }))
  assert.deepEqual(to(), ['usr-nora', 'usr-nora'])
  await deleteUser(database.systemPool, resellerId, nora.userId)
  await report(await bench.addVehicle({ subClientId: 'south' }))
  assert.equal(to().length, 2)
})

test('a digest of their own is about their sub-client', async (t) => {
  const { desk, bench, create, report, received, viewer } = await openBench(t)
  const nora = await viewer('usr-nora', 'north')
  await create(nora, { digest: { at: '07:30', timeZone: 'UTC' } })
  const [own, others] = ['northern van', 'southern van']
  await report(
    await bench.addVehicle({ subClientId: 'north', externalRef: own }),
    await bench.addVehicle({ subClientId: 'south', externalRef: others }),
  )
  assert.equal(received.length, 0)
  desk.later(1_440)
  await desk.runJobs()
  assert.equal(received.length, 1)
  assert.match(received[0]?.text ?? '', new RegExp(own))
  assert.doesNotMatch(received[0]?.text ?? '', new RegExp(others))
  assert.match(received[0]?.text ?? '', /^List-Unsubscribe: </m)
})

test('a person sees enabled rules of the account that name them, without whom else these name, and changes none of them', async (t) => {
  const { desk, as, list, viewer } = await openBench(t)
  const [nora, boss] = [await viewer('usr-nora', 'north'), { userId: await desk.addPerson('usr-boss') }]
  const first = await desk.addRule({ recipients: [nora.userId, boss.userId], sub_client_id: 'north' })
  const later = await desk.addRule({ recipients: [boss.userId], escalation_minutes: 30, escalation_recipients: [nora.userId] })
  await desk.addRule({ recipients: [nora.userId], is_enabled: false })
  await desk.addRule({ recipients: [nora.userId], sub_client_id: 'south' })
  await desk.addRule({ recipients: [boss.userId] })
  const found = await list(nora)
  assert.deepEqual(
    new Map(found.map(({ id, own, afterMinutes }) => [id, [own, afterMinutes]])),
    new Map([
      [first, [false, null]],
      [later, [false, 30]],
    ]),
  )
  assert.doesNotMatch(JSON.stringify(found), /usr-/)
  assert.equal((await as(nora).patch(`${PATH}/${first}`, { enabled: false })).status, 404)
  assert.equal((await as(nora).delete(`${PATH}/${first}`)).status, 404)
})

test('an e-mail of a rule of the account does not offer what its recipient cannot end', async (t) => {
  const { desk, bench, report, received } = await openBench(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-boss')] })
  await report(await bench.addVehicle())
  assert.equal(received.length, 1)
  assert.doesNotMatch(received[0]?.text ?? '', /^List-Unsubscribe:/m)
})

test('rules of others do not exist, nor any for who is not signed in; who looks as a sub-client changes none; there is a most', async (t) => {
  const { desk, as, create, list, viewer } = await openBench(t)
  const [nora, olaf] = [await viewer('usr-nora', 'north'), await viewer('usr-olaf', 'north')]
  const { body: rule } = await create(nora)
  assert.deepEqual(await list(olaf), [])
  assert.deepEqual(await list(), [])
  assert.equal((await create(undefined)).status, 401)
  for (const person of [olaf, undefined]) {
    assert.equal((await as(person).patch(`${PATH}/${rule.id}`, { enabled: false })).status, 404)
    assert.equal((await as(person).delete(`${PATH}/${rule.id}`)).status, 404)
  }
  const boss = { userId: await desk.addPerson('usr-boss'), viewing: { subClientId: 'north' } }
  assert.equal((await create(boss)).status, 409)
  // Those who manage the rules of the account have theirs alone.
  assert.deepEqual((await as().get<{ total: number }>('/notification-rules')).body.total, 0)
  assert.equal((await as().patch(`/notification-rules/${rule.id}`, { enabled: false })).status, 404)
  const answers = await Promise.all(Array.from({ length: MAX_PERSONAL_RULES + 1 }, () => create(nora)))
  assert.equal(answers.filter(({ status }) => status === 200).length, MAX_PERSONAL_RULES - 1)
  const refused = answers.find(({ status }) => status === 409)
  assert.match(String(refused && errorOf(refused)['message']), /10 rules of your own/)
  assert.equal((await create(olaf)).status, 200)
})

test('what a person of the whole account asks for is about every sub-client', async (t) => {
  const { desk, bench, create, report, to } = await openBench(t)
  const boss = { userId: await desk.addPerson('usr-boss') }
  await create(boss)
  await report(await bench.addVehicle(), await bench.addVehicle({ subClientId: 'south' }))
  assert.deepEqual(to(), ['usr-boss', 'usr-boss'])
})
