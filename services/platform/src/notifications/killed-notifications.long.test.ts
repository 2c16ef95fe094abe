// Goal: a process that is killed anywhere between deciding on a message and storing what came of it leaves one message with its recipient, or, where it
// was killed just before the mail server was called, none and a row that says so. Method: a process of its own does the work and stops at its nth step,
// where it is killed; that of the test takes over. Once for every step there is.

import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { startMailServer } from '../main/test-mail-server.ts'
import { killAtStep } from '../test-kill-at-step.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { answerWith, startReceiver } from '../webhooks/test-receiver.ts'
import { startPushService } from './browsers/test-push-service.ts'
import { digestTimes } from './digests/digest.ts'
import { DIGEST_JOB } from './digests/send-digest.ts'
import { postTo } from './test-loopback-exits.ts'
import { openNotificationDesk } from './test-notification-desk.ts'
import type { NotificationProcessTask } from './test-notification-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-notification-process.ts')
const MAX_STEPS = 60

const { database, ownerUrl } = await openTestDatabase({ after })
const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)
const { url: mailUrl, received } = await startMailServer({ after })
const desk = await openNotificationDesk({ after }, database, postTo(mailUrl))

async function killAt(stopAtStep: number, steps: NotificationProcessTask['steps'] = 'all'): Promise<string | undefined> {
  const task: NotificationProcessTask = { urls: { app, system }, mailUrl, at: desk.bench.deps.now().toISOString(), stopAtStep, steps }
  const where = await killAtStep(SCRIPT, task)
  // The claim of a process that was killed is over.
  desk.later(1)
  return where
}

async function takeOver(): Promise<void> {
  await desk.runJobs()
  desk.later(1)
}

type Receiver = {
  readonly recipient: string
  /** Of whose rows there is one, where the rule names another who gets the message by several ways. */
  readonly rowsOf?: string
  readonly steps?: NotificationProcessTask['steps']
  readonly count: () => number
}

/** Kills at every step there is, each time with a new incident. Answers where, and where nothing arrived. */
async function killEverywhere({ recipient, rowsOf = recipient, steps = 'all', count }: Receiver) {
  const ruleId = await desk.addRule({ recipients: [recipient] })
  const places: string[] = []
  const lost: (string | undefined)[] = []
  for (let step = 1; step <= MAX_STEPS; step++) {
    const vehicleId = await desk.bench.addVehicle()
    await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }])
    await desk.relay()
    const before = { messages: count(), rows: (await desk.log()).length }
    const where = await killAt(step, steps)
    await takeOver()
    const messages = count() - before.messages
    const rows = (await desk.log()).slice(before.rows).filter((row) => row.recipient === rowsOf)
    assert.equal(rows.length, 1, `killed ${where}`)
    const [row] = rows
    const isRight = row?.status === 'sent' ? messages === 1 : row?.status === 'uncertain' && messages <= 1
    assert.ok(isRight, `killed ${where}: ${row?.status}, ${messages} messages`)
    if (messages === 0) lost.push(where)
    if (where === undefined) break
    places.push(`${where}: ${row?.status}`)
  }
  await database.systemPool.query('update notification_rules set is_enabled = false where rule_id = $1', [ruleId])
  return { places, lost }
}

test('killed at every step, a mail is sent once or said to be uncertain', async (t) => {
  const { places, lost } = await killEverywhere({ recipient: await desk.addPerson('usr-anna'), count: () => received.length })
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  // Between the row that says it is being sent and the call: it looks the same as after the call, so nothing is sent again.
  assert.deepEqual(lost, ['after database.tenantPool.query', 'before notices.notify'])
  assert.ok(places.includes('after notices.notify: uncertain'))
})

test('killed at every step, a message of a chat is sent once or said to be uncertain', async (t) => {
  const slack = await startReceiver({ after }, answerWith(200, {}, 'ok'))
  const recipient = await desk.addChannel({ kind: 'slack', url: slack.url })
  const { places, lost } = await killEverywhere({ recipient, count: () => slack.received.length })
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  assert.deepEqual(lost, ['after database.tenantPool.query', 'before exits.post'])
  assert.ok(places.includes('after exits.post: uncertain'))
})

test('killed at every step, a message in a browser is shown once or said to be uncertain', async (t) => {
  const service = await startPushService({ after }, () => desk.bench.clock.nowMs)
  const browser = service.addBrowser()
  const recipient = await desk.addPerson('usr-ben')
  const rowsOf = await desk.allowBrowser(recipient, browser.target)
  const count = () => browser.shown.length
  // The e-mail to the person is sent beside it, so that its steps are among those of the message.
  const { places, lost } = await killEverywhere({ recipient, rowsOf, count })
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  assert.ok(places.length > 14 && lost.every((where) => where === 'after database.tenantPool.query' || where === 'before exits.post'))
  assert.deepEqual((await killEverywhere({ recipient, rowsOf, steps: 'posts', count })).places, [
    'before exits.present: sent',
    'after exits.present: sent',
    'before exits.post: uncertain',
    'after exits.post: uncertain',
  ])
})

test('killed at every step, a digest is sent once or said to be uncertain', async (t) => {
  const recipient = await desk.addPerson('usr-clara')
  const { resellerId, clock, deps } = desk.bench
  const ruleId = await desk.addRule({ recipients: [recipient], digest: { at: '07:30', timeZone: 'UTC' }, digested_until: deps.now() })
  const key = { resellerId, kind: DIGEST_JOB, key: ruleId }
  await upsertJob(database.systemPool, key, digestTimes({ at: '07:30', timeZone: 'UTC' }, deps.now()).next.at)
  const places: string[] = []
  const lost: (string | undefined)[] = []
  for (let step = 1; step <= MAX_STEPS; step++) {
    await desk.report(await desk.bench.addVehicle(), [{ type: 'coolant_high', severity: 'high' }])
    clock.nowMs = digestTimes({ at: '07:30', timeZone: 'UTC' }, deps.now()).next.at.getTime()
    const before = { messages: received.length, rows: (await digestRows()).length }
    const where = await killAt(step)
    await takeOver()
    const messages = received.length - before.messages
    const rows = (await digestRows()).slice(before.rows)
    assert.equal(rows.length, 1, `killed ${where}`)
    const isRight = rows[0]?.status === 'sent' ? messages === 1 : rows[0]?.status === 'uncertain' && messages <= 1
    assert.ok(isRight, `killed ${where}: ${rows[0]?.status}, ${messages} messages`)
    if (messages === 0) lost.push(where)
    if (where === undefined) break
    places.push(`${where}: ${rows[0]?.status}`)
  }
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  assert.deepEqual(lost, ['after database.tenantPool.query', 'before notices.notify'])
  assert.ok(places.includes('after notices.notify: uncertain'))

  async function digestRows() {
    return (await desk.log()).filter(({ recipient: each }) => each === recipient)
  }
})
