// Trips of an engine that exists nowhere, for tests of what learns: it warms up faster under load, and its voltage wavers a little.

import type { Observation } from '../inputs/observation.ts'
import { createRandom } from '../learning/random.ts'

const TRIP_S = 900
const AMBIENT_C = 15
const WARM_C = 89

export function madeUpTrip(seed: number, more: Partial<Observation['signals']> = {}): Observation[] {
  const random = createRandom(seed)
  const observations: Observation[] = []
  let coolantC = AMBIENT_C + 40 * random()
  let speedKmh = 0
  for (let second = 0; second < TRIP_S; second++) {
    if (second % 30 === 0) speedKmh = Math.round(random() * 90)
    const engineSpeedRpm = 800 + speedKmh * 20 + random() * 50
    coolantC += ((WARM_C - coolantC) * engineSpeedRpm) / 400_000 + (random() - 0.5) * 0.2
    observations.push({
      recordedAtMs: second * 1000,
      signals: {
        engineSpeedRpm,
        vehicleSpeedKmh: speedKmh,
        coolantTempC: Math.round(coolantC),
        batteryVoltageV: 13.8 + (random() - 0.5) * 0.2,
        ambientTempC: AMBIENT_C,
        ...more,
      },
      lamps: {},
      dtcCodes: undefined,
    })
  }
  return observations
}
