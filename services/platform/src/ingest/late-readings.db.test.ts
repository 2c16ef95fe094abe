// Goal: a reading of a week that is sealed is refused by its index, whatever this process is set to accept, and the others of its batch are stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import { createDirectory } from '../devices/directory.ts'
import { sealWeeks } from '../history/seal-weeks.ts'
import { DAY_MS, sealingDeps, WEEK_MS, weeksBefore } from '../history/test-history.ts'
import { removeOldPartitions } from '../main/database/partitions.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { defaultGroupCommitLimits } from './group-commit.ts'
import { createIngestPipeline } from './pipeline.ts'
import { unlimited } from './reading-quota.ts'

test('a late reading of a sealed week is refused by its index, before its partition is gone and after', async (t) => {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS + 10 * DAY_MS))
  await insertReseller(database, 'acme')
  await database.systemPool.query(
    `insert into devices (reseller_id, device_id, name, imei, device_type, connection_method, status, created_at)
     values ('acme', 'dev-aaaaaaaaaa', 'one', '356938035643809', 'obd_dongle', 'http', 'active', now())`,
  )
  const now = () => new Date(WEEK_MS + 10 * DAY_MS)
  const refused: string[] = []
  const { ingest } = createIngestPipeline({
    ...{ database, now, quota: unlimited, limits: defaultGroupCommitLimits, window: { maxAgeMs: 60 * DAY_MS, maxAheadMs: 300_000 } },
    directory: createDirectory({ database, now, onFleetChanged: () => undefined }),
    onUnstorable: (error) => refused.push(String((error as { code?: unknown }).code)),
  })
  const send = async (minutes: number) => {
    const times = [WEEK_MS + DAY_MS, WEEK_MS + 8 * DAY_MS].map((ms) => new Date(ms + minutes * 60_000).toISOString())
    const batch = times.map((timestamp) => ({
      ...({ resellerId: 'acme', kind: 'telemetry', receiver: 'rest', subClientPin: undefined } as const),
      record: { device_id: 'dev-aaaaaaaaaa', timestamp, speed: 50 },
    }))
    return (await ingest(batch)).map(({ status }) => status)
  }
  assert.deepEqual(
    await send(0),
    ['accepted', 'accepted'].map(() => 'stored'),
  )
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system)
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  assert.deepEqual(await send(1), ['refused', 'stored'])
  const until = async () => new Date(WEEK_MS + 7 * DAY_MS)
  await removeOldPartitions(ownerUrl, { name: 'readings', writtenBackDays: 1, keptDays: 4_000, sealedUntil: until }, now())
  assert.deepEqual(await send(2), ['refused', 'stored'])
  // A partition on a node can have no trigger, and a constraint in its place.
  assert.deepEqual(refused, [isTestCluster() ? '23514' : '22008', '22008'])
})
