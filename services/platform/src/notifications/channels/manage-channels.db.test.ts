// Goal: people connect, test, change and remove channels by the API, each within what is theirs, and nobody reads a secret back. Method: the routes over a
// real database, and services on loopback as they answer.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { NotificationChannel } from '@roadworthy/contracts/platform-v1/notification-channels'
import type { Notification, NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { withoutMailServer } from '../../people/test-notices.ts'
import { errorOf, startTestSurface, type TestCaller } from '../../predictions/test-surface.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { openTestDatabase } from '../../test-support.ts'
import { notificationPlatformRoutes } from '../routes.platform-v1.ts'
import { loopbackExits, loopbackGuard } from '../test-loopback-exits.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'
import { notificationChannelPlatformRoutes } from './channel.routes.platform-v1.ts'
import { answer, BOT_TOKEN, startSlack, startTelegram } from './test-channel-services.ts'

const { database } = await openTestDatabase({ after })
const desk = await openNotificationDesk({ after }, database, withoutMailServer)
const surface = await startTestSurface({ after }, platformSurface, [
  notificationPlatformRoutes({ database }),
  notificationChannelPlatformRoutes({ database, exits: loopbackExits(), guard: loopbackGuard }),
])
const { resellerId } = desk.bench
const as = (caller: Partial<TestCaller> = {}) => surface.as({ resellerId, ...caller })
await desk.bench.addSubClient('north')
type Created = { channel: NotificationChannel; secret: string | null }
type Tested = { status: string; error: string | null; notificationId: string }
const create = async (body: object, caller: Partial<TestCaller> = {}) =>
  await as(caller).post<Created>('/notification-channels', { name: 'Chat', ...body })
const refusalOf = (of: Parameters<typeof errorOf>[0]) => [of.status, (errorOf(of)['details'] as { field?: string } | undefined)?.field]

test('a channel shows where it sends and nothing that lets anybody send there', async () => {
  const targets = [
    { kind: 'slack', url: 'http://127.0.0.1/services/T0/B0/SecretSecret' },
    { kind: 'teams', url: 'http://127.0.0.1/workflows/x?sig=SecretSecret' },
    { kind: 'telegram', serverUrl: 'http://127.0.0.1:8081/', botToken: BOT_TOKEN, chatId: '-100200' },
    { kind: 'ntfy', serverUrl: 'http://127.0.0.1', topic: 'SecretSecret', token: 'tk_SecretSecret' },
    { kind: 'webhook', url: 'http://127.0.0.1/hook?key=SecretSecret' },
  ]
  const shown: string[] = []
  for (const target of targets) {
    const { status, body } = await create(target)
    assert.equal(status, 200, JSON.stringify(body))
    const { secret, channel } = body
    assert.equal(secret?.startsWith('whsec_') ?? false, target.kind === 'webhook')
    const read = (await as().get<NotificationChannel>(`/notification-channels/${channel.id}`)).body
    assert.deepEqual(read, channel)
    assert.doesNotMatch(JSON.stringify(read), /SecretSecret|AAExample/)
    shown.push(channel.target)
  }
  assert.deepEqual(shown, [
    'http://127.0.0.1/…cret',
    'http://127.0.0.1/…cret',
    'chat -100200 by bot 123456789',
    'http://127.0.0.1/Secr…',
    'http://127.0.0.1/hook?…',
  ])
  const { rows } = await database.systemPool.query('select * from notification_channels')
  const { rows: audited } = await database.systemPool.query("select * from audit_log where action like 'notification_channel.%'")
  assert.ok(audited.length >= targets.length)
  assert.doesNotMatch(JSON.stringify([rows, audited]), /SecretSecret|AAExample|whsec_/)
})

test('a channel moves to another server only with its token, which would be sent there', async () => {
  const server = { serverUrl: 'http://127.0.0.1:8081' }
  const ofToken = async (target: object) => {
    const { id } = (await create(target)).body.channel
    return async (change: object) => await as().patch(`/notification-channels/${id}`, change)
  }
  const ntfy = await ofToken({ kind: 'ntfy', topic: 'x', token: 'tk_SecretSecret', ...server })
  assert.deepEqual(refusalOf(await ntfy({ serverUrl: 'http://127.0.0.1:8082' })), [400, 'token'])
  assert.equal((await ntfy({ serverUrl: 'http://127.0.0.1:8081/push' })).status, 200)
  assert.equal((await ntfy({ serverUrl: 'http://127.0.0.1:8082', token: null })).status, 200)
  assert.equal((await ntfy({ serverUrl: 'http://127.0.0.1:8083' })).status, 200)
  const telegram = await ofToken({ kind: 'telegram', botToken: BOT_TOKEN, chatId: '1', ...server })
  assert.deepEqual(refusalOf(await telegram({ serverUrl: 'http://127.0.0.1:8082' })), [400, 'botToken'])
  assert.equal((await telegram({ serverUrl: 'http://127.0.0.1:8082', botToken: BOT_TOKEN })).status, 200)
})

test('what is missing, of another kind or not to be called is refused by the name of its field', async () => {
  const url = 'http://127.0.0.1/x'
  assert.deepEqual(refusalOf(await create({ kind: 'slack' })), [400, 'url'])
  assert.deepEqual(refusalOf(await create({ kind: 'slack', url, topic: 'x' })), [400, 'topic'])
  assert.deepEqual(refusalOf(await create({ kind: 'telegram', botToken: BOT_TOKEN })), [400, 'chatId'])
  assert.deepEqual(refusalOf(await create({ kind: 'telegram', botToken: 'x', chatId: '1' })), [400, 'botToken'])
  assert.deepEqual(refusalOf(await create({ kind: 'ntfy', topic: 'x', serverUrl: 'http://10.0.0.1' })), [400, 'serverUrl'])
  for (const inside of ['http://10.0.0.1/', 'https://192.168.1.1/', 'ftp://127.0.0.1/', 'http://u:p@127.0.0.1/', 'x']) {
    assert.deepEqual(refusalOf(await create({ kind: 'webhook', url: inside })), [400, 'url'], inside)
  }
  assert.equal((await create({ kind: 'pager', url })).status, 400)
  assert.deepEqual(refusalOf(await create({ kind: 'slack', url, name: ' ' })), [400, 'name'])
})

test('a test is one message, sent at once, and says what the service answered', async (t) => {
  const slack = await startSlack(t)
  const { channel } = (await create({ kind: 'slack', url: slack.url })).body
  const path = `/notification-channels/${channel.id}/test`
  const { status, body } = await as().post<Tested>(path)
  assert.deepEqual([status, body.status, body.error], [200, 'sent', null])
  assert.match(JSON.stringify(slack.taken[0]?.body), /Nothing happened to any vehicle/)
  // Five seconds have not passed, however long a busy machine takes.
  await database.systemPool.query("update notifications set created_at = now() + interval '1 minute' where notification_id = $1", [
    body.notificationId,
  ])
  assert.equal((await as().post(path)).status, 409)
  const log = await as().get<{ notifications: Notification[] }>(`/notifications?recipient=${channel.id}`)
  assert.deepEqual(
    log.body.notifications.map(({ id, ruleId, step, status: state }) => [id, ruleId, step, state]),
    [[body.notificationId, null, 'test', 'sent']],
  )
  const telegram = await startTelegram(t)
  const wrong = { kind: 'telegram', serverUrl: telegram.origin, botToken: `${BOT_TOKEN}x`, chatId: '-100200' }
  const other = (await create(wrong)).body.channel
  const answered = (await as().post<Tested>(`/notification-channels/${other.id}/test`)).body
  assert.deepEqual([answered.status, answered.error], ['failed', 'Telegram answered 401: Unauthorized.'])
  const mended = (await create(wrong)).body.channel
  await as().patch(`/notification-channels/${mended.id}`, { botToken: BOT_TOKEN })
  assert.equal((await as().post<Tested>(`/notification-channels/${mended.id}/test`)).body.status, 'sent')
})

test('a test has one attempt', async (t) => {
  const slack = await startSlack(t)
  slack.failNext(answer(503))
  const { channel } = (await create({ kind: 'slack', url: slack.url })).body
  const { body } = await as().post<Tested>(`/notification-channels/${channel.id}/test`)
  assert.deepEqual([body.status, body.error], ['failed', 'Slack answered 503.'])
})

test('a channel that a rule names stays, and is named by rules of its sub-client alone', async (t) => {
  const slack = await startSlack(t)
  const { channel } = (await create({ kind: 'slack', url: slack.url, subClientId: 'north' })).body
  const rule = { name: 'Nights', minSeverity: 'high', recipients: [channel.id] }
  assert.equal((await as().post('/notification-rules', rule)).status, 404)
  assert.equal((await as().post('/notification-rules', { ...rule, recipients: ['nch-none'] })).status, 404)
  const made = await as({ subClientPin: 'north' }).post<NotificationRule>('/notification-rules', rule)
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const refused = await as().delete(`/notification-channels/${channel.id}`)
  assert.equal(refused.status, 409)
  assert.match(String(errorOf(refused)['message']), /"Nights"/)
  await as().delete(`/notification-rules/${made.body.id}`)
  assert.equal((await as().delete(`/notification-channels/${channel.id}`)).status, 200)
  assert.equal((await as().get(`/notification-channels/${channel.id}`)).status, 404)
})

test('channels of others do not exist', async () => {
  const { channel } = (await create({ kind: 'slack', url: 'http://127.0.0.1/x' })).body
  const pinned = as({ subClientPin: 'north' })
  const path = `/notification-channels/${channel.id}`
  assert.equal((await pinned.get(path)).status, 404)
  assert.equal((await pinned.patch(path, { name: 'Mine' })).status, 404)
  assert.equal((await pinned.delete(path)).status, 404)
  assert.equal((await pinned.post(`${path}/test`)).status, 404)
  assert.equal((await pinned.post('/notification-rules', { name: 'x', minSeverity: 'high', recipients: [channel.id] })).status, 404)
  const own = await create({ kind: 'slack', url: 'http://127.0.0.1/x' }, { subClientPin: 'north' })
  assert.equal(own.body.channel.subClientId, 'north')
  const list = await pinned.get<{ notificationChannels: NotificationChannel[] }>('/notification-channels')
  assert.ok(list.body.notificationChannels.every(({ subClientId }) => subClientId === 'north'))
})

test('a chat has a language and units of its own, which a test shows; a program has none', async (t) => {
  const slack = await startSlack(t)
  const plain = (await create({ kind: 'slack', url: slack.url })).body.channel
  assert.deepEqual([plain.language, plain.units], ['en', 'metric'])
  const path = `/notification-channels/${plain.id}`
  const changed = (await as().patch<NotificationChannel>(path, { language: 'de', units: 'imperial' })).body
  assert.deepEqual([changed.language, changed.units, changed.name, changed.target], ['de', 'imperial', plain.name, plain.target])
  const renamed = (await as().patch<NotificationChannel>(path, { name: 'Werkstatt' })).body
  assert.deepEqual([renamed.language, renamed.units], ['de', 'imperial'])
  assert.equal((await as().post<Tested>(`${path}/test`, {})).body.status, 'sent')
  assert.match(JSON.stringify(slack.taken[0]?.body), /Dies ist ein Test des Kanals „Werkstatt“/)
  const program = { kind: 'webhook', url: 'http://127.0.0.1/hook' }
  assert.deepEqual(refusalOf(await create({ ...program, language: 'es' })), [400, 'language'])
  assert.deepEqual(refusalOf(await create({ ...program, units: 'imperial' })), [400, 'units'])
  assert.equal((await create({ ...program, language: 'en', units: 'metric' })).status, 200)
  assert.equal((await create({ kind: 'slack', url: slack.url, language: 'fr' })).status, 400)
})
