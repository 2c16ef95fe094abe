// Goal: calls and predictions are counted, and a plan's monthly quota ends exactly at its edge, over concurrent calls and two processes.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { systemAuthor } from '../audit/audit.ts'
import { createKey } from '../keys/keys.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { createAccess } from '../surfaces/access.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { defaultPlans } from './plans.ts'
import { UsageMeter } from './usage.ts'

const things: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async () => ({ ok: true }))
}

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const START = new Date('2026-03-31T23:59:00.000Z')
const APRIL = new Date('2026-04-01T00:00:00.000Z')
let now = START
const options = { external: [things], platform: [things], now: () => now }
const { app, access } = await openTestApi(cleanUp, database, options)

const call = (apiKey: string, surface: 'external' | 'v1', on = app) =>
  on.inject({ method: 'GET', url: `/api/${surface}/things`, headers: { 'x-api-key': apiKey } })

async function insertUsage(resellerId: string, meter: string, day: string, count: number): Promise<void> {
  await database.systemPool.query(
    'insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count) values ($1, $2, $3, $4, $5)',
    [resellerId, '', meter, `${day}T00:00:00Z`, count],
  )
}

async function usageOf(resellerId: string): Promise<string[]> {
  const { rows } = await database.systemPool.query<{ line: string }>(
    `select concat_ws(' ', meter, (bucket at time zone 'UTC')::date, nullif(sub_client_id, ''), sum(count)) as line
       from usage_entries where reseller_id = $1 group by meter, (bucket at time zone 'UTC')::date, sub_client_id order by 1`,
    [resellerId],
  )
  return rows.map(({ line }) => line)
}

test('calls are counted by surface, UTC day and the sub-client a key is pinned to; those refused at the gate are not', async () => {
  now = START
  const { apiKey } = await insertResellerWithKey(database, 'counted')
  await database.tenant('counted', (db) =>
    db.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('counted', 'sub', 'Sub')"),
  )
  const pinned = await createKey(database, 'counted', { name: 'p', scopes: ['*'], perMinute: 1, subClientId: 'sub' }, now)
  for (const key of [apiKey, apiKey, pinned.apiKey, pinned.apiKey]) await call(key, 'external')
  await call(apiKey, 'v1')
  now = APRIL
  await call(apiKey, 'external')
  await call('rw_live_garbage', 'external')
  assert.deepEqual(await usageOf('counted'), [
    'api_calls_external 2026-03-31 2',
    'api_calls_external 2026-03-31 sub 1',
    'api_calls_external 2026-04-01 1',
    'api_calls_platform 2026-03-31 1',
  ])
})

test('Starter has 100,000 Platform calls a calendar month, over all keys, and none after that until the next', async () => {
  now = START
  const { apiKey } = await insertResellerWithKey(database, 'starter', { plan: 'starter' })
  const second = await createKey(database, 'starter', { name: 'second', scopes: ['*'], perMinute: 0, perDay: 0 }, now)
  await insertUsage('starter', 'api_calls_platform', '2026-02-28', 77)
  await insertUsage('starter', 'api_calls_platform', '2026-03-01', 50_000)
  await insertUsage('starter', 'api_calls_platform', '2026-03-30', 49_990)
  const statuses = await Promise.all(Array.from({ length: 16 }, (_, i) => call(i % 2 === 0 ? apiKey : second.apiKey, 'v1')))
  assert.equal(statuses.filter(({ statusCode }) => statusCode === 200).length, 10)
  const refused = await call(apiKey, 'v1')
  assert.equal(refused.statusCode, 403)
  assert.equal(refused.json().error.code, 'quota_exceeded')
  assert.equal(refused.json().error.action_required, 'upgrade_plan')
  assert.equal((await call(apiKey, 'external')).statusCode, 200, 'the External API has no such quota')
  now = APRIL
  assert.equal((await call(apiKey, 'v1')).statusCode, 200)
  now = START
})

test('an upgrade lets a reseller in again', async () => {
  now = START
  const { apiKey } = await insertResellerWithKey(database, 'upgrader', { plan: 'starter' })
  await insertUsage('upgrader', 'api_calls_platform', '2026-03-02', 100_000)
  assert.equal((await call(apiKey, 'v1')).statusCode, 403)
  await updateReseller(database, 'upgrader', { plan: 'professional' }, systemAuthor('upgrader', new Date()))
  access.forgetReseller('upgrader')
  assert.equal((await call(apiKey, 'v1')).statusCode, 200)
})

