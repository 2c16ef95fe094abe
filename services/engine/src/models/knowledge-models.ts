import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import { bandRules } from '@roadworthy/prognostics/band-rules'
import { j2012Ranges, spnMeanings } from '@roadworthy/prognostics/fault-code-table'
import { lifeModels } from '@roadworthy/prognostics/life-models'
import { measuredFigures } from './measured-figures.ts'
import type { Models } from './model-set.ts'

const KNOWLEDGE_VERSION = '2.0.0'

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
  },
  {
    name: 'fault-codes-and-lamps',
    type: 'rules',
    version: KNOWLEDGE_VERSION,
    status: 'serving',
    description: 'SAE J2012 and J1939 fault codes and DM1 lamps to components, severities and plain words.',
    source: 'SAE J2012, SAE J1939-71 and J1939-73. Not measured: no labelled data set is public.',
    code_ranges: j2012Ranges.length,
    suspect_parameters: spnMeanings.size,
  },
  {
    name: 'component-life',
    type: 'weibull',
    version: KNOWLEDGE_VERSION,
    status: 'serving',
    description: 'Weibull life of each component, conditioned on odometer, run time and condition; median and 80 % interval in days.',
    source:
      'Priors from published part lives, not fitted to and not validated on any fleet; `fitted` names the components that a fleet’s own life is served of.',
    components: lifeModels.length,
  },
]

/** Without a folder of models. */
export const onlyKnowledge: Models = (() => {
  const set = { knowledge: knowledgeModels, learned: new Map(), refused: new Map(), lacksModels: false }
  return { current: () => set }
})()
