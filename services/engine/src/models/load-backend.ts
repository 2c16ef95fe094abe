// One loader for each kind of model; the registry knows no more of a kind than this.

import type { ModelKind } from '@roadworthy/model-store/manifest'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import type { Backend, BackendLoader, BackendOptions } from './backend.ts'
import { loadClassifierBackend, loadLifeBackend, loadRulBackend } from './learned-backends.ts'
import { loadNormalBackend } from './normal-backend.ts'
import { loadOnnx } from './onnx-backend.ts'

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
