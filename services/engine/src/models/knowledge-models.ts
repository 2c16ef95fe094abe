import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import { importance } from '@roadworthy/prognostics/components'
import { bandRules } from '@roadworthy/prognostics/detection/band-rules'
import { j1939Parameters, j2012Codes } from '@roadworthy/prognostics/detection/fault-codes/dictionary'
import { lifeModels } from '@roadworthy/prognostics/lives/life-models'
import { numbers } from '@roadworthy/prognostics/numbers'
import { type NumberRow, origins } from '@roadworthy/prognostics/provenance'
import { historyNumbers } from '../schema/decode-input.ts'
import { disagreementNumbers } from '../schema/speed-and-distance.ts'
import { unitNumbers } from '../schema/suspect-units.ts'
import { measuredFigures } from './measured-figures.ts'
import type { Models } from './model-set.ts'

const KNOWLEDGE_VERSION = '2.0.0'

function stated(rows: readonly NumberRow[]) {
  const count = (origin: NumberRow['origin']) => rows.filter((row) => row.origin === origin).length
  return { numbers_by_origin: Object.fromEntries(origins.map((origin) => [origin, count(origin)])), numbers: [...rows] }
}

/** What answers predictions: knowledge, with what has been measured of it and nothing more. Learned models join this list. */
export const knowledgeModels: readonly EngineModel[] = [
  {
    name: 'condition-rules',
    type: 'rules',
    version: KNOWLEDGE_VERSION,
    status: 'serving',
    description: 'Bands of each sensor with hysteresis and hold times, by the regime of the engine, for 12 V and 24 V; standing fuel loss.',
    source: 'Engine and truck makers’ limits; measured on recordings of two sound cars, into which faults were injected.',
    rules: bandRules.length,
    ...measuredFigures,
    ...stated([...numbers.conditions, ...historyNumbers, ...unitNumbers, ...disagreementNumbers]),
  },
  {
    name: 'fault-codes-and-lamps',
    type: 'rules',
    version: KNOWLEDGE_VERSION,
    status: 'serving',
    description:
      'SAE J2012 and J1939 fault codes and DM1 lamps to components, severities, plain words and what they mean for driving on. A code without an entry is reported as unknown.',
    source:
      'Public lists of SAE J2012, the enumerations of Open-SAE-J1939, SAE J1939-73. Severities are judgements. Not measured: no labelled data set is public.',
    fault_codes: j2012Codes.size,
    suspect_parameters: j1939Parameters.size,
    ...stated(numbers.codesAndLamps),
  },
  {
    name: 'component-life',
    type: 'weibull',
    version: KNOWLEDGE_VERSION,
    status: 'serving',
    description:
      'Weibull life of each component the vehicle has, by its class and drive, conditioned on odometer, run time and condition; median and 80 % interval in days.',
    source:
      'Priors from published part lives, not fitted to and not validated on any fleet; `fitted` names the components that a fleet’s own life is served of.',
    components: lifeModels.length,
    ...stated(numbers.life),
  },
  {
    name: 'health-assessment',
    type: 'rules',
    version: KNOWLEDGE_VERSION,
    status: 'serving',
    description:
      'From what was found and what is worn to the health of each component and of the vehicle, the levels of risk, and confidence.',
    source: 'Judgements: no labelled data set of the health of vehicles is public.',
    components: Object.keys(importance).length,
    ...stated(numbers.outcome),
  },
]

/** Without a folder of models. */
export const onlyKnowledge: Models = (() => {
  const set = { knowledge: knowledgeModels, learned: new Map(), refused: new Map(), lacksModels: false }
  return { current: () => set }
})()
