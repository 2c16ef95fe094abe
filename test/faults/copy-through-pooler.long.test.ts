// Goal: readings are copied in through PgBouncer in transaction mode as without it, also where the COPY is refused and others follow on the same connection. Method: the
// real PgBouncer with the configuration that is shipped, and many transactions at once on few connections.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareDatabase } from '@roadworthy/platform/main/database/prepare-database'
import { CopyPartitions } from '@roadworthy/platform/readings/copy-partitions'
import { createReading } from '@roadworthy/platform/readings/reading'
import { ReadingRows } from '@roadworthy/platform/readings/reading-rows'
import { createReadingWriter, ensureReadingPartitions, WHOLE_TABLES } from '@roadworthy/platform/readings/readings.sql'
import { insertReseller, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'
import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { findProgram, pgbouncerUsers, startPgbouncer } from '../support/programs.ts'

const AT_MS = Date.UTC(2026, 10, 20, 12)
const GROUPS = 40
const PER_GROUP = 100
const pgbouncer = findProgram('pgbouncer')
const skip = pgbouncer === undefined ? 'needs PgBouncer' : false

function rowsOf(group: number): ReadingRows {
  const rows = new ReadingRows(PER_GROUP)
  for (let nth = 0; nth < PER_GROUP; nth++) {
    const content = {
      ...{ recordedAtMs: AT_MS + group * PER_GROUP + nth, position: { latitude: 48.1, longitude: 11.5 } },
      ...{ signals: { engineSpeedRpm: 800 + nth }, attributes: { ignition: true }, implausible: [] },
    }
    const about = {
      resellerId: 'acme',
      sourceId: 'dev-aaaaaaaaaa',
      deviceId: 'dev-aaaaaaaaaa',
      vehicleId: undefined,
      subClientId: undefined,
    } as const
    rows.add(createReading(content, { ...about, kind: 'telemetry', receivedAtMs: AT_MS }))
  }
  return rows
}

test('through PgBouncer readings are copied in, and what is refused takes nothing with it', { skip }, async (t) => {
  const { url } = await createTestDatabase(t)
  const pooled = await startPgbouncer(t, pgbouncer ?? '', url, pgbouncerUsers(TEST_SECRET_KEY))
  const urls = await prepareDatabase(url, { isGiven: true, poolerUrl: pooled, secretKey: TEST_SECRET_KEY, log: createLogger('silent') })
  assert.equal(urls.isPooled, true)
  const database = openDatabase(urls, { appConnections: 4, systemConnections: 1, onError: (error) => assert.fail(error) })
  try {
    await insertReseller(database, 'acme')
    await ensureReadingPartitions(database.systemPool, new Date(AT_MS), new Date(AT_MS))
    const { partOfNew } = createReadingWriter(WHOLE_TABLES)
    const into = await new CopyPartitions('readings').find(database.tenantPool('acme'), { oldest: AT_MS, newest: AT_MS })
    assert.deepEqual(
      into.map(({ name }) => name),
      ['readings_20261116'],
    )
    const copy = (group: number, partition = into) =>
      database.copyIn('acme', [partOfNew(rowsOf(group), { states: [], calls: [] }, partition)])
    await copy(0)
    // Of three one is known, one is for a partition that is not there, and one is new.
    const answers = await Promise.allSettled(
      Array.from({ length: GROUPS }, (_, nth) => [
        copy(0),
        copy(nth + 1),
        copy(
          nth + 1,
          into.map((each) => ({ ...each, name: 'readings_19700101' })),
        ),
      ]).flat(),
    )
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as { code: string }).code : 'stored')),
      Array.from({ length: GROUPS }, () => ['23505', 'stored', '42P01']).flat(),
    )
    const { rows } = await database
      .tenantPool('acme')
      .query<{ stored: number; metered: number }>(
        `select (select count(*)::int from readings) as stored, (select sum(count)::int from usage_entries) as metered`,
      )
    assert.deepEqual(rows, [{ stored: PER_GROUP * (GROUPS + 1), metered: PER_GROUP * (GROUPS + 1) }])
  } finally {
    await database.close()
  }
})
