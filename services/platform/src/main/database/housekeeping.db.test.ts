import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestUser } from '../../people/test-users.ts'
import { lastFirst } from '../../surfaces/test-api.ts'
import { connectAsOwner, insertReseller, onOnePostgres, openTestDatabase } from '../../test-support.ts'
import { keepHouse, partitionsAheadDays } from './housekeeping.ts'
import { selectDetached, selectPartitions } from './partitions.sql.ts'
import { removeOldPartitions } from './partitions.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp, NOW)
const kept = { readingsMaxAgeDays: 30, readingsRetentionDays: 400, auditRetentionDays: 400, eventsRetentionDays: 30 }
const housekeeping = (at: Date, changes: Partial<typeof kept> = {}) => ({ database, ownerUrl, now: () => at, ...kept, ...changes })

const partitions = async () => {
  const { rows } = await database.systemPool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'readings'::regclass and not i.inhdetachpending order by 1`,
  )
  return rows.map(({ name }) => name)
}
const insertReadingAt = (recordedAt: string) =>
  database.systemPool.query(
    `insert into readings (source_id, recorded_at, digest, reseller_id, kind, received_at) values ('dev-x', $1, '\\x00', 'acme', 'telemetry', $1)`,
    [recordedAt],
  )
const connectOwner = () => connectAsOwner(cleanUp, ownerUrl)
const countReadings = async () => {
  const { rows } = await database.systemPool.query<{ n: number }>('select count(*)::int as n from readings')
  return rows[0]?.n
}

const insertHealthAt = async (resellerId: string, newest: Date, minutes: number) => {
  await database.systemPool.query(
    `insert into health_history (reseller_id, vehicle_id, scored_at, health_score, health_status)
     select $1, 'veh-1', $2::timestamptz - i * interval '1 minute', 90, 'healthy' from generate_series(0, $3) i`,
    [resellerId, newest, minutes],
  )
}

const logEventAt = async (resellerId: string, at: Date) => {
  await database.systemPool.query(
    `insert into events (reseller_id, position, event_id, type, occurred_at, logged_at, body)
     select $1, p, 'evt-' || p, 'alert.created', $2, $2, '{}' from nextval('event_positions') p`,
    [resellerId, at],
  )
}

test('what a table held before it was partitioned is kept as long as readings are, however much is past it', async () => {
  const resellerId = await insertReseller(database, 'acme')
  const today = new Date()
  await insertHealthAt(resellerId, today, 25_000)
  const failed = await keepHouse(housekeeping(today, { readingsMaxAgeDays: 3, readingsRetentionDays: 10 }))
  assert.deepEqual(failed, [])
  const { rows } = await database.systemPool.query<{ n: number; oldest: Date }>(
    'select count(*)::int as n, min(scored_at) as oldest from health_history',
  )
  assert.deepEqual(rows, [{ n: 10 * 24 * 60 + 1, oldest: new Date(today.getTime() - 10 * 86_400_000) }])
})

test('partitions reach from the oldest accepted reading to four weeks ahead, week by week from Monday', async () => {
  assert.deepEqual(await keepHouse(housekeeping(NOW)), [])
  const names = await partitions()
  assert.ok(names.includes('readings_20261019') && names.includes('readings_20261214'), names.join())
  for (const name of names)
    assert.equal(new Date(`${name.slice(9, 13)}-${name.slice(13, 15)}-${name.slice(15)}T00:00:00Z`).getUTCDay(), 1, name)
  for (const at of ['2026-10-21T12:00:00Z', '2026-11-16T00:00:00Z', '2026-11-22T23:59:59.999Z', '2026-12-18T11:00:00Z'])
    await insertReadingAt(at)
  assert.ok((await partitionsAheadDays(housekeeping(NOW))) >= 28)
  assert.equal(await partitionsAheadDays(housekeeping(new Date('2027-03-01T00:00:00Z'))), 0)
})

// Goal: nothing waits for a backup that takes hours, and a backup that is over leaves nothing undone. Method: a session that holds what pg_dump
// holds, while partitions are made, asked to be dropped, written and read.
test(
  'while a backup holds every table, partitions are made and detached and readings come and go; afterwards the old ones are dropped',
  onOnePostgres('Citus detaches no partition beside readers, and housekeeping tries again'),
  async () => {
    const inJanuary = new Date('2027-01-20T12:00:00.000Z')
    const [oldest] = await partitions()
    const backup = await connectOwner()
    await backup.query('begin isolation level repeatable read; select 1')
    for (const name of ['readings', ...(await partitions())]) await backup.query(`lock table ${name} in access share mode`)

    const failed = await keepHouse(housekeeping(inJanuary, { readingsRetentionDays: 10 }))
    assert.deepEqual(
      failed.map(({ name, error }) => [name, (error as { code?: unknown }).code]),
      [['drop partitions of readings', '55P03']],
    )
    assert.ok((await partitionsAheadDays(housekeeping(inJanuary))) >= 28)
    await insertReadingAt('2027-01-19T12:00:00Z')
    await insertReadingAt('2026-12-21T12:00:00Z')
    // The one that is being detached is gone for everybody else; the backup has what it began with.
    assert.ok(!(await partitions()).includes(oldest ?? assert.fail()))
    assert.equal((await backup.query<{ n: number }>('select count(*)::int as n from readings')).rows[0]?.n, 4)

    await backup.query('commit')
    assert.deepEqual(await keepHouse(housekeeping(inJanuary, { readingsRetentionDays: 10 })), [])
    assert.equal((await partitions())[0], 'readings_20261214')
    await assert.rejects(insertReadingAt('2026-11-20T12:00:00Z'), /no partition/)
    assert.equal(await countReadings(), 3)
    const { rows } = await database.systemPool.query(
      `select relname from pg_class where relname ~ '^readings_\\d+$' and not relispartition`,
    )
    assert.deepEqual(rows, [], 'nothing is left of what was detached')
  },
)

test('a partition goes when the newest row that it can hold is as old as readings are kept, and not an hour before', async () => {
  const table = { name: 'readings', writtenBackDays: 1, keptDays: 40 }
  const [oldest = '', ...others] = await partitions()
  const endsAt = (await selectPartitions(database.systemPool, 'readings'))[0]?.to ?? assert.fail()
  const after = (days: number, hours: number) => new Date(endsAt.getTime() + days * 86_400_000 + hours * 3_600_000)
  await removeOldPartitions(ownerUrl, table, after(40, -1))
  assert.equal((await partitions())[0], oldest)
  // While another process removes partitions this one leaves them alone.
  const other = await connectOwner()
  await other.query('select pg_advisory_lock(7305512250)')
  await removeOldPartitions(ownerUrl, table, after(40, 0))
  assert.equal((await partitions())[0], oldest)
  await other.query('select pg_advisory_unlock(7305512250)')
  await removeOldPartitions(ownerUrl, table, after(40, 0))
  assert.deepEqual(await partitions(), others)
})

test('making a partition waits for a lock no longer than others may wait behind it', async () => {
  const owner = await connectOwner()
  await owner.query('begin; lock table readings in share update exclusive mode')
  // Its connection would wait ten times as long.
  const make = database.system(async (db) => {
    await db.query(`set local lock_timeout = '30s'`)
    await db.query(`select create_partition('readings', '2030-01-07T00:00Z', '2030-01-14T00:00Z')`)
  })
  await assert.rejects(make, { code: '55P03' })
  await owner.query('rollback')
})

test('a table that a person took out of readings to keep it is not dropped, nor one of another table for this one', async () => {
  const [oldest] = await partitions()
  const owner = await connectOwner()
  await owner.query(`alter table readings detach partition ${oldest}`)
  await owner.query(`create table vehicle_use_kept ()`)
  await owner.query(`comment on table vehicle_use_kept is 'Past its retention: housekeeping detaches and drops it.'`)
  assert.deepEqual(await selectDetached(database.systemPool, 'readings'), [])
  assert.deepEqual(await selectDetached(database.systemPool, 'vehicle_use'), ['vehicle_use_kept'])
  await owner.query('drop table vehicle_use_kept')
  assert.deepEqual(await keepHouse(housekeeping(new Date('2027-03-20T12:00:00.000Z'), { readingsRetentionDays: 10 })), [])
  assert.equal((await owner.query('select 1 from pg_class where relname = $1', [oldest])).rowCount, 1)
})

test('who was active is known for longer than a month can stay open, and a place that somebody signed in from for 90 days', async () => {
  const resellerId = await insertReseller(database, 'remembered')
  const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
  await createTestUser(database, { resellerId, email: 'p@x.example', password: 'correct horse battery' }, NOW)
  for (const days of [40, 71, 89, 91]) {
    await database.systemPool.query(
      `insert into usage_active_devices (reseller_id, sub_client_id, device_id, period, bucket) values ($1, '', 'dev-' || $2::text, 'm', $3)`,
      [resellerId, days, daysAgo(days)],
    )
    await database.systemPool.query(
      `insert into known_sign_ins (reseller_id, user_id, name_hmac, seen_at) select $1, user_id, sha256($2::text::bytea), $3 from users where reseller_id = $1`,
      [resellerId, days, daysAgo(days)],
    )
  }
  assert.deepEqual(await keepHouse(housekeeping(NOW)), [])
  const { rows } = await database.systemPool.query(
    `select (select array_agg(device_id) from usage_active_devices where reseller_id = $1) as devices,
            (select count(*)::int from known_sign_ins where reseller_id = $1) as places`,
    [resellerId],
  )
  assert.deepEqual(rows, [{ devices: ['dev-40'], places: 3 }])
})

test('a step that fails leaves the others alone', async () => {
  const owner = await connectOwner()
  await owner.query(`begin; lock table idempotency_keys in access exclusive mode`)
  const resellerId = await insertReseller(database, 'stepwise')
  await database.systemPool.query(
    `insert into rate_windows (reseller_id, key_id, recent_ms, day, day_count) values ($1, 'key-old', '{}', '2020-01-01', 1)`,
    [resellerId],
  )
  const failed = await keepHouse(housekeeping(NOW))
  assert.deepEqual(
    failed.map(({ name }) => name),
    ['delete idempotency keys'],
  )
  assert.equal((await database.systemPool.query(`select 1 from rate_windows where key_id = 'key-old'`)).rowCount, 0)
  await owner.query('rollback')
})

test('what is past its retention goes with its partition, and with the first of them the rows of before', async () => {
  const owner = await connectAsOwner(cleanUp, ownerUrl)
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^(health_history|vehicle_use|events)_\\d+$' and relkind = 'r'`,
  )
  for (const { name } of rows) await owner.query(`drop table ${name}`)
  const inAYear = new Date(Date.now() + 365 * 86_400_000)
  // Week after week, as a service that is never stopped has it.
  for (let atMs = Date.now(); atMs <= inAYear.getTime(); atMs += 14 * 86_400_000) {
    assert.deepEqual(await keepHouse(housekeeping(new Date(atMs), { readingsRetentionDays: 100 })), [])
    await insertHealthAt('acme', new Date(atMs), 0)
    await logEventAt('acme', new Date(atMs))
  }
  const left = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^(health_history|vehicle_use)_(\\d+|before)$' and relkind = 'r' order by 1`,
  )
  for (const table of ['health_history', 'vehicle_use']) {
    const names = left.rows.map(({ name }) => name).filter((name) => name.startsWith(table))
    // 100 days back and 28 ahead, in weeks, and the ones at both ends.
    assert.ok(names.length >= 18 && names.length <= 21, names.join())
    assert.ok(!names.includes(`${table}_before`))
  }
  const { rows: ofEvents } = await owner.query(`select 1 from pg_class where relname ~ '^events_(\\d+|before)$' and relkind = 'r'`)
  // 30 days back.
  assert.ok(ofEvents.length >= 8 && ofEvents.length <= 11, String(ofEvents.length))
  const log = await database.systemPool.query<{ n: number; oldest: string; removed: string }>(
    `select count(*)::int as n, min(position) as oldest, (select removed_up_to from event_log_starts where reseller_id = 'acme') as removed from events`,
  )
  const [{ n, oldest, removed } = { n: 0, oldest: '0', removed: '0' }] = log.rows
  assert.ok(n >= 2 && n <= 4, String(n))
  assert.equal(Number(oldest), Number(removed) + 1, 'whoever has read up to the last that is gone has missed nothing')
  const kept = await database.systemPool.query<{ n: number }>('select count(*)::int as n from health_history')
  assert.ok((kept.rows[0]?.n ?? 0) >= 7 && (kept.rows[0]?.n ?? 0) <= 9)
})

// Goal: a process of the version before, which deletes by ctid, takes nothing that it does not mean. Method: its statement, on rows that
// are not in the first partition.
test('deleting by ctid as the version before does leaves other partitions alone', async () => {
  await insertReseller(database, 'older')
  await database.systemPool.query('delete from health_history')
  const newer = new Date(Date.now() + 365 * 86_400_000)
  await insertHealthAt('older', newer, 5)
  const statement = `delete from health_history where ctid = any (array(select ctid from health_history where scored_at < $1 limit 5000))`
  await database.systemPool.query(statement, [newer])
  const { rows } = await database.systemPool.query(`select 1 from health_history where reseller_id = 'older'`)
  assert.equal(rows.length, 6)
})

test('a role of the service owns nothing, not even the partitions it asked for', async () => {
  const { rows } = await database.systemPool.query<{ name: string }>(
    `select relname as name from pg_class where relowner in (select oid from pg_roles where rolname like 'roadworthy\\_%')`,
  )
  assert.deepEqual(rows, [])
})
