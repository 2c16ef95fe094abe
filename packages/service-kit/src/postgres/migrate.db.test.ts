// Goal: versions share a database, the older beside the newer, unless a migration is marked as breaking. Method: folders of migrations that
// stand for versions, on one database.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { lockSchema, migrate } from './migrate.ts'
import { createTestDatabase, startTestServer } from './test-database.ts'

const SECRET_KEY = 'test secret key, 32 characters or more'
const FIRST = { '0001_things.sql': '-- Owner: test.\ncreate table things (id int primary key);' }
const EXPANDED = { ...FIRST, '0002_names.sql': '-- Owner: test.\nalter table things add column name text;' }
const BROKEN_WITH = { ...EXPANDED, '0003_contract.sql': '-- Owner: test.\n-- breaking\nalter table things drop column name;' }

/** A version's folder of migrations. */
function version(t: TestContext, files: Record<string, string>) {
  const directory = mkdtempSync(path.join(tmpdir(), 'roadworthy-migrations-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, sql] of Object.entries(files)) writeFileSync(path.join(directory, name), sql)
  return { directory, secretKey: SECRET_KEY }
}

test('an older version starts on a schema that a newer one expanded', async (t) => {
  const { url } = await freshDatabase(t)
  assert.deepEqual(await migrate(url, version(t, EXPANDED)), { applied: Object.keys(EXPANDED), newer: [] })
  assert.deepEqual(await migrate(url, version(t, FIRST)), { applied: [], newer: ['0002_names.sql'] })
  assert.deepEqual(await migrate(url, version(t, EXPANDED)), { applied: [], newer: [] })
})

test('a newer migration that is marked breaking keeps an older version from starting, and is named', async (t) => {
  const { url } = await freshDatabase(t)
  await migrate(url, version(t, BROKEN_WITH))
  await assert.rejects(migrate(url, version(t, EXPANDED)), /newer version: its migration 0003_contract\.sql/)
  assert.deepEqual(await migrate(url, version(t, BROKEN_WITH)), { applied: [], newer: [] })
})

test('a migration that was changed after it was applied is refused by its name, also where it could be applied once more', async (t) => {
  const { url } = await freshDatabase(t)
  const seed = { ...FIRST, '0002_seed.sql': '-- Owner: test.\ninsert into things select 1 where not exists (select from things);' }
  await migrate(url, version(t, seed))
  const changed = { ...seed, '0002_seed.sql': `${seed['0002_seed.sql']}\n-- changed` }
  await assert.rejects(migrate(url, version(t, changed)), /0002_seed\.sql was changed after it was applied; add a new one instead/)
})

test('a database of before the mark gets it, and its migrations count as ones that break nothing', async (t) => {
  const { url, connect } = await freshDatabase(t)
  await migrate(url, version(t, EXPANDED))
  const client = await connect()
  await client.query('alter table schema_migrations drop column breaking')
  assert.deepEqual(await migrate(url, version(t, FIRST)), { applied: [], newer: ['0002_names.sql'] })
})

test('a start with nothing to migrate waits for no session that reads every table', async (t) => {
  const { url, connect } = await freshDatabase(t)
  await migrate(url, version(t, FIRST))
  const backup = await connect()
  await backup.query('begin; lock table things, schema_migrations in access share mode')
  assert.deepEqual(await migrate(url, version(t, FIRST)), { applied: [], newer: [] })
})

test('a migration that must wait for a table lets others use it meanwhile, and goes on when it is free', async (t) => {
  const { url, connect } = await freshDatabase(t)
  await migrate(url, version(t, FIRST))
  const [backup, writer] = [await connect(), await connect()]
  await backup.query('begin; lock table things in access share mode')
  const migrating = migrate(url, version(t, EXPANDED))
  // Behind a migration that waited without end this insert would wait too.
  for (let waiting = false; !waiting; ) {
    // A session sees the state of others as it was first seen in its transaction.
    await backup.query('select pg_stat_clear_snapshot()')
    const { rows } = await backup.query<{ n: number }>(
      `select count(*)::int as n from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
    )
    waiting = (rows[0]?.n ?? 0) > 0
  }
  await writer.query(`insert into things values (1)`)
  await backup.query('commit')
  assert.deepEqual((await migrating).applied, ['0002_names.sql'])
})

// Goal: of processes that start together one restores a backup, for as long as that takes, and the others wait for it.
test('who waits for the schema waits for as long as somebody has it, and for other locks as long as its session does', async (t) => {
  const { url, connect } = await freshDatabase(t)
  const [holder, waiting] = [await connect(), new pg.Client({ connectionString: url, lock_timeout: 50 })]
  await waiting.connect()
  try {
    for (const client of [holder, waiting]) await client.query('begin')
    await lockSchema(holder)
    const locked = lockSchema(waiting)
    // Six times what its session waits for a lock.
    await Promise.race([locked, delay(300)])
    await holder.query('commit')
    await locked
    assert.deepEqual((await waiting.query('show lock_timeout')).rows, [{ lock_timeout: '50ms' }])
  } finally {
    await waiting.end()
  }
})

// Goal: a large table that is being vacuumed when a new version starts keeps it from starting no longer than a moment. Method: an autovacuum
// that goes a page at a time and takes minutes, on a server that looks for work every second.
test('an autovacuum gives way to a migration', async (t) => {
  const server = await startTestServer()
  t.after(() => server.stop())
  await migrate(server.url, version(t, FIRST))
  const owner = new pg.Client({ connectionString: server.url, statement_timeout: 120_000 })
  await owner.connect()
  try {
    await owner.query(`alter table things set (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1,
                                               autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0)`)
    await owner.query('insert into things select n from generate_series(1, 400000) n')
    await owner.query('delete from things')
    await owner.query('alter system set autovacuum_naptime = 1')
    await owner.query('alter system set autovacuum = on')
    await owner.query('select pg_reload_conf()')
    for (let isVacuumed = false; !isVacuumed; ) {
      isVacuumed = (await owner.query(`select from pg_stat_progress_vacuum where relid = 'things'::regclass`)).rowCount === 1
    }
    assert.deepEqual((await migrate(server.url, version(t, EXPANDED))).applied, ['0002_names.sql'])
  } finally {
    await owner.end()
  }
})

/** Sessions end before their database is dropped. */
async function freshDatabase(t: TestContext) {
  const cleanUps: (() => Promise<void>)[] = []
  const { url } = await createTestDatabase({ after: (cleanUp) => cleanUps.push(cleanUp) })
  t.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  const connect = async () => {
    const client = new pg.Client({ connectionString: url, statement_timeout: 20_000 })
    await client.connect()
    cleanUps.push(() => client.end())
    return client
  }
  return { url, connect }
}
