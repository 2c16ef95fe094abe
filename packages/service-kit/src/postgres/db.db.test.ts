import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { CopyRows } from './copy-rows.ts'
import { type Db, findDurabilityRisks, inSavepoint, openDatabase } from './db.ts'
import { textArray } from './pg-arrays.ts'
import { textCodec } from './pg-binary.ts'
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

test('a statement of a tenant is a transaction of its own: alone in it are the resellers set, and what fails leaves nothing behind', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
  )
  try {
    await database.systemPool.query('create table things (id int primary key, owner text not null)')
    const things = database.tenantPool(['acme', 'bolt'])
    const named = { name: 'insert thing', text: `insert into things values ($1, current_setting('app.resellers')) returning id, owner` }
    assert.deepEqual((await things.query(named, [1])).rows, [{ id: 1, owner: '{acme,bolt}' }])
    // The connection has the statement by now; it goes on with it after each kind of failure.
    await assert.rejects(things.query(named, [1]), { code: '23505' })
    await assert.rejects(things.query('insert into things values ($1, $2)', ['two', 'acme']), { code: '22P02' })
    await assert.rejects(things.query('select * from nothing'), { code: '42P01' })
    await assert.rejects(things.query({ name: 'of nothing', text: 'select * from nothing' }), { code: '42P01' })
    assert.deepEqual((await things.query(named, [2])).rows, [{ id: 2, owner: '{acme,bolt}' }])
    const after = await database.tenant('acme', (db) => db.query<{ n: number }>('select count(*)::int as n from things'))
    assert.equal(after.rows[0]?.n, 2)
    // Many rows, none, and those of a statement that changes rows without returning any.
    assert.equal((await things.query('select * from generate_series(1, 1000) n')).rows.length, 1000)
    assert.deepEqual((await things.query('select * from things where id = 9')).rows, [])
    assert.deepEqual([(await things.query('delete from things where id = $1', [2])).rowCount], [1])
    // All of these are under way at once on the one connection; each is answered by its own rows.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        database.tenantPool('acme').query(`select ${n} as n, current_setting('app.resellers') as owner`),
      ),
    )
    assert.deepEqual(
      answers.map(({ rows }) => rows),
      Array.from({ length: 20 }, (_, n) => [{ n, owner: '{acme}' }]),
    )
    const { rows } = await things.query(`select pg_backend_pid() as app`)
    const [seen] = (await database.systemPool.query('select state, query from pg_stat_activity where pid = $1', [rows[0]?.['app']])).rows
    assert.equal(seen?.['state'], 'idle')
  } finally {
    await database.close()
  }
})

test('rows are copied in with the statements beside them, or nothing is, and the connection goes on', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
  )
  const rowsOf = (...ids: string[]) => {
    const rows = new CopyRows([textCodec], 0)
    for (const id of ids) {
      rows.begin()
      rows.putText(id)
    }
    return rows.toCopy([...ids.keys()])
  }
  const copyIn = (ids: readonly string[], note: string, table = 'things', copied = rowsOf(...ids)) =>
    database.copyIn(
      ['acme', 'bolt'],
      [
        {
          copies: [
            { text: `copy ${table} (id) from stdin (format binary)`, copied },
            { text: 'copy others from stdin (format binary)', copied: rowsOf(note) },
          ],
          beside: { text: 'insert into notes select unnest($1::text[])', values: [textArray([`beside ${note}`])] },
          statement: { name: 'note', text: `insert into notes values ($1 || ' ' || current_setting('app.resellers')) returning note` },
          values: [Buffer.from(note)],
        },
      ],
    )
  const stored = async () => {
    const { rows } = await database.systemPool.query(
      `select (select array_agg(id order by id) from things) as ids, (select array_agg(note order by note) from notes) as notes`,
    )
    return rows[0]
  }
  try {
    await database.systemPool.query(
      'create table things (id text primary key); create table others (id text); create table notes (note text primary key)',
    )
    await copyIn(['b', 'a'], 'first')
    const first = { ids: ['a', 'b'], notes: ['beside first', 'first {acme,bolt}'] }
    assert.deepEqual(await stored(), first)
    // Refused by the rows, before a row is read, for what the rows are, and by either statement. All under way at once, on the one connection.
    const refused = await Promise.allSettled([
      copyIn(['c', 'a'], 'second'),
      copyIn(['c'], 'second', 'nothing'),
      copyIn([], 'second', 'things', [Buffer.from('not what COPY reads')]),
      // A row that is cut off.
      copyIn(['c'], 'second', 'things', [Buffer.concat(rowsOf('cut off').slice(0, 2)).subarray(0, -1)]),
      copyIn(['c'], 'first'),
      database.tenantPool('acme').query('select 1 as one'),
    ])
    assert.deepEqual(
      refused.map((result) =>
        result.status === 'rejected' ? (result.reason as { code: string }).code : (result.value as { rows: unknown[] }).rows,
      ),
      ['23505', '42P01', '22P04', '22P04', '23505', [{ one: 1 }]],
    )
    assert.deepEqual(await stored(), first)
    // More than fits into the buffers of the socket, and than goes in one message.
    const many = Array.from({ length: 20_000 }, (_, nth) => `many ${String(nth).padStart(500, '0')}`)
    await Promise.all([copyIn(many, 'many'), copyIn(['z'], 'last')])
    const after = (await stored()) as { ids: string[]; notes: string[] }
    assert.deepEqual([after.ids.length, after.notes.length], [2 + 20_000 + 1, 2 + 2 + 2])
  } finally {
    await database.close()
  }
})

