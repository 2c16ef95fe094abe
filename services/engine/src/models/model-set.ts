// What answers at one moment. A set is made whole and never changed; a reload puts another one in its place, and whoever works with one
// goes on with it to the end.

import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import type { LearnedNormal } from '@roadworthy/prognostics/learning/normal/learned-normal'
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
  /** Whether the engine was told to serve models of a folder and has none of them. */
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

export type ServedNormal = { readonly judge: LearnedNormal; readonly label: string }

/** The learned normal that predictions are made with: the first by name. */
export function findNormal({ learned }: ModelSet): ServedNormal | undefined {
  let found: LoadedModel | undefined
  for (const model of learned.values()) {
    if (model.backend.normal !== undefined && (found === undefined || model.manifest.name < found.manifest.name)) found = model
  }
  const judge = found?.backend.normal
  return found === undefined || judge === undefined ? undefined : { judge, label: `${found.manifest.name}-${found.manifest.version}` }
}

/** The entries of `GET /v1/models`. */
export function describeModels(set: ModelSet): EngineModel[] {
  const names = [...new Set([...set.learned.keys(), ...set.refused.keys()])].sort()
  const learned = names.map((name) => describeModel(set, name))
  return [...set.knowledge, ...learned]
}

function describeModel({ learned, refused, unreadable }: ModelSet, name: string): EngineModel {
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
  const reason = refusal === undefined ? unreadable : `Version ${refusal.version} was refused: ${refusal.reason}`
  return {
    // As with what is known: further keys are metrics. The fixed ones come after, so that no metric takes their place.
    ...manifest.metrics,
    name,
    type: manifest.kind,
    version: manifest.version,
    description: manifest.description ?? `${manifest.kind} model on ${manifest.features.length} features.`,
    source: manifest.training_data.description,
    status: reason === undefined ? 'serving' : 'kept',
    ...(reason === undefined ? {} : { reason }),
    created_at: manifest.created_at,
    features: manifest.features,
    outputs: loaded.backend.outputs,
    calibration: manifest.calibration,
    training_data: manifest.training_data,
    files: manifest.files,
  }
}
