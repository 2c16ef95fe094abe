// Goal: what we export is scored by ONNX Runtime as by us, and what a customer brings is taken or refused with a sentence that helps.
// ONNX Runtime is 290 MB and optional: `.ci/run` puts it in a cache; without it these tests report that they skip.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeModel } from '@roadworthy/model-store/write-model'
import { type Forest, scoreRow, sigmoid } from '@roadworthy/prognostics/learning/forest'
import { trainForest } from '@roadworthy/prognostics/learning/gbdt'
import { forestToOnnx, valuesToOnnx } from '@roadworthy/prognostics/learning/onnx'
import { createRandom } from '@roadworthy/prognostics/learning/random'
import { drawForest, drawRows } from '@roadworthy/prognostics/testing/random-forest'
import { loadBackend } from './load-backend.ts'
import { loadModel } from './load-model.ts'
import { findOnnxRuntime, type OnnxRuntime, type OnnxSession, type OnnxTensor } from './onnx-runtime.ts'
import { createOnnxScorer } from './onnx-scorer.ts'

const folder = process.env['ROADWORTHY_ONNXRUNTIME'] ?? join(homedir(), '.cache/roadworthy/onnxruntime')
const runtime = await findOnnxRuntime(folder)
const skip = runtime === undefined ? `ONNX Runtime is not here (npm install --ignore-scripts --prefix ${folder} onnxruntime-node)` : false
const installed = await findOnnxRuntime()

const text = { name: 'test', description: 'A forest drawn at random.' }
const TOLERANCE = 1e-4
const ROW_COUNT = 2000

function open(bytes: Uint8Array, features: readonly string[], outputs?: readonly string[]) {
  assert.ok(runtime !== undefined, 'a test that needs the runtime did not skip')
  return createOnnxScorer(bytes, features, { runtime, outputs })
}

/** The largest difference in one column of the answers. */
function farthest(answers: readonly Float64Array[], column: number, expected: readonly number[]): number {
  assert.equal(answers.length, expected.length)
  return Math.max(...expected.map((wanted, row) => Math.abs((answers[row]?.[column] ?? Number.NaN) - wanted)))
}

const forests: Readonly<Record<string, Forest>> = {
  '350 trees for remaining life': drawForest(createRandom(1), { trees: 350, depth: 6, features: 24 }, 'squared', 80),
  'a quantile of a large target': drawForest(createRandom(2), { trees: 100, depth: 5, features: 8 }, 'quantile', 900),
  'a logistic forest': drawForest(createRandom(3), { trees: 100, depth: 5, features: 8 }, 'logistic', -0.4),
  'a forest of single leaves': drawForest(createRandom(4), { trees: 3, depth: 0, features: 2 }),
  'a forest without trees': drawForest(createRandom(5), { trees: 0, depth: 0, features: 2 }),
}
for (const [what, forest] of Object.entries(forests)) {
  test(`ONNX Runtime scores ${what} within 1e-4 of ours on ${ROW_COUNT} random rows, missing values included`, { skip }, async (t) => {
    const scorer = await open(forestToOnnx(forest, text), forest.featureNames)
    const rows = drawRows(createRandom(9), forest, ROW_COUNT)
    const ours = rows.map((row) => scoreRow(forest, row)).map((score) => (forest.loss === 'logistic' ? sigmoid(score) : score))
    const difference = farthest(await scorer.scoreRows(rows), 0, ours)
    t.diagnostic(`largest difference ${difference}`)
    assert.ok(difference <= TOLERANCE, String(difference))
  })
}

test('an export with several outputs answers all of them, or those that are asked for', { skip }, async () => {
  const [low, high] = [6, 7].map((seed) => drawForest(createRandom(seed), { trees: 40, depth: 5, features: 6 }, 'quantile', 10 * seed))
  assert.ok(low !== undefined && high !== undefined)
  const value = {
    kind: 'clip',
    of: { kind: 'scale', of: { kind: 'forest', forest: high }, factor: 2, offset: -1 },
    min: 135,
    max: 141,
  } as const
  const outputs = [
    { name: 'low', value: { kind: 'forest', forest: low } as const },
    { name: 'high', value },
  ]
  const bytes = valuesToOnnx(outputs, { ...text, features: low.featureNames })
  const rows = drawRows(createRandom(10), low, ROW_COUNT)
  const clipped = rows.map((row) => Math.min(141, Math.max(135, scoreRow(high, row) * 2 - 1)))
  const both = await open(bytes, low.featureNames)
  assert.deepEqual(both.outputs, ['low', 'high'])
  const answers = await both.scoreRows(rows)
  assert.ok(
    farthest(
      answers,
      0,
      rows.map((row) => scoreRow(low, row)),
    ) <= TOLERANCE,
  )
  assert.ok(farthest(answers, 1, clipped) <= TOLERANCE)
  const one = await open(bytes, low.featureNames, ['high'])
  assert.deepEqual(one.outputs, ['high'])
  assert.ok(farthest(await one.scoreRows(rows), 0, clipped) <= TOLERANCE)
})

test('rows that are asked for at the same time are answered each, and a bad one does not stop the next', { skip }, async () => {
  const forest = drawForest(createRandom(11), { trees: 5, depth: 3, features: 3 })
  const scorer = await open(forestToOnnx(forest, text), forest.featureNames)
  const rows = drawRows(createRandom(12), forest, 50)
  const answers = await Promise.all(rows.map((row) => scorer.scoreRows([row])))
  assert.ok(
    farthest(
      answers.flat(),
      0,
      rows.map((row) => scoreRow(forest, row)),
    ) <= TOLERANCE,
  )
  await assert.rejects(() => scorer.scoreRows([[1, 2]]), /a row has 3 values here, not 2/)
  assert.equal((await scorer.scoreRows(rows.slice(0, 2))).length, 2)
  assert.deepEqual(await scorer.scoreRows([]), [])
})

