// The gear that a recorded car without a gear sensor was in, from its engine and vehicle speed. Where these agree with none, as with the clutch
// down, the gear is held: a sensor would report the same, and a rule that trusts it is put to the test.
import type { Observation } from '../inputs/observation.ts'

/** Engine revolutions a minute per km/h from first gear on, where each recording has its clusters. */
export const etiosRpmPerKmh = [118, 66, 47.5, 35.6, 29.2] as const
export const leonRpmPerKmh = [110, 58, 37.4, 26, 20.2, 17.2] as const

const WITHIN = 0.06
const FROM_RPM = 900
const FROM_KMH = 8
/** A ratio that lasts shorter may be passed through while gears are changed. */
const LASTS_MS = 1_400
const STANDING_BELOW_KMH = 3

/** `lateMs`: the gear is reported this much later than the rest. */
export function withInferredGears(observations: readonly Observation[], rpmPerKmh: readonly number[], lateMs = 0): Observation[] {
  const seen = observations.map((observation) => gearOf(observation, rpmPerKmh))
  const gears: number[] = []
  let held = 0
  for (let from = 0; from < seen.length; ) {
    let to = from
    while (seen[to + 1] === seen[from] && to + 1 < seen.length) to++
    const lastedMs = (observations[to]?.recordedAtMs ?? 0) - (observations[from]?.recordedAtMs ?? 0)
    const gear = seen[from]
    const isSure = gear !== undefined && lastedMs >= LASTS_MS
    for (let at = from; at <= to; at++) {
      if ((observations[at]?.signals.vehicleSpeedKmh ?? 0) < STANDING_BELOW_KMH) held = 0
      else if (isSure) held = gear
      gears.push(held)
    }
    from = to + 1
  }
  let reported = 0
  return observations.map((observation) => {
    while ((observations[reported + 1]?.recordedAtMs ?? Number.POSITIVE_INFINITY) <= observation.recordedAtMs - lateMs) reported++
    return { ...observation, signals: { ...observation.signals, currentGear: gears[reported] ?? 0 } }
  })
}

function gearOf({ signals: { engineSpeedRpm: rpm, vehicleSpeedKmh: kmh } }: Observation, rpmPerKmh: readonly number[]): number | undefined {
  if (rpm === undefined || kmh === undefined || rpm < FROM_RPM || kmh < FROM_KMH) return undefined
  const distances = rpmPerKmh.map((ratio) => Math.abs(rpm / kmh / ratio - 1))
  const least = Math.min(...distances)
  return least < WITHIN + 1 / kmh ? distances.indexOf(least) + 1 : undefined
}

/** The vehicle speed of `lateMs` before beside the other readings of now, as a tracker merges what it asks for in turns. */
export function withLateSpeed(observations: readonly Observation[], lateMs: number): Observation[] {
  let reported = 0
  return observations.map((observation) => {
    while ((observations[reported + 1]?.recordedAtMs ?? Number.POSITIVE_INFINITY) <= observation.recordedAtMs - lateMs) reported++
    const { vehicleSpeedKmh: _, ...signals } = observation.signals
    const speed = observations[reported]?.signals.vehicleSpeedKmh
    return { ...observation, signals: speed === undefined ? signals : { ...signals, vehicleSpeedKmh: speed } }
  })
}
