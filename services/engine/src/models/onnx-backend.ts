// Models of the kind "onnx": one file, brought by the customer, run by ONNX Runtime where that is installed.
import type { StoredModel } from '@roadworthy/model-store/read-model'
import type { Backend, BackendOptions } from './backend.ts'
import { findOnnxRuntime, NO_ONNX_RUNTIME } from './onnx-runtime.ts'
import { createOnnxScorer } from './onnx-scorer.ts'
import { tryOnnx } from './onnx-trial.ts'

export async function loadOnnx({ manifest, files }: StoredModel, { onnxRuntimeDir, trialMs }: BackendOptions): Promise<Backend> {
  const [name, ...more] = [...files.keys()].filter((path) => path.endsWith('.onnx'))
  const bytes = name === undefined ? undefined : files.get(name)
  if (bytes === undefined || more.length > 0) {
    throw new Error('the manifest of a model of the kind "onnx" must name one .onnx file.')
  }
  const runtime = await findOnnxRuntime(onnxRuntimeDir)
  if (runtime === undefined) throw new Error(NO_ONNX_RUNTIME)
  await tryOnnx({ manifest, bytes, onnxRuntimeDir }, trialMs)
  return createOnnxScorer(bytes, manifest.features, { runtime, outputs: manifest.outputs })
}
