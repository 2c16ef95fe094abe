// The newest of what came of before, for sources that have reported nothing here yet: where a vehicle is last known to have been.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isDistributed } from '../cluster/is-distributed.sql.ts'
import { groupByShard } from './group-by-shard.sql.ts'
import type { LatestState } from './latest-state.ts'
import { stateParameters } from './state-parameters.ts'

/** A source that has a state keeps it, whatever is given. Nothing is due for scoring by it, and nobody is woken. */
export async function insertFirstStates(db: Db, states: readonly LatestState[]): Promise<void> {
  const text = insertText(await isDistributed(db, 'latest_states'))
  for (const group of await groupByShard(db, states)) await db.query(text, stateParameters(group))
}

/** On one PostgreSQL the key of the vehicle is generated; on a cluster it is written. */
function insertText(isSpread: boolean): string {
  return `insert into latest_states (source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, signals, states,
                                     fix_recorded_at, fix_received_at, latitude, longitude, fix, due, woken${isSpread ? ', vehicle_key' : ''})
          select source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, coalesce(signals, '{}'), coalesce(states, '{}'),
                 fix_recorded_at, case when fix_recorded_at is not null then received_at end, latitude, longitude, fix, false, false
                 ${isSpread ? `, coalesce(vehicle_id, '')` : ''}
            from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::jsonb[],
                        $9::jsonb[], $10::timestamptz[], $11::float8[], $12::float8[], $13::jsonb[])
              as s (source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, signals, states,
                    fix_recorded_at, latitude, longitude, fix)
           order by source_id, coalesce(vehicle_id, '')
          on conflict do nothing`
}
