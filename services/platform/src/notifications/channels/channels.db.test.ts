// Goal: an incident is one message in each channel of a rule, in the form its service takes, whatever the service answers. Method: services as they answer,
// on loopback, with faults on demand; jobs over a real database, and a clock that the test moves.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { withoutMailServer } from '../../people/test-notices.ts'
import { openTestDatabase } from '../../test-support.ts'
import { newSigningSecret, signatureHeaders } from '../../webhooks/signing.ts'
import { urlOfNobody } from '../../webhooks/test-receiver.ts'
import { loopbackExits } from '../test-loopback-exits.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'
import type { ChannelTarget } from './channel.ts'
import {
  answer,
  BOT_TOKEN,
  type ChannelService,
  HANGS,
  LOST_ANSWER,
  startNtfy,
  startProgram,
  startSlack,
  startTeams,
  startTelegram,
} from './test-channel-services.ts'

const { database } = await openTestDatabase({ after })
/** Longer than a busy machine takes until the service has the message. */
const HANGS_FOR_MS = 10_000
const NASTY = 'truck <7> & *co* [x](http://evil.example) _y_ <!channel>'

async function openChannel(t: TestContext, target: ChannelTarget, totalMs?: number) {
  const desk = await openNotificationDesk(t, database, withoutMailServer, loopbackExits(totalMs))
  const vehicleId = await desk.bench.addVehicle({ externalRef: NASTY })
  const channelId = await desk.addChannel(target)
  await desk.addRule({ recipients: [channelId] })
  return {
    desk,
    vehicleId,
    channelId,
    report: async () => {
      await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'critical' }])
      await desk.settle()
    },
    states: async () => (await desk.log()).map(({ status, attempts }) => [status, attempts]),
    errors: async () => (await desk.log()).map(({ error }) => error),
  }
}

const telegramAt = ({ origin }: ChannelService) =>
  ({ kind: 'telegram', serverUrl: origin, botToken: BOT_TOKEN, chatId: '-100200' }) as const