test('two processes together admit exactly the quota, from far below the edge', async (t) => {
  now = START
  const plans = { ...defaultPlans, starter: { ...defaultPlans.starter, platformCallsPerMonth: 1_200 } }
  const { apiKey } = await insertResellerWithKey(database, 'pair', { plan: 'starter' })
  const pair = [await openTestApi(t, database, { ...options, plans }), await openTestApi(t, database, { ...options, plans })]
  const answered = new Map<number, number>()
  // A busy machine refuses some for its own sake (503): those are made again, as callers do.
  for (let round = 0; round < 40 && (answered.get(403) ?? 0) < 100; round++) {
    const calls = Array.from({ length: 100 }, (_, i) => call(apiKey, 'v1', pair[i % 2]?.app))
    for (const { statusCode } of await Promise.all(calls)) answered.set(statusCode, (answered.get(statusCode) ?? 0) + 1)
  }
  assert.equal(answered.get(200), 1_200, JSON.stringify([...answered]))
  assert.deepEqual(await usageOf('pair'), ['api_calls_platform 2026-03-31 1200'])
})

test('predictions of Starter end at 10,000 a month, partly granted at the edge; other plans are counted only', async () => {
  now = START
  await insertResellerWithKey(database, 'predictor', { plan: 'starter' })
  assert.equal(await access.consumePredictionQuota('predictor', 9_000), 9_000)
  assert.equal(await access.consumePredictionQuota('predictor', 990), 990)
  const granted = await Promise.all([7, 7, 7].map((count) => access.consumePredictionQuota('predictor', count)))
  assert.deepEqual(granted.sort(), [0, 3, 7])
  assert.equal(await access.consumePredictionQuota('predictor', 1), 0)
  await updateReseller(database, 'predictor', { plan: 'enterprise' }, systemAuthor('predictor', new Date()))
  assert.equal(await access.consumePredictionQuota('predictor', 500), 500)
  assert.deepEqual(await usageOf('predictor'), ['predictions 2026-03-31 10500'])
})

/** The database, with the writing of counts in the hands of the test. */
function countingThrough(write: (run: () => Promise<unknown>) => Promise<unknown>): typeof database {
  const systemPool = {
    query: (statement: { name?: string }, values: unknown[]) => {
      const run = () => database.systemPool.query(statement as never, values)
      return statement.name === 'insert_usage' ? write(run) : run()
    },
  }
  return { ...database, systemPool: systemPool as unknown as typeof database.systemPool }
}

test('a call is carried out while it is counted, and answered when that is committed', async (t) => {
  const order: string[] = []
  const carriedOut = Promise.withResolvers<void>()
  const counting = countingThrough(async (run) => {
    await carriedOut.promise
    const written = await run()
    order.push('counted')
    return written
  })
  const slow: FastifyPluginAsyncTypebox = async (app) => {
    app.get('/things', { config: { scope: 'devices:read' } }, async () => {
      order.push('carried out')
      carriedOut.resolve()
      return { ok: true }
    })
  }
  const { app: held } = await openTestApi(t, counting, { ...options, external: [slow] })
  const { apiKey } = await insertResellerWithKey(database, 'waiting')
  await call(apiKey, 'external', held)
  order.push('answered')
  assert.deepEqual(order, ['carried out', 'counted', 'answered'])
})

test('calls at the same time share a commit', async (t) => {
  let commitCount = 0
  const counting = countingThrough((run) => {
    commitCount++
    return run()
  })
  const { app: busy } = await openTestApi(t, counting, options)
  const { apiKey } = await insertResellerWithKey(database, 'crowd', { perMinute: 0, perDay: 0 })
  await call(apiKey, 'external', busy)
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(apiKey, 'external', busy)))
  assert.ok(answers.every(({ statusCode }) => statusCode === 200))
  assert.deepEqual(await usageOf('crowd'), ['api_calls_external 2026-03-31 51'])
  assert.ok(commitCount <= 4, `${commitCount} commits`)
})

