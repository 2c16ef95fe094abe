// Goal: a database in use becomes one whose audit log and attempts are partitioned, with every row, while processes of the version before go on
// writing, and go on afterwards. Method: the schema of before with rows, the statements of before, and the migrations that came then.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type Database, databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { lastFirst } from '../../surfaces/test-api.ts'
import { connectAsOwner, insertReseller, TEST_SECRET_KEY } from '../../test-support.ts'

const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations')
const FIRST_NEW = '0033'
const ROWS = 60_000
/** As this version has them, and the one before had them. */
const INSERT_AUDIT = `insert into audit_log
       (reseller_id, audit_id, at, actor_type, actor_id, actor_name, action, object_id, sub_client_id, request_id, address, changes)
     values ('acme', $1, $2, 'key', 'key-1', null, 'thing.made', 'thing-1', null, null, null, '{}')`
const INSERT_ATTEMPT = `insert into webhook_attempts (reseller_id, delivery_id, attempt_id, attempted_at, url, request_headers, outcome, answer_status,
                                   answer_headers, answer_body, error, duration_ms)
     select reseller_id, delivery_id, $2, $3, 'https://x', '{}', 'delivered', null, null, null, null, 5
       from webhook_deliveries
      where reseller_id = 'acme' and delivery_id = $1
        for no key update`
/** As the version before had them. */
const OLDER = {
  listAudit: `select audit_id, at from audit_log
      where reseller_id = 'acme' and (at, audit_id) < ($1::timestamptz, $2) order by at desc, audit_id desc limit $3`,
  countAudit: `select count(*)::integer as n from audit_log where reseller_id = 'acme'`,
  listAttempts: `select * from webhook_attempts where reseller_id = 'acme' and delivery_id = $1 order by attempted_at desc, attempt_id desc limit 50`,
  deleteAudit: `delete from audit_log where ctid = any (array(select ctid from audit_log where at < $1 order by at limit $2))`,
  deleteAttempts: `delete from webhook_attempts
      where (reseller_id, delivery_id, attempt_id) in (
              select reseller_id, delivery_id, attempt_id from webhook_attempts where attempted_at < $1 order by attempted_at limit $2)`,
  deleteDeliveriesOfDeleted: `delete from webhook_deliveries
      where (reseller_id, delivery_id) in (
              select d.reseller_id, d.delivery_id
                from webhook_endpoints e
                join webhook_deliveries d using (reseller_id, endpoint_id)
               where e.status = 'deleted'
               limit $1)`,
} as const

const DAY_MS = 86_400_000
const NOW = new Date()
const daysOn = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

const cleanUp = lastFirst({ after })
const ownerUrl = (await createTestDatabase(cleanUp)).url
await migrate(ownerUrl, { directory: migrationsOfBefore(), secretKey: TEST_SECRET_KEY })
const database = open(ownerUrl)
const owner = await connectAsOwner(cleanUp, ownerUrl)
await insertReseller(database, 'acme')
await fill()

function migrationsOfBefore(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-migrations-'))
  cleanUp.after(async () => rmSync(folder, { recursive: true, force: true }))
  for (const name of readdirSync(MIGRATIONS)) if (name < FIRST_NEW) cpSync(path.join(MIGRATIONS, name), path.join(folder, name))
  return folder
}

function open(url: string): Database {
  const pools = openDatabase(databaseUrls(url, TEST_SECRET_KEY), {
    appConnections: 2,
    systemConnections: 2,
    onError: (error) => assert.fail(error),
  })
  cleanUp.after(() => pools.close())
  return pools
}

/** Ages of up to 100 days, the oldest rows first: they stand where the first rows of other partitions stand in theirs. */
async function fill(): Promise<void> {
  const rows = `generate_series(1, ${ROWS}) n, lateral (select now() - (${ROWS} + 1 - n) * interval '100 days' / ${ROWS} as at) t`
  await owner.query(
    `insert into webhook_endpoints (reseller_id, endpoint_id, url, secrets_sealed, created_at, updated_at) values ('acme', 'whe-1', '', '', now(), now())`,
  )
  await owner.query(`insert into audit_log (reseller_id, audit_id, at, actor_type, actor_id, action, object_id, changes)
                     select 'acme', 'aud-' || n, at, 'key', 'key-1', 'thing.made', 'thing-1', '{}' from ${rows}`)
  await owner.query(
    `insert into webhook_messages (reseller_id, event_id, event_type, body, created_at) select 'acme', 'evt-' || n, '', '{}', at from ${rows}`,
  )
  await owner.query(`insert into webhook_deliveries (reseller_id, delivery_id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at)
                     select 'acme', 'whd-' || n, 'whe-1', 'evt-' || n, '', 'delivered', at, at from ${rows}`)
  await owner.query(`insert into webhook_attempts (reseller_id, delivery_id, attempt_id, attempted_at, url, request_headers, outcome, duration_ms)
                     select 'acme', 'whd-' || n, 'wha-' || n, at, 'https://x', '{}', 'delivered', 5 from ${rows}`)
}

