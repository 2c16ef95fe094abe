import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { createKey } from '../keys/keys.ts'
import { connectAsOwner, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from './test-api.ts'

// Goal: a count that cannot be written holds one connection, not all of them one after the other. Method: another session holds the rows of
// the keys, calls with ever other keys go on, and PostgreSQL shows how many sessions wait.
test('a flush that hangs is not joined by the next', async (t) => {
  const cleanUp = lastFirst(t)
  const { ownerUrl } = await openTestDatabase(cleanUp)
  const database = openDatabase(databaseUrls(ownerUrl, TEST_SECRET_KEY), {
    appConnections: 2,
    systemConnections: 6,
    onError: assert.ifError,
  })
  cleanUp.after(() => database.close())
  const { app } = await openTestApi(cleanUp, database)
  const { apiKey } = await insertResellerWithKey(database, 'acme')
  const apiKeys = [apiKey]
  for (let i = 0; i < 40; i++) {
    apiKeys.push((await createKey(database, 'acme', { name: `key ${i}`, scopes: ['*'], perMinute: 0, perDay: 0 }, new Date())).apiKey)
  }
  const [holder, watcher] = [await connectAsOwner(cleanUp, ownerUrl), await connectAsOwner(cleanUp, ownerUrl)]
  await holder.query('begin; select from api_keys for update')

  let waited = 0
  for (let call = 0; ; call++) {
    const key = apiKeys[call % apiKeys.length] ?? apiKey
    assert.equal((await app.inject({ url: '/api/v1/api-keys', headers: { 'x-api-key': key } })).statusCode, 200)
    const { rows } = await watcher.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    const waiting = rows[0]?.n ?? 0
    assert.ok(waiting <= 1, `${waiting} wait at once`)
    // It was given up by its lock timeout.
    if (waited > 0 && waiting === 0) break
    waited = waiting
    await delay(100)
  }
})
