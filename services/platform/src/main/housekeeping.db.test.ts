import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { keepHouse } from './housekeeping.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const { database } = await openTestDatabase({ after }, NOW)

const partitions = async () => {
  const { rows } = await database.systemPool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'readings'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}
const insertReadingAt = (recordedAt: string) =>
  database.systemPool.query(
    `insert into readings (source_id, recorded_at, digest, reseller_id, kind, received_at) values ('dev-x', $1, '\\x00', 'acme', 'telemetry', $1)`,
    [recordedAt],
  )

test('partitions reach from the oldest accepted reading to four weeks ahead, week by week from Monday', async () => {
  await keepHouse({
    database,
    now: () => NOW,
    readingsMaxAgeDays: 30,
    readingsRetentionDays: 400,
    auditRetentionDays: 400,
    eventsRetentionDays: 30,
  })
  const names = await partitions()
  assert.ok(names.includes('readings_20261019') && names.includes('readings_20261214'), names.join())
  for (const name of names)
    assert.equal(new Date(`${name.slice(9, 13)}-${name.slice(13, 15)}-${name.slice(15)}T00:00:00Z`).getUTCDay(), 1, name)
  for (const at of ['2026-10-21T12:00:00Z', '2026-11-16T00:00:00Z', '2026-11-22T23:59:59.999Z', '2026-12-18T11:00:00Z'])
    await insertReadingAt(at)
})

test('retention drops whole weeks that are past it and keeps what may still be sent', async () => {
  const inJanuary = new Date('2027-01-20T12:00:00.000Z')
  await keepHouse({
    database,
    now: () => inJanuary,
    readingsMaxAgeDays: 30,
    readingsRetentionDays: 10,
    auditRetentionDays: 400,
    eventsRetentionDays: 30,
  })
  const names = await partitions()
  assert.equal(names[0], 'readings_20261214')
  await insertReadingAt('2026-12-21T12:00:00Z')
  await assert.rejects(insertReadingAt('2026-11-20T12:00:00Z'), /no partition/)
  const { rows } = await database.systemPool.query<{ n: number }>('select count(*)::int as n from readings')
  assert.equal(rows[0]?.n, 2)
})

test('health history is kept as long as readings are, however much is past it', async () => {
  const resellerId = await insertReseller(database, 'acme')
  await database.systemPool.query(
    `insert into health_history (reseller_id, vehicle_id, scored_at, health_score, health_status)
     select $1, 'veh-1', $2::timestamptz - i * interval '1 minute', 90, 'healthy' from generate_series(0, 25000) i`,
    [resellerId, NOW],
  )
  await keepHouse({
    database,
    now: () => NOW,
    readingsMaxAgeDays: 3,
    readingsRetentionDays: 10,
    auditRetentionDays: 400,
    eventsRetentionDays: 30,
  })
  const { rows } = await database.systemPool.query<{ n: number; oldest: Date }>(
    'select count(*)::int as n, min(scored_at) as oldest from health_history',
  )
  assert.deepEqual(rows, [{ n: 10 * 24 * 60 + 1, oldest: new Date(NOW.getTime() - 10 * 86_400_000) }])
})

test('a role of the service owns nothing, not even the partitions it asked for', async () => {
  const { rows } = await database.systemPool.query<{ name: string }>(
    `select relname as name from pg_class where relowner in (select oid from pg_roles where rolname like 'roadworthy\\_%')`,
  )
  assert.deepEqual(rows, [])
})
