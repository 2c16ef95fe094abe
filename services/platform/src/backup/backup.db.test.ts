// Goal: what is restored is what was there at one moment, and nothing else is ever taken for it. Method: a database with something of every kind, one
// backup of it, copies of that which are damaged, and empty databases.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { createFolderStore } from '../history/file-store.ts'
import { requireDuckdb } from '../history/test-history.ts'
import { verifyFiles } from '../history/verify-files.ts'
import { onACluster, onOnePostgres, TEST_SECRET_KEY } from '../test-support.ts'
import { openBackup } from './read-backup.ts'
import {
  backUp,
  emptyDatabase,
  type Filled,
  fillDatabase,
  MIGRATIONS_DIRECTORY,
  restore,
  temporaryFolder,
  withClient,
} from './test-backup.ts'
import type { MadeBackup } from './write-backup.ts'

const onOne = onOnePostgres('no backup is made')

const folder = temporaryFolder({ after })
const filled: Filled = await fillDatabase({ after })
let made: MadeBackup

before(async () => {
  if (onOne.skip === false) made = await backUp(filled, path.join(folder, 'backup'))
})

test('every table, sequence and file comes back, and the schema is the same', onOne, async (t) => {
  const ownerUrl = await emptyDatabase(t)
  const historyFolder = path.join(temporaryFolder(t), 'history')
  const { compared, ended, migrated } = await restore(made.folder, ownerUrl, historyFolder)
  assert.deepEqual(
    compared?.filter(({ isEqual }) => !isEqual),
    [],
  )
  assert.equal(compared?.length, made.manifest.tables.length)
  assert.deepEqual(migrated, [])
  assert.deepEqual(ended, { sessions: 1, links: 1 })
  const rowsOf = (table: string) => made.manifest.tables.find(({ name }) => name === table)?.rowCount
  assert.deepEqual([rowsOf('readings'), rowsOf('sessions'), rowsOf('resellers')], [2_003, 1, 1])
  const [restored, source] = [await schemaOf(ownerUrl), await schemaOf(filled.ownerUrl)]
  const onlyIn = (some: string[], others: string[]) => some.filter((line) => !others.includes(line))
  // Tables of before there were partitions come back like any other partition.
  const ofBefore = /_before\b/
  for (const lines of [onlyIn(restored, source), onlyIn(source, restored)]) {
    assert.deepEqual(
      lines.filter((line) => !ofBefore.test(line)),
      [],
    )
  }
  assert.ok(source.length > 1_000)

  const database = openDatabase(databaseUrls(ownerUrl, TEST_SECRET_KEY), {
    appConnections: 1,
    systemConnections: 1,
    onError: () => undefined,
  })
  try {
    const store = createFolderStore(historyFolder)
    const files = await Array.fromAsync(verifyFiles({ database, store, duckdb: await requireDuckdb() }))
    assert.deepEqual([files.length, files.filter(({ problem }) => problem !== undefined)], [made.manifest.history.files.length, []])
    assert.equal(files.length, 1)
  } finally {
    await database.close()
  }
})

/** Everything that a schema is made of, as text. */
async function schemaOf(url: string): Promise<string[]> {
  return await withClient(url, async (client) => {
    await client.query(`set timezone = 'UTC'`)
    const { rows: relations } = await client.query(
      `select relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity, reloptions, pg_get_expr(relpartbound, oid) as bound, relacl::text
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S') order by 1`,
    )
    const { rows: constraints } = await client.query(
      `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as is from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    )
    const { rows: indexes } = await client.query(
      `select tablename, regexp_replace(indexdef, '^.* ON ', '') as is from pg_indexes where schemaname = 'public' order by 1, 2`,
    )
    const { rows: triggers } = await client.query(
      `select tgrelid::regclass::text as "table", tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    )
    const { rows: policies } = await client.query(
      'select tablename, policyname, permissive, roles, cmd, qual, with_check from pg_policies order by 1, 2',
    )
    const { rows: migrations } = await client.query('select name, sha256 from schema_migrations order by 1')
    const parts = { relations, constraints, indexes, triggers, policies, migrations }
    return Object.entries(parts).flatMap(([kind, rows]) => rows.map((row) => `${kind} ${JSON.stringify(row)}`))
  })
}

