// What turns the files of a model into answers. One loader for each kind; the registry knows no more of a kind than this.

import type { ScoreRows } from '@roadworthy/model-store/golden-rows'
import type { ModelKind } from '@roadworthy/model-store/manifest'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import { loadClassifierBackend, loadRulBackend } from './learned-backends.ts'

export type Backend = {
  /** Names of the numbers of one answer, in order. */
  readonly outputs: readonly string[]
  readonly scoreRows: ScoreRows
}

/** Throws with a sentence for the person who put the model there. */
export type BackendLoader = (model: StoredModel) => Promise<Backend> | Backend

const loaders: Readonly<Partial<Record<ModelKind, BackendLoader>>> = {
  rul: loadRulBackend,
  classifier: loadClassifierBackend,
}

export function loadBackend(model: StoredModel): Promise<Backend> | Backend {
  const load = loaders[model.manifest.kind]
  if (load === undefined) throw new Error(`this engine cannot run models of the kind "${model.manifest.kind}".`)
  return load(model)
}
