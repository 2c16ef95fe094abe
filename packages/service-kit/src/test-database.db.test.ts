import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase } from './test-database.ts'

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('databases of one template start with its schema, and what one writes the other does not see', async (t) => {
  let migrations = 0
  const options = {
    template: 'test-database.db.test',
    migrate: async (url: string) => {
      migrations++
      await run(url, 'create table trucks (name text)')
    },
  }
  const [first, second] = await Promise.all([createTestDatabase(t, options), createTestDatabase(t, options)])
  await run(first.url, "insert into trucks values ('red')")
  assert.equal((await run(first.url, 'select * from trucks')).length, 1)
  assert.equal((await run(second.url, 'select * from trucks')).length, 0)
  assert.equal(migrations, 1)
})

test('a database is gone after the test that asked for it, even with a connection left open', async (t) => {
  let name = ''
  let serverUrl = ''
  const keeper = await createTestDatabase(t)
  await t.test('the inner test', async (inner) => {
    const database = await createTestDatabase(inner)
    name = database.name
    serverUrl = keeper.url
    const left = new Client({ connectionString: database.url })
    left.on('error', () => {})
    await left.connect()
  })
  assert.deepEqual(await run(serverUrl, `select datname from pg_database where datname = '${name}'`), [])
})
