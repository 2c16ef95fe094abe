// Goal: an endpoint is sent every event it asks for, at its times, until it has it; and what was sent can be looked at and sent again.
// Method: real receivers, a clock set by hand. Workers that die, many of them, and slow receivers are in worker.db.test.ts.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Webhook, WebhookDelivery } from '@roadworthy/contracts/platform-v1/webhooks'
import type { Event } from '@roadworthy/contracts/webhooks/events'
import { Webhook as Verifier } from 'standardwebhooks'
import { scheduleS } from './schedule.ts'
import { devicesIn, okBody, openBench, START } from './test-bench.ts'
import { answerWith, type Reply, startReceiver } from './test-receiver.ts'

const bench = await openBench({ after })
const { surface } = bench
const HOUR_MS = 3_600_000
const GONE = 410

/** Answers as set at that moment. */
function switchable(status: number): { reply: Reply; set(status: number): void } {
  let current = status
  return {
    reply: (response, received, nth) => answerWith(current)(response, received, nth),
    set: (next) => {
      current = next
    },
  }
}

/** Goes from one attempt to the next until nothing is pending or `until` is reached. */
async function letTimePass(caller: { resellerId: string }, webhookId: string, until: Date): Promise<void> {
  for (;;) {
    await bench.deliver()
    const pending = await bench.deliveries(caller, webhookId, 'status=pending')
    const nextMs = Math.min(...pending.map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '')))
    if (!(nextMs <= until.getTime())) break
    bench.setTime(new Date(nextMs))
  }
  bench.setTime(until)
}

beforeEach(() => bench.setTime(START))

const hoursIn = (hours: number) => new Date(START.getTime() + hours * HOUR_MS)

test('an event arrives signed, as it stands in the log, and its request and answer can be looked at', async (t) => {
  // The reference library compares with the real clock.
  bench.setTime(new Date())
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t, answerWith(202, { 'x-request': '7' }, 'thank you'))
  const { secret, webhook } = await bench.create(caller, receiver.url, { headers: { 'X-Gateway-Key': 'k7f3' } })
  const [eventId = ''] = await bench.publish(caller.resellerId, ['dev-1'], 'north')
  await bench.deliver()
  const [{ headers, body } = assert.fail('nothing was received')] = receiver.received
  const event = new Verifier(secret).verify(body, headers as Record<string, string>) as Event
  const { rows } = await bench.database.systemPool.query<{ body: string }>('select body from events where event_id = $1', [eventId])
  assert.equal(body, rows[0]?.body)
  assert.deepEqual([event.id, event.event, event.sub_client_id], [eventId, 'device.offline', 'north'])
  assert.deepEqual([headers['webhook-id'], headers['content-type'], headers['x-gateway-key']], [eventId, 'application/json', 'k7f3'])
  const [delivery = assert.fail('there is no delivery')] = await bench.deliveries(caller, webhook.id)
  const detail = await bench.detail(caller, delivery)
  const [attempt = assert.fail('there is no attempt')] = detail.attempts
  assert.deepEqual([detail.body, detail.status, detail.attemptCount, detail.nextAttemptAt], [body, 'delivered', 1, null])
  assert.deepEqual(
    [attempt.outcome, attempt.answerStatus, attempt.answerBody, attempt.answerHeaders?.['x-request'], attempt.error, attempt.url],
    ['delivered', 202, 'thank you', '7', null, receiver.url],
  )
  assert.deepEqual(
    [attempt.requestHeaders['webhook-signature'], attempt.requestHeaders['X-Gateway-Key']],
    [headers['webhook-signature'], '(as set)'],
  )
  assert.equal(okBody(await surface.as(caller).get<Webhook>(`/webhooks/${webhook.id}`)).lastSuccessAt, bench.now().toISOString())
})

