// Goal: the audit log and the attempts at webhooks lose what is past its retention a week at a time, and whoever writes or reads them meanwhile
// does not notice. Method: the manager of partitions, on a database that has only the partitions that it made.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Row } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { deleteOldAuditRowsAcrossResellers } from '../../audit/audit.sql.ts'
import { type Author, writeAudit } from '../../audit/audit.ts'
import { auditPlatformRoutes } from '../../audit/routes.platform-v1.ts'
import { errorOf, startTestSurface } from '../../predictions/test-surface.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { lastFirst } from '../../surfaces/test-api.ts'
import { connectAsOwner, insertReseller, openTestDatabase } from '../../test-support.ts'
import { insertAttemptAcrossResellers } from '../../webhooks/claims.sql.ts'
import { ensureAuditPartition } from './audit-partition.ts'
import { keepHouse, partitionsAheadDays } from './housekeeping.ts'
import { selectPartitions } from './partitions.sql.ts'
import { removeOldPartitions } from './partitions.ts'

const DAY_MS = 86_400_000
const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
const surface = await startTestSurface(cleanUp, platformSurface, [auditPlatformRoutes({ database })])
const owner = await connectAsOwner(cleanUp, ownerUrl)
const resellerId = await insertReseller(database, 'acme')
await database.systemPool.query(
  `insert into webhook_endpoints (reseller_id, endpoint_id, url, secrets_sealed, created_at, updated_at) values ('acme', 'whe-1', '', '', now(), now())`,
)

const NOW = new Date()
const daysOn = (days: number, from = NOW) => new Date(from.getTime() + days * DAY_MS)
const END = daysOn(318)
const kept = { readingsMaxAgeDays: 1, readingsRetentionDays: 10, auditRetentionDays: 100, eventsRetentionDays: 10 }
const housekeeping = (at: Date) => ({ database, ownerUrl, now: () => at, ...kept })

const author = (at: Date): Author => ({ resellerId, type: 'cli', id: 'operator', at })
const audit = (db: Db, at: Date, objectId = 'thing-1') => writeAudit(db, author(at), { action: 'thing.made', objectId })
const auditAt = (at: Date, objectId?: string) => database.tenant(resellerId, (db) => audit(db, at, objectId))

const madeAttempt = { url: '', requestHeaders: {}, outcome: 'delivered', answer: undefined, error: undefined, durationMs: 1 } as const

async function deliverAt(at: Date): Promise<void> {
  const [deliveryId, eventId] = [newId('whd'), newId('evt')]
  await database.system(async (db) => {
    await db.query(`insert into webhook_messages (reseller_id, event_id, event_type, body, created_at) values ('acme', $1, '', '{}', $2)`, [
      eventId,
      at,
    ])
    await db.query(
      `insert into webhook_deliveries (reseller_id, delivery_id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at)
       values ('acme', $1, 'whe-1', $2, '', 'delivered', $3, $3)`,
      [deliveryId, eventId, at],
    )
    assert.ok(
      await insertAttemptAcrossResellers(db, { resellerId, deliveryId }, { ...madeAttempt, attemptId: newId('wha'), attemptedAt: at }),
    )
  })
}

const tablesOf = async (parent: string) => (await selectPartitions(database.systemPool, parent)).map(({ name }) => name)
const onlyRow = async <T extends Row>(sql: string): Promise<T> => {
  const { rows } = await database.systemPool.query<T>(sql)
  return rows[0] ?? assert.fail(sql)
}
/** What a template has for tests whose clocks are anywhere. */
async function dropFarPartitions(): Promise<void> {
  for (const parent of ['health_history', 'vehicle_use', 'events', 'audit_log', 'webhook_attempts']) {
    for (const { name, from } of await selectPartitions(database.systemPool, parent)) {
      if (from !== undefined) await owner.query(`drop table ${name}`)
    }
  }
}
await dropFarPartitions()

