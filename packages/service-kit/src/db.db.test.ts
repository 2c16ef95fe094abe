import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Db, findDurabilityRisks, inSavepoint, openDatabase } from './db.ts'
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

test('a commit is on disk when it returns, also on a server that is configured not to wait for that', async (t) => {
  const { url, name } = await createTestDatabase(t)
  const show = async () => {
    const database = openDatabase(
      { owner: url, app: url, system: url },
      { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
    )
    try {
      const ask = 'show synchronous_commit'
      const [pooled, system, tenant] = [
        await database.systemPool.query<{ synchronous_commit: string }>(ask),
        await database.system((db) => db.query<{ synchronous_commit: string }>(ask)),
        await database.tenantPool('acme').query<{ synchronous_commit: string }>(ask),
      ]
      return [pooled, system, tenant].map(({ rows }) => rows[0]?.synchronous_commit)
    } finally {
      await database.close()
    }
  }
  for (const [configured, expected] of [
    ['off', 'on'],
    // An operator who asks for more keeps it, and so does one who knows why standbys are not waited for.
    ['remote_apply', 'remote_apply'],
    ['local', 'local'],
  ]) {
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(`alter database ${name} set synchronous_commit = ${configured}`)
    await owner.end()
    assert.deepEqual(await show(), [expected, expected, expected])
  }
})

test('settings of the server that lose what was acknowledged are found', async (t) => {
  const { url } = await createTestDatabase(t)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    // The server of the tests is one that loses everything in a power cut.
    assert.deepEqual(await findDurabilityRisks(owner as unknown as Db), ['fsync=off', 'full_page_writes=off'])
  } finally {
    await owner.end()
  }
})

test('what fails within a savepoint is undone, and the transaction around it goes on', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { owner: url, app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
  )
  await database.systemPool.query('create table kept (n integer)')
  const insert = (db: Db, n: number) => db.query('insert into kept values ($1)', [n])
  await database.system(async (db) => {
    await inSavepoint(db, () => insert(db, 1))
    const failing = inSavepoint(db, async () => {
      await insert(db, 2)
      await db.query('select 1 / 0')
    })
    await assert.rejects(failing, { code: '22012' })
    await insert(db, 3)
  })
  const { rows } = await database.systemPool.query('select n from kept order by n')
  await database.close()
  assert.deepEqual(rows, [{ n: 1 }, { n: 3 }])
})
