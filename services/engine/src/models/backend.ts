// What turns the files of a model into answers.

import type { ScoreRows } from '@roadworthy/model-store/golden-rows'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import type { LearnedNormal } from '@roadworthy/prognostics/learning/normal/learned-normal'
import type { LifeModel } from '@roadworthy/prognostics/lives/life-models'

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
  /** For how long an ONNX model is waited for before it is loaded. */
  readonly trialMs?: number
}