test('a change is logged and an attempt is stored in the partition of its week', async () => {
  assert.deepEqual(await keepHouse(housekeeping(NOW)), [])
  assert.ok((await partitionsAheadDays(housekeeping(NOW))) >= 28)
  const inThreeWeeks = daysOn(21)
  await auditAt(inThreeWeeks)
  await deliverAt(inThreeWeeks)
  const monday = daysOn(-((inThreeWeeks.getUTCDay() + 6) % 7), inThreeWeeks)
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '')
  for (const table of ['audit_log', 'webhook_attempts']) {
    const { name } = await onlyRow<{ name: string }>(`select tableoid::regclass::text as name from ${table}`)
    assert.equal(name, `${table}_${monday}`)
  }
})

// Goal: who writes is kept waiting by nothing. Method: a writer whose transaction is open while a partition is made and while one is taken out,
// which waits for that writer; others write in that moment, with a limit on how long they wait for a lock.
test('the audit log is written while partitions come and go', async () => {
  const mayNotWait = (at: Date, objectId: string) =>
    database.tenant(resellerId, async (db) => {
      await db.query(`set local lock_timeout = '50ms'`)
      await audit(db, at, objectId)
    })
  const watcher = await connectAsOwner(cleanUp, ownerUrl)
  await owner.query('begin')
  await owner.query(`select create_partition('audit_log', '2031-01-06T00:00Z', '2031-01-13T00:00Z')`)
  await mayNotWait(NOW, 'while one is attached')
  await owner.query('commit')

  const { promise: isWritten, resolve: endWriter } = Promise.withResolvers<void>()
  const { promise: isWriting, resolve: hasBegun } = Promise.withResolvers<void>()
  const writer = database.tenant(resellerId, async (db) => {
    await audit(db, NOW, 'open')
    hasBegun()
    await isWritten
  })
  await isWriting
  const detaching = owner.query('alter table audit_log detach partition audit_log_20310106 concurrently')
  // Of this database: other tests use the server at the same time.
  const isWaiting = `select from pg_stat_activity
                      where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table audit_log detach%'`
  while ((await watcher.query(isWaiting)).rowCount === 0) await delay(10)
  await mayNotWait(NOW, 'while one is detached')
  endWriter()
  await Promise.all([writer, detaching])
  await owner.query('drop table audit_log_20310106')
  const { n } = await onlyRow<{ n: number }>(
    `select count(*)::int as n from audit_log where object_id like 'while one is%' or object_id = 'open'`,
  )
  assert.equal(n, 3)
})

test('what cannot be dropped beside an open transaction waits 200 ms for it, is tried again, and leaves the other steps alone', async () => {
  const later = daysOn(150)
  const backup = await connectAsOwner(cleanUp, ownerUrl)
  await backup.query('begin isolation level repeatable read; select 1')
  for (const name of ['audit_log', ...(await tablesOf('audit_log'))]) await backup.query(`lock table ${name} in access share mode`)
  const failed = await keepHouse(housekeeping(later))
  assert.deepEqual(
    failed.map(({ name, error }) => [name, (error as { code?: unknown }).code]),
    [['drop partitions of audit_log', '55P03']],
  )
  await auditAt(later)
  await backup.query('commit')
  assert.deepEqual(await keepHouse(housekeeping(later)), [])
  assert.ok(!(await tablesOf('audit_log')).includes('audit_log_before'))
  assert.equal((await onlyRow<{ n: number }>('select count(*)::int as n from audit_log')).n, 1, 'the row of that day')
})

