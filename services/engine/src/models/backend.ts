// What turns the files of a model into answers. One loader for each kind; the registry knows no more of a kind than this.

import type { ScoreRows } from '@roadworthy/model-store/golden-rows'
import type { ModelKind } from '@roadworthy/model-store/manifest'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import type { LearnedNormal } from '@roadworthy/prognostics/learning/normal/learned-normal'
import type { LifeModel } from '@roadworthy/prognostics/life-models'
import { loadClassifierBackend, loadLifeBackend, loadRulBackend } from './learned-backends.ts'
import { loadNormalBackend } from './normal-backend.ts'
import { loadOnnx } from './onnx-backend.ts'

export type Backend = {
  /** Names of the numbers of one answer, in order. */
  readonly outputs: readonly string[]
  readonly scoreRows: ScoreRows
  /** What a learned normal gives to `/v1/predict`; models of other kinds have none. */
  readonly normal?: LearnedNormal
  /** What a fleet's own fit puts in the place of a prior; models of other kinds have none. */
  readonly life?: LifeModel
}

/** Throws with a sentence for the person who put the model there. */
export type BackendLoader = (model: StoredModel) => Promise<Backend> | Backend

export type BackendOptions = {
  /** Where ONNX Runtime is installed, when not with the engine. */
  readonly onnxRuntimeDir?: string
}

const loaders: Readonly<Record<ModelKind, (...given: [StoredModel, BackendOptions]) => ReturnType<BackendLoader>>> = {
  rul: loadRulBackend,
  life: loadLifeBackend,
  classifier: loadClassifierBackend,
  normal: loadNormalBackend,
  onnx: loadOnnx,
}

export function loadBackend(model: StoredModel, options: BackendOptions = {}): Promise<Backend> | Backend {
  return loaders[model.manifest.kind](model, options)
}
