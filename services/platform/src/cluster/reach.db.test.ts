// Goal: nodes of a cluster are asked one by one, and answer as a statement on the whole table does. On a real cluster by `npm run test:citus`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReading } from '../readings/reading.ts'
import { insertReseller, onACluster, openTestDatabase, storeReadings } from '../test-support.ts'
import { type NodeShards, selectNodeShardsAcrossResellers, selectOfShards, selectWhetherNodesAnswer } from './reach.sql.ts'
import { Reach } from './reach.ts'

const SOURCES = 40

const readingOf = (resellerId: string, sourceId: string) =>
  createReading(
    { recordedAtMs: Date.now(), position: undefined, signals: { coolantTempC: 88 }, attributes: {}, implausible: [] },
    { kind: 'telemetry', resellerId, sourceId, deviceId: sourceId, vehicleId: undefined, subClientId: undefined, receivedAtMs: Date.now() },
  )

test('what shards of some nodes have is found, by sources that are known to be there', onACluster, async (t) => {
  const { database } = await openTestDatabase(t)
  const resellerId = await insertReseller(database, 'reach')
  const sourceIds = Array.from({ length: SOURCES }, (_, nth) => `source-${nth}`)
  await storeReadings(
    database,
    sourceIds.map((sourceId) => readingOf(resellerId, sourceId)),
  )
  const db = database.systemPool
  const nodes = (await selectNodeShardsAcrossResellers(db)) ?? []
  assert.equal(nodes.length, 2)
  const selectSources = async (of: readonly NodeShards[], limit: number) =>
    (
      await selectOfShards<{ source_id: string }>(db, {
        nodes: of,
        table: 'latestStates',
        ofShard: (table) => `select source_id from ${table} where reseller_id = $1 order by source_id limit $2`,
        values: [resellerId, limit],
        columns: 'source_id text',
        end: `order by source_id limit ${limit}`,
      })
    ).map((row) => row.source_id)
  assert.deepEqual(await selectSources(nodes, SOURCES), [...sourceIds].sort())
  assert.deepEqual(await selectSources(nodes, 3), [...sourceIds].sort().slice(0, 3))
  const [first, second] = nodes
  assert.ok(first !== undefined && second !== undefined)
  const reach = new Reach([first], [second])
  const onFirst = sourceIds.filter((sourceId) => reach.hasSource(sourceId)).sort()
  assert.ok(onFirst.length > 0 && onFirst.length < SOURCES)
  assert.deepEqual(await selectSources([first], SOURCES), onFirst)

  // Nobody listens there.
  const away = { ...second, port: 1 }
  assert.deepEqual(await database.system((tx) => selectWhetherNodesAnswer(tx, [first, away, second])), [true, false, true])
  await assert.rejects(selectSources([first, away], SOURCES), new RegExp(`does not answer: ${away.host}:1: `))
})