test('a call that cannot be counted is 503 on each surface, kept under its Idempotency-Key, and forgotten; its rate is not', async (t) => {
  now = START
  let isAway = false
  const counting = countingThrough((run) => (isAway ? Promise.reject(new Error('Connection terminated')) : run()))
  let madeCount = 0
  const making: FastifyPluginAsyncTypebox = async (app) => {
    app.post('/things', { config: { scope: '*' } }, async (_request, reply) => reply.code(201).send({ made: ++madeCount }))
    app.get('/things', { config: { scope: 'devices:read' } }, async () => Readable.from(['a', 'stream']))
    app.get('/nothing', { config: { scope: 'devices:read' } }, async () => {
      throw new Problem('not_found', 'There is no such thing.')
    })
  }
  const cut = await openTestApi(t, counting, { ...options, external: [making], platform: [making] })
  const { apiKey } = await insertResellerWithKey(database, 'cut', { perMinute: 10, perDay: 100 })
  const post = (surface: string) =>
    cut.app.inject({
      method: 'POST',
      url: `/api/${surface}/things`,
      headers: { 'x-api-key': apiKey, 'idempotency-key': 'once' },
    })
  isAway = true
  for (const surface of ['external', 'v1'] as const) {
    for (const refused of [await post(surface), await call(apiKey, surface, cut.app)]) {
      assert.equal(refused.statusCode, 503, refused.body)
      assert.equal(refused.json().error.code, 'unavailable')
      assert.equal(refused.json().error.request_id, refused.headers['x-request-id'])
      assert.equal(refused.headers['retry-after'], '1')
    }
  }
  const unknown = await cut.app.inject({ url: '/api/external/nothing', headers: { 'x-api-key': apiKey } })
  assert.equal(unknown.statusCode, 503, 'an error that is not counted either')
  isAway = false
  for (const [surface, made] of [
    ['external', 1],
    ['v1', 2],
  ] as const) {
    const repeated = await post(surface)
    assert.equal(repeated.statusCode, 201)
    assert.deepEqual(repeated.json(), { made })
    assert.equal(repeated.headers['idempotency-replayed'], 'true')
  }
  assert.deepEqual(await usageOf('cut'), ['api_calls_external 2026-03-31 1', 'api_calls_platform 2026-03-31 1'])
  await cut.access.flush()
  const { rows } = await database.systemPool.query<{ recent: number; day_count: number }>(
    "select cardinality(recent_ms) as recent, day_count from rate_windows where reseller_id = 'cut' and key_id like 'key-%'",
  )
  assert.deepEqual(rows, [{ recent: 7, day_count: 7 }])
})

test('takes near the end of a quota wait for each other on the connections of the work, not on those that callers are recognised over', async (t) => {
  await insertResellerWithKey(database, 'at-the-edge', { plan: 'starter' })
  const limit = 3
  const plan = { ...defaultPlans.starter, predictionsPerMonth: limit }
  const signInDatabase = { ...database, tenant: () => Promise.reject(new Error('somebody waits here to be recognised')) }
  const own = createAccess({
    database,
    signInDatabase,
    notifications: undefined,
    now: () => now,
    plans: { ...defaultPlans, starter: plan },
    secretKey: TEST_SECRET_KEY,
    onError: (error) => assert.fail(error),
  })
  t.after(() => own.close())
  assert.deepEqual([await own.consumePredictionQuota('at-the-edge', 2), await own.consumePredictionQuota('at-the-edge', 2)], [2, 1])
})

test('while the database hangs, who counts behind a group that failed is refused with it and does not wait for a failure of their own', async () => {
  const statements: PromiseWithResolvers<never>[] = []
  const query = () => {
    const statement = Promise.withResolvers<never>()
    statements.push(statement)
    return statement.promise
  }
  const meter = new UsageMeter({ ...database, systemPool: { query } }, () => now)
  const first = meter.count('any', '', 'predictions', 1)
  while (statements.length === 0) await new Promise(setImmediate)
  const behind = meter.count('any', '', 'predictions', 1)
  statements[0]?.reject(Object.assign(new Error('away'), { code: 'ECONNRESET' }))
  for (const each of await Promise.allSettled([first, behind])) assert.equal(each.status, 'rejected')
  assert.equal(statements.length, 1)
})
