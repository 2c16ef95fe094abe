import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Plan } from '@roadworthy/contracts/platform-v1/plan'
import { createKey } from '../keys/keys.ts'
import { defaultPlans } from '../limits/plans.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase } from '../test-support.ts'
import { planPlatformRoutes } from './plan.routes.platform-v1.ts'

const retention = { readings: 400, events: 30, webhook_deliveries: 30, request_log: 7, notifications: 365, audit: 400 }
const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const { app } = await openTestApi(cleanUp, database, {
  platform: [planPlatformRoutes({ database, plans: defaultPlans, retention, now: () => new Date() })],
})
const planOf = async (apiKey: string) => await app.inject({ url: '/api/v1/plan', headers: { 'x-api-key': apiKey } })

test('the plan has its limits, what of them is used this month, and how long what is kept', async () => {
  const { apiKey } = await insertResellerWithKey(database, 'small', { plan: 'starter' })
  await planOf(apiKey)
  const plan = (await planOf(apiKey)).json<Plan>()
  assert.partialDeepStrictEqual(plan, { plan: 'starter', subscription: 'active', keyPerMinute: 60, keyPerDay: 5_000 })
  assert.equal(plan.platformCalls.limit, 100_000)
  assert.ok(plan.platformCalls.used >= 1, 'the call before this one')
  assert.deepEqual(plan.predictions, { limit: 10_000, used: 0 })
  assert.deepEqual(plan.kept[0], { what: 'readings', days: 400 })
  assert.ok(plan.month.from <= new Date().toISOString() && plan.month.until > new Date().toISOString())
})

test('another reseller’s use is not in it; without a limit there is null; a lapsed subscription can still be looked at', async () => {
  const { apiKey } = await insertResellerWithKey(database, 'large')
  await database.systemPool.query(`update resellers set subscription = 'past_due' where reseller_id = 'large'`)
  const plan = (await planOf(apiKey)).json<Plan>()
  assert.deepEqual([plan.plan, plan.subscription, plan.platformCalls.limit, plan.predictions.limit], ['enterprise', 'past_due', null, null])
  assert.ok(plan.platformCalls.used <= 1)
})

test('a key of one sub-client, and one without the scope, are refused', async () => {
  await insertResellerWithKey(database, 'pinned')
  await database.tenant('pinned', (db) =>
    db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('pinned', 'north', 'North')`),
  )
  const at = new Date()
  const { apiKey: ofNorth } = await createKey(database, 'pinned', { name: 'north', scopes: ['*'], subClientId: 'north' }, at)
  const { apiKey: weak } = await createKey(database, 'pinned', { name: 'weak', scopes: ['vehicles:read'] }, at)
  assert.deepEqual([(await planOf(ofNorth)).statusCode, (await planOf(weak)).statusCode], [403, 403])
})
