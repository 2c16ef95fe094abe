// Goal: calls and predictions are counted, and a plan's monthly quota ends exactly at its edge, over concurrent calls and two processes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase } from '../test-support.ts'
import { systemAuthor } from './audit.ts'
import { createKey } from './keys.ts'
import { defaultPlans } from './plans.ts'
import { updateReseller } from './resellers.ts'

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
  await access.flush()
  await access.flush()
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
  let admitted = 0
  for (let round = 0; round < 13; round++) {
    const calls = Array.from({ length: 100 }, (_, i) => call(apiKey, 'v1', pair[i % 2]?.app))
    for (const { statusCode } of await Promise.all(calls)) if (statusCode === 200) admitted++
  }
  assert.equal(admitted, 1_200)
  for (const each of pair) await each.access.flush()
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
  await access.flush()
  assert.deepEqual(await usageOf('predictor'), ['predictions 2026-03-31 10500'])
})

test('what could not be written is kept and written later', async (t) => {
  now = START
  let isAway = false
  const systemPool: typeof database.systemPool = {
    query: (statement, values) => (isAway ? Promise.reject(new Error('away')) : database.systemPool.query(statement, values)),
  }
  const cut = await openTestApi(t, { ...database, systemPool }, options)
  const { apiKey } = await insertResellerWithKey(database, 'patient', { perMinute: 10, perDay: 100 })
  await call(apiKey, 'external', cut.app)
  isAway = true
  await call(apiKey, 'external', cut.app)
  await assert.rejects(cut.access.flush(), /away/)
  await call(apiKey, 'external', cut.app)
  isAway = false
  await cut.access.flush()
  assert.deepEqual(await usageOf('patient'), ['api_calls_external 2026-03-31 3'])
  const { rows } = await database.systemPool.query<{ recent: number; day_count: number }>(
    "select cardinality(recent_ms) as recent, day_count from rate_windows where reseller_id = 'patient'",
  )
  assert.deepEqual(rows, [{ recent: 3, day_count: 3 }])
})
