// What answers at one moment. A set is made whole and never changed; a reload puts another one in its place, and whoever works with one
// goes on with it to the end.

import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import type { LearnedNormal } from '@roadworthy/prognostics/learning/normal/learned-normal'
import { type LifeComponent, type LifeModel, lifeModels, withFitted } from '@roadworthy/prognostics/lives/life-models'
import { MODEL_VERSION } from '@roadworthy/prognostics/predict'
import type { LoadedModel } from './load-model.ts'

/** The newest version of a model that was refused, and why. */
export type RefusedModel = { readonly name: string; readonly version: string; readonly reason: string }

export type ModelSet = {
  /** Always there: rules and life curves from knowledge. */
  readonly knowledge: readonly EngineModel[]
  /** Trained models by name, one version each. */
  readonly learned: ReadonlyMap<string, LoadedModel>
  /** By name: the version that would be served had it not been refused. A name may be here and in `learned`, which then holds an older one. */
  readonly refused: ReadonlyMap<string, RefusedModel>
  /** Whether the engine was set to serve models of a folder and has none of them. */
  readonly lacksModels: boolean
  /** Why the folder itself could not be read at the last look. */
  readonly unreadable?: string
}

/** Asked for at the start of each piece of work, once. */
export type Models = { readonly current: () => ModelSet }

/** Spec gap §4.3: an engine that was given a folder of models answers nothing before one of them is loaded (`docs/engine.md`). */
export function canPredict({ knowledge, lacksModels }: ModelSet): boolean {
  return knowledge.length > 0 && !lacksModels
}

export function countModels(set: ModelSet): number {
  return canPredict(set) ? set.knowledge.length + set.learned.size : 0
}

/** What predictions are made with. */
export type Predictor = {
  readonly normal: LearnedNormal | undefined
  readonly lives: readonly LifeModel[]
  /** Of the knowledge, and of every trained model that has a part in predictions. */
  readonly modelVersion: string
}

/** Knowledge without a trained model. */
export const knowledgePredictor: Predictor = { normal: undefined, lives: lifeModels, modelVersion: MODEL_VERSION }

const predictors = new WeakMap<ModelSet, Predictor>()

/** The learned normal that was made last, and a fleet's own life of each component that there is one of, the first by name. */
export function predictorOf(set: ModelSet): Predictor {
  const known = predictors.get(set)
  if (known !== undefined) return known
  const { normal, lives } = predictingModels(set)
  const fitted = [...lives.values()]
  const names = [...(normal === undefined ? [] : [normal]), ...fitted].map(({ manifest }) => `+${manifest.name}-${manifest.version}`)
  const predictor = {
    normal: normal?.backend.normal,
    lives: withFitted(fitted.flatMap(({ backend }) => backend.life ?? [])),
    modelVersion: [MODEL_VERSION, ...names].join(''),
  }
  predictors.set(set, predictor)
  return predictor
}

function predictingModels({ learned }: ModelSet): { normal: LoadedModel | undefined; lives: ReadonlyMap<LifeComponent, LoadedModel> } {
  const byName = [...learned.values()].sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1))
  const lives = new Map<LifeComponent, LoadedModel>()
  for (const model of byName) {
    const component = model.backend.life?.component
    if (component !== undefined && !lives.has(component)) lives.set(component, model)
  }
  const normals = byName.filter(({ backend }) => backend.normal !== undefined)
  const newest = normals.reduce<LoadedModel | undefined>(
    (one, other) => (one !== undefined && one.manifest.created_at >= other.manifest.created_at ? one : other),
    undefined,
  )
  return { normal: newest, lives }
}

/** The entries of `GET /v1/models`. */
export function describeModels(set: ModelSet): EngineModel[] {
  const names = [...new Set([...set.learned.keys(), ...set.refused.keys()])].sort()
  const learned = names.map((name) => describeModel(set, name))
  return [...set.knowledge.map((model) => withFittedLives(model, set)), ...learned]
}

/** Life curves from knowledge answer for the components that no fleet's own life is served of. */
function withFittedLives(model: EngineModel, set: ModelSet): EngineModel {
  if (model.type !== 'weibull') return model
  const fitted = [...predictingModels(set).lives].map(([component, { manifest }]) => [component, `${manifest.name} ${manifest.version}`])
  return { ...model, fitted_lives: fitted.length, fitted: Object.fromEntries(fitted) }
}

function describeModel(set: ModelSet, name: string): EngineModel {
  const { learned, refused, unreadable } = set
  const loaded = learned.get(name)
  const refusal = refused.get(name)
  if (loaded === undefined) {
    return {
      name,
      type: 'unknown',
      version: refusal?.version ?? '',
      description: 'It could not be loaded and does not answer.',
      source: '',
      status: 'failed',
      reason: refusal?.reason ?? '',
    }
  }
  const { manifest } = loaded
  const trouble = refusal === undefined ? unreadable : `Version ${refusal.version} was refused: ${refusal.reason}`
  const reason = trouble ?? unusedReason(set, loaded)
  return {
    // As with what is known: further keys are metrics. The fixed ones come after, so that no metric takes their place.
    ...manifest.metrics,
    name,
    type: manifest.kind,
    version: manifest.version,
    description: manifest.description ?? `${manifest.kind} model on ${manifest.features.length} features.`,
    source: manifest.training_data.description,
    status: trouble === undefined ? 'serving' : 'kept',
    ...(reason === undefined ? {} : { reason }),
    created_at: manifest.created_at,
    features: manifest.features,
    outputs: loaded.backend.outputs,
    calibration: manifest.calibration,
    training_data: manifest.training_data,
    files: manifest.files,
  }
}

/** Two fleets' lives of one component cannot both be followed, nor can two learned normals. */
function unusedReason(set: ModelSet, { manifest, backend }: LoadedModel): string | undefined {
  const normal = backend.normal === undefined ? undefined : predictingModels(set).normal?.manifest
  if (normal !== undefined && normal.name !== manifest.name) {
    return `Predictions use ${normal.name}, a learned normal that was made later (${normal.created_at}); this one answers under /v2 only.`
  }
  const served = backend.life === undefined ? undefined : predictingModels(set).lives.get(backend.life.component)?.manifest
  if (served === undefined || served.name === manifest.name) return undefined
  return `Predictions follow ${served.name}, which is of the same component and comes first by name; this one answers under /v2 only.`
}
