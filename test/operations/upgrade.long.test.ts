// Goal: an operator can see what an upgrade means before it is done, is kept from one that cannot be undone, and may start it twice. Method: the
// command line on databases of earlier schemas, of a newer one, and of every release that there was.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { readLastBackup } from '@roadworthy/platform/backup/last-backup'
import { openBackup } from '@roadworthy/platform/backup/read-backup'
import { restoreDatabase } from '@roadworthy/platform/backup/restore-backup'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { buildSchema, readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { createTestDatabase, startTestServer, type TestServer } from '@roadworthy/service-kit/postgres/test-database'
import { withClient } from '../../services/platform/src/backup/test-backup.ts'
import { FIXTURE_SECRET_KEY } from '../../tools/setup/schema-fixtures.ts'
import { FREE_PORTS, RunningService } from '../e2e/running-service.ts'
import { type Ended, roadworthy } from '../support/command-line.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const FIXTURES = path.join(ROOT, 'test/fixtures/schemas')
const MIGRATIONS = path.join(ROOT, 'services/platform/migrations')
/** Readings are indexed by what comes after it. */
const EARLIER = '0066'

let folder: string
let server: TestServer

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-upgrade-'))
  chmodSync(folder, 0o755)
  writeFileSync(path.join(folder, 'passphrase.txt'), 'seven words of your own and no others\n')
  // Of its own: roles belong to a whole server.
  server = await startTestServer()
  process.env['TEST_DATABASE_URL'] = server.url
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Cleaner = Parameters<typeof createTestDatabase>[0]

async function databaseOf(t: Cleaner, migrationsUpTo: string): Promise<{ url: string; query: (sql: string) => Promise<unknown[]> }> {
  const { url } = await createTestDatabase(t)
  const migrations = (await readMigrations(MIGRATIONS)).filter(({ name }) => name < `${migrationsUpTo}_~`)
  await withClient(url, async (client) => {
    await client.query('begin')
    await buildSchema(client, migrations)
    await client.query('commit')
  })
  const query = async (sql: string) => (await withClient(url, (client) => client.query(sql))).rows as unknown[]
  return { url, query }
}

function upgrade(url: string, ...args: string[]): Promise<Ended> {
  const env = { DATABASE_URL: url, SECRET_KEY: FIXTURE_SECRET_KEY, DATA_DIR: folder }
  return roadworthy(['upgrade', ...args, '--json'], { env })
}

type Answer = {
  ok: boolean
  applied: string[]
  pending: { migration: string; effects: { table: string; holds_up: string; rewritten: boolean; indexes: string[]; rows: number }[] }[]
  findings: { name: string; status: string; detail: string; fix?: string }[]
}
const answerOf = ({ stdout }: Ended) => JSON.parse(stdout) as Answer
const statusOf = (ended: Ended, name: string) => answerOf(ended).findings.find((finding) => finding.name === name)?.status

test('an earlier schema: what would be done is shown, a backup is asked for, and two upgrades at once do it once; a newer one is not touched', async (t) => {
  const { url, query } = await databaseOf(t, EARLIER)
  await query(`insert into resellers (reseller_id, name) select 'r' || n, 'r' from generate_series(1, 1000) n`)
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql') && name > `${EARLIER}_~`)

  const checked = await upgrade(url, '--check')
  assert.equal(checked.code, 1, checked.stderr)
  assert.equal(checked.stderr, 'error: In the way of the upgrade: backup. Nothing was changed.\n')
  const { pending, findings } = answerOf(checked)
  assert.deepEqual(
    pending.map(({ migration }) => migration),
    names,
  )
  const onUsers = pending.find(({ migration }) => migration.startsWith('0069_'))?.effects.find(({ table }) => table === 'users')
  assert.equal(onUsers?.holds_up, 'everybody')
  assert.equal(onUsers.rewritten, false)
  assert.match(findings.find(({ name }) => name === 'backup')?.fix ?? '', /roadworthy backup/)
  assert.deepEqual(await query('select count(*)::int as n from schema_migrations'), [{ n: Number(EARLIER) }])

  const backup = ['backup', '--to', path.join(folder, 'first'), '--no-secret-key', '--data-dir', folder, '--database-url', url]
  const made = await roadworthy(backup, { env: { SECRET_KEY: FIXTURE_SECRET_KEY } })
  assert.equal(made.code, 0, made.stderr)
  assert.equal(readLastBackup(folder)?.folder, path.join(folder, 'first'))
  assert.equal((await upgrade(url, '--check', '--backup', path.join(folder, 'first'))).code, 0)

  const both = await Promise.all([upgrade(url), upgrade(url)])
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ stderr }) => stderr).join(),
  )
  assert.deepEqual(both.flatMap((each) => answerOf(each).applied).sort(), names)
  assert.deepEqual(await query('select count(*)::int as n from resellers'), [{ n: 1000 }])

  await query(`insert into schema_migrations (name, sha256, breaking) values ('9998_more.sql', 'x', false)`)
  const newer = await upgrade(url, '--check')
  assert.deepEqual([newer.code, statusOf(newer, 'schema'), statusOf(newer, 'backup')], [0, 'warning', 'skipped'])
  await query(`insert into schema_migrations (name, sha256, breaking) values ('9999_less.sql', 'x', true)`)
  const breaking = await upgrade(url)
  assert.deepEqual([breaking.code, statusOf(breaking, 'schema'), answerOf(breaking).applied], [1, 'wrong', []])
  assert.match(breaking.stdout, /used by a newer version: its migration 9999_less\.sql/)
})

