import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openDatabase } from './db.ts'
import { createTestDatabase } from './test-database.ts'

test('when a database is closed its connections are gone, not on their way', async (t) => {
  const { url } = await createTestDatabase(t)
  const watcher = new pg.Client({ connectionString: url })
  await watcher.connect()
  try {
    for (let round = 0; round < 5; round++) {
      const database = openDatabase(
        { owner: url, app: url, system: url },
        { appConnections: 8, systemConnections: 4, onError: (error) => assert.fail(error) },
      )
      await Promise.all(Array.from({ length: 8 }, () => database.systemPool.query('select pg_sleep(0.01)')))
      await database.close()
      const { rows } = await watcher.query(
        `select pid from pg_stat_activity where application_name = 'roadworthy' and datname = current_database()`,
      )
      assert.deepEqual(rows, [])
    }
  } finally {
    await watcher.end()
  }
})
