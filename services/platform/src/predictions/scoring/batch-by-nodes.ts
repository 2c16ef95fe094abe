// What is stored of a batch changes rows of every node that has one of its sources, in one transaction. A node that hangs keeps that open, and the rows of the other
// nodes locked, so that readings of their sources are refused: a batch has vehicles of the same nodes only.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectNodeShardsAcrossResellers } from '../../cluster/reach.sql.ts'
import { findNode } from '../../cluster/reach.ts'
import { selectSourcesAcrossResellers } from '../../readings/vehicle-sources.sql.ts'
import { type VehicleKey, vehicleKeyText } from '../vehicle-key.ts'

/** All of them, `size` in a batch at most. On one PostgreSQL in their order. */
export async function batchByNodes(db: Db, vehicles: readonly VehicleKey[], size: number): Promise<VehicleKey[][]> {
  if (vehicles.length === 0) return []
  const nodes = await selectNodeShardsAcrossResellers(db)
  if (nodes === undefined) return cut(vehicles, size)
  const nodesOf = new Map<string, Set<number>>()
  for (const { sourceId, ...vehicle } of await selectSourcesAcrossResellers(db, vehicles)) {
    const key = vehicleKeyText(vehicle)
    const node = findNode(nodes, sourceId)
    nodesOf.set(key, (nodesOf.get(key) ?? new Set()).add(node === undefined ? -1 : nodes.indexOf(node)))
  }
  const groups = Map.groupBy(vehicles, (vehicle) => [...(nodesOf.get(vehicleKeyText(vehicle)) ?? [])].sort().join())
  return [...groups.values()].flatMap((group) => cut(group, size))
}

function cut(vehicles: readonly VehicleKey[], size: number): VehicleKey[][] {
  return Array.from({ length: Math.ceil(vehicles.length / size) }, (_, nth) => vehicles.slice(nth * size, (nth + 1) * size))
}
