import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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

test('a test process that is killed leaves neither its server nor its folder', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'test-database.ts'))
  const code = `import { startTestServer } from ${module}
    const server = await startTestServer()
    console.log(server.url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(child.stdout, 'data')
  const [{ folder }] = (await run(String(url).trim(), "select current_setting('data_directory') as folder")) as [{ folder: string }]
  child.kill('SIGKILL')
  for (let turn = 0; turn < 2_400 && existsSync(folder); turn++) await sleep(50)
  assert.equal(existsSync(folder), false)
})