/** The files of a table and of its indexes. */
async function filesOf(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ file: string }>(
    `select pg_relation_filenode(c.oid)::text as file from pg_class c
      where c.oid = $1::regclass or c.oid in (select indexrelid from pg_index where indrelid = $1::regclass) order by 1`,
    [table],
  )
  return rows.map(({ file }) => file)
}
async function countOf(table: string, where = 'true', values: unknown[] = []): Promise<number | undefined> {
  const { rows } = await database.systemPool.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`, values)
  return rows[0]?.n
}

/**
 * What a caller is to come back for (503): a lock that was not given in time, and a deadlock. While autovacuum is at one of the tables, the
 * migration has others locked and waits for it for longer than the writers wait.
 */
const LATER = new Set(['55P03', '40P01'])

/** Writes as callers of a process of the version before do, one after the other, until stopped. Answers how many were acknowledged. */
function keepWriting(write: (nth: number) => Promise<unknown>): { stop(): Promise<number> } {
  let isStopped = false
  const written = (async () => {
    let count = 0
    while (!isStopped) {
      try {
        await write(count)
        count++
      } catch (error) {
        if (!LATER.has(String((error as { code?: unknown }).code))) throw error
      }
    }
    return count
  })()
  const stop = () => {
    isStopped = true
    return written
  }
  return { stop }
}

test('nothing is copied or built anew, and who writes meanwhile loses nothing', async () => {
  const before = { audit_log: await filesOf('audit_log'), webhook_attempts: await filesOf('webhook_attempts') }
  const auditing = keepWriting((nth) => database.tenant('acme', (db) => db.query(INSERT_AUDIT, [`aud-w${nth}`, new Date()])))
  const attempting = keepWriting((nth) => database.system((db) => db.query(INSERT_ATTEMPT, ['whd-1', `wha-w${nth}`, new Date()])))
  const { applied } = await migrate(ownerUrl, { directory: MIGRATIONS, secretKey: TEST_SECRET_KEY })
  assert.ok(applied.length >= 4, applied.join())
  const [audited, attempted] = [await auditing.stop(), await attempting.stop()]
  for (const [table, written] of [
    ['audit_log', audited],
    ['webhook_attempts', attempted],
  ] as const) {
    assert.ok(written > 0)
    assert.equal(await countOf(table), ROWS + written)
    assert.deepEqual(await filesOf(`${table}_before`), before[table])
  }
})

test('the statements of the version before mean what they meant', async () => {
  const { systemPool } = database
  const newer = [1, 2, 3, 4, 5].map((nth) => `aud-newer-${nth}`)
  for (const id of newer) await database.tenant('acme', (db) => db.query(INSERT_AUDIT, [id, daysOn(30)]))
  const { rows: page } = await database.tenant('acme', (db) => db.query<{ audit_id: string }>(OLDER.listAudit, ['infinity', '', 5]))
  assert.deepEqual(
    page.map(({ audit_id }) => audit_id),
    newer.toReversed(),
  )
  const all = (await database.tenant('acme', (db) => db.query<{ n: number }>(OLDER.countAudit))).rows[0]?.n ?? 0
  const old = (await countOf('audit_log', 'at < $1', [daysOn(-90)])) ?? 0
  assert.ok(old > 5_000 && old < 7_000, String(old))
  // By ctid, which means rows of other partitions as well.
  assert.equal((await systemPool.query(OLDER.deleteAudit, [daysOn(-90), ROWS])).rowCount, old)
  assert.equal(await countOf('audit_log'), all - old)
  assert.equal(await countOf('audit_log', `audit_id like 'aud-newer-%'`), 5)
  for (const run of [database.tenant.bind(undefined, 'acme'), database.system]) {
    await assert.rejects(
      run((db) => db.query(`update audit_log set action = 'thing.hidden'`)),
      /permission denied/,
    )
  }
  await assert.rejects(
    database.tenant('acme', (db) => db.query('delete from audit_log')),
    /permission denied/,
  )

  const insertAttempt = (deliveryId: string, attemptId: string, at: Date) =>
    database.system((db) => db.query(INSERT_ATTEMPT, [deliveryId, attemptId, at]))
  assert.equal((await insertAttempt('whd-2', 'wha-newer', daysOn(30))).rowCount, 1)
  await assert.rejects(insertAttempt('whd-2', 'wha-newer', daysOn(30)), { code: '23505' })
  await assert.rejects(insertAttempt('whd-2', 'wha-2', NOW), { code: '23505' })
  assert.equal((await insertAttempt('whd-none', 'wha-none', NOW)).rowCount, 0)
  const { rows: attempts } = await database.tenant('acme', (db) => db.query<{ attempt_id: string }>(OLDER.listAttempts, ['whd-2']))
  assert.deepEqual(
    attempts.map(({ attempt_id }) => attempt_id),
    ['wha-newer', 'wha-2'],
  )
  assert.equal((await systemPool.query(OLDER.deleteAttempts, [daysOn(-90), 100])).rowCount, 100)
  await systemPool.query(`update webhook_endpoints set status = 'deleted'`)
  assert.equal((await systemPool.query(OLDER.deleteDeliveriesOfDeleted, [100])).rowCount, 100)
})

test('an older process that is left alone writes for half a year; a database of nobody’s has no such process', async () => {
  const inHalfAYear = daysOn(26 * 7)
  await database.tenant('acme', (db) => db.query(INSERT_AUDIT, ['aud-late', inHalfAYear]))
  await database.system((db) => db.query(INSERT_ATTEMPT, [`whd-${ROWS}`, 'wha-late', inHalfAYear]))

  const fresh = await createTestDatabase(cleanUp)
  await migrate(fresh.url, { directory: MIGRATIONS, secretKey: TEST_SECRET_KEY })
  const freshOwner = await connectAsOwner(cleanUp, fresh.url)
  const { rows } = await freshOwner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass`,
  )
  assert.deepEqual(rows, [{ name: 'audit_log_before' }])
})
