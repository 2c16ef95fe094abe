// Every number that decides what is reported, with its value, its unit and where it comes from: one table. Each row is stated beside its constant
// (`provenance.ts`). What is learned has none here: its model states what it was trained on and how well it performs.
import { anomalyNumbers } from './anomaly.ts'
import { healthNumbers } from './assess-health.ts'
import { bandRegimeNumbers } from './band-regimes.ts'
import { bandNumbers } from './band-rules.ts'
import { chargeControlNumbers } from './charge-control.ts'
import { classLifeNumbers } from './class-lives.ts'
import { clutchSlipNumbers } from './clutch-slip.ts'
import { componentConfidenceNumbers } from './component-confidence.ts'
import { componentNumbers } from './components.ts'
import { confidenceNumbers } from './confidence.ts'
import { coolingDownNumbers } from './cooling-down.ts'
import { detectionNumbers } from './detect-state.ts'
import { fahrenheitNumbers } from './fahrenheit.ts'
import { dictionaryNumbers } from './fault-codes/dictionary.ts'
import { drivingOnNumbers } from './fault-codes/driving-on.ts'
import { failureModeNumbers } from './fault-codes/failure-modes.ts'
import { unknownCodeNumbers } from './fault-codes/unknown-codes.ts'
import { fuelLossNumbers } from './fuel-loss.ts'
import { gateNumbers } from './gate.ts'
import { lampNumbers } from './lamps.ts'
import { lifeEndingNumbers } from './life-ending.ts'
import { lifeNumbers } from './life-models.ts'
import { outcomeNumbers } from './predict.ts'
import { prognosisNumbers } from './prognose.ts'
import type { NumberRow } from './provenance.ts'
import { startingNumbers } from './starting.ts'
import { stuckCoolantNumbers } from './stuck-coolant.ts'
import { systemVoltageNumbers } from './system-voltage.ts'
import { timelineNumbers } from './timeline.ts'
import { unitSuspicionNumbers } from './unit-suspicion.ts'
import { traitNumbers } from './vehicle-traits.ts'
import { voltageDriftNumbers } from './voltage-drift.ts'

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
