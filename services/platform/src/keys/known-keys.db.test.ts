// Goal: a revoked key is dead within a second in every process. Method: two APIs on one database, with the real clock; one of them or both
// without the database's announcements, so that only the time limit of what is held in memory protects.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { openNotifications } from '@roadworthy/service-kit/postgres/notifications'
import { systemAuthor } from '../audit/audit.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { newKeyText } from './key-text.ts'
import { createKey, revokeKey } from './keys.ts'

const things: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async () => ({ ok: true }))
}

const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
const connectionString = databaseUrls(ownerUrl, TEST_SECRET_KEY).system
const notifications = openNotifications({ connectionString, onError: () => {} })
cleanUp.after(() => notifications.close())
const deaf = await openTestApi(cleanUp, database, { external: [things] })
const notified = await openTestApi(cleanUp, database, { external: [things], notifications })
await notifications.whenListening()
await insertResellerWithKey(database, 'acme')

async function statusOf({ app }: typeof notified, apiKey: string): Promise<number> {
  return (await app.inject({ method: 'GET', url: '/api/external/things', headers: { 'x-api-key': apiKey } })).statusCode
}

/** Calls without a pause until one is refused; returns how long after `startMs` the last success began. */
async function lastSuccessMs(api: typeof notified, apiKey: string, startMs: number): Promise<number> {
  for (let lastMs = 0; lastMs < 2_000; ) {
    const beganMs = performance.now()
    const status = await statusOf(api, apiKey)
    if (status === 401) return lastMs
    assert.equal(status, 200)
    lastMs = beganMs - startMs
    await delay(1)
  }
  throw new Error('the key still works after 2 s')
}

test('a revoked key dies within a second in a process that is notified and in one that is not, under load', async () => {
  for (let round = 0; round < 2; round++) {
    const { apiKey, key } = await createKey(database, 'acme', { name: 'doomed', scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())
    const warmUntilMs = performance.now() + 300 * (round + 1)
    while (performance.now() < warmUntilMs) {
      assert.deepEqual([await statusOf(deaf, apiKey), await statusOf(notified, apiKey)], [200, 200])
      await delay(1)
    }
    await revokeKey(database, 'acme', { keyId: key.keyId }, new Date())
    const revokedMs = performance.now()
    const [deafMs, notifiedMs] = await Promise.all([lastSuccessMs(deaf, apiKey, revokedMs), lastSuccessMs(notified, apiKey, revokedMs)])
    assert.equal(deafMs < 1_000, true, `not notified: ${deafMs} ms`)
    assert.equal(notifiedMs < 1_000, true, `notified: ${notifiedMs} ms`)
  }
})

test('an announcement acts without waiting for the time limit', async (t) => {
  // A clock that stands still: what is in memory never grows old.
  const still = new Date()
  const frozen = await openTestApi(t, database, { external: [things], notifications, now: () => still })
  const frozenDeaf = await openTestApi(t, database, { external: [things], now: () => still })
  await notifications.whenListening()
  const { apiKey, key } = await createKey(database, 'acme', { name: 'doomed', scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())
  assert.deepEqual([await statusOf(frozen, apiKey), await statusOf(frozenDeaf, apiKey)], [200, 200])

  await updateReseller(database, 'acme', { subscription: 'canceled' }, systemAuthor('acme', new Date()))
  await untilStatus(frozen, apiKey, 403)
  await updateReseller(database, 'acme', { subscription: 'active' }, systemAuthor('acme', new Date()))
  await untilStatus(frozen, apiKey, 200)
  await revokeKey(database, 'acme', { keyId: key.keyId }, new Date())
  await untilStatus(frozen, apiKey, 401)
  assert.equal(await statusOf(frozenDeaf, apiKey), 200, 'without announcements only time helps')
})

test('when the announcing connection is cut, everything is dropped on its return', async (t) => {
  const still = new Date()
  const own = openNotifications({ connectionString, onError: () => {} })
  t.after(() => own.close())
  const frozen = await openTestApi(t, database, { external: [things], notifications: own, now: () => still })
  await own.whenListening()
  const { apiKey, key } = await createKey(database, 'acme', { name: 'doomed', scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())
  assert.equal(await statusOf(frozen, apiKey), 200)
  // In one transaction, so that the announcement is made while nobody listens.
  await database.system(async (db) => {
    await db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'roadworthy-listen' and pid <> pg_backend_pid() and datname = current_database()",
    )
    await db.query('update api_keys set revoked_at = now() where key_id = $1', [key.keyId])
  })
  await untilStatus(frozen, apiKey, 401)
})

test('a key that rests in memory is read again before it is believed after 0.9 s, also when the clock was set back', async (t) => {
  let now = new Date()
  const own = await openTestApi(t, database, { external: [things], now: () => now })
  for (const stepMs of [900, -3_600_000]) {
    const { apiKey, key } = await createKey(database, 'acme', { name: 'idle', scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())
    assert.equal(await statusOf(own, apiKey), 200)
    await revokeKey(database, 'acme', { keyId: key.keyId }, new Date())
    assert.equal(await statusOf(own, apiKey), 200, 'held in memory')
    now = new Date(now.getTime() + stepMs)
    assert.equal(await statusOf(own, apiKey), 401)
  }
})

test('a burst of unknown keys takes one connection, and each gets its answer', async () => {
  const { apiKey } = await createKey(database, 'acme', { name: 'good', scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())
  const keys = [...Array.from({ length: 600 }, () => newKeyText()), apiKey]
  const statuses = await Promise.all(keys.map((key) => statusOf(deaf, key)))
  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [600, 200])
})

async function untilStatus(api: typeof notified, apiKey: string, expected: number): Promise<void> {
  const deadlineMs = performance.now() + 120_000
  for (;;) {
    const status = await statusOf(api, apiKey)
    if (status === expected) return
    assert.equal(performance.now() < deadlineMs, true, `still ${status} instead of ${expected}`)
    await delay(5)
  }
}
