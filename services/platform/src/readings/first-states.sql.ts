// The newest of what came of before, for sources that have reported nothing here yet: where a vehicle is last known to have been.

import type { Db } from '@roadworthy/service-kit/db'
import { float8Array, jsonbArray, textArray, timestamptzArray } from '@roadworthy/service-kit/pg-arrays'
import type { LatestState } from './latest-state.ts'

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
    [
      textArray(states.map((s) => s.sourceId)),
      textArray(states.map((s) => s.resellerId)),
      textArray(states.map((s) => s.deviceId)),
      textArray(states.map((s) => s.vehicleId)),
      timestamptzArray(states.map((s) => s.recordedAtMs)),
      timestamptzArray(states.map((s) => s.oldestRecordedAtMs)),
      timestamptzArray(states.map((s) => s.receivedAtMs)),
      jsonbArray(states.map((s) => s.signalsJson)),
      jsonbArray(states.map((s) => s.statesJson)),
      timestamptzArray(states.map((s) => s.fix?.recordedAtMs)),
      float8Array(states.map((s) => s.fix?.latitude)),
      float8Array(states.map((s) => s.fix?.longitude)),
      jsonbArray(states.map((s) => s.fix?.json)),
    ],
  )
  return rowCount ?? 0
}
