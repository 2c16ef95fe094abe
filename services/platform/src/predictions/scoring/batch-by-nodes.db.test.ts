// Goal: what is stored of a batch of scores is of the same nodes, so that one that hangs keeps no rows of another locked. On a real cluster by `npm run test:citus`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectNodeShardsAcrossResellers } from '../../cluster/reach.sql.ts'
import { findNode } from '../../cluster/reach.ts'
import { insertVehicleSources } from '../../readings/vehicle-sources.sql.ts'
import { insertReseller, onACluster, openTestDatabase } from '../../test-support.ts'
import { batchByNodes } from './batch-by-nodes.ts'

const VEHICLES = 24
const SIZE = 5

test('a batch has vehicles of the same nodes only, and each vehicle is in one', onACluster, async (t) => {
  const { database } = await openTestDatabase(t)
  const resellerId = await insertReseller(database, 'batches')
  const vehicles = Array.from({ length: VEHICLES }, (_, nth) => ({ resellerId, vehicleId: `veh-${nth}` }))
  const sourcesOf = (vehicleId: string) => [`a-${vehicleId}`, `b-${vehicleId}`]
  const sources = vehicles.flatMap((vehicle) => sourcesOf(vehicle.vehicleId).map((sourceId) => ({ ...vehicle, sourceId })))
  await insertVehicleSources(database.tenantPool(resellerId), sources)
  const nodes = (await selectNodeShardsAcrossResellers(database.systemPool)) ?? []
  const nodesOf = (vehicleId: string) => [...new Set(sourcesOf(vehicleId).map((sourceId) => findNode(nodes, sourceId)?.port))].sort().join()
  const batches = await batchByNodes(database.systemPool, vehicles, SIZE)
  for (const batch of batches) {
    assert.ok(batch.length <= SIZE)
    assert.equal(new Set(batch.map(({ vehicleId }) => nodesOf(vehicleId))).size, 1)
  }
  assert.ok(new Set(vehicles.map(({ vehicleId }) => nodesOf(vehicleId))).size > 1, 'there are vehicles of several nodes')
  assert.deepEqual(
    batches
      .flat()
      .map(({ vehicleId }) => vehicleId)
      .sort(),
    vehicles.map(({ vehicleId }) => vehicleId).sort(),
  )
})
