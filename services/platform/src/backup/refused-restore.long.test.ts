// Goal: a restore that is refused or fails says why, and leaves the database as empty as it was. Method: one backup, damaged copies of it, older and newer schemas,
// owners that are no superuser, and databases that are not empty.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { migrate, readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { onOnePostgres, TEST_SECRET_KEY } from '../test-support.ts'
import { checkOf, type Manifest } from './manifest.ts'
import { checkParts, openBackup } from './read-backup.ts'
import { RowsDigest } from './rows-digest.ts'
import {
  backUp,
  copyOf,
  emptyDatabase,
  type Filled,
  fillDatabase,
  MIGRATIONS_DIRECTORY,
  PASSPHRASE,
  restore,
  temporaryFolder,
  withClient,
} from './test-backup.ts'

const onOne = onOnePostgres('no backup is made')
const folder = temporaryFolder({ after })
const filled: Filled = await fillDatabase({ after })
const known = await readMigrations(MIGRATIONS_DIRECTORY)
let signed: string
let unsigned: string

before(async () => {
  if (onOne.skip !== false) return
  signed = (await backUp(filled, path.join(folder, 'signed'))).folder
  unsigned = (await backUp(filled, path.join(folder, 'unsigned'), { passphrase: undefined })).folder
})

const damages: [what: string, damage: (copy: string) => void, problem: RegExp][] = [
  ['a part that was changed', (copy) => flipByte(path.join(copy, 'tables/readings.copy.gz')), /tables\/readings\.copy\.gz was changed/],
  [
    'a part that was cut',
    (copy) => truncateSync(path.join(copy, 'tables/users.copy.gz'), 10),
    /tables\/users\.copy\.gz has 10 bytes, and had \d+/,
  ],
  [
    'a part that is missing',
    (copy) => rmSync(path.join(copy, 'tables/devices.copy.gz')),
    /tables\/devices\.copy\.gz cannot be read \(ENOENT\)/,
  ],
  ['a file of the history that was changed', (copy) => flipByte(historyFile(copy)), /history\/reseller=acme.*parquet was changed/],
  ['a manifest that was cut', (copy) => truncateSync(path.join(copy, 'manifest.json'), 500), /manifest\.json is damaged/],
  ['a manifest of which one word was changed', (copy) => changeWord(path.join(copy, 'manifest.json')), /manifest\.json is damaged/],
  ['a backup without its manifest', (copy) => rmSync(path.join(copy, 'manifest.json')), /is no backup: there is no manifest\.json/],
  [
    'a manifest that somebody changed with its hash',
    (copy) => rewrite(copy, (manifest) => ({ ...manifest, madeAt: 'never' })),
    /signature does not match/,
  ],
]

for (const [what, damage, problem] of damages) {
  test(`${what} is reported, and which it is`, onOne, async (t) => {
    const copy = copyOf(t, signed)
    damage(copy)
    const read = async () => await checkParts(await openBackup(copy, PASSPHRASE, known))
    await assert.rejects(read, (error: Error) => error.name === 'BackupProblem' && problem.test(error.message))
  })
}

function flipByte(file: string): void {
  const bytes = readFileSync(file)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

function changeWord(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace('"2.0.0"', '"2.0.1"'))
}

function historyFile(copy: string): string {
  return path.join(copy, 'history', readManifestOf(copy).history.files[0]?.path ?? assert.fail())
}

function readManifestOf(copy: string): Manifest {
  return JSON.parse(readFileSync(path.join(copy, 'manifest.json'), 'utf8')) as Manifest
}

/** As who has no passphrase can: the hashes match, a signature is as it was. */
function rewrite(copy: string, change: (manifest: Manifest) => Manifest): void {
  const check = JSON.parse(readFileSync(path.join(copy, 'manifest.check.json'), 'utf8')) as { hmacSha256: string | null }
  const text = JSON.stringify(change(readManifestOf(copy)))
  writeFileSync(path.join(copy, 'manifest.json'), text)
  writeFileSync(path.join(copy, 'manifest.check.json'), checkOf(text, check.hmacSha256))
}

test('a whole backup passes; another passphrase is named as what is wrong', onOne, async () => {
  await checkParts(await openBackup(signed, PASSPHRASE, known))
  await assert.rejects(openBackup(signed, 'another passphrase', known), /not the one that this backup was made with/)
})