test('old weeks go whole and on time, and with a deleted endpoint its attempts', async () => {
  // Week after week, as a service that is never stopped has it.
  for (let at = daysOn(150); at <= END; at = daysOn(14, at)) {
    assert.deepEqual(await keepHouse(housekeeping(at)), [])
    await auditAt(at)
    await deliverAt(at)
  }
  const [audited, attempted] = [await tablesOf('audit_log'), await tablesOf('webhook_attempts')]
  // 100 and 30 days back and 28 ahead, in weeks, and the ones at both ends.
  assert.ok(audited.length >= 18 && audited.length <= 21, audited.join())
  assert.ok(attempted.length >= 8 && attempted.length <= 11, attempted.join())
  const left = await onlyRow<{ audited: number; attempted: number; oldest: Date; removed: Date }>(
    `select (select count(*)::int from audit_log) as audited, (select count(*)::int from webhook_attempts) as attempted,
            (select min(at) from audit_log) as oldest, (select removed_up_to from audit_log_starts) as removed`,
  )
  assert.ok(left.audited >= 8 && left.audited <= 9, String(left.audited))
  assert.ok(left.attempted >= 3 && left.attempted <= 4, String(left.attempted))
  assert.deepEqual(left.removed, daysOn(-14, left.oldest))
  // Not an hour before the newest row that it can hold is as old as rows are kept.
  const oldest = (await selectPartitions(database.systemPool, 'audit_log'))[0] ?? assert.fail()
  const table = { name: 'audit_log', writtenBackDays: 1, keptDays: 100 }
  const isDue = daysOn(100, oldest.to)
  await removeOldPartitions(ownerUrl, table, new Date(isDue.getTime() - 3_600_000))
  assert.ok((await tablesOf('audit_log')).includes(oldest.name))
  await removeOldPartitions(ownerUrl, table, isDue)
  assert.ok(!(await tablesOf('audit_log')).includes(oldest.name))

  await database.systemPool.query(`update webhook_endpoints set status = 'deleted'`)
  assert.deepEqual(await keepHouse(housekeeping(END)), [])
  assert.equal((await onlyRow<{ n: number }>('select count(*)::int as n from webhook_attempts')).n, 0)
})

type Page = { entries: { objectId: string }[]; pagination: { endCursor: string; hasNextPage: boolean } }

test('a reader whose cursor points to what is removed is refused, one who has read down to the oldest that is kept is not', async () => {
  const other = await insertReseller(database, 'reader')
  const days = [1, 2, 30, 31]
  for (const day of days) {
    const by: Author = { resellerId: other, type: 'cli', id: 'operator', at: daysOn(-day, END) }
    await database.tenant(other, (db) => writeAudit(db, by, { action: 'thing.made', objectId: `day-${day}` }))
  }
  const read = (cursor?: string) =>
    surface.as({ resellerId: other }).get<Page>(`/audit?limit=1${cursor === undefined ? '' : `&after=${cursor}`}`)
  const cursors: string[] = []
  for (const day of days) {
    const { status, body } = await read(cursors.at(-1))
    assert.deepEqual([status, body.entries.map(({ objectId }) => objectId)], [200, [`day-${day}`]])
    cursors.push(body.pagination.endCursor)
  }
  const shorter = { ...housekeeping(END), auditRetentionDays: 14 }
  assert.deepEqual(await keepHouse(shorter), [])
  assert.deepEqual(
    (await read(cursors[0])).body.entries.map(({ objectId }) => objectId),
    ['day-2'],
  )
  assert.deepEqual((await read(cursors[1])).body.entries, [])
  const refused = await read(cursors[2])
  assert.equal(refused.status, 400)
  assert.match(String(errorOf(refused)['message']), /no longer kept/)
  // Nothing of before is left to go row by row, and nothing else does.
  assert.equal(await deleteOldAuditRowsAcrossResellers(database.systemPool, END, 100), 0)
})

test('the command line logs its changes also where no service has made a partition for long', async () => {
  const inTenYears = daysOn(3_650)
  await assert.rejects(auditAt(inTenYears), /no partition/)
  await ensureAuditPartition(database.systemPool, inTenYears)
  await auditAt(inTenYears)
  const made = await tablesOf('audit_log')
  await ensureAuditPartition(database.systemPool, inTenYears)
  assert.deepEqual(await tablesOf('audit_log'), made)
  await owner.query('begin; alter table audit_log rename to audit_log_later; create table audit_log ()')
  try {
    // A database of an earlier version.
    await ensureAuditPartition(owner as unknown as Db, inTenYears)
  } finally {
    await owner.query('rollback')
  }
})
