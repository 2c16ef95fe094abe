// Goal: while a node of a cluster is away, vehicles of which every source is on the others are scored, and no statement asks the node. Method: the node is taken for
// one that is away, and the shards it has are hidden from the statements of a round. On a real cluster by `npm run test:citus`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectNodeShardsAcrossResellers } from '../../cluster/reach.sql.ts'
import { Reach } from '../../cluster/reach.ts'
import { onACluster, openTestDatabase } from '../../test-support.ts'
import { benchSettings, never, startBench } from '../test-bench.ts'
import { scoreDueVehicles } from './score-due-vehicles.ts'

const VEHICLES = 12

test('vehicles of which every source can be reached are scored, the others when all can be', onACluster, async (t) => {
  const { database } = await openTestDatabase(t)
  const bench = await startBench(t, database)
  const [first, second] = (await selectNodeShardsAcrossResellers(database.systemPool)) ?? []
  assert.ok(first !== undefined && second !== undefined)
  const reach = new Reach([first], [second])
  const within: string[] = []
  for (let nth = 0; nth < VEHICLES; nth++) {
    const vehicleId = await bench.addVehicle()
    const sourceIds = [`a-${nth}`, `b-${nth}`]
    for (const sourceId of sourceIds) await bench.report(vehicleId, { signals: { coolantTempC: 90, odometerKm: 1_000 } }, { sourceId })
    if (sourceIds.every((sourceId) => reach.hasSource(sourceId))) within.push(vehicleId)
  }
  assert.ok(within.length > 0 && within.length < VEHICLES)
  await bench.letTimePass()
  const round = await scoreDueVehicles({ ...bench.deps, reach }, benchSettings, never)
  assert.deepEqual([round.claimed, round.scored], [within.length, within.length])
  const due = [...new Set(await bench.due())]
  assert.equal(due.length, VEHICLES - within.length)
  assert.ok(!within.some((vehicleId) => due.includes(vehicleId)))
  assert.deepEqual((await scoreDueVehicles({ ...bench.deps, reach }, benchSettings, never)).claimed, 0)
  assert.equal(await bench.score(), VEHICLES - within.length)
  assert.deepEqual(await bench.due(), [])
})
