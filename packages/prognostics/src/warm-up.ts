// A cold engine that runs gets warmer. A coolant temperature that does not move at all while it should is a sensor that is stuck, or an
// engine whose heat goes elsewhere. Once warm, a sound coolant stands still for minutes (up to 563 s in the reference recordings).

import { scoreAt } from './components.ts'
import { type Finding, formatDuration, formatNumber } from './finding.ts'
import type { Sample, Timeline } from './timeline.ts'

/** Two sound cars stood still below 70 °C for more than 50 s twice in 54 engine hours: 80 s idling at 32 °C, 61 s in a jam at 59 °C. */
const INFO_AFTER_MS = 50_000
const LOW_AFTER_MS = 100_000
/** Small diesels in winter top out below 74 °C; none stays below 60 °C on the move. */
const INFO_BELOW_C = 70
const LOW_BELOW_C = 60
const LOW_FROM_KMH = 15
const FREEZING_BELOW_C = 0
/** Fewer readings than this may stand still by chance. */
const LEAST_READINGS = 6
/** In the first seconds after the start no heat has reached the sensor. */
const SETTLED_MS = 30_000

export function findStuckCoolant({ samples, current, hasHistory }: Timeline): Finding | undefined {
  const { coolantTempC } = current.values
  if (!hasHistory || coolantTempC === undefined || coolantTempC >= INFO_BELOW_C) return undefined
  if ((current.values.ambientTempC ?? FREEZING_BELOW_C) < FREEZING_BELOW_C) return undefined
  const still = stillStretch(samples, coolantTempC)
  const lastedMs = current.atMs - (still[0]?.atMs ?? current.atMs)
  if (still.length < LEAST_READINGS || lastedMs < INFO_AFTER_MS) return undefined
  const isLow = lastedMs >= LOW_AFTER_MS && coolantTempC < LOW_BELOW_C && meanSpeedKmh(still) >= LOW_FROM_KMH
  const severity = isLow ? 'low' : 'info'
  return {
    type: 'coolant_stuck',
    component: 'cooling',
    severity,
    score: scoreAt[severity],
    description: 'Coolant temperature does not move',
    message: `Coolant temperature has stood at ${formatNumber(coolantTempC)} °C for ${formatDuration(lastedMs)} with the engine running and cold, where it should rise`,
    recommendation: 'Check the coolant temperature sensor and its plug, then the thermostat',
    code: undefined,
    evidence: { signal: 'coolantTempC', value: coolantTempC, unit: '°C', heldSeconds: Math.round(lastedMs / 1000) },
  }
}

/** The latest readings that all say this temperature, of an engine that has been running for a while. */
function stillStretch(samples: readonly Sample[], coolantTempC: number): readonly Sample[] {
  const moved = samples.findLastIndex(
    ({ values, engine, runningMs, isAfterPause }) =>
      (values.coolantTempC !== undefined && values.coolantTempC !== coolantTempC) ||
      engine === 'off' ||
      engine === 'cranking' ||
      (runningMs ?? SETTLED_MS) < SETTLED_MS ||
      isAfterPause,
  )
  return samples.slice(moved + 1).filter(({ values, engine }) => values.coolantTempC !== undefined && engine === 'running')
}

function meanSpeedKmh(samples: readonly Sample[]): number {
  return samples.reduce((sum, { values }) => sum + (values.vehicleSpeedKmh ?? 0), 0) / samples.length
}
