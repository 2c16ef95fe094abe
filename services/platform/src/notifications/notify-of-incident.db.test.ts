// Goal: a person gets one message per incident, rule and step, whatever happens to processes and mail servers. Method: incidents as the engine's findings
// make them, the relay, jobs over a real database, a real SMTP server, and a clock that the test moves.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { raiseDeviceAlerts } from '../alerts/raise-device-alerts.ts'
import { createPost } from '../main/mail.ts'
import { startMailServer } from '../main/test-mail-server.ts'
import { readMail } from '../main/test-read-mail.ts'
import { openTestDatabase } from '../test-support.ts'
import { openNotificationDesk } from './test-notification-desk.ts'

const { database } = await openTestDatabase({ after })
const COOLANT = { type: 'coolant_high', severity: 'high' } as const
const post = (url: string) =>
  createPost({
    mailServer: { url, from: 'fleet@acme.example' },
    present: async (_resellerId, subClientId) => ({
      name: subClientId ?? 'Acme',
      baseUrl: 'https://fleet.acme.example',
      colour: '#aa0000',
    }),
    random: () => 0,
    log: { error: () => undefined },
  })

async function openBench(t: CleanUp, refusal?: (attempt: number) => number | undefined) {
  const { url, received } = await startMailServer(t, refusal)
  const desk = await openNotificationDesk(t, database, post(url))
  const vehicleId = await desk.bench.addVehicle({ externalRef: 'truck 7' })
  return { desk, vehicleId, received, url, to: () => received.map(({ to }) => to[0]?.split('@')[0]) }
}

test('an incident is one message to each recipient, however many readings and events there are', async (t) => {
  const { desk, vehicleId, received, to } = await openBench(t)
  await database.systemPool.query("update vehicles set license_plate = 'KA 7', name = 'Seven' where vehicle_id = $1", [vehicleId])
  const recipients = [await desk.addPerson('usr-anna'), await desk.addPerson('usr-ben')]
  await desk.addRule({ recipients })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  for (let nth = 0; nth < 3; nth++) {
    await desk.report(vehicleId, [COOLANT, { type: `coolant_more_${nth}` }])
    await desk.settle()
  }
  assert.deepEqual(to().sort(), ['usr-anna', 'usr-ben'])
  const [mail] = received
  assert.match(mail?.text ?? '', /^Subject: High: KA 7: /m)
  assert.match(mail?.text ?? '', /^Message-ID: <ntf-[a-z0-9]{20}@acme\.example>/im)
  assert.match(mail?.text ?? '', /text\/html/)
  assert.deepEqual(
    (await desk.log()).map(({ step, status, attempts }) => [step, status, attempts]),
    [
      ['first', 'sent', 1],
      ['first', 'sent', 1],
    ],
  )
})

