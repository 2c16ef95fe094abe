// Records on the coordinator which source reported for which vehicle, before the reading is stored on its node, because a vehicle's readings are found by its
// sources. On one PostgreSQL a trigger does it (`0005_predictions.sql`), which a node of a cluster cannot.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { LRUCache } from 'lru-cache'
import type { Reading } from '../readings/reading.ts'
import { insertVehicleSources, type VehicleSource } from '../readings/vehicle-sources.sql.ts'

/** About 40 MB. Of those beyond, one statement more. */
const MAX_PAIRS = 200_000

export class KnownSources {
  readonly #database: Database
  readonly #noted = new LRUCache<string, true>(atMostEntries(MAX_PAIRS))

  constructor(database: Database) {
    this.#database = database
  }

  /** Nearly always all of them are noted. A source without readings, because they could not be stored after all, does no harm. */
  async note(readings: readonly Reading[]): Promise<void> {
    const unknown = new Map<string, VehicleSource>()
    for (const { resellerId, sourceId, vehicleId } of readings) {
      if (vehicleId === undefined) continue
      const pair = `${sourceId} ${vehicleId}`
      if (this.#noted.get(pair) === undefined) unknown.set(pair, { resellerId, vehicleId, sourceId })
    }
    if (unknown.size === 0) return
    const pairs = [...unknown.keys()].sort()
    const sources = pairs.flatMap((pair) => unknown.get(pair) ?? [])
    await insertVehicleSources(this.#database.tenantPool([...new Set(sources.map(({ resellerId }) => resellerId))]), sources)
    for (const pair of pairs) this.#noted.set(pair, true)
  }
}
