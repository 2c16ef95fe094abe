// Smart charge control: the alternator rests while the engine pulls, which saves fuel, and charges on overrun. The voltage then stands at that of
// the battery for minutes and jumps to 14 V and more for seconds, again and again.

import type { Sample } from '../inputs/sample.ts'
import { statedIn } from '../provenance.ts'

/** Volts of a 12 V system, here and below. */
const CHARGES_FROM_V = 14
export const RESTS_FROM_V = 12.4
/** From here on an alternator charges, if weakly; see `undercharge`. */
export const CHARGES_WEAKLY_FROM_V = 13
const SETTLED_MS = 15_000
const LEAST_READINGS_OF_REST = 2
/** For so long after a charging phase a rest may be the first that is seen of a regulator. */
const FIRST_REST_MS = 90_000

export const chargeControlNumbers = statedIn('charge-control', [
  [
    { CHARGES_FROM_V },
    'V of a 12 V system',
    'assumption',
    'Well inside the 13.2 to 14.4 V that 12 V systems charge at; the Toyota Etios gave at most 14.43 V.',
  ],
  [
    { RESTS_FROM_V },
    'V of a 12 V system',
    'assumption',
    'Regulated alternators rest at 12.4 to 12.9 V, so that the battery stays three quarters full; below, the battery feeds the vehicle. No recording of such a car is at hand.',
  ],
  [
    { CHARGES_WEAKLY_FROM_V },
    'V of a 12 V system',
    'data',
    'Toyota Etios: with the engine on the 1st percentile is 13.07 V. Below 13.0 V above 900 rpm is undercharge.',
  ],
  [{ SETTLED_MS }, 'ms', 'data', 'Toyota Etios: needs up to 5 s after a start to reach 13 V; three times that.'],
  [{ LEAST_READINGS_OF_REST }, 'readings', 'assumption', 'One reading may be a load that switches.'],
  [
    { FIRST_REST_MS },
    'ms',
    'benchmark',
    'An alternator that dies at 12.4 V and more is found when this and the hold time of undercharge are over, within 120 s; as a rule its voltage falls below that sooner. Dead alternators are found in every trip.',
  ],
])

const none: ReadonlySet<Sample> = new Set()

/**
 * Those of the samples whose voltage is that of a resting alternator: between charging phases, of which one came after a rest, or shortly after
 * the first charging phase there is.
 */
export function findRegulatedRests(samples: readonly Sample[], systemVoltage: number): ReadonlySet<Sample> {
  const per12V = systemVoltage / 12
  let rests: Set<Sample> | undefined
  let restCount = 0
  let isRegulated = false
  let chargedAtMs: number | undefined
  for (const sample of samples) {
    const { atMs, values, engine, runningMs } = sample
    if (values.batteryVoltageV === undefined || engine !== 'running' || (runningMs ?? SETTLED_MS) < SETTLED_MS) continue
    const voltageV = values.batteryVoltageV / per12V
    if (voltageV >= CHARGES_FROM_V) {
      isRegulated ||= restCount >= LEAST_READINGS_OF_REST
      restCount = 0
      chargedAtMs = atMs
    } else if (voltageV >= RESTS_FROM_V && voltageV < CHARGES_WEAKLY_FROM_V) {
      restCount++
      if (isRegulated || (chargedAtMs !== undefined && atMs - chargedAtMs <= FIRST_REST_MS)) {
        rests ??= new Set()
        rests.add(sample)
      }
    }
  }
  return rests ?? none
}