test('a rule of a sub-client, and a person of one, get messages about its vehicles only', async (t) => {
  const { desk, vehicleId, to, received } = await openBench(t)
  await desk.bench.addSubClient('north')
  const northern = await desk.bench.addVehicle({ subClientId: 'north' })
  await desk.addRule({ recipients: [await desk.addPerson('usr-boss')], sub_client_id: 'north' })
  await desk.addRule({ recipients: [await desk.addPerson('usr-north', { subClientId: 'north' })] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  assert.deepEqual(to(), [])
  assert.deepEqual(
    (await desk.log()).map(({ recipient, status }) => [recipient, status]),
    [['usr-north', 'failed']],
  )
  await desk.report(northern, [COOLANT])
  await desk.settle()
  assert.deepEqual(to().sort(), ['usr-boss', 'usr-north'])
  assert.match(received.find(({ to: [address] }) => address?.startsWith('usr-north'))?.text ?? '', /^From: north </m)
})

test('it is repeated and escalated while it is open, and not once it is acknowledged or snoozed', async (t) => {
  const { desk, vehicleId, to } = await openBench(t)
  const [anna, ben] = [await desk.addPerson('usr-anna'), await desk.addPerson('usr-ben')]
  await desk.addRule({ recipients: [anna], repeat_minutes: 60, escalation_minutes: 30, escalation_recipients: [ben] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  assert.deepEqual(to(), ['usr-anna'])
  desk.later(29)
  assert.equal(await desk.runJobs(), 0)
  desk.later(1)
  await desk.runJobs()
  assert.deepEqual(to(), ['usr-anna', 'usr-ben'])
  desk.later(30)
  await desk.runJobs()
  assert.deepEqual(to().slice(2).sort(), ['usr-anna', 'usr-ben'])
  const { id } = await desk.only(vehicleId)
  assert.equal((await desk.api.patch(`/incidents/${id}`, { status: 'acknowledged' })).status, 200)
  desk.later(600)
  await desk.settle()
  assert.equal(to().length, 4)
})

test('a message about an alarm of a device has the newest position that is known of its subject', async (t) => {
  const { desk, vehicleId, received } = await openBench(t)
  const { resellerId, deps } = desk.bench
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  const at = (minutes: number) => new Date(deps.now().getTime() + minutes * 60_000)
  const stateOf = async (of: string, latitude: number, minutes: number) =>
    await database.systemPool.query(
      `insert into latest_states (source_id, reseller_id, vehicle_id, recorded_at, merged_from, received_at, fix_recorded_at, latitude, longitude)
       values ($1, $2, $3, $4, $4, $4, $4, $5, 11.5)`,
      [`dev-${of}`, resellerId, of, at(minutes), latitude],
    )
  const other = await desk.bench.addVehicle()
  await stateOf(other, 1, 9)
  const positionAfter = async (event: string, latitude: number | null) => {
    const times = { first_recorded_at: at(0), last_recorded_at: at(0) }
    const alarm = {
      ...times,
      reseller_id: resellerId,
      vehicle_id: vehicleId,
      event,
      count: 1,
      latitude,
      longitude: latitude === null ? null : 11.5,
    }
    await database.systemPool.query('insert into reading_alarms select * from jsonb_populate_record(null::reading_alarms, $1)', [
      JSON.stringify(alarm),
    ])
    await raiseDeviceAlerts({ database, now: deps.now })
    await desk.settle()
    return /^Position: (\S+),/m.exec(readMail(received.at(-1)?.text ?? '').text)?.[1]
  }
  assert.equal(await positionAfter('power_cut', null), undefined)
  assert.equal(await positionAfter('crash', 48.5), '48.50000')
  await stateOf(vehicleId, 49, -1)
  assert.deepEqual([await positionAfter('jamming', null), await positionAfter('sos', 48.25)], ['49.00000', '48.25000'])
  await database.systemPool.query('update latest_states set fix_recorded_at = $2, latitude = 50 where vehicle_id = $1', [vehicleId, at(1)])
  assert.equal(await positionAfter('tow', 48.25), '50.00000')
  assert.equal(received.length, 5)
})

test('a snoozed incident is not escalated before the snooze is over', async (t) => {
  const { desk, vehicleId, to } = await openBench(t)
  const [anna, ben] = [await desk.addPerson('usr-anna'), await desk.addPerson('usr-ben')]
  await desk.addRule({ recipients: [anna], escalation_minutes: 30, escalation_recipients: [ben] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  const { id } = await desk.only(vehicleId)
  const until = new Date(Date.now() + 30 * 86_400_000)
  assert.equal((await desk.api.patch(`/incidents/${id}`, { status: 'snoozed', snoozedUntil: until.toISOString() })).status, 200)
  desk.later(60)
  await desk.settle()
  assert.deepEqual(to(), ['usr-anna'])
  desk.bench.clock.nowMs = until.getTime()
  await desk.runJobs()
  assert.deepEqual(to(), ['usr-anna', 'usr-ben'])
})

test('what a mail server refuses is tried again under the same id, and in the end is said to have failed', async (t) => {
  const { desk, vehicleId, received } = await openBench(t, (attempt) => (attempt <= 4 ? 450 : undefined))
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  assert.deepEqual(
    (await desk.log()).map(({ status, attempts }) => [status, attempts]),
    [['pending', 1]],
  )
  desk.later(1)
  await desk.runJobs()
  desk.later(5)
  await desk.runJobs()
  assert.equal(received.length, 1)
  assert.deepEqual(
    (await desk.log()).map(({ status, attempts }) => [status, attempts]),
    [['sent', 3]],
  )

  const dead = await openBench(t, () => 450)
  await dead.desk.addRule({ recipients: [await dead.desk.addPerson('usr-anna')] })
  await dead.desk.report(dead.vehicleId, [COOLANT])
  await dead.desk.settle()
  for (const minutes of [1, 5, 30, 120, 600]) {
    dead.desk.later(minutes)
    await dead.desk.runJobs()
  }
  assert.deepEqual(
    (await dead.desk.log()).map(({ status, attempts }) => [status, attempts]),
    [['failed', 5]],
  )
})

test('what a mail server refuses for good is not tried again, and the log has what it answered', async (t) => {
  let attempts = 0
  const { desk, vehicleId } = await openBench(t, (attempt) => {
    attempts = attempt
    return 550
  })
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  desk.later(1)
  await desk.runJobs()
  assert.equal(attempts, 1)
  assert.deepEqual(
    (await desk.log()).map(({ status, attempts, error }) => [status, attempts, error]),
    [['failed', 1, 'The mail server answered 550: not now.']],
  )
})

test('what waits for another attempt is not sent once the incident is over', async (t) => {
  const { desk, vehicleId, received } = await openBench(t, (attempt) => (attempt <= 2 ? 450 : undefined))
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  const { id } = await desk.only(vehicleId)
  await desk.api.patch(`/incidents/${id}`, { status: 'acknowledged' })
  desk.later(1)
  await desk.settle()
  assert.equal(received.length, 0)
  assert.deepEqual(
    (await desk.log()).map(({ status, error }) => [status, error]),
    [['cancelled', 'The incident is acknowledged.']],
  )
})

test('a first message that nobody got is sent when the incident comes back, or its acknowledgement is taken back', async (t) => {
  const { desk, vehicleId, to } = await openBench(t, (attempt) => (attempt <= 4 ? 450 : undefined))
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  for (const _ of [1, 2, 3]) await desk.report(vehicleId, [])
  await desk.settle()
  assert.deepEqual(
    (await desk.log()).map(({ status, error }) => [status, error]),
    [['cancelled', 'The incident is resolved.']],
  )
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  const { id } = await desk.only(vehicleId)
  await desk.api.patch(`/incidents/${id}`, { status: 'acknowledged' })
  desk.later(1)
  await desk.settle()
  assert.deepEqual(to(), [])
  await desk.api.patch(`/incidents/${id}`, { status: 'open' })
  await desk.settle()
  await desk.settle()
  assert.deepEqual(to(), ['usr-anna'])
})

test('what waits for another attempt waits for the hours of its rule too, and no more where the rule names somebody else', async (t) => {
  const { desk, vehicleId, received, to } = await openBench(t, (attempt) => (attempt <= 4 ? 450 : undefined))
  const [anna, ben] = [await desk.addPerson('usr-anna'), await desk.addPerson('usr-ben')]
  const { bench } = desk
  await database.systemPool.query("update resellers set time_zone = 'UTC' where reseller_id = $1", [bench.resellerId])
  const timeIn = (minutes: number) => new Date(bench.clock.nowMs + minutes * 60_000).toISOString().slice(11, 16)
  // The clock of the test stands at a whole hour.
  const ruleId = await desk.addRule({ recipients: [anna, ben], quiet_hours: { from: timeIn(15), to: timeIn(135) } })
  await desk.report(vehicleId, [COOLANT])
  await desk.settle()
  await database.systemPool.query('update notification_rules set recipients = $2 where rule_id = $1', [ruleId, [anna]])
  for (const minutes of [16, 60]) {
    desk.later(minutes)
    await desk.runJobs()
    assert.equal(received.length, 0)
  }
  desk.later(60)
  await desk.runJobs()
  assert.deepEqual(to(), ['usr-anna'])
  assert.deepEqual(
    (await desk.log()).map(({ recipient, status, error }) => [recipient, status, error]),
    [
      ['usr-anna', 'sent', null],
      ['usr-ben', 'cancelled', 'The rule does not name the recipient any more.'],
    ],
  )
})

test('several processes at once send what one would', async (t) => {
  const { desk, url, to } = await openBench(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  const vehicles = await Promise.all(Array.from({ length: 6 }, () => desk.bench.addVehicle()))
  for (const vehicleId of vehicles) await desk.report(vehicleId, [COOLANT])
  await desk.relay()
  await Promise.all([1, 2, 3].map(() => desk.runJobs(desk.jobs(post(url)))))
  assert.equal(to().length, vehicles.length)
})

test('two holders of one job, of which the first was thought dead, send one message', async (t) => {
  const { desk, vehicleId, url, to } = await openBench(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await desk.report(vehicleId, [COOLANT])
  await desk.relay()
  const { id: key } = await desk.only(vehicleId)
  const job = { resellerId: desk.bench.resellerId, kind: 'notify-of-incident', key, failureCount: 0 }
  const signal = new AbortController().signal
  await Promise.all([1, 2, 3].map(() => desk.jobs(post(url))[0]?.run(job, signal)))
  assert.equal(to().length, 1)
})

test('without a rule no job is asked for', async (t) => {
  const { desk, vehicleId } = await openBench(t)
  await desk.report(vehicleId, [COOLANT])
  await desk.relay()
  const { rows } = await database.systemPool.query('select 1 from jobs where reseller_id = $1', [desk.bench.resellerId])
  assert.equal(rows.length, 0)
})
