// Every number that decides what is reported, with its value, its unit and where it comes from: one table. Each row is stated beside its constant
// (`provenance.ts`). What is learned has none here: its model states what it was trained on and how well it performs.
import { anomalyNumbers } from './anomaly.ts'
import { healthNumbers } from './assess-health.ts'
import { componentNumbers } from './components.ts'
import { confidenceNumbers } from './confidence.ts'
import { bandRegimeNumbers } from './detection/band-regimes.ts'
import { bandNumbers } from './detection/band-rules.ts'
import { chargeControlNumbers } from './detection/charge-control.ts'
import { clutchSlipNumbers } from './detection/clutch-slip.ts'
import { coolingDownNumbers } from './detection/cooling-down.ts'
import { detectionNumbers } from './detection/detect-state.ts'
import { fahrenheitNumbers } from './detection/fahrenheit.ts'
import { dictionaryNumbers } from './detection/fault-codes/dictionary.ts'
import { drivingOnNumbers } from './detection/fault-codes/driving-on.ts'
import { failureModeNumbers } from './detection/fault-codes/failure-modes.ts'
import { unknownCodeNumbers } from './detection/fault-codes/unknown-codes.ts'
import { fuelLossNumbers } from './detection/fuel-loss.ts'
import { lampNumbers } from './detection/lamps.ts'
import { startingNumbers } from './detection/starting.ts'
import { stuckCoolantNumbers } from './detection/stuck-coolant.ts'
import { unitSuspicionNumbers } from './detection/unit-suspicion.ts'
import { voltageDriftNumbers } from './detection/voltage-drift.ts'
import { gateNumbers } from './inputs/gate.ts'
import { systemVoltageNumbers } from './inputs/system-voltage.ts'
import { timelineNumbers } from './inputs/timeline.ts'
import { classLifeNumbers } from './lives/class-lives.ts'
import { componentConfidenceNumbers } from './lives/component-confidence.ts'
import { lifeEndingNumbers } from './lives/life-ending.ts'
import { lifeNumbers } from './lives/life-models.ts'
import { prognosisNumbers } from './lives/prognose.ts'
import { outcomeNumbers } from './predict.ts'
import type { NumberRow } from './provenance.ts'
import { traitNumbers } from './vehicle/vehicle-traits.ts'

/** By what they are part of: which readings are believed and what they show, codes and lamps, remaining life, and what follows from all of it. */
export const numbers = {
  conditions: [
    ...gateNumbers,
    ...timelineNumbers,
    ...systemVoltageNumbers,
    ...bandNumbers,
    ...bandRegimeNumbers,
    ...chargeControlNumbers,
    ...startingNumbers,
    ...stuckCoolantNumbers,
    ...coolingDownNumbers,
    ...voltageDriftNumbers,
    ...fuelLossNumbers,
    ...clutchSlipNumbers,
    ...fahrenheitNumbers,
    ...unitSuspicionNumbers,
    ...detectionNumbers,
    ...anomalyNumbers,
  ],
  codesAndLamps: [...drivingOnNumbers, ...failureModeNumbers, ...dictionaryNumbers, ...unknownCodeNumbers, ...lampNumbers],
  life: [...lifeNumbers, ...classLifeNumbers, ...traitNumbers, ...prognosisNumbers, ...lifeEndingNumbers, ...componentConfidenceNumbers],
  outcome: [...componentNumbers, ...healthNumbers, ...outcomeNumbers, ...confidenceNumbers],
} as const satisfies Readonly<Record<string, readonly NumberRow[]>>