test('each endpoint is sent what it asks for, and a test only the one that is tested', async (t) => {
  const [resellerId, rival] = [await bench.newReseller(), await bench.newReseller()]
  const receivers = {
    all: await startReceiver(t),
    north: await startReceiver(t),
    alerts: await startReceiver(t),
    rival: await startReceiver(t),
  }
  await bench.database.tenant(resellerId, (db) =>
    db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ($1, 'north', 'North')`, [resellerId]),
  )
  await bench.create({ resellerId }, receivers.all.url)
  await bench.create({ resellerId }, receivers.north.url, { subClientId: 'north' })
  const { webhook } = await bench.create({ resellerId }, receivers.alerts.url, { eventTypes: ['alert.created'] })
  await bench.create({ resellerId: rival }, receivers.rival.url)
  await bench.publish(resellerId, ['dev-north'], 'north')
  await bench.publish(resellerId, ['dev-nobodys'])
  const tested = okBody(await surface.as({ resellerId }).post<{ eventId: string }>(`/webhooks/${webhook.id}/test`))
  await bench.relay()
  await bench.deliver()
  assert.deepEqual(devicesIn(receivers.all.received).sort(), ['dev-nobodys', 'dev-north'])
  assert.deepEqual(devicesIn(receivers.north.received), ['dev-north'])
  assert.deepEqual(receivers.rival.received, [])
  assert.deepEqual(
    receivers.alerts.received.map(({ headers }) => headers['webhook-id']),
    [tested.eventId],
  )
  const [delivery] = await bench.deliveries({ resellerId }, webhook.id, `eventId=${tested.eventId}&eventType=webhook.test&status=delivered`)
  assert.equal(delivery?.eventId, tested.eventId)
})

test('a receiver that stays down is tried ten times over 75 hours, warned of after a day, and everything can be recovered', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const state = switchable(503)
  const receiver = await startReceiver(t, state.reply)
  const { webhook } = await bench.create(caller, receiver.url)
  const [eventId = ''] = await bench.publish(caller.resellerId, ['dev-1'])
  await letTimePass(caller, webhook.id, hoursIn(100))
  const [delivery = assert.fail('there is no delivery')] = await bench.deliveries(caller, webhook.id)
  assert.deepEqual([delivery.status, delivery.attemptCount, delivery.lastAnswerStatus], ['failed', 10, 503])
  assert.deepEqual(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([eventId]))
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  const { attempts } = await bench.detail(caller, delivery)
  const timesMs = attempts.map(({ attemptedAt }) => Date.parse(attemptedAt)).sort((a, b) => a - b)
  assert.equal(timesMs[0], START.getTime())
  for (const [nth, scheduledS] of scheduleS.slice(1).entries()) {
    const waitedMs = (timesMs[nth + 1] ?? 0) - (timesMs[nth] ?? 0)
    assert.ok(waitedMs >= scheduledS * 800 && waitedMs <= scheduledS * 1200, `${waitedMs} ms for ${scheduledS} s`)
  }
  const ailing = okBody(await surface.as(caller).get<Webhook>(`/webhooks/${webhook.id}`))
  assert.deepEqual([ailing.status, ailing.failingSince, ailing.failureCount], ['enabled', START.toISOString(), 10])
  assert.ok(ailing.warnedAt !== null && ailing.warnedAt >= hoursIn(24).toISOString())
  assert.equal(bench.warnings.filter((each) => (each as { endpointId: string }).endpointId === webhook.id).length, 1)

  state.set(200)
  const recover = (range: object) => surface.as(caller).post(`/webhooks/${webhook.id}/recover`, range)
  assert.deepEqual(okBody(await recover({ since: START.toISOString(), until: START.toISOString() })), { recovered: 0, isComplete: true })
  assert.deepEqual(okBody(await recover({ since: START.toISOString() })), { recovered: 1, isComplete: true })
  assert.deepEqual(okBody(await recover({ since: START.toISOString() })), { recovered: 0, isComplete: true })
  await bench.deliver()
  assert.deepEqual(okBody(await recover({ since: START.toISOString() })), { recovered: 0, isComplete: true })
  const [recovered] = await bench.deliveries(caller, webhook.id)
  assert.deepEqual([recovered?.status, recovered?.attemptCount], ['delivered', 11])
  assert.deepEqual(
    (({ failingSince, failureCount, warnedAt }) => [failingSince, failureCount, warnedAt])(
      okBody(await surface.as(caller).get<Webhook>(`/webhooks/${webhook.id}`)),
    ),
    [null, 0, null],
  )
})

test('a receiver that is down for hours has lost nothing when it comes back', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const state = switchable(500)
  const receiver = await startReceiver(t, state.reply)
  const { webhook } = await bench.create(caller, receiver.url)
  const eventIds: string[] = []
  for (let hour = 0; hour < 4; hour++) {
    eventIds.push(
      ...(await bench.publish(
        caller.resellerId,
        Array.from({ length: 4 }, (_, i) => `dev-${hour}-${i}`),
      )),
    )
    await letTimePass(caller, webhook.id, hoursIn(hour + 1))
  }
  assert.equal((await bench.deliveries(caller, webhook.id, 'status=delivered')).length, 0)
  const refused = receiver.received.length
  state.set(200)
  await letTimePass(caller, webhook.id, hoursIn(40))
  const arrived = receiver.received.slice(refused).map(({ headers }) => String(headers['webhook-id']))
  assert.deepEqual(arrived.sort(), eventIds.sort())
  assert.equal((await bench.deliveries(caller, webhook.id, 'status=delivered')).length, 16)
})

test('410 disables at once, which is an event; resuming sends what was kept, recovering what was missed', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const state = switchable(GONE)
  const receiver = await startReceiver(t, state.reply)
  const other = await startReceiver(t)
  const { webhook } = await bench.create(caller, receiver.url)
  await bench.create(caller, other.url, { eventTypes: ['webhook.endpoint.disabled'] })
  await bench.publish(caller.resellerId, ['dev-kept-1', 'dev-kept-2'])
  await bench.deliver()
  const disabled = okBody(await surface.as(caller).get<Webhook>(`/webhooks/${webhook.id}`))
  assert.deepEqual([disabled.status, disabled.disabledReason], ['disabled', 'gone'])
  bench.setTime(hoursIn(1))
  await bench.publish(caller.resellerId, ['dev-missed'])
  await bench.deliver()
  assert.deepEqual(
    other.received.map(({ body }) => (JSON.parse(body) as Event).data),
    [{ endpointId: webhook.id, url: receiver.url, reason: 'gone' }],
  )
  for (const action of ['test', 'pause']) assert.equal((await surface.as(caller).post(`/webhooks/${webhook.id}/${action}`)).status, 409)

  state.set(200)
  receiver.received.length = 0
  const resumed = okBody(await surface.as(caller).post<Webhook>(`/webhooks/${webhook.id}/resume`))
  assert.deepEqual([resumed.status, resumed.disabledReason, resumed.failingSince], ['enabled', null, null])
  await bench.deliver()
  assert.deepEqual(devicesIn(receiver.received).sort(), ['dev-kept-1', 'dev-kept-2'])
  receiver.received.length = 0
  bench.setTime(hoursIn(2))
  const { body } = await surface.as(caller).post(`/webhooks/${webhook.id}/recover`, { since: START.toISOString() })
  // What another endpoint was disabled for is sent as well; nobody asked for a test.
  assert.deepEqual(body, { recovered: 2, isComplete: true })
  await bench.deliver()
  assert.deepEqual(devicesIn(receiver.received).sort(), ['dev-missed', undefined])
})

test('an endpoint that fails for five days is disabled, and is sent nothing from then on', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t, answerWith(500))
  const { webhook } = await bench.create(caller, receiver.url)
  const show = async () => okBody(await surface.as(caller).get<Webhook>(`/webhooks/${webhook.id}`))
  for (let hour = 0; hour <= 119; hour += 7) {
    await bench.publish(caller.resellerId, [`dev-${hour}`])
    await letTimePass(caller, webhook.id, hoursIn(Math.min(hour + 7, 119.9)))
  }
  assert.equal((await show()).status, 'enabled')
  bench.setTime(hoursIn(120))
  await bench.publish(caller.resellerId, ['dev-last'])
  await bench.deliver()
  const { status, disabledReason } = await show()
  assert.deepEqual([status, disabledReason], ['disabled', 'failing'])
  const attempted = receiver.received.length
  await bench.publish(caller.resellerId, ['dev-after'])
  bench.setTime(hoursIn(200))
  await bench.deliver()
  assert.equal(receiver.received.length, attempted)
  const { rows } = await bench.database.systemPool.query<{ body: string }>(
    `select body from events where reseller_id = $1 and type = 'webhook.endpoint.disabled'`,
    [caller.resellerId],
  )
  assert.equal(rows.length, 1)
})

test('a paused endpoint is sent nothing, and everything when it is resumed', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const state = switchable(500)
  const receiver = await startReceiver(t, state.reply)
  const { webhook } = await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, ['dev-tried'])
  await bench.deliver()
  const act = async (action: string) => okBody(await surface.as(caller).post<Webhook>(`/webhooks/${webhook.id}/${action}`)).status
  assert.deepEqual([await act('pause'), await act('pause')], ['paused', 'paused'])
  await bench.publish(caller.resellerId, ['dev-paused'])
  bench.setTime(hoursIn(0.5))
  await bench.deliver()
  assert.equal(receiver.received.length, 1)
  state.set(200)
  bench.setTime(START)
  assert.deepEqual([await act('resume'), await act('resume')], ['enabled', 'enabled'])
  await bench.deliver()
  assert.deepEqual(devicesIn(receiver.received.slice(1)).sort(), ['dev-paused', 'dev-tried'])
})

test('what is overwhelmed is left alone for a minute, and Retry-After is followed', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  for (const [reply, leastMs, mostMs] of [
    [answerWith(429), 60_000, 60_000],
    [answerWith(503, { 'retry-after': '8' }), 8_000, 8_000],
    [answerWith(503, { 'retry-after': '3600' }), 10_000, 10_000],
    [answerWith(503), 4_000, 6_000],
  ] as const) {
    const receiver = await startReceiver(t, reply)
    const { webhook } = await bench.create(caller, receiver.url)
    await bench.publish(caller.resellerId, ['dev-1'])
    await bench.deliver()
    const [delivery] = await bench.deliveries(caller, webhook.id)
    const waitMs = Date.parse(delivery?.nextAttemptAt ?? '') - START.getTime()
    assert.ok(waitMs >= leastMs && waitMs <= mostMs, `${waitMs}`)
    await surface.as(caller).delete(`/webhooks/${webhook.id}`)
  }
})

test('one event is sent again with the same id, whether it had arrived or not', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  const { webhook } = await bench.create(caller, receiver.url)
  const [eventId] = await bench.publish(caller.resellerId, ['dev-1'])
  await bench.deliver()
  const [delivery] = await bench.deliveries(caller, webhook.id)
  const path = `/webhooks/${webhook.id}/deliveries/${delivery?.id}/resend`
  const resent = okBody(await surface.as(caller).post<WebhookDelivery>(path))
  assert.deepEqual([resent.status, resent.nextAttemptAt], ['pending', START.toISOString()])
  await bench.deliver()
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    [eventId, eventId],
  )
  const [again = assert.fail('there is no delivery')] = await bench.deliveries(caller, webhook.id)
  assert.deepEqual([again.status, again.attemptCount, (await bench.detail(caller, again)).attempts.length], ['delivered', 2, 2])
  const unknown = `/webhooks/${webhook.id}/deliveries/whd-00000000000000000000/resend`
  assert.equal((await surface.as(caller).post(unknown)).status, 404)
})

test('recovering takes five thousand at most and goes on where it ended, and refuses what is no range', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  const { webhook } = await bench.create(caller, receiver.url)
  await bench.database.systemPool.query(
    `insert into events (reseller_id, position, event_id, type, occurred_at, logged_at, body)
     select $1, nextval('event_positions'), 'evt-' || $1 || n, 'device.offline', $2, $2,
            json_build_object('timestamp', $3::text, 'data', json_build_object('deviceId', n))
       from generate_series(1, 5500) n`,
    [caller.resellerId, START, START.toISOString()],
  )
  const recover = (range: object) => surface.as(caller).post(`/webhooks/${webhook.id}/recover`, range)
  bench.setTime(hoursIn(1))
  assert.deepEqual(okBody(await recover({ since: START.toISOString() })), { recovered: 5_000, isComplete: false })
  assert.deepEqual(okBody(await recover({ since: START.toISOString() })), { recovered: 500, isComplete: true })
  assert.deepEqual(okBody(await recover({ since: hoursIn(0.5).toISOString() })), { recovered: 0, isComplete: true })
  for (const range of [
    {},
    { since: 'noon' },
    { since: hoursIn(1).toISOString(), until: START.toISOString() },
    { since: START.toISOString(), until: 'x' },
  ]) {
    assert.equal((await recover(range)).status, 400, JSON.stringify(range))
  }
  await surface.as(caller).delete(`/webhooks/${webhook.id}`)
})

test('deliveries are listed newest first, in pages, by status and type', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const state = switchable(200)
  const receiver = await startReceiver(t, state.reply)
  const { webhook } = await bench.create(caller, receiver.url)
  for (let i = 0; i < 7; i++) {
    bench.setTime(new Date(START.getTime() + i))
    if (i === 5) state.set(500)
    await bench.publish(caller.resellerId, [`dev-${i}`])
    await bench.deliver()
  }
  const ids: string[] = []
  let query = 'limit=3'
  for (;;) {
    const { deliveries, pagination } = okBody(
      await surface
        .as(caller)
        .get<{ deliveries: WebhookDelivery[]; pagination: { endCursor: string; hasNextPage: boolean } }>(
          `/webhooks/${webhook.id}/deliveries?${query}`,
        ),
    )
    ids.push(...deliveries.map(({ createdAt }) => createdAt))
    if (!pagination.hasNextPage) break
    query = `limit=3&after=${pagination.endCursor}`
  }
  assert.deepEqual(ids, [...ids].sort().reverse())
  assert.equal(ids.length, 7)
  assert.equal((await bench.deliveries(caller, webhook.id, 'status=pending')).length, 2)
  assert.equal((await bench.deliveries(caller, webhook.id, 'status=delivered&eventType=device.offline')).length, 5)
  assert.equal((await bench.deliveries(caller, webhook.id, 'eventType=alert.created')).length, 0)
  for (const bad of ['status=lost', 'eventType=lost', 'eventId=x', 'after=x', 'limit=0', 'colour=red']) {
    const { status } = await surface.as(caller).get(`/webhooks/${webhook.id}/deliveries?${bad}`)
    // This surface of the tests does not refuse unknown parameters; the real one does.
    assert.equal(status, bad === 'colour=red' ? 200 : 400, bad)
  }
})

test('a sample of a type goes to the endpoint that it was asked for, signed and marked, and into no log', async (t) => {
  const receiver = await startReceiver(t)
  const resellerId = await bench.newReseller()
  const { webhook } = await bench.create({ resellerId }, receiver.url, { eventTypes: ['device.online'] })
  await bench.create({ resellerId }, receiver.url)
  const post = (eventType: string) => surface.as({ resellerId }).post<{ eventId: string }>(`/webhooks/${webhook.id}/test`, { eventType })
  const { eventId } = okBody(await post('alert.created'))
  await bench.relay()
  await bench.deliver()
  const sent = receiver.received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body) as Record<string, unknown>] as const)
  assert.equal(sent.length, 1)
  assert.partialDeepStrictEqual(sent[0], [eventId, { id: eventId, event: 'alert.created', test: true }])
  const { rows } = await bench.database.systemPool.query('select 1 from events where reseller_id = $1', [resellerId])
  assert.deepEqual(rows, [])
  assert.equal((await post('alert.invented')).status, 400)
})

test('the last day is counted by what became of it', async (t) => {
  const state = switchable(500)
  const receiver = await startReceiver(t, state.reply)
  const resellerId = await bench.newReseller()
  const { webhook } = await bench.create({ resellerId }, receiver.url)
  const counted = async () => okBody(await surface.as({ resellerId }).get<Record<string, unknown>>(`/webhooks/${webhook.id}/statistics`))
  assert.partialDeepStrictEqual(await counted(), { delivered: 0, failing: 0, waiting: 0, isComplete: true })
  await bench.publish(resellerId, ['dev-1'])
  await bench.deliver()
  state.set(204)
  await bench.publish(resellerId, ['dev-2', 'dev-3'])
  await bench.deliver()
  await bench.publish(resellerId, ['dev-4'])
  assert.partialDeepStrictEqual(await counted(), { delivered: 2, failing: 1, waiting: 1 })
  const inAMinute = new Date(bench.now().getTime() + 60_000).toISOString()
  const countOf = async (query: string) => (await bench.deliveries({ resellerId }, webhook.id, query)).length
  assert.deepEqual([await countOf(`to=${inAMinute}`), await countOf(`from=${inAMinute}`)], [4, 0])
  assert.equal((await surface.as({ resellerId }).get(`/webhooks/${webhook.id}/deliveries?from=monday`)).status, 400)
  bench.setTime(new Date(bench.now().getTime() + 25 * 3_600_000))
  assert.partialDeepStrictEqual(await counted(), { delivered: 0, failing: 0, waiting: 0 })
  const stranger = await bench.newReseller()
  assert.equal((await surface.as({ resellerId: stranger }).get(`/webhooks/${webhook.id}/statistics`)).status, 404)
})