test('each service takes the message in its own form, with a link to the incident and none that acknowledges', async (t) => {
  const secret = newSigningSecret()
  const services: [ChannelService, (of: ChannelService) => ChannelTarget][] = [
    [await startSlack(t), ({ url }) => ({ kind: 'slack', url })],
    [await startTeams(t), ({ url }) => ({ kind: 'teams', url })],
    [await startTelegram(t), telegramAt],
    [await startNtfy(t), ({ origin }) => ({ kind: 'ntfy', serverUrl: origin, topic: 'fleet', token: 'tk_example' })],
    [await startProgram(t), ({ url }) => ({ kind: 'webhook', url, secret })],
  ]
  for (const [service, targetOf] of services) {
    const target = targetOf(service)
    const { desk, vehicleId, report, states, errors } = await openChannel(t, target)
    await report()
    assert.deepEqual([await states(), await errors()], [[['sent', 1]], [null]], target.kind)
    assert.equal(service.taken.length, 1, target.kind)
    const text = service.taken[0]?.received.body ?? ''
    assert.ok(text.includes(`https://fleet.acme.example/alerts/${(await desk.only(vehicleId)).id}`), text)
    assert.doesNotMatch(text, /\/acknowledge\//)
  }
  const [slack, teams, telegram, ntfy, program] = services.map(([service]) => service)
  const slackText = slack?.taken[0]?.received.body ?? ''
  assert.ok(slackText.includes('&lt;!channel&gt;') && !slackText.includes('<!channel>'))
  assert.ok(JSON.stringify(teams?.taken[0]?.body).includes('\\\\[x\\\\]'))
  assert.ok(String(telegram?.taken[0]?.body['text']).includes('truck &lt;7&gt; &amp;'))
  assert.equal(ntfy?.taken[0]?.body['priority'], 5)
  const { body, headers } = program?.taken[0]?.received ?? assert.fail()
  const verified = JSON.parse(body) as { id: string; data: { step: string; severity: string } }
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
  assert.equal(headers['webhook-signature'], signatureHeaders({ id: verified.id, body }, [secret], sentAt)['webhook-signature'])
  assert.match(verified.id, /^ntf-/)
  assert.deepEqual([verified.data.step, verified.data.severity, headers['webhook-id']], ['first', 'critical', verified.id])
})

test('what a service cannot take now it is asked to take again, no sooner than it says, and once', async (t) => {
  const slack = await startSlack(t)
  const { desk, report, states, errors } = await openChannel(t, { kind: 'slack', url: slack.url })
  slack.failNext(answer(429, { 'retry-after': '600' }, 'rate_limited'), answer(503), answer(500))
  await report()
  assert.deepEqual(await errors(), ['Slack answered 429: rate_limited.'])
  desk.later(9)
  await desk.runJobs()
  assert.equal(slack.asked(), 1)
  for (const minutes of [1, 5, 30]) {
    desk.later(minutes)
    await desk.runJobs()
  }
  assert.deepEqual(await states(), [['sent', 4]])
  assert.equal(slack.taken.length, 1)
})

test('an answer with what cannot be stored is kept without it, and the message is sent again', async (t) => {
  const slack = await startSlack(t)
  const { desk, report, states, errors } = await openChannel(t, { kind: 'slack', url: slack.url })
  slack.failNext(answer(500, {}, '{"error":"out\\u0000 of \\u202eorder"}'))
  await report()
  assert.deepEqual(await errors(), ['Slack answered 500: out of order.'])
  desk.later(1)
  await desk.runJobs()
  assert.deepEqual(await states(), [['sent', 2]])
})

test('Telegram says in its answer how long to wait', async (t) => {
  const telegram = await startTelegram(t)
  const { desk, report, states } = await openChannel(t, telegramAt(telegram))
  telegram.failNext(answer(429, {}, '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":180}}'))
  await report()
  desk.later(2)
  await desk.runJobs()
  assert.equal(telegram.asked(), 1)
  desk.later(1)
  await desk.runJobs()
  assert.deepEqual(await states(), [['sent', 2]])
})

test('a wrong address or credential is not tried again, and the answer is kept in words', async (t) => {
  const telegram = await startTelegram(t)
  const wrong = await openChannel(t, { ...telegramAt(telegram), chatId: '-1' })
  await wrong.report()
  wrong.desk.later(600)
  await wrong.desk.runJobs()
  assert.deepEqual([await wrong.states(), await wrong.errors()], [[['failed', 1]], ['Telegram answered 400: Bad Request: chat not found.']])
  const slack = await startSlack(t)
  slack.failNext(answer(302, { location: 'https://elsewhere.example/' }))
  const moved = await openChannel(t, { kind: 'slack', url: slack.url })
  await moved.report()
  assert.match(String((await moved.errors())[0]), /^Slack answered 302: redirects are not followed/)
})

test('where the answer is lost a chat is not sent it twice, and a program that knows the id is', async (t) => {
  for (const { fault, totalMs } of [{ fault: LOST_ANSWER }, { fault: HANGS, totalMs: HANGS_FOR_MS }]) {
    const slack = await startSlack(t)
    slack.failNext(fault)
    const chat = await openChannel(t, { kind: 'slack', url: slack.url }, totalMs)
    await chat.report()
    chat.desk.later(600)
    await chat.desk.runJobs()
    assert.deepEqual([await chat.states(), slack.taken.length], [[['uncertain', 1]], 1])
    assert.match(String((await chat.errors())[0]), /It may have arrived, and is not sent again\.$/)
  }
  const program = await startProgram(t)
  program.failNext(LOST_ANSWER)
  const { desk, report, states } = await openChannel(t, { kind: 'webhook', url: program.url, secret: newSigningSecret() })
  await report()
  desk.later(1)
  await desk.runJobs()
  assert.deepEqual(await states(), [['sent', 2]])
  assert.equal(new Set(program.taken.map(({ body }) => body['id'])).size, 1)
})

test('a service that cannot be reached is tried as often as a mail server, and then given up', async (t) => {
  const { desk, report, states, errors } = await openChannel(t, { kind: 'slack', url: await urlOfNobody(t) })
  await report()
  assert.deepEqual(await states(), [['pending', 1]])
  for (const minutes of [1, 5, 30, 120, 600]) {
    desk.later(minutes)
    await desk.runJobs()
  }
  assert.deepEqual(await states(), [['failed', 5]])
  assert.match(String((await errors())[0]), /^Slack did not answer: /)
})

test('an address inside the network is asked nothing, and a channel that is deleted or of another sub-client gets nothing', async (t) => {
  const { report, states, errors } = await openChannel(t, { kind: 'slack', url: 'http://10.0.0.1/hook' })
  await report()
  assert.deepEqual([await states(), await errors()], [[['failed', 1]], ['10.0.0.1 is not, or not only, a public address.']])
  const slack = await startSlack(t)
  const { desk, vehicleId } = await openChannel(t, { kind: 'slack', url: slack.url })
  await desk.bench.addSubClient('north')
  const northern = await desk.addChannel({ kind: 'slack', url: slack.url }, 'north')
  await desk.addRule({ recipients: [northern, 'nch-gone'] })
  await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }])
  await desk.settle()
  assert.equal(slack.taken.length, 1)
  assert.deepEqual((await desk.log()).map(({ status, error }) => [status, error]).sort(), [
    ['failed', 'The channel is of another sub-client than the incident.'],
    ['failed', 'The channel was deleted.'],
    ['sent', null],
  ])
})
