// The same drive with a torque converter that is not locked between engine and gearbox. No automatic was recorded.
import type { Observation } from '../inputs/observation.ts'

/** Torque passed on at one engine speed, as a share of that at stall, by speed ratio: the shape of published curves, rounded. */
const capacity: readonly (readonly [speedRatio: number, share: number])[] = [
  [0, 1],
  [0.6, 1],
  [0.75, 0.85],
  [0.83, 0.7],
  [0.91, 0.4],
  [0.97, 0.12],
  [1, 0],
]
const [LEAST_RATIO, MOST_RATIO] = [0.3, 0.9999]
/** What the Etios's throttle reads closed, and at full load at the engine speeds it is driven at. */
const [CLOSED_PCT, FULL_PCT] = [16, 40]
/** Below these the clutch of the recorded car was down. */
const FROM_RPM = 900
const FROM_KMH = 8

/** `stallRpm`: the engine speed at which the converter holds the engine's full torque with the vehicle standing. */
export function withConverter(observations: readonly Observation[], stallRpm: number, unlockedBelowKmh: number): Observation[] {
  return observations.map((observation) => {
    const { engineSpeedRpm = 0, vehicleSpeedKmh = 0, throttlePct = CLOSED_PCT } = observation.signals
    if (engineSpeedRpm < FROM_RPM || vehicleSpeedKmh < FROM_KMH || vehicleSpeedKmh >= unlockedBelowKmh) return observation
    const load = Math.min(1, Math.max(0, (throttlePct - CLOSED_PCT) / (FULL_PCT - CLOSED_PCT)))
    return { ...observation, signals: { ...observation.signals, engineSpeedRpm: engineRpm(engineSpeedRpm, load, stallRpm) } }
  })
}

/** At which the converter passes on what the engine gives. */
function engineRpm(turbineRpm: number, load: number, stallRpm: number): number {
  let [from, to] = [LEAST_RATIO, MOST_RATIO]
  for (let step = 0; step < 40; step++) {
    const ratio = (from + to) / 2
    if (capacityAt(ratio) * (turbineRpm / ratio / stallRpm) ** 2 > load) from = ratio
    else to = ratio
  }
  return turbineRpm / from
}

function capacityAt(ratio: number): number {
  const upper = capacity.findIndex(([from]) => from >= ratio)
  const [fromRatio, fromShare] = capacity[upper - 1] ?? [0, 1]
  const [toRatio, toShare] = capacity[upper] ?? [1, 0]
  return fromShare + ((ratio - fromRatio) / (toRatio - fromRatio)) * (toShare - fromShare)
}
