// Goal: whatever sources a statement locks, it locks in groups that a cluster takes, and of one PostgreSQL in one. Method: each group is locked.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import { openTestDatabase } from '../test-support.ts'
import { groupByShard } from './group-by-shard.sql.ts'

const { database } = await openTestDatabase({ after })
const sourcesOf = (count: number) => Array.from({ length: count }, (_, n) => ({ sourceId: `dev-${n % 100}`, n }))

test('each group can be locked by one statement, and together they are what was given, the rows of a source together', async () => {
  const given = sourcesOf(200)
  await database.system(async (db) => {
    const groups = await groupByShard(db, given)
    assert.ok(isTestCluster() ? groups.length > 1 : groups.length === 1, `${groups.length} groups`)
    assert.deepEqual(
      groups.flat().sort((a, b) => a.n - b.n),
      given,
    )
    for (const group of groups) {
      const sourceIds = group.map(({ sourceId }) => sourceId)
      assert.equal(group.length, 2 * new Set(sourceIds).size)
      await db.query('select from latest_states where source_id = any ($1) for update skip locked', [sourceIds])
    }
  })
})

test('of none there is no group, of one source there is one', async () => {
  assert.deepEqual(await groupByShard(database.systemPool, []), [])
  assert.deepEqual(await groupByShard(database.systemPool, sourcesOf(1)), [sourcesOf(1)])
})