test('parts are written in one transaction, all or none, and each statement is parsed once a connection whatever failed before', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
  )
  const part = (table: string, id: string) => ({
    copies: [],
    statement: { name: `insert into ${table}`, text: `insert into ${table} values ($1)` },
    values: [Buffer.from(id)],
  })
  const write = (...parts: readonly (readonly [table: string, id: string])[]) =>
    database.copyIn(
      'acme',
      parts.map((each) => part(...each)),
    )
  const codeOf = (error: unknown) => String((error as { code?: unknown }).code)
  const tables = ['ones', 'twos', 'threes']
  const stored = async () => {
    const { rows } = await database.systemPool.query(
      `select array(select id from ones) || array(select id from twos) || array(select id from threes) as ids`,
    )
    return rows[0]?.['ids']
  }
  const parsed = async () => {
    const { rows } = await database.tenantPool('acme').query<{ name: string }>('select name from pg_prepared_statements order by 1')
    return rows.map(({ name }) => name)
  }
  try {
    await database.systemPool.query(tables.map((table) => `create table ${table} (id text primary key)`).join('; '))
    await database.systemPool.query(`insert into twos values ('known')`)
    // Refused in its middle, the first time that any of them is sent: all three are parsed by then.
    assert.equal(await write(['ones', 'a'], ['twos', 'known'], ['threes', 'a']).catch(codeOf), '23505')
    assert.deepEqual(await stored(), ['known'])
    assert.deepEqual(await parsed(), ['insert into ones', 'insert into threes', 'insert into twos'])
    await write(['threes', 'b'], ['ones', 'b'], ['twos', 'b'])
    await write(['twos', 'c'])
    assert.deepEqual(await stored(), ['b', 'known', 'b', 'c', 'b'])
    // Of a table that is not there nothing can be parsed, nor of what comes after it.
    await database.systemPool.query('create table fours (id text)')
    assert.equal(await write(['nothing', 'd'], ['fours', 'd'], ['ones', 'd']).catch(codeOf), '42P01')
    await write(['fours', 'e'], ['ones', 'e'])
    await database.systemPool.query('create table nothing (id text)')
    await write(['nothing', 'f'], ['fours', 'f'], ['ones', 'f'])
    assert.deepEqual(await stored(), ['b', 'e', 'f', 'known', 'b', 'c', 'b'])
    assert.deepEqual((await parsed()).length, 5)
  } finally {
    await database.close()
  }
})

test('what a transaction begins with on a node fails its statement, and neither a name nor a lock is left of it', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
  )
  const { hostname: host, port } = new URL(url)
  try {
    await database.systemPool.query(`
      create table held (is_here boolean not null);
      insert into held values (false);
      create function hold() returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1);
        if not (select is_here from held) then raise exception 'not here' using errcode = '55000'; end if;
      end $$`)
    const node = database.onNode({ host, port: Number(port) }, 'select hold()').tenantPool('acme')
    const named = { name: 'one', text: 'select 1 as one' }
    await assert.rejects(node.query(named), { code: '55000' })
    const { rows } = await database.systemPool.query('select pg_try_advisory_xact_lock(1) as is_free')
    assert.deepEqual(rows, [{ is_free: true }])
    await database.systemPool.query('update held set is_here = true')
    for (let round = 0; round < 2; round++) assert.deepEqual((await node.query(named)).rows, [{ one: 1 }])
  } finally {
    await database.close()
  }
})

test('the connection of a statement that was given up is closed, as what is rolled back on it may wait too; that of another failure is kept', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { owner: url, app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: (error) => assert.fail(error) },
  )
  const pidAfter = async (failing: string, code: string) => {
    await assert.rejects(
      database.system((db) => db.query(failing)),
      { code },
    )
    return await database.system(async (db) => (await db.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid)
  }
  try {
    const first = await pidAfter('select 1 / 0', '22012')
    assert.equal(await pidAfter('select 1 / 0', '22012'), first)
    assert.notEqual(await pidAfter('set local statement_timeout = 20; select pg_sleep(5)', '57014'), first)
  } finally {
    await database.close()
  }
})

test('a database that waits longer for connections while a process starts does so no more when that listens', async (t) => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase(
    { owner: url, app: url, system: url },
    { appConnections: 1, systemConnections: 1, acquireTimeoutMs: 600_000, onError: (error) => assert.fail(error) },
  )
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  try {
    const holding = database.system(async () => await isOver)
    const before = database.systemPool.query('select 1')
    database.acquireInTime()
    await assert.rejects(database.systemPool.query('select 1'), /timeout exceeded when trying to connect/)
    resolve()
    await holding
    await before
  } finally {
    resolve()
    await database.close()
  }
})
