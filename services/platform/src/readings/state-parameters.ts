// States as parameters of a statement that unnests them, an array for each column.

import { float8Array, jsonbArray, textArray, timestamptzArray } from '@roadworthy/service-kit/postgres/pg-arrays'
import type { LatestState } from './latest-state.ts'

/** source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, signals, states, fix_recorded_at, latitude, longitude, fix. */
export function stateParameters(states: readonly LatestState[]): Buffer[] {
  return [
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
  ]
}
