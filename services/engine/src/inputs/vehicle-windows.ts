// What the stream and MQTT inputs remember of each vehicle, so that a message need not bring its history (DECISIONS, Predictions). Bounded in
// both directions; the vehicle that has been silent the longest is forgotten first. Lost with the process: after a start or a move
// of partitions a vehicle begins with an empty history, as one does that has never been heard of.
import { isDeepStrictEqual } from 'node:util'
import { MAX_HISTORY, type Observation } from '@roadworthy/prognostics/inputs/observation'
import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import { LRUCache } from 'lru-cache'

type Window = { readings: Observation[]; status: HealthStatus | undefined }

/** What was known of the vehicle before this reading. */
export type Before = {
  readonly history: readonly Observation[]
  /** Nothing newer has been heard of this vehicle. */
  readonly isNewest: boolean
  /** The status last reported. */
  readonly status: HealthStatus | undefined
}

export type VehicleWindows = {
  /** Takes a reading into its vehicle's window, in the order of the vehicle's clock. `duplicate`: the window holds this very reading. */
  readonly add: (vehicleId: string, reading: Observation, receivedAtMs: number) => Before | 'duplicate'
  readonly noteStatus: (vehicleId: string, status: HealthStatus | undefined) => void
  readonly vehicleCount: () => number
  /** Vehicles that had to leave for others. */
  readonly forgottenCount: () => number
}

/** As far as the platform takes readings ahead of its clock (DECISIONS, Time). */
const MAX_AHEAD_MS = 5 * 60_000

export function createVehicleWindows(maxVehicles: number): VehicleWindows {
  let forgotten = 0
  const windows = new LRUCache<string, Window>({
    ...atMostEntries(maxVehicles),
    dispose: (_window, _vehicleId, reason) => {
      if (reason === 'evict') forgotten++
    },
  })
  return {
    add: (vehicleId, reading, receivedAtMs) => {
      const window = windows.get(vehicleId) ?? { readings: [], status: undefined }
      windows.set(vehicleId, window)
      forgetTheFuture(window, reading, receivedAtMs)
      return addReading(window, reading)
    },
    noteStatus: (vehicleId, status) => {
      const window = windows.peek(vehicleId)
      if (window !== undefined) window.status = status
    },
    vehicleCount: () => windows.size,
    forgottenCount: () => forgotten,
  }
}

/**
 * A clock that was wrong for one reading would make every later one look late. Where a clock is ahead throughout, as of a simulation, its
 * readings are in order and are kept.
 */
function forgetTheFuture({ readings }: Window, { recordedAtMs }: Observation, receivedAtMs: number): void {
  const newestAtMs = receivedAtMs + MAX_AHEAD_MS
  if (recordedAtMs > newestAtMs) return
  while ((readings.at(-1)?.recordedAtMs ?? 0) > newestAtMs) readings.pop()
}

function addReading({ readings, status }: Window, reading: Observation): Before | 'duplicate' {
  const at = readings.findLastIndex((earlier) => earlier.recordedAtMs <= reading.recordedAtMs) + 1
  // Two messages of one instant may each report a part of it; only a message with the same content again is a repetition.
  for (let same = at - 1; readings[same]?.recordedAtMs === reading.recordedAtMs; same--) {
    if (isDeepStrictEqual(readings[same], reading)) return 'duplicate'
  }
  const before: Before = { history: readings.slice(0, at), isNewest: at === readings.length, status }
  if (readings.length < MAX_HISTORY) readings.splice(at, 0, reading)
  else if (at > 0) {
    readings.splice(at, 0, reading)
    readings.shift()
  }
  return before
}
