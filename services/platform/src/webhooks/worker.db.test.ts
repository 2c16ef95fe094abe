// Goal: whoever dies, whoever is slow, and however many work at once, each event arrives, and more than once only where somebody died.
// A worker that is killed for real is in test/faults/webhooks.long.test.ts.

import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import type { Webhook } from '@roadworthy/contracts/platform-v1/webhooks'
import { systemAuthor } from '../audit/audit.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { AttemptSlots } from './attempt-slots.ts'
import { type Claimed, type ClaimLimits, claimDueAcrossResellers, selectBacklogAcrossResellers } from './claims.sql.ts'
import { type DeliveryWorker, deliverDue, startDeliveryWorker } from './delivery-worker.ts'
import {
  deleteDeliveriesOfDeletedAcrossResellers,
  deleteEmptiedEndpointsAcrossResellers,
  deleteOldAttemptsAcrossResellers,
  deleteOldDeliveriesAcrossResellers,
} from './retention.sql.ts'
import { devicesIn, okBody, openBench, START } from './test-bench.ts'
import { answerWith, startReceiver } from './test-receiver.ts'

const bench = await openBench({ after })
const { surface, database, deps } = bench
const secondsIn = (seconds: number) => new Date(START.getTime() + seconds * 1000)
/** Of four claims at a time. Where a claim counts what is under way before it has the lock, more than half of them go wrong. */
const OVERLAPPING_ROUNDS = 30
const devices = (count: number) => Array.from({ length: count }, (_, i) => `dev-${i}`)

const { signal } = new AbortController()

function claim(at: Date, limits: Partial<ClaimLimits> = {}): Promise<Claimed[]> {
  const claimId = `whc-${Math.random()}`
  const claimLimits = { ...new AttemptSlots().left(0), perEndpoint: 5, perFailingEndpoint: 1, ...limits }
  return database.system((db) => claimDueAcrossResellers(db, { claimId, at, claimMs: 60_000 }, claimLimits))
}

/** As when the time of every claim has passed on the clock of the database, which no test can set and which may be set back by a moment. */
async function letClaimsEnd(): Promise<void> {
  await database.systemPool.query(
    `update webhook_deliveries set claimed_until = now() - interval '1 minute' where claimed_until is not null`,
  )
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

/** Nothing is left over from one test to the next that a worker would find. */
beforeEach(async () => {
  await database.systemPool.query('delete from webhook_endpoints')
  await database.systemPool.query('delete from webhook_messages')
  await database.systemPool.query('delete from webhook_attempts')
  bench.setTime(START)
})

/** Stopped after the test however that ends. Stopping it before is fine. */
function startWorker(t: TestContext, nowMs?: () => number): DeliveryWorker {
  const worker = startDeliveryWorker(deps, nowMs)
  t.after(() => worker.stop())
  return worker
}

test('to a canceled reseller nothing is sent and nothing counts as waiting; active again, what was kept goes out', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, devices(2))
  const setStanding = (subscription: string) =>
    updateReseller(database, caller.resellerId, { subscription }, systemAuthor(caller.resellerId, START))
  await setStanding('canceled')
  assert.equal(await deliverDue(deps), 0)
  assert.equal(receiver.received.length, 0)
  assert.equal((await selectBacklogAcrossResellers(database.systemPool)).pendingCount, 0)
  await setStanding('active')
  assert.equal((await selectBacklogAcrossResellers(database.systemPool)).pendingCount, 2)
  assert.equal(await deliverDue(deps), 2)
  assert.equal(receiver.received.length, 2)
})

test('what a worker that died had claimed is attempted again when its claim is over, with the same id', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  await bench.create(caller, receiver.url)
  const eventIds = await bench.publish(caller.resellerId, devices(3))
  const claimed = await claim(START)
  assert.equal(claimed.length, 3)
  // It sent the first, and was killed before it could record that.
  const [first = assert.fail('nothing was claimed')] = claimed
  const dying = { ...deps, database: { ...database, system: () => Promise.reject(new Error('killed')) } }
  await assert.rejects(attemptDelivery(dying, first, signal), /killed/)
  assert.equal(await deliverDue(deps), 0)
  await letClaimsEnd()
  assert.equal(await deliverDue(deps), 3)
  const counts = countBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
  assert.deepEqual(counts, Object.fromEntries(eventIds.map((id) => [id, id === first.eventId ? 2 : 1])))
})