test('an embedded database with too little room is not upgraded', async (t) => {
  const disk = mkdtempSync(path.join(tmpdir(), 'roadworthy-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=240m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch (error) {
    rmSync(disk, { recursive: true })
    return t.skip(`no small disk can be mounted here: ${(error as Error).message}`)
  }
  t.after(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
  chmodSync(disk, 0o755)
  const small = await startEmbeddedPostgres({ dataDir: disk, log: () => {} })
  const refused = await upgrade(small.url).finally(() => small.stop())
  assert.deepEqual([refused.code, statusOf(refused, 'disk'), answerOf(refused).applied], [1, 'wrong', []])
})

for (const release of readdirSync(FIXTURES)) {
  test(`an instance of ${release} is upgraded with what it has, by two processes at once, and goes on`, async (t) => {
    const { url } = await createTestDatabase(t)
    const backup = await openBackup(path.join(FIXTURES, release), undefined, await readMigrations(MIGRATIONS))
    const others = { secretKey: undefined, history: undefined, migrationsDirectory: MIGRATIONS, comparison: 'none' } as const
    await restoreDatabase({ backup, ownerUrl: url, ...others })
    const both = await Promise.all([upgrade(url, '--without-backup'), upgrade(url, '--without-backup')])
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
      both.map(({ stderr }) => stderr).join(),
    )
    await withClient(url, async (client) => {
      for (const { name, rowCount } of backup.manifest.tables) {
        const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from "${name}"`)
        assert.equal(rows[0]?.n, rowCount, name)
      }
    })

    const env = { PATH: process.env['PATH'], DATABASE_URL: url, SECRET_KEY: FIXTURE_SECRET_KEY }
    const service = new RunningService(
      path.join(folder, 'data'),
      ['--no-demo', '--roles', 'api', '--engine-url', 'http://127.0.0.1:9', ...FREE_PORTS],
      { env },
    )
    t.after(() => service.signal('SIGTERM'))
    await service.ready()
    const base = / at (http:\/\/[^\s"}]+)/.exec(service.stdout)?.[1] ?? ''
    const health = await fetch(`${base}/api/external/health`)
    assert.deepEqual([health.status, ((await health.json()) as { status: string }).status], [200, 'healthy'])
    const made = await roadworthy(
      ['keys', 'create', '--reseller', 'roadworthy', '--name', 'test', '--scopes', 'vehicles:read,devices:read', '--json'],
      { env: { DATABASE_URL: url, SECRET_KEY: FIXTURE_SECRET_KEY, DATA_DIR: folder } },
    )
    const { api_key: key } = JSON.parse(made.stdout) as { api_key: string }
    const answer = await fetch(`${base}/api/v1/vehicles`, { headers: { 'x-api-key': key } })
    const wanted = backup.manifest.tables.find(({ name }) => name === 'vehicles')?.rowCount
    assert.equal(((await answer.json()) as { vehicles: unknown[] }).vehicles.length, wanted)
  })
}

test('there is a fixture of a release', () => assert.equal(existsSync(path.join(FIXTURES, '2.0.0', 'manifest.json')), true))