test('what must not be valid or happen again is not there', onOne, async (t) => {
  const ownerUrl = await emptyDatabase(t)
  await restore(made.folder, ownerUrl, path.join(temporaryFolder(t), 'history'))
  await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::int from sessions) as sessions, (select count(*)::int from user_links) as links, nextval('event_positions')::int as next,
              nextval('device_messages_message_no_seq')::int as message`,
    )
    assert.deepEqual(rows, [{ sessions: 0, links: 0, next: 1_000_000_042, message: 8 }])
  })
})

test('everything is of one moment, whatever is committed while a backup is made', onOne, async (t) => {
  const adding: Promise<unknown>[] = []
  // Of resellers and usage_turns, of which each has one by a trigger, the first has been read by then.
  const onProgress = (_share: number, table: string) => {
    if (table === 'sub_clients')
      adding.push(filled.database.systemPool.query(`insert into resellers (reseller_id, name) values ('late', 'Late')`))
  }
  t.after(async () => {
    await filled.database.systemPool.query(`delete from usage_turns where reseller_id = 'late'`)
    await filled.database.systemPool.query(`delete from resellers where reseller_id = 'late'`)
  })
  const { manifest } = await backUp(filled, path.join(folder, 'while-changed'), { onProgress })
  await Promise.all(adding)
  assert.equal(adding.length, 1)
  const rowsOf = (table: string) => manifest.tables.find(({ name }) => name === table)?.rowCount
  assert.deepEqual([rowsOf('resellers'), rowsOf('usage_turns')], [1, 1])
})

test('a backup is for its owner only, says what it leaves out, and replaces nothing', onOne, async () => {
  const files = readdirSync(made.folder, { recursive: true, withFileTypes: true })
  for (const entry of files) {
    const { mode } = statSync(path.join(entry.parentPath, entry.name))
    assert.equal(mode & 0o077, 0, entry.name)
  }
  assert.ok(made.bytes > 10_000)
  const left = made.manifest.notIncluded.map(({ what }) => what)
  assert.ok(left.includes('rows of request_log'), left.join())
  assert.ok(!left.includes('the secret key'))
  assert.ok(!JSON.stringify(made.manifest).includes(TEST_SECRET_KEY))
  await assert.rejects(backUp(filled, made.folder), /is there already/)
})

test('a backup that fails or is stopped leaves nothing', onOne, async () => {
  const stopping = new AbortController()
  const to = path.join(folder, 'stopped')
  const onProgress = (_share: number, table: string) => {
    if (table === 'readings') stopping.abort(new Error('stopped'))
  }
  await assert.rejects(backUp(filled, to, { onProgress, signal: stopping.signal }), /stopped|abort/i)
  assert.equal(existsSync(to), false)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('unfinished')),
    [],
  )
})

test('tables that are not of the product are named, and those of a newer version are refused', onOne, async (t) => {
  const add = (sql: string) => withClient(filled.ownerUrl, (client) => client.query(sql))
  await add('create table readings_20200106 (kept text)')
  t.after(() => add(`drop table readings_20200106; delete from schema_migrations where name = '9999_later.sql'`).then(() => undefined))
  const { manifest } = await backUp(filled, path.join(folder, 'with-own-table'))
  assert.ok(manifest.notIncluded.some(({ what }) => what === 'table readings_20200106'))
  assert.ok(!manifest.tables.some(({ name }) => name === 'readings_20200106'))
  await add(`insert into schema_migrations (name, sha256) values ('9999_later.sql', '${'0'.repeat(64)}')`)
  await assert.rejects(backUp(filled, path.join(folder, 'newer')), /newer version \(9999_later.sql\)/)
})

test('the key in a backup is the one of its database', onOne, async () => {
  const to = path.join(folder, 'wrong-key')
  await assert.rejects(backUp(filled, to, { secretKey: 'another secret key of enough characters' }), /not the one of this database/)
  await assert.rejects(backUp(filled, to, { secretKey: undefined }), /not known here/)
  await assert.rejects(backUp(filled, to, { passphrase: 'too short' }), /fewer than 15/)
})

test('without a passphrase the key is not there, and the manifest says so', onOne, async (t) => {
  const { manifest, folder: keyless } = await backUp(filled, path.join(folder, 'keyless'), { passphrase: undefined })
  assert.equal(manifest.keys, null)
  assert.ok(manifest.notIncluded.some(({ what, why }) => what === 'the secret key' && why.includes('cannot be read')))
  const text = readFileSync(path.join(keyless, 'manifest.json'), 'utf8')
  assert.ok(!text.includes(TEST_SECRET_KEY))
  const ownerUrl = await emptyDatabase(t)
  const { compared } = await restore(keyless, ownerUrl, path.join(temporaryFolder(t), 'history'), { secretKey: undefined })
  assert.ok(compared?.every(({ isEqual }) => isEqual))
})

test('the history may be left out by request only', onOne, async () => {
  await assert.rejects(backUp(filled, path.join(folder, 'no-store'), { history: undefined }), /1 files of the history/)
  const { manifest, folder: without } = await backUp(filled, path.join(folder, 'no-history'), { isHistoryLeftOut: true })
  assert.equal(existsSync(path.join(without, 'history')), false)
  assert.equal(manifest.history.files.length, 1)
  assert.ok(manifest.notIncluded.some(({ what }) => what === '1 files of the history'))
})

test('what the passphrase opens is the key and the credentials', onOne, async () => {
  const { keyFiles } = await openBackup(made.folder, 'correct horse battery staple', await readMigrations(MIGRATIONS_DIRECTORY))
  assert.deepEqual(keyFiles, { 'credentials.json': '{}', 'secret-key': TEST_SECRET_KEY })
})

test('readings on several nodes are refused, with what to do', onACluster, async () => {
  await assert.rejects(backUp(filled, path.join(folder, 'backup')), /Citus cluster.*citus_create_restore_point/)
})