test('who comes back after his claim was over cannot undo what has been done since', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  let status = 500
  const receiver = await startReceiver(t, (response) => void response.writeHead(status).end())
  const { webhook } = await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, ['dev-1'])
  const [late = assert.fail('nothing was claimed')] = await claim(START)
  await letClaimsEnd()
  const [second = assert.fail('nothing was claimed')] = await claim(START)
  await attemptDelivery(deps, late, signal)
  const [held] = await bench.deliveries(caller, webhook.id)
  assert.deepEqual([held?.status, held?.attemptCount, held?.nextAttemptAt], ['pending', 1, START.toISOString()])
  status = 200
  await attemptDelivery(deps, second, signal)
  status = 500
  await attemptDelivery(deps, late, signal)
  const [done] = await bench.deliveries(caller, webhook.id)
  assert.deepEqual([done?.status, done?.attemptCount], ['delivered', 3])
})

test('a process whose clock is an hour ahead takes nothing that another has claimed', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, ['dev-1'])
  assert.equal((await claim(START)).length, 1)
  assert.deepEqual(await claim(secondsIn(3600)), [])
  await letClaimsEnd()
  assert.equal((await claim(START)).length, 1)
})

test('a resend while an attempt is under way is not lost to its failure', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t, answerWith(500))
  const { webhook } = await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, ['dev-1'])
  const [underWay = assert.fail('nothing was claimed')] = await claim(START)
  const [delivery] = await bench.deliveries(caller, webhook.id)
  okBody(await surface.as(caller).post(`/webhooks/${webhook.id}/deliveries/${delivery?.id}/resend`))
  await attemptDelivery(deps, underWay, signal)
  assert.equal((await claim(START)).length, 1)
})

test('many workers at once attempt each delivery once, five at a time for an endpoint', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  let underWay = 0
  let most = 0
  const receiver = await startReceiver(t, (response) => {
    most = Math.max(most, ++underWay)
    setImmediate(() => {
      underWay--
      response.writeHead(200).end()
    })
  })
  await bench.create(caller, receiver.url)
  const eventIds = await bench.publish(caller.resellerId, devices(100))
  const workers = [1, 2, 3, 4].map(() => startWorker(t))
  await receiver.until(eventIds.length)
  await Promise.all(workers.map((worker) => worker.stop()))
  const counts = countBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
  assert.deepEqual(counts, Object.fromEntries(eventIds.map((id) => [id, 1])))
  assert.ok(most <= 5, `${most} at once`)
})

test('claims go round the endpoints: a backlog waits for its turn, and never has more than its slots', async (t) => {
  const receiver = await startReceiver(t)
  const flooded = { resellerId: await bench.newReseller() }
  const quiet = { resellerId: await bench.newReseller() }
  const backlog = await bench.create(flooded, receiver.url)
  await bench.publish(flooded.resellerId, devices(300))
  bench.setTime(secondsIn(1))
  const few = await bench.create(quiet, receiver.url)
  await bench.publish(quiet.resellerId, devices(2))
  const byEndpoint = (claimed: readonly Claimed[]) => countBy(claimed, ({ endpointId }) => endpointId)
  assert.deepEqual(byEndpoint(await claim(secondsIn(1), { room: 3 })), { [backlog.webhook.id]: 2, [few.webhook.id]: 1 })
  assert.deepEqual(byEndpoint(await claim(secondsIn(1))), { [backlog.webhook.id]: 3, [few.webhook.id]: 1 })
  assert.deepEqual(await claim(secondsIn(1)), [])
  // Those claims are over.
  await letClaimsEnd()
  const both = await Promise.all([claim(secondsIn(1)), claim(secondsIn(1))])
  const claimed = both.flat()
  assert.deepEqual(byEndpoint(claimed), { [backlog.webhook.id]: 5, [few.webhook.id]: 2 })
  assert.equal(new Set(claimed.map(({ deliveryId }) => deliveryId)).size, 7)
})