test('a model that does not fit is refused with what is wrong', { skip }, async () => {
  const forest = drawForest(createRandom(13), { trees: 2, depth: 2, features: 3 })
  const bytes = forestToOnnx(forest, text)
  await assert.rejects(() => open(new Uint8Array([1, 2, 3]), ['a']), /ONNX Runtime cannot open the model/)
  await assert.rejects(
    () => open(bytes, ['a', 'b']),
    /has the shape \[rows, 3\]; with the 2 features of the manifest it must be \[rows, 2\]/,
  )
  await assert.rejects(() => open(bytes, forest.featureNames, ['risk']), /no output "risk" of numbers; it has prediction/)
})

/** A runtime whose one model answers any rows with an output of this shape. */
function answering(shapeOf: (rowCount: number) => number[]): OnnxRuntime {
  function Tensor(this: OnnxTensor, type: string, data: ArrayLike<number>, dims: readonly number[]) {
    Object.assign(this, { type, data, dims })
  }
  const value = (name: string) => ({ name, isTensor: true, type: 'float32', shape: ['rows', 1] })
  const run: OnnxSession['run'] = async ({ x }) => {
    const dims = shapeOf(x?.dims[0] ?? 0)
    return { y: { type: 'float32', dims, data: { length: dims.reduce((product, size) => product * size, 1) } as ArrayLike<number> } }
  }
  const session = { inputNames: ['x'], outputNames: ['y'], inputMetadata: [value('x')], outputMetadata: [value('y')], run }
  return { InferenceSession: { create: async () => session }, Tensor: Tensor as unknown as OnnxRuntime['Tensor'] }
}

test('a model that mixes its rows, or has too many numbers for one, is refused when it is loaded and not at the first request', async () => {
  const load = (shapeOf: (rowCount: number) => number[]) => createOnnxScorer(new Uint8Array(), ['a'], { runtime: answering(shapeOf) })
  assert.equal((await load((rowCount) => [rowCount, 3])).outputs.length, 3)
  await assert.rejects(
    load(() => [1, 1]),
    /"y" has the shape \[1, 1\]; its first dimension must be the rows/,
  )
  await assert.rejects(
    load((rowCount) => [rowCount, 1_000_000]),
    /"y" has 1000000 numbers for each row; at most 10000 are taken/,
  )
})

test('a forest that was trained scores the same', { skip }, async () => {
  const random = createRandom(20)
  const columns = Array.from({ length: 6 }, () =>
    Float32Array.from({ length: 800 }, () => (random() < 0.1 ? Number.NaN : random() * 4 - 2)),
  )
  const table = { names: columns.map((_, at) => `f${at}`), columns, rowCount: 800 }
  const targets = Float64Array.from({ length: 800 }, (_, row) => ((columns[0]?.[row] ?? 0) > (columns[1]?.[row] ?? 0) ? 1 : 0))
  const options = {
    trees: 30,
    leaves: 15,
    learningRate: 0.1,
    rowSample: 0.8,
    columnSample: 0.8,
    minLeafRows: 5,
    lambda: 1,
    bins: 255,
    seed: 1,
  }
  const forest = trainForest(table, targets, { ...options, loss: { kind: 'logistic' } })
  const scorer = await open(forestToOnnx(forest, text), forest.featureNames)
  const rows = drawRows(random, forest, ROW_COUNT)
  const ours = rows.map((row) => sigmoid(scoreRow(forest, row)))
  assert.ok(farthest(await scorer.scoreRows(rows), 0, ours) <= TOLERANCE)
  assert.ok(Math.max(...ours) - Math.min(...ours) > 0.5, 'it has learnt something')
})

test('the registry serves a directory with an ONNX model, and refuses one without a runtime with the way to install it', async (t) => {
  const forest = drawForest(createRandom(21), { trees: 10, depth: 4, features: 3 })
  const dir = await mkdtemp(join(tmpdir(), 'onnx-model-'))
  t.after(() => rm(dir, { recursive: true }))
  const rows = drawRows(createRandom(22), forest, 5)
  const toNull = (value: number) => (Number.isNaN(value) ? null : value)
  await writeModel(join(dir, 'brought', '1.0.0'), {
    manifest: {
      name: 'brought',
      version: '1.0.0',
      kind: 'onnx',
      features: [...forest.featureNames],
      outputs: ['prediction'],
      training_data: { sha256: '0'.repeat(64), rows: 0, units: 0, description: 'Drawn at random.' },
      metrics: {},
      calibration: {},
      seed: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      golden_rows: rows.map((row) => ({ features: Array.from(row, toNull), output: [scoreRow(forest, row)] })),
    },
    files: { 'model.onnx': forestToOnnx(forest, text) },
  })
  const brought = { name: 'brought', version: '1.0.0', dir: join(dir, 'brought', '1.0.0'), fingerprint: '' }
  if (installed === undefined) await assert.rejects(() => loadModel(brought, loadBackend), /ONNX_RUNTIME_DIR/)
  if (runtime === undefined) return
  const { backend } = await loadModel(brought, (model) => loadBackend(model, { onnxRuntimeDir: folder }))
  assert.deepEqual(backend.outputs, ['prediction'])
})