test('rows that are not those of the manifest undo the whole restore', onOne, async (t) => {
  const copy = copyOf(t, unsigned)
  replaceRows(copy, 'vehicles', (rows) => rows.replace('veh-aaaaaaaaaa', 'veh-bbbbbbbbbb'))
  await checkParts(await openBackup(copy, undefined, known))
  const ownerUrl = await emptyDatabase(t)
  await assert.rejects(restore(copy, ownerUrl, path.join(temporaryFolder(t), 'history')), /vehicles\.copy\.gz does not hold the rows/)
  assert.deepEqual(await relationsOf(ownerUrl), [])
})

test('rows that refer to what is not there undo the whole restore', onOne, async (t) => {
  const copy = copyOf(t, unsigned)
  rewrite(copy, (manifest) => ({ ...manifest, tables: manifest.tables.filter(({ name }) => name !== 'resellers') }))
  const ownerUrl = await emptyDatabase(t)
  await assert.rejects(restore(copy, ownerUrl, path.join(temporaryFolder(t), 'history')), /foreign key/)
  assert.deepEqual(await relationsOf(ownerUrl), [])
})

/** With the hash of the file, and not with that of its rows. */
function replaceRows(copy: string, table: string, change: (rows: string) => string): void {
  const file = path.join(copy, `tables/${table}.copy.gz`)
  const bytes = gzipSync(change(gunzipSync(readFileSync(file)).toString('utf8')))
  writeFileSync(file, bytes)
  const written = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const tables = (manifest: Manifest) => manifest.tables.map((each) => (each.name === table ? { ...each, ...written } : each))
  rewrite(copy, (manifest) => ({ ...manifest, tables: tables(manifest) }))
}

async function relationsOf(url: string): Promise<string[]> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
    )
    return rows.map(({ name }) => name)
  })
}

test('a database that has anything is named and left alone', onOne, async (t) => {
  const ownerUrl = await emptyDatabase(t)
  await withClient(ownerUrl, (client) => client.query('create table invoices_of_others (a text); create sequence numbers'))
  await assert.rejects(
    restore(signed, ownerUrl, path.join(temporaryFolder(t), 'history')),
    /not empty: it has invoices_of_others, numbers\./,
  )
  assert.deepEqual((await relationsOf(ownerUrl)).sort(), ['invoices_of_others', 'numbers'])
})

test('another secret key than that of the backup is refused before anything is written', onOne, async (t) => {
  const copy = copyOf(t, unsigned)
  replaceRows(copy, 'installation_key', (rows) => rows.replace(/\t[\w-]{43}\t/, `\t${'x'.repeat(43)}\t`))
  // What is not signed can be changed by anybody, the digest of its rows as well.
  const rows = new RowsDigest()
  rows.end(gunzipSync(readFileSync(path.join(copy, 'tables/installation_key.copy.gz'))))
  await rows.resume().toArray()
  rewrite(copy, (manifest) => ({
    ...manifest,
    tables: manifest.tables.map((each) => (each.name === 'installation_key' ? { ...each, rowsDigest: rows.digest } : each)),
  }))
  const ownerUrl = await emptyDatabase(t)
  await assert.rejects(restore(copy, ownerUrl, path.join(temporaryFolder(t), 'history')), /not the one of this backup/)
  assert.deepEqual(await relationsOf(ownerUrl), [])
})

test('a newer schema is refused with the version to install; so is a later format', onOne, async (t) => {
  const older = known.slice(0, -1)
  await assert.rejects(
    openBackup(signed, PASSPHRASE, older),
    new RegExp(`${known.at(-1)?.name}\\)\\. Install Roadworthy 2\\.0\\.0 or later`),
  )
  const changed = known.map((each, nth) => (nth === 0 ? { ...each, sha256: 'f'.repeat(64) } : each))
  await assert.rejects(openBackup(signed, PASSPHRASE, changed), /another 0001_access\.sql/)
  const copy = copyOf(t, unsigned)
  rewrite(copy, (manifest) => ({ ...manifest, formatVersion: 2, productVersion: '3.1.0' }))
  await assert.rejects(openBackup(copy, undefined, known), /format 2, and this version reads 1\. Install Roadworthy 3\.1\.0/)
})