test('claims that overlap never have more than its slots together', async (t) => {
  const receiver = await startReceiver(t)
  const caller = { resellerId: await bench.newReseller() }
  await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, devices(50))
  for (let round = 0; round < OVERLAPPING_ROUNDS; round++) {
    const claimed = await Promise.all([1, 2, 3, 4].map(() => claim(START)))
    assert.equal(claimed.flat().length, 5, `round ${round}`)
    await letClaimsEnd()
  }
})

test('an endpoint that fails has one slot until it succeeds', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  let status = 500
  const receiver = await startReceiver(t, (response) => void response.writeHead(status).end())
  await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, devices(20))
  assert.deepEqual([await deliverDue(deps), await deliverDue(deps)], [5, 1])
  status = 200
  assert.deepEqual([await deliverDue(deps), await deliverDue(deps)], [1, 5])
})

test('slow receivers hold up nobody but themselves', async (t) => {
  const slowCaller = { resellerId: await bench.newReseller() }
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = await startReceiver(t, (response) => void released.then(() => response.writeHead(200).end()))
  for (let i = 0; i < 10; i++) await bench.create(slowCaller, slow.url)
  await bench.publish(slowCaller.resellerId, devices(30))
  const worker = startWorker(t)
  await slow.until(50)
  const healthy = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  for (let i = 0; i < 10; i++) await bench.create(healthy, receiver.url)
  await bench.publish(healthy.resellerId, devices(10))
  await receiver.until(100)
  // Five at each of ten, and none of them has been answered.
  assert.equal(slow.received.length, 50)
  release()
  await slow.until(300)
  await worker.stop()
  assert.deepEqual([slow.received.length, receiver.received.length], [300, 100])
})

test('however many endpoints hang, those that answer have their slots', async (t) => {
  const deadCaller = { resellerId: await bench.newReseller() }
  const hanging = await startReceiver(t, () => undefined)
  const made: Awaited<ReturnType<typeof bench.create>>[] = []
  // All at once wait longer for a connection than a busy machine gives them, and are refused.
  while (made.length < 250) made.push(...(await Promise.all(Array.from({ length: 10 }, () => bench.create(deadCaller, hanging.url)))))
  const failing = made.slice(0, 200).map(({ webhook }) => webhook.id)
  await database.systemPool.query('update webhook_endpoints set failing_since = $1, failure_count = 1 where endpoint_id = any ($2)', [
    START,
    failing,
  ])
  await bench.publish(deadCaller.resellerId, devices(3))
  // By its own clock, on which those that hang are slow, and those that answer are not, however long a busy machine takes.
  let clockMs = 0
  const worker = startWorker(t, () => clockMs)
  // Half the slots for those that failed last; one for each that nobody knows yet, and no second one beside so many.
  await hanging.until(150)
  clockMs = 3_000
  const healthy = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  for (let i = 0; i < 10; i++) await bench.create(healthy, receiver.url)
  await bench.publish(healthy.resellerId, devices(30))
  await receiver.until(300)
  assert.equal(hanging.received.length, 150)
  await worker.stop()
})

test('an endpoint that is known to be slow has its slots from the share of those that are degraded', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  const { webhook: slow } = await bench.create(caller, receiver.url)
  const { webhook: brisk } = await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, devices(5))
  const byEndpoint = (claimed: readonly Claimed[]) => countBy(claimed, ({ endpointId, isDegraded }) => `${endpointId} ${isDegraded}`)
  const known = { slowEndpointIds: [slow.id] }
  assert.deepEqual(byEndpoint(await claim(START, { ...known, degradedRoom: 2, furtherRoom: 6 })), {
    [`${slow.id} true`]: 2,
    [`${brisk.id} false`]: 4,
  })
  assert.deepEqual(byEndpoint(await claim(START, { ...known, furtherRoom: 0 })), {})
  assert.deepEqual(byEndpoint(await claim(START, { ...known, degradedRoom: 0 })), { [`${brisk.id} false`]: 1 })
})

