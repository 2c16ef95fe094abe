// Goal: a PostgreSQL becomes a cluster or the reason is reported, and rows on nodes are seen by whom they are for. Method: the functions of `npx roadworthy citus`,
// on one PostgreSQL by `npm test` and on a real cluster by `npm run test:citus`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReading } from '../readings/reading.ts'
import { insertReseller, onACluster, onOnePostgres, openTestDatabase, storeReadings } from '../test-support.ts'
import {
  countMovesToBalance,
  estimateClusterRows,
  hidesRowsOfTenants,
  selectClusterNodes,
  selectClusterTables,
  selectSilentNodes,
} from './cluster-state.sql.ts'
import { distribute } from './distribute.sql.ts'
import { ClusterObstacles } from './obstacles.sql.ts'
import { withOwnerSession } from './owner-session.ts'

const readingOf = (resellerId: string, sourceId: string) =>
  createReading(
    { recordedAtMs: Date.now(), position: undefined, signals: { coolantTempC: 88 }, attributes: {}, implausible: [] },
    { kind: 'telemetry', resellerId, sourceId, deviceId: sourceId, vehicleId: undefined, subClientId: undefined, receivedAtMs: Date.now() },
  )

test('one PostgreSQL is no cluster, and what it would need is reported', onOnePostgres('it is one'), async (t) => {
  const { ownerUrl, database } = await openTestDatabase(t)
  await assert.rejects(distribute(ownerUrl, { shardCount: 4 }), (error) => {
    assert.ok(error instanceof ClusterObstacles)
    assert.deepEqual(error.obstacles, [{ what: 'This database has no Citus.', fix: 'Run "create extension citus" in it, on every node.' }])
    return true
  })
  assert.equal(await withOwnerSession(ownerUrl, selectClusterNodes), undefined)
  assert.equal(await hidesRowsOfTenants(database.tenantPool([])), false)
})

test('a cluster shows its nodes, and is not spread twice', onACluster, async (t) => {
  const { ownerUrl } = await openTestDatabase(t)
  await withOwnerSession(ownerUrl, async (db) => {
    const nodes = (await selectClusterNodes(db)) ?? []
    assert.deepEqual(
      nodes.map(({ isCoordinator, shardCount }) => [isCoordinator, shardCount]),
      [
        [true, 0],
        [false, 2],
        [false, 2],
      ],
    )
    assert.deepEqual(
      (await selectClusterTables(db)).map(({ name, shardCount }) => [name, shardCount]),
      [
        ['latest_states', 4],
        ['reading_effects', 4],
        ['readings', 4],
      ],
    )
    assert.equal(await countMovesToBalance(db), 0)
  })
  assert.deepEqual(await distribute(ownerUrl, { shardCount: 8 }), { tables: [], shardCount: 4 })
})

test('through the coordinator a tenant sees its own rows on every node and no others', onACluster, async (t) => {
  const { database, ownerUrl } = await openTestDatabase(t)
  for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
  const sources = Array.from({ length: 40 }, (_, nth) => `dev-aaaaaaa${nth.toString().padStart(3, '0')}`)
  await storeReadings(
    database,
    sources.flatMap((sourceId, nth) => [readingOf('acme', sourceId), ...(nth % 4 === 0 ? [readingOf('rival', `${sourceId}z`)] : [])]),
  )
  for (const table of ['readings', 'latest_states']) {
    const count = async (resellerIds: string[]) => {
      const { rows } = await database.tenantPool(resellerIds).query<{ n: number }>(`select count(*)::int as n from ${table}`)
      return rows[0]?.n
    }
    assert.deepEqual(
      [await count(['acme']), await count(['rival']), await count(['acme', 'rival']), await count([])],
      [40, 10, 50, 0],
      table,
    )
  }
  await withOwnerSession(ownerUrl, async (db) => {
    await db.query('analyze readings; analyze latest_states')
    const estimates = await estimateClusterRows(db, ['readings', 'latest_states'])
    assert.deepEqual(
      [...estimates],
      [
        ['readings', 50],
        ['latest_states', 50],
      ],
    )
    assert.deepEqual(await selectSilentNodes(db), [])
  })
  assert.equal(await hidesRowsOfTenants(database.tenantPool([])), false)
  await database.tenant('acme', async (db) => {
    await db.query(`set local citus.propagate_set_commands = 'none'`)
    assert.equal(await hidesRowsOfTenants(db), true)
  })
  // The policies hold on a node too, for a session that connects to it directly.
  const { rows } = await database.systemPool.query<{ host: string; port: number; name: string }>(
    `select n.nodename as host, n.nodeport as port, 'readings_' || s.shardid as name
       from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where s.logicalrelid = 'readings'::regclass`,
  )
  let ofRival = 0
  for (const { host, port, name } of rows) {
    const node = database.onNode({ host, port }, 'select 1')
    const { rows: seen } = await node.tenantPool('rival').query<{ reseller_id: string }>(`select reseller_id from ${name}`)
    assert.ok(seen.every((row) => row.reseller_id === 'rival'))
    ofRival += seen.length
  }
  assert.equal(ofRival, 10)
})