test('an older schema is restored as it was, and migrated', onOne, async (t) => {
  const directory = path.join(temporaryFolder(t), 'migrations')
  cpSync(MIGRATIONS_DIRECTORY, directory, { recursive: true })
  const removed = known.slice(-5).map(({ name }) => name)
  for (const name of removed) rmSync(path.join(directory, name))
  const { url } = await createTestDatabase(t)
  await migrate(url, { directory, secretKey: TEST_SECRET_KEY })
  await withClient(url, (client) => client.query(`insert into resellers (reseller_id, name) values ('old', 'Old')`))
  const { folder: backup } = await backUp({ ...filled, ownerUrl: url }, path.join(temporaryFolder(t), 'old'))
  const ownerUrl = await emptyDatabase(t)
  const { migrated, compared } = await restore(backup, ownerUrl, path.join(temporaryFolder(t), 'history'))
  assert.deepEqual(migrated, removed)
  assert.ok(compared?.every(({ isEqual }) => isEqual))
  const { rows } = await withClient(ownerUrl, (client) => client.query('select reseller_id from resellers'))
  assert.deepEqual(rows, [{ reseller_id: 'old' }])
})

test('a partition gets the bounds that it had, whatever the migrations make of today', onOne, async (t) => {
  const copy = copyOf(t, unsigned)
  const bound = "FOR VALUES FROM (MINVALUE) TO ('2026-06-01 00:00:00+00')"
  rewrite(copy, (manifest) => ({
    ...manifest,
    tables: manifest.tables.map(({ partitions, ...table }) => ({
      ...table,
      partitions: partitions.map((each) => (each.name === 'webhook_attempts_before' ? { ...each, bound } : each)),
    })),
  }))
  const ownerUrl = await emptyDatabase(t)
  await restore(copy, ownerUrl, path.join(temporaryFolder(t), 'history'))
  await withClient(ownerUrl, async (client) => {
    await client.query(`set timezone = 'UTC'`)
    const { rows } = await client.query(
      `select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'webhook_attempts_before'`,
    )
    assert.deepEqual(rows, [{ bound }])
  })
})

test('an owner that is no superuser backs up and restores every row; one that might not see them all is refused', onOne, async (t) => {
  const owner = await createPlainOwner(t)
  const source = await owner.database('source')
  await restore(signed, source, path.join(temporaryFolder(t), 'history'))
  const plain = { ...filled, ownerUrl: source }
  const { manifest, folder: backup } = await backUp(plain, path.join(temporaryFolder(t), 'plain'))
  const rowsOf = (table: string) => manifest.tables.find(({ name }) => name === table)?.rowCount
  assert.deepEqual([rowsOf('readings'), rowsOf('vehicles'), rowsOf('users')], [2_003, 1, 1])
  const { compared } = await restore(backup, await owner.database('target'), path.join(temporaryFolder(t), 'history'))
  assert.ok(compared?.every(({ isEqual }) => isEqual))
  const to = path.join(temporaryFolder(t), 'refused')
  await assert.rejects(backUp(plain, to, { secretKey: undefined, passphrase: undefined }), /does not see every row\. Set SECRET_KEY/)
  await withClient(source, (client) =>
    client.query(`create policy narrow on vehicles as restrictive using (vehicle_id <> 'veh-aaaaaaaaaa')`),
  )
  await assert.rejects(backUp(plain, to), /may hide rows of vehicles/)
})

/** Owns its databases and may create roles, as the owner in a managed PostgreSQL. */
async function createPlainOwner(t: Parameters<typeof temporaryFolder>[0]) {
  const server = new URL(filled.ownerUrl)
  const role = `plain_${process.pid}`
  const names: string[] = []
  const asSuperuser = (statement: string) => withClient(server.href, (client) => client.query(statement))
  await asSuperuser(`create role ${role} login createrole password 'plain'`)
  t.after(async () => {
    for (const name of names) await asSuperuser(`drop database ${name} with (force)`)
    await asSuperuser(`drop role ${role}`)
  })
  return {
    database: async (purpose: string) => {
      const name = `test_${role}_${purpose}`
      await asSuperuser(`create database ${name} owner ${role}`)
      names.push(name)
      const url = new URL(server)
      url.username = role
      url.password = 'plain'
      url.pathname = `/${name}`
      return url.href
    },
  }
}