test('a worker that is stopped gives back what does not end, and it is not counted as an attempt', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t, () => undefined)
  const { webhook } = await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, ['dev-1'])
  const worker = startWorker(t)
  await receiver.until(1)
  await worker.stop()
  const [delivery] = await bench.deliveries(caller, webhook.id)
  assert.deepEqual([delivery?.status, delivery?.attemptCount], ['pending', 0])
  assert.equal((await claim(bench.now())).length, 1)
})

test('a name that has come to lead inside is not followed, and the attempt records that', async () => {
  const caller = { resellerId: await bench.newReseller() }
  const { webhook } = await bench.create(caller, 'https://93.184.215.14/')
  await database.systemPool.query(`update webhook_endpoints set url = 'https://mixed.example.com/' where endpoint_id = $1`, [webhook.id])
  await bench.publish(caller.resellerId, ['dev-1'])
  await bench.deliver()
  const [delivery = assert.fail('there is no delivery')] = await bench.deliveries(caller, webhook.id)
  assert.equal(delivery.lastOutcome, 'forbidden')
  const [attempt] = (await bench.detail(caller, delivery)).attempts
  assert.match(attempt?.error ?? '', /not, or not only, a public address/)
  assert.ok(!JSON.stringify(attempt).includes('10.0.0.5'))
})

test('an endpoint that is deleted is sent nothing more, and what it had goes; what is old goes too', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  const kept = await bench.create(caller, receiver.url)
  const gone = await bench.create(caller, receiver.url)
  await bench.publish(caller.resellerId, ['dev-old'])
  await bench.deliver()
  receiver.received.length = 0
  bench.setTime(secondsIn(31 * 86_400))
  await bench.publish(caller.resellerId, ['dev-new'])
  okBody(await surface.as(caller).delete(`/webhooks/${gone.webhook.id}`))
  await bench.deliver()
  assert.deepEqual(devicesIn(receiver.received), ['dev-new'])
  const pool = database.systemPool
  assert.equal(await deleteDeliveriesOfDeletedAcrossResellers(pool, 100), 2)
  await deleteEmptiedEndpointsAcrossResellers(pool)
  assert.equal(await deleteOldDeliveriesAcrossResellers(pool, secondsIn(86_400), 100), 1)
  assert.equal(await deleteOldDeliveriesAcrossResellers(pool, secondsIn(86_400), 100), 0)
  assert.equal(await deleteOldAttemptsAcrossResellers(pool, secondsIn(86_400), 100), 1)
  assert.equal(await deleteOldAttemptsAcrossResellers(pool, secondsIn(86_400), 100), 0)
  const countOf = async (table: string) => {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table} where reseller_id = $1`, [
      caller.resellerId,
    ])
    return rows[0]?.count
  }
  assert.deepEqual(
    await Promise.all(['webhook_endpoints', 'webhook_deliveries', 'webhook_messages', 'webhook_attempts'].map(countOf)),
    [1, 1, 1, 1],
  )
  assert.equal(okBody(await surface.as(caller).get<Webhook>(`/webhooks/${kept.webhook.id}`)).id, kept.webhook.id)
})

test('what is to be sent is counted for those it is sent to', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  const paused = await bench.create(caller, receiver.url)
  okBody(await surface.as(caller).post(`/webhooks/${paused.webhook.id}/pause`))
  await bench.create(caller, receiver.url)
  assert.deepEqual(await selectBacklogAcrossResellers(database.systemPool), { pendingCount: 0, oldestPendingAt: undefined })
  await bench.publish(caller.resellerId, devices(4))
  assert.deepEqual(await selectBacklogAcrossResellers(database.systemPool), { pendingCount: 4, oldestPendingAt: START })
  await bench.deliver()
  assert.deepEqual(await selectBacklogAcrossResellers(database.systemPool), { pendingCount: 0, oldestPendingAt: undefined })
})
