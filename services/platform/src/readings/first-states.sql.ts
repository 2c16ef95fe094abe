// The newest of what came of before, for sources that have reported nothing here yet: where a vehicle is last known to have been.

import type { Db } from '@roadworthy/service-kit/db'
import type { LatestState } from './latest-state.ts'
import { stateParameters } from './state-parameters.ts'

/** A source that has a state keeps it, whatever is given. Nothing is due for scoring by it, and nobody is woken. Answers how many were new. */
export async function insertFirstStates(db: Db, states: readonly LatestState[]): Promise<number> {
  const { rowCount } = await db.query(
    `insert into latest_states (source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, signals, states,
                                fix_recorded_at, fix_received_at, latitude, longitude, fix, due, woken)
     select source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, coalesce(signals, '{}'), coalesce(states, '{}'),
            fix_recorded_at, case when fix_recorded_at is not null then received_at end, latitude, longitude, fix, false, false
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::jsonb[], $9::jsonb[],
                   $10::timestamptz[], $11::float8[], $12::float8[], $13::jsonb[])
         as s (source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, signals, states,
               fix_recorded_at, latitude, longitude, fix)
      order by source_id, coalesce(vehicle_id, '')
     on conflict do nothing`,
    stateParameters(states),
  )
  return rowCount ?? 0
}
