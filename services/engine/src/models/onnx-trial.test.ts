// Goal: an ONNX model that never answers, or takes all memory, is refused like any other that is wrong, and costs this process nothing. Method: such models, with
// ONNX Runtime where it is here.
import assert from 'node:assert/strict'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ModelManifest } from '@roadworthy/model-store/manifest'
import { forestToOnnx } from '@roadworthy/prognostics/learning/onnx'
import { createRandom } from '@roadworthy/prognostics/learning/random'
import { drawForest } from '@roadworthy/prognostics/testing/random-forest'
import { loadBackend } from './load-backend.ts'
import { findOnnxRuntime } from './onnx-runtime.ts'
import { tryOnnx } from './onnx-trial.ts'
import { loopModel } from './testing-loop-model.ts'

const folder = process.env['ROADWORTHY_ONNXRUNTIME'] ?? join(homedir(), '.cache/roadworthy/onnxruntime')
const isHere = (await findOnnxRuntime(folder)) !== undefined
const skip = isHere ? false : `ONNX Runtime is not here (npm install --ignore-scripts --prefix ${folder} onnxruntime-node)`
const options = { skip, timeout: 120_000 }
/** An endless model is refused after any. */
const BOUND_MS = 5_000

function manifestOf(features: readonly string[], golden: ModelManifest['golden_rows'] = []): ModelManifest {
  return {
    schema_version: 1,
    name: 'brought',
    version: '1.0.0',
    kind: 'onnx',
    features: [...features],
    files: [],
    training_data: { sha256: '0'.repeat(64), rows: 0, units: 0, description: 'None.' },
    metrics: {},
    calibration: {},
    seed: 0,
    created_at: '2026-01-01T00:00:00.000Z',
    golden_rows: golden,
  }
}

test('a model that never comes to an end is refused, and this process goes on meanwhile', options, async () => {
  let turns = 0
  const turning = setInterval(() => turns++, 10)
  const model = { dir: '', manifest: manifestOf(['a', 'b']), files: new Map([['model.onnx', loopModel('endless')]]) }
  await assert.rejects(
    async () => loadBackend(model, { onnxRuntimeDir: folder, trialMs: BOUND_MS }),
    /^Error: it has not answered within 5 s\.$/,
  )
  clearInterval(turning)
  assert.ok(turns > 1)
})

test('a model that grows without bound is refused', options, async () => {
  const trial = { manifest: manifestOf(['a', 'b']), bytes: loopModel('growing'), onnxRuntimeDir: folder }
  await assert.rejects(() => tryOnnx(trial), /alloc|ended the process/)
})

test('a sound model passes, and one that does not answer its golden rows is refused', options, async () => {
  const forest = drawForest(createRandom(21), { trees: 10, depth: 4, features: 3 })
  const bytes = forestToOnnx(forest, { name: 'test', description: 'A forest drawn at random.' })
  await tryOnnx({ manifest: manifestOf(forest.featureNames), bytes, onnxRuntimeDir: folder })
  const wrong = manifestOf(forest.featureNames, [{ features: [0, 0, 0], output: [1e9] }])
  await assert.rejects(() => tryOnnx({ manifest: wrong, bytes, onnxRuntimeDir: folder }), /golden row 0 is answered with/)
})
