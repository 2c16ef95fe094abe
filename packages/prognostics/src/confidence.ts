import { type LampName, lampNames, type SignalName, signalNames } from '@roadworthy/signals/registry'
import type { PredictionInput } from './inputs/observation.ts'
import type { Timeline } from './inputs/timeline.ts'
import { statedIn } from './provenance.ts'

/** How much each signal shows of the vehicle's condition. A signal that feeds no finding and no prognosis counts for nothing. */
const signalWeights: Readonly<Record<SignalName, number>> = {
  engineSpeedRpm: 10,
  coolantTempC: 10,
  batteryVoltageV: 10,
  fuelLevelPct: 6,
  vehicleSpeedKmh: 8,
  odometerKm: 8,
  oilPressureKpa: 5,
  engineOilTempC: 4,
  ambientTempC: 4,
  engineRunTimeS: 4,
  fuelConsumptionLPer100Km: 0,
  fuelTempC: 1,
  throttlePct: 1,
  intakeAirTempC: 1,
  currentGear: 1,
}
/** Whether to give the signal too would raise confidence. */
export const raisesConfidence = (name: SignalName): boolean => signalWeights[name] > 0

const lampWeights: Readonly<Record<LampName, number>> = { milLamp: 3, redStopLamp: 3, amberWarningLamp: 3, protectLamp: 2 }
const CODES_WEIGHT = 6
const AGE_WEIGHT = 4
/** What kind of vehicle it is, by how surely that is known. */
const CLASS_WEIGHT = 3
const POWERTRAIN_WEIGHT = 3
const NOMINAL_VOLTAGE_WEIGHT = 2

const sum = (weights: Readonly<Record<string, number>>) => Object.values(weights).reduce((total, weight) => total + weight, 0)
const ALL_WEIGHTS =
  sum(signalWeights) + sum(lampWeights) + CODES_WEIGHT + AGE_WEIGHT + CLASS_WEIGHT + POWERTRAIN_WEIGHT + NOMINAL_VOLTAGE_WEIGHT

/** All that a vehicle id gives. */
export const PRIORS_ALONE = 0.1
const FIELDS_SHARE = 0.7
const HISTORY_SHARE = 0.15
const FULL_HISTORY = 60

/** A value in range that had to be dropped or held back lowers confidence a little. */
const DOUBTED_SHARE_LOST = 0.25
const OUT_OF_RANGE_FACTOR = 0.97

export const confidenceNumbers = statedIn('confidence', [
  [
    { signalWeights },
    'weight',
    'assumption',
    "How much each shows of the vehicle's condition; the five core fields lead. Fuel consumption counts for nothing: estimated from the air that the Toyota Etios and the Seat Leon took in, the later half of 120 readings had a quarter more than the earlier one at the same speed and throttle in 1.5 % of the windows of the one and 11 to 19 % of the other, whose throttle says nothing of its load, as in diesels.",
  ],
  [
    { lampWeights, CODES_WEIGHT, AGE_WEIGHT, CLASS_WEIGHT, POWERTRAIN_WEIGHT },
    'weight',
    'assumption',
    "How much each shows of the vehicle's condition.",
  ],
  [
    { NOMINAL_VOLTAGE_WEIGHT },
    'weight',
    'assumption',
    'More than what may be concluded from 24 V, so that describing it never lowers confidence.',
  ],
  [{ PRIORS_ALONE, FIELDS_SHARE, HISTORY_SHARE }, 'confidence', 'assumption', 'All fields and a full history add up to 0.95.'],
  [{ FULL_HISTORY }, 'readings', 'assumption', 'At a reading every 10 s it is ten minutes, as long as the longest hold time.'],
  [
    { DOUBTED_SHARE_LOST },
    'share',
    'assumption',
    'Less than the lightest field that can contradict another is worth, so that adding a valid field never lowers confidence.',
  ],
  [{ OUT_OF_RANGE_FACTOR }, 'factor', 'assumption', 'Each value out of range casts a little doubt on all others.'],
])

/** 0 to 1: how much was reported, not how likely the answer is to be right. It rises with every valid field and every earlier reading, and falls with garbage. */
export function confidenceOf(input: PredictionInput, timeline: Timeline): number {
  let known = input.ageDays === undefined ? 0 : AGE_WEIGHT
  const { certainty } = timeline.traits
  known += CLASS_WEIGHT * certainty.vehicleClass + POWERTRAIN_WEIGHT * certainty.powertrain
  if (input.vehicle?.batteryNominalV !== undefined) known += NOMINAL_VOLTAGE_WEIGHT
  if (input.dtcCodes !== undefined) known += CODES_WEIGHT
  for (const name of lampNames) if (input.lamps[name] !== undefined) known += lampWeights[name]
  for (const name of signalNames) if (input.signals[name] !== undefined) known += signalWeights[name]
  let garbage = 1
  for (const { signal, reason } of timeline.doubts) {
    if (reason === 'out_of_range') {
      known -= signalWeights[signal]
      garbage *= OUT_OF_RANGE_FACTOR
    } else known -= DOUBTED_SHARE_LOST * signalWeights[signal]
  }
  const history = Math.sqrt(Math.min(1, (timeline.samples.length - 1) / FULL_HISTORY))
  return (PRIORS_ALONE + FIELDS_SHARE * (known / ALL_WEIGHTS) + HISTORY_SHARE * history) * garbage
}
