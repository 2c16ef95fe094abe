// Goal: an exported forest is the same forest. Method: a reader of ONNX that follows the specification and shares no code with the writer;
// that real runtimes agree is tested where one is at hand (services/engine/src/models/onnx-scorer.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawForest, drawRows } from '../testing/random-forest.ts'
import { readOnnx } from '../testing/read-onnx.ts'
import { type Forest, scoreRow, sigmoid } from './forest.ts'
import { forestsToOnnx, forestToOnnx } from './onnx.ts'
import { createRandom } from './random.ts'

const text = { name: 'test', description: 'A forest drawn at random.' }
const TOLERANCE = 1e-4

function assertSame(forest: Forest, outputOf: (row: Float64Array) => number, expected: (score: number) => number): void {
  for (const row of drawRows(createRandom(7), forest, 500)) {
    const [found, wanted] = [outputOf(row), expected(scoreRow(forest, row))]
    assert.ok(Math.abs(found - wanted) <= TOLERANCE, `${found} where ${wanted} is ours`)
  }
}

test('an exported forest scores every row as ours does, missing values and values on a threshold included', () => {
  for (const loss of ['squared', 'quantile'] as const) {
    const forest = drawForest(createRandom(1), { trees: 60, depth: 5, features: 12 }, loss)
    const { run } = readOnnx(forestToOnnx(forest, text))
    assertSame(
      forest,
      (row) => run(row)['prediction'] as number,
      (score) => score,
    )
  }
})

test('an exported logistic forest answers the probability', () => {
  const forest = drawForest(createRandom(2), { trees: 30, depth: 4, features: 6 }, 'logistic', -0.3)
  const { run, outputs } = readOnnx(forestToOnnx(forest, text, 'probability'))
  assert.deepEqual(outputs, ['probability'])
  assertSame(forest, (row) => run(row)['probability'] as number, sigmoid)
})

test('forests of several outputs share one row, each by the names of its features', () => {
  const low = drawForest(createRandom(3), { trees: 10, depth: 4, features: 6 }, 'quantile', 20)
  const high = drawForest(createRandom(4), { trees: 10, depth: 4, features: 6 }, 'quantile', 40)
  // The second forest has the same columns in another order.
  const turned = { ...high, featureNames: high.featureNames.toReversed() }
  const clip = [
    { kind: 'scale', factor: 0.5, offset: 3 },
    { kind: 'clip', min: 0, max: 23 },
  ] as const
  const graph = readOnnx(
    forestsToOnnx(
      [
        { name: 'low', forest: low },
        { name: 'high', forest: turned, steps: clip },
      ],
      text,
    ),
  )
  assert.deepEqual(graph.outputs, ['low', 'high'])
  assertSame(
    low,
    (row) => graph.run(row)['low'] as number,
    (score) => score,
  )
  assertSame(
    turned,
    (row) => graph.run(row.toReversed())['high'] as number,
    (score) => Math.min(23, Math.max(0, score * 0.5 + 3)),
  )
})

test('the model says its versions, its features in order and what was written with it', () => {
  const forest = drawForest(createRandom(5), { trees: 1, depth: 1, features: 3 })
  const graph = readOnnx(forestToOnnx(forest, { ...text, features: ['f2', 'other', 'f0', 'f1'], metadata: { version: '1.2.0' } }))
  assert.deepEqual([graph.irVersion, graph.opsets], [8, { '': 16, 'ai.onnx.ml': 3 }])
  assert.deepEqual(graph.inputs, [{ name: 'features', columns: 4 }])
  assert.deepEqual(graph.metadata, { version: '1.2.0', features: '["f2","other","f0","f1"]', outputs: '["prediction"]' })
})

test('a forest without trees answers its base, and one of a single leaf that leaf', () => {
  const empty = drawForest(createRandom(6), { trees: 0, depth: 0, features: 2 })
  assert.deepEqual(readOnnx(forestToOnnx(empty, text)).run([1, 2]), { prediction: 80 })
  const leaf = drawForest(createRandom(6), { trees: 1, depth: 0, features: 2 })
  const { run } = readOnnx(forestToOnnx(leaf, text))
  assertSame(
    leaf,
    (row) => run(row)['prediction'] as number,
    (score) => score,
  )
})

test('what cannot be written is refused by its name', () => {
  const forest = drawForest(createRandom(8), { trees: 1, depth: 1, features: 2 })
  assert.throws(() => forestToOnnx(forest, { ...text, features: ['f0'] }), /looks at "f1"/)
  assert.throws(() => forestsToOnnx([], text), /name of its own/)
  assert.throws(
    () =>
      forestsToOnnx(
        [
          { name: 'a', forest },
          { name: 'a', forest },
        ],
        text,
      ),
    /name of its own/,
  )
})
