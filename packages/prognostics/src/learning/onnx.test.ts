// Goal: an exported forest is the same forest. Method: a reader of ONNX that follows the specification and shares no code with the writer;
// that real runtimes agree is tested where one is at hand (services/engine/src/models/onnx-scorer.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawForest, drawRows } from '../testing/random-forest.ts'
import { readOnnx } from '../testing/read-onnx.ts'
import { type Forest, scoreRow, sigmoid } from './forest.ts'
import { forestToOnnx, type OnnxValue, valuesToOnnx } from './onnx.ts'
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

const scoreOf = (forest: Forest): OnnxValue => ({ kind: 'forest', forest })

test('forests of several outputs share one row, each by the names of its features', () => {
  const low = drawForest(createRandom(3), { trees: 10, depth: 4, features: 6 }, 'quantile', 20)
  const high = drawForest(createRandom(4), { trees: 10, depth: 4, features: 6 }, 'quantile', 40)
  // The second forest has the same columns in another order.
  const turned = { ...high, featureNames: high.featureNames.toReversed() }
  const value: OnnxValue = { kind: 'clip', of: { kind: 'scale', of: scoreOf(turned), factor: 0.5, offset: 3 }, min: 0, max: 23 }
  const outputs = [
    { name: 'low', value: scoreOf(low) },
    { name: 'high', value },
  ]
  const graph = readOnnx(valuesToOnnx(outputs, { ...text, features: low.featureNames }))
  assert.deepEqual(graph.outputs, ['low', 'high'])
  const scored = (row: Float64Array, name: string) => graph.run(row)[name] as number
  assertSame(
    low,
    (row) => scored(row, 'low'),
    (score) => score,
  )
  assertSame(
    turned,
    (row) => scored(row.toReversed(), 'high'),
    (score) => Math.min(23, Math.max(0, score * 0.5 + 3)),
  )
})

test('a forest may look at the value of another, and values that are used twice are computed once', () => {
  const first = drawForest(createRandom(10), { trees: 10, depth: 4, features: 5 }, 'squared', 0)
  const second = drawForest(createRandom(11), { trees: 10, depth: 5, features: 6 }, 'squared', 0)
  const centre: OnnxValue = { kind: 'clip', of: scoreOf(first), min: -2, max: 2 }
  const spread: OnnxValue = { kind: 'forest', forest: second, extra: { f5: centre } }
  const outputs = [
    { name: 'low', value: { kind: 'least', of: [centre, { kind: 'sum', of: [centre, spread] }] } as const },
    { name: 'high', value: { kind: 'greatest', of: [centre, { kind: 'sum', of: [centre, spread] }] } as const },
  ]
  const bytes = valuesToOnnx(outputs, { ...text, features: first.featureNames })
  const { run } = readOnnx(bytes)
  for (const row of drawRows(createRandom(12), first, 500)) {
    const middle = Math.min(2, Math.max(-2, scoreRow(first, row)))
    const moved = middle + scoreRow(second, [...row, middle])
    const { low, high } = run(row)
    assert.ok(Math.abs((low ?? Number.NaN) - Math.min(middle, moved)) <= TOLERANCE, `${low}`)
    assert.ok(Math.abs((high ?? Number.NaN) - Math.max(middle, moved)) <= TOLERANCE, `${high}`)
  }
  const ensembles = Buffer.from(bytes).toString('latin1').split('TreeEnsembleRegressor').length - 1
  assert.equal(ensembles, 2)
})

test('long lives lose nothing but the last bit of the answer: what comes after the trees is computed in float64', () => {
  const forests = [20, 21, 22].map((seed) => drawForest(createRandom(seed), { trees: 40, depth: 5, features: 6 }, 'squared', 500))
  const scaled = forests.map((forest): OnnxValue => ({ kind: 'scale', of: scoreOf(forest), factor: 0.6, offset: 0.1 }))
  const [first, second, third] = scaled as [OnnxValue, OnnxValue, OnnxValue]
  const value: OnnxValue = { kind: 'sum', of: [{ kind: 'sum', of: [first, second] }, third] }
  const { run } = readOnnx(valuesToOnnx([{ name: 'life', value }], { ...text, features: forests[0]?.featureNames ?? [] }))
  for (const row of drawRows(createRandom(23), forests[0] as Forest, 500)) {
    const ours = forests.reduce((sum, forest) => sum + scoreRow(forest, row) * 0.6 + 0.1, 0)
    const lastBit = 2 ** (Math.floor(Math.log2(ours)) - 23)
    assert.ok(Math.abs((run(row)['life'] ?? Number.NaN) - ours) <= 0.6 * lastBit, `${run(row)['life']} where ${ours} is ours`)
  }
})

test('the model contains its versions, its features in order and what was written with it', () => {
  const forest = drawForest(createRandom(5), { trees: 1, depth: 1, features: 3 })
  const features = ['f2', 'other', 'f0', 'f1']
  const graph = readOnnx(
    valuesToOnnx([{ name: 'prediction', value: scoreOf(forest) }], { ...text, features, metadata: { version: '1.2.0' } }),
  )
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
  const output = { name: 'a', value: scoreOf(forest) }
  assert.throws(() => valuesToOnnx([output], { ...text, features: ['f0'] }), /looks at "f1"/)
  for (const outputs of [[], [output, output], [{ ...output, name: 'features' }]]) {
    assert.throws(() => valuesToOnnx(outputs, { ...text, features: ['f0', 'f1'] }), /name of its own/)
  }
})
