import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { type FeatureTable, forestFromJson, forestToJson, LEAF, scoreRow, scoreTable, sigmoid } from './forest.ts'
import { trainForest } from './gbdt.ts'
import { createRandom } from './random.ts'

function randomTable(rowCount: number, columnCount: number, seed: number): FeatureTable {
  const random = createRandom(seed)
  const cell = () => (random() < 0.05 ? Number.NaN : random() * 100 - 50)
  const columns = Array.from({ length: columnCount }, () => Float32Array.from({ length: rowCount }, cell))
  return { names: columns.map((_, index) => `signal ${index}`), columns, rowCount }
}

const table = randomTable(2500, 5, 1)
const targets = Float64Array.from({ length: 2500 }, (_, row) => {
  const [a = 0, b = 0] = [table.columns[0]?.[row], table.columns[1]?.[row]]
  return (Number.isNaN(a) ? 0 : a) * (b > 0 ? 1 : -0.3)
})
const forest = trainForest(table, targets, {
  loss: { kind: 'squared' },
  trees: 40,
  leaves: 31,
  learningRate: 0.1,
  rowSample: 0.8,
  columnSample: 0.8,
  minLeafRows: 5,
  lambda: 1,
  bins: 64,
  seed: 3,
})

test('a row alone and a row in a table get the same score, bit for bit, in doubles or in float32', () => {
  const scores = scoreTable(forest, table)
  for (let row = 0; row < table.rowCount; row++) {
    const cells = table.columns.map((column) => column[row] ?? Number.NaN)
    assert.equal(scoreRow(forest, cells), scores[row])
    assert.equal(scoreRow(forest, Float32Array.from(cells)), scores[row])
  }
})

test('a value at a threshold goes left, also one that only float32 takes to be at it', () => {
  const node = forest.roots[0] as number
  const column = forest.feature[node] as number
  assert.notEqual(column, LEAF)
  const threshold = forest.threshold[node] as number
  const at = (value: number) =>
    scoreRow(
      forest,
      [0, 1, 2, 3, 4].map((index) => (index === column ? value : 0)),
    )
  assert.equal(at(threshold), at(threshold - 1e-12 * Math.abs(threshold)))
  assert.equal(at(threshold), at(threshold + 1e-12 * Math.abs(threshold)))
})

test('a forest survives JSON without a bit changed, and small', () => {
  const text = JSON.stringify(forestToJson(forest))
  assert.deepEqual(forestFromJson(JSON.parse(text)), forest)
  const bytesPerNode = text.length / forest.feature.length
  assert.ok(bytesPerNode < 16, `${bytesPerNode} bytes a node`)
})

test('any float32 is written so that it reads back the same', () => {
  const single = { ...forest, roots: Int32Array.of(0), feature: Int16Array.of(LEAF), left: Int32Array.of(-1), right: Int32Array.of(-1) }
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      fc.pre(!Object.is(value, -0))
      const whole = { ...single, threshold: new Float32Array(1), missingLeft: new Uint8Array(1), value: Float32Array.of(value) }
      assert.deepEqual(forestFromJson(JSON.parse(JSON.stringify(forestToJson(whole)))), whole)
    }),
  )
})

test('a damaged file is refused with what is wrong, never read as another forest', () => {
  const json = forestToJson(forest)
  const refused = (change: object, expected: RegExp) => assert.throws(() => forestFromJson({ ...json, ...change }), expected)
  for (const nothing of [null, undefined, 7, 'forest', [], {}]) assert.throws(() => forestFromJson(nothing), /"format" is not/)
  refused({ format: 'roadworthy-forest/2' }, /"format" is not/)
  refused({ features: ['a', 7] }, /"features" is no list of names/)
  refused({ features: ['a'] }, /"column" names a feature that is not there/)
  refused({ loss: 'absolute' }, /"loss" is none of squared, quantile, logistic/)
  refused({ base: null }, /"base" is no number/)
  refused({ treeCount: 1.5 }, /"treeCount" is no count/)
  refused({ treeCount: json.treeCount + 1 }, /end within tree 41 of 41/)
  refused({ treeCount: json.treeCount - 1 }, /nodes after its last tree/)
  refused({ column: json.column.slice(0, -1), number: json.number.slice(0, -1) }, /end within tree 40 of 40/)
  refused({ column: [...json.column, LEAF], number: [...json.number, 1] }, /1 nodes after its last tree/)
  refused({ number: json.number.slice(0, -1) }, /"number" and "column" differ in length/)
  refused({ number: json.number.map(() => 1e300) }, /no float32/)
  refused({ number: json.number.map(String) }, /no float32/)
  refused({ missingLeft: json.missingLeft.slice(1) }, /not one character per split/)
  refused({ missingLeft: `2${json.missingLeft.slice(1)}` }, /"missingLeft" is no row of 0 and 1/)
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('features', 'column', 'number', 'missingLeft', 'treeCount', 'base', 'loss'),
      (value, key) => {
        fc.pre(JSON.stringify(value) !== JSON.stringify(json[key]) && !(key === 'base' && typeof value === 'number'))
        assert.throws(() => forestFromJson({ ...json, [key]: value }))
      },
    ),
  )
})

test('rows and tables of other columns are refused by name', () => {
  assert.throws(() => scoreRow(forest, [1, 2, 3]), /a row has 5 values here, not 3/)
  assert.throws(
    () => scoreTable(forest, { ...table, names: ['x', ...table.names.slice(1)] }),
    /column 1 is "signal 0" in the model and "x"/,
  )
  assert.throws(() => scoreTable(forest, randomTable(3, 4, 1)), /column 5 is "signal 4" in the model and "absent"/)
  assert.throws(() => scoreTable(forest, randomTable(3, 6, 1)), /the model has 5 columns, the table 6/)
})

test('log-odds become probabilities', () => {
  assert.ok(Math.abs(sigmoid(Math.log(3)) - 0.75) < 1e-12)
  assert.deepEqual([sigmoid(0), sigmoid(-800), sigmoid(800)], [0.5, 0, 1])
})
