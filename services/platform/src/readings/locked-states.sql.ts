import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { StateKey } from './latest-state.ts'

export function stateKeyText({ sourceId, vehicleId }: StateKey): string {
  return `${sourceId} ${vehicleId ?? ''}`
}

/** Of these states those that another transaction holds at this moment, by `stateKeyText`. Waits for nobody. `latestStates`: their table. */
export async function selectLockedStates(db: Db, latestStates: string, states: readonly StateKey[]): Promise<Set<string>> {
  const { rows } = await db.query<{ source_id: string; vehicle_key: string }>(
    `with wanted as (
       select * from unnest($1::text[], $2::text[]) w (source_id, vehicle_key)
     ), free as (
       select l.source_id, l.vehicle_key
         from wanted w
         join ${latestStates} l on l.source_id = w.source_id and l.vehicle_key = w.vehicle_key
          for no key update of l skip locked
     )
     select l.source_id, l.vehicle_key
       from wanted w
       join ${latestStates} l on l.source_id = w.source_id and l.vehicle_key = w.vehicle_key
      where (l.source_id, l.vehicle_key) not in (select source_id, vehicle_key from free)`,
    [states.map(({ sourceId }) => sourceId), states.map(({ vehicleId }) => vehicleId ?? '')],
  )
  return new Set(rows.map((row) => stateKeyText({ sourceId: row.source_id, vehicleId: row.vehicle_key })))
}
