// ONNX Runtime is optional: with all its platforms it is 290 MB, and the models that ship with the engine do not need it. Who brings a model
// of their own installs it beside the engine.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The part of onnxruntime-common's interface that is used here. */
export type OnnxRuntime = {
  readonly InferenceSession: { create(bytes: Uint8Array, options?: object): Promise<OnnxSession> }
  readonly Tensor: new (type: 'float32' | 'float64', data: Float32Array | Float64Array, dims: readonly number[]) => OnnxTensor
}

export type OnnxSession = {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  readonly inputMetadata: readonly OnnxValue[]
  readonly outputMetadata: readonly OnnxValue[]
  run(feeds: Readonly<Record<string, OnnxTensor>>, fetches: readonly string[]): Promise<Readonly<Record<string, OnnxTensor>>>
}

/** `type` and `shape` are there for tensors; a dimension that is free is its name, or -1. */
export type OnnxValue = {
  readonly name: string
  readonly isTensor: boolean
  readonly type?: string
  readonly shape?: readonly (number | string)[]
}

export type OnnxTensor = { readonly type: string; readonly dims: readonly number[]; readonly data: ArrayLike<number | bigint | string> }

/** The native one is several times as fast; the other needs nothing but JavaScript and WebAssembly. */
const PACKAGES = ['onnxruntime-node', 'onnxruntime-web']

export const NO_ONNX_RUNTIME =
  'models of the kind "onnx" need ONNX Runtime, which was not found: run "npm install --ignore-scripts --prefix DIR onnxruntime-node" and start the engine with ONNX_RUNTIME_DIR=DIR.'

/** The runtime as installed for the engine, or in `folder`; `undefined` when there is none. */
export async function findOnnxRuntime(folder?: string): Promise<OnnxRuntime | undefined> {
  const from = folder === undefined ? [] : [createRequire(join(folder, 'package.json'))]
  for (const require of [...from, createRequire(import.meta.url)]) {
    for (const name of PACKAGES) {
      const file = resolveIn(require, name)
      if (file === undefined) continue
      const found = (await import(pathToFileURL(file).href)) as OnnxRuntime & { default?: OnnxRuntime }
      return found.InferenceSession === undefined ? found.default : found
    }
  }
  return undefined
}

function resolveIn(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    // Not installed there, which is the usual case.
    return undefined
  }
}
