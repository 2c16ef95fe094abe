// Goal: the learner follows the published method, exactly where that can be worked out by hand or by brute force, and what it promises about
// order, missing values, weights and repetition holds. What it learns from larger data is in gbdt.long.test.ts.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { type FeatureTable, type Forest, forestToJson, LEAF, scoreRow, scoreTable } from './forest.ts'
import { type GbdtOptions, trainForest } from './gbdt.ts'
import { createRandom } from './random.ts'

const plain: GbdtOptions = {
  loss: { kind: 'squared' },
  trees: 1,
  leaves: 2,
  learningRate: 1,
  rowSample: 1,
  columnSample: 1,
  minLeafRows: 1,
  lambda: 0,
  bins: 255,
  seed: 1,
}

function tableOf(...columns: (readonly number[])[]): FeatureTable {
  const names = columns.map((_, index) => `x${index}`)
  return { names, columns: columns.map((column) => Float32Array.from(column)), rowCount: columns[0]?.length ?? 0 }
}

const rowOf = (table: FeatureTable, row: number) => table.columns.map((column) => column[row] ?? Number.NaN)
const learn = (table: FeatureTable, targets: readonly number[], options: Partial<GbdtOptions> = {}): Forest =>
  trainForest(table, Float64Array.from(targets), { ...plain, ...options })
const scores = (forest: Forest, table: FeatureTable) => [...scoreTable(forest, table)]

test('one cut on six rows, by hand: the mean of each side, the threshold in the middle of the gap', () => {
  const table = tableOf([1, 2, 3, 10, 11, 12])
  const forest = learn(table, [0, 1, 2, 9, 10, 11])
  assert.equal(forest.base, 5.5)
  assert.deepEqual([...forest.feature], [0, LEAF, LEAF])
  assert.equal(forest.threshold[0], 6.5)
  assert.deepEqual(scores(forest, table), [1, 1, 1, 10, 10, 10])
})

test('lambda and learning rate shrink the step as written: rate × −G / (H + λ)', () => {
  const table = tableOf([1, 2, 3, 10, 11, 12])
  const forest = learn(table, [0, 1, 2, 9, 10, 11], { lambda: 3, learningRate: 0.5 })
  assert.deepEqual(
    scores(forest, table),
    [-1, -1, -1, 1, 1, 1].map((side) => 5.5 + side * 0.5 * (13.5 / 6)),
  )
})

test('the logistic loss takes a Newton step in log-odds, from the log-odds of the whole', () => {
  const table = tableOf([0, 0, 0, 0, 1, 1, 1, 1])
  const forest = learn(table, [0, 0, 0, 1, 1, 1, 0, 1], { loss: { kind: 'logistic' } })
  assert.equal(forest.base, 0)
  assert.deepEqual(scores(forest, table), [-1, -1, -1, -1, 1, 1, 1, 1])
})

test('the quantile loss steps to the quantile of the residuals in each leaf', () => {
  const table = tableOf([...new Array<number>(5).fill(0), ...new Array<number>(5).fill(1)])
  const forest = learn(table, [1, 2, 3, 4, 5, 11, 12, 13, 14, 15], { loss: { kind: 'quantile', alpha: 0.8 } })
  assert.equal(forest.base, 13)
  assert.deepEqual(scores(forest, table), [4, 4, 4, 4, 4, 14, 14, 14, 14, 14])
})

/** The best single cut by trying every threshold, and both ways for what is missing; the loss it leaves. */
function bruteForce(table: FeatureTable, targets: readonly number[], minLeafRows: number): number {
  const lossOf = (rows: readonly number[]) => {
    const mean = rows.reduce((sum, row) => sum + (targets[row] ?? 0), 0) / rows.length
    return rows.reduce((sum, row) => sum + ((targets[row] ?? 0) - mean) ** 2, 0)
  }
  const all = targets.map((_, row) => row)
  let least = lossOf(all)
  for (const column of table.columns) {
    for (const threshold of [...column, Number.POSITIVE_INFINITY]) {
      for (const isMissingLeft of [false, true]) {
        const goesLeft = (row: number) => (Number.isNaN(column[row]) ? isMissingLeft : (column[row] ?? 0) <= threshold)
        const [left, right] = [all.filter(goesLeft), all.filter((row) => !goesLeft(row))]
        if (left.length < minLeafRows || right.length < minLeafRows) continue
        least = Math.min(least, lossOf(left) + lossOf(right))
      }
    }
  }
  return least
}

const cell = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(Number.NaN))
const smallData = fc.integer({ min: 2, max: 14 }).chain((rowCount) => {
  const column = fc.array(cell, { minLength: rowCount, maxLength: rowCount })
  const targets = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: rowCount, maxLength: rowCount })
  return fc.record({ columns: fc.tuple(column, column, column), targets, minLeafRows: fc.integer({ min: 1, max: 4 }) })
})

test('the first cut is as good as the best one found by trying all, missing values among them', () => {
  fc.assert(
    fc.property(smallData, ({ columns, targets, minLeafRows }) => {
      const table = tableOf(...columns)
      const fitted = scores(learn(table, targets, { minLeafRows }), table)
      const loss = targets.reduce((sum, target, row) => sum + (target - (fitted[row] ?? 0)) ** 2, 0)
      assert.ok(Math.abs(loss - bruteForce(table, targets, minLeafRows)) < 1e-3, `${loss}`)
    }),
    { numRuns: 500 },
  )
})

/** Parting any of its columns alone gains nothing, parting two of them all: no learner that takes one cut at a time can begin. */
const exclusiveOr = {
  columns: [
    [0, Number.NaN, 1, 0, 0, Number.NaN, 1, 1, 2, Number.NaN, Number.NaN, Number.NaN, 0, 0],
    [3, 0, 0, 0, Number.NaN, Number.NaN, Number.NaN, 3, Number.NaN, 0, Number.NaN, Number.NaN, 0, Number.NaN],
    [Number.NaN, 0, 0, 1, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 0, 1, 0],
  ] satisfies [number[], number[], number[]],
  targets: [3, 0, 0, 0, 4, 0, 3, 4, 0, 0, 0, 0, 0, 2],
  minLeafRows: 1,
}

test('with leaves enough, every group of rows that can be distinguished gets its mean, or there is no cut left that gains anything', () => {
  fc.assert(
    fc.property(smallData, ({ columns, targets }) => {
      const table = tableOf(...columns)
      const fitted = scores(learn(table, targets, { leaves: 64, trees: 60, learningRate: 0.7 }), table)
      const left = targets.map((target, row) => target - (fitted[row] ?? 0))
      const groups = Map.groupBy(targets.keys(), (row) => rowOf(table, row).join())
      const farthest = Math.max(
        ...[...groups.values()].map((rows) => Math.abs(rows.reduce((sum, row) => sum + (left[row] ?? 0), 0) / rows.length)),
      )
      const loss = left.reduce((sum, each) => sum + each ** 2, 0)
      assert.ok(
        farthest < 0.05 || loss - bruteForce(table, left, 1) < 1e-3,
        `${farthest} off, of ${loss} a cut leaves ${bruteForce(table, left, 1)}`,
      )
    }),
    { numRuns: 500, examples: [[exclusiveOr]] },
  )
})

test('a value that is missing goes where it fits better, and where none was missing, with the larger side', () => {
  const table = tableOf([1, 2, 3, 7, 8, 9, Number.NaN, Number.NaN])
  assert.equal(scoreRow(learn(table, [0, 0, 0, 5, 5, 5, 5, 5]), [Number.NaN]), 5)
  assert.equal(scoreRow(learn(table, [0, 0, 0, 5, 5, 5, 0, 0]), [Number.NaN]), 0)
  assert.equal(scoreRow(learn(tableOf([1, 7, 8, 9]), [0, 5, 5, 5]), [Number.NaN]), 5)
  assert.equal(scoreRow(learn(tableOf([1, 2, 3, 9]), [0, 0, 0, 5]), [Number.NaN]), 0)
})

test('that a value is missing can itself be the cut', () => {
  const table = tableOf([1, 5, Number.NaN, Number.NaN])
  const forest = learn(table, [1, 1, 8, 8])
  assert.deepEqual(scores(forest, table), [1, 1, 8, 8])
  assert.deepEqual([scoreRow(forest, [1e30]), scoreRow(forest, [-1e30])], [1, 1])
  // What is missing has no place in the order of a monotone column.
  for (const direction of [-1, 1] as const) {
    assert.deepEqual(scores(learn(tableOf([5, 5, Number.NaN, Number.NaN]), [1, 1, 8, 8], { monotone: [direction] }), table), [1, 1, 8, 8])
  }
})

test('only columns that can part rows are used; without any, every row gets the mean', () => {
  const forest = learn(tableOf([3, 3, 3], [Number.NaN, Number.NaN, Number.NaN]), [1, 2, 6], { trees: 3 })
  assert.deepEqual(scores(forest, tableOf([1, 3, 9], [1, 2, 3])), [3, 3, 3])
  assert.deepEqual(scores(learn(tableOf([1, 2, 3]), [0.1, 0.1, 0.1], { trees: 9, leaves: 8 }), tableOf([7])), [0.1])
})

/** Noisy rows of three columns, a tenth of the cells missing; the target rises with the first and falls with the second, roughly. */
function noisyRows(rowCount: number, seed: number): { table: FeatureTable; targets: number[] } {
  const random = createRandom(seed)
  const column = () => Array.from({ length: rowCount }, () => (random() < 0.1 ? Number.NaN : Math.round(random() * 400) / 100))
  const table = tableOf(column(), column(), column())
  const known = (row: number, index: number) =>
    Number.isNaN(table.columns[index]?.[row] ?? Number.NaN) ? 2 : (table.columns[index]?.[row] ?? 0)
  const targets = Array.from({ length: rowCount }, (_, row) => {
    return Math.sin(3 * known(row, 0)) + known(row, 0) - known(row, 1) * known(row, 2) * 0.5 + 3 * (random() - 0.5)
  })
  return { table, targets }
}

const losses = [{ kind: 'squared' }, { kind: 'quantile', alpha: 0.125 }, { kind: 'quantile', alpha: 0.875 }, { kind: 'logistic' }] as const
const nameOf = (loss: (typeof losses)[number]) => (loss.kind === 'quantile' ? `quantile ${loss.alpha}` : loss.kind)

for (const loss of losses) {
  test(`${nameOf(loss)}: a monotone column moves no score of any row the wrong way, whatever the other columns hold`, () => {
    const { table, targets } = noisyRows(600, 4)
    const wanted = loss.kind === 'logistic' ? targets.map((target): number => (target > 0 ? 1 : 0)) : targets
    const options = { loss, trees: 60, leaves: 15, learningRate: 0.2, rowSample: 0.7, minLeafRows: 3, lambda: 1 }
    const free = learn(table, wanted, options)
    const forest = learn(table, wanted, { ...options, monotone: [1, -1, 0] })
    const known = fc.integer({ min: -50, max: 450 }).map((hundredths) => hundredths / 100)
    const value = fc.oneof(known, fc.constant(Number.NaN))
    let brokenWhenFree = 0
    fc.assert(
      fc.property(known, known, value, value, (one, other, a, b) => {
        const [less, more] = one < other ? [one, other] : [other, one]
        assert.ok(scoreRow(forest, [less, a, b]) <= scoreRow(forest, [more, a, b]))
        assert.ok(scoreRow(forest, [a, less, b]) >= scoreRow(forest, [a, more, b]))
        if (scoreRow(free, [less, a, b]) > scoreRow(free, [more, a, b])) brokenWhenFree++
      }),
      { numRuns: 3000, seed: 11 },
    )
    assert.ok(brokenWhenFree > 100, 'without the constraint the same data break the order')
    const spread = scores(forest, table)
    assert.ok(Math.max(...spread) - Math.min(...spread) > 0.5, 'and the constrained forest has still learned something')
  })
}

for (const loss of losses) {
  test(`${nameOf(loss)}: a weight of n is n rows, and a weight of 0 is none`, () => {
    const { table, targets } = noisyRows(150, 8)
    const wanted = loss.kind === 'logistic' ? targets.map((target): number => (target > 0 ? 1 : 0)) : targets
    // Columns of few values, so that repetition moves no bin; leaf sizes are not limited, because they count rows.
    const coarse = tableOf(...table.columns.map((column) => [...column].map(Math.round)))
    const weights = Float32Array.from(targets, (_, row) => row % 3)
    const rows = targets.flatMap((_, row) => new Array<number>(row % 3).fill(row))
    const repeated = tableOf(...coarse.columns.map((column) => rows.map((row) => column[row] ?? 0)))
    const options = { loss, trees: 20, leaves: 8, learningRate: 0.3, lambda: 1 }
    const weighted = scores(learn(coarse, wanted, { ...options, weights }), coarse)
    const counted = scores(
      learn(
        repeated,
        rows.map((row) => wanted[row] ?? 0),
        options,
      ),
      coarse,
    )
    // Rows of no weight may part ways: where two columns cut the rows that count alike, rounding decides which of them is taken.
    for (const [row, score] of weighted.entries()) {
      if (row % 3 > 0) assert.ok(Math.abs(score - (counted[row] ?? 0)) < 1e-4, `row ${row}: ${score} ${counted[row]}`)
    }
  })
}

const sampled = { trees: 20, leaves: 15, learningRate: 0.1, rowSample: 0.6, columnSample: 0.7, minLeafRows: 5, lambda: 1 }
const digestOf = (forest: Forest) =>
  createHash('sha256')
    .update(JSON.stringify(forestToJson(forest)))
    .digest('hex')
    .slice(0, 16)

test('the same seed gives the same bytes, on every machine; another seed gives others', () => {
  const { table, targets } = noisyRows(500, 2)
  const digests = losses.map((loss) => {
    const wanted = loss.kind === 'logistic' ? targets.map((target): number => (target > 0 ? 1 : 0)) : targets
    const digest = digestOf(learn(table, wanted, { ...sampled, loss }))
    assert.equal(digestOf(learn(table, wanted, { ...sampled, loss })), digest)
    assert.notEqual(digestOf(learn(table, wanted, { ...sampled, loss, seed: 2 })), digest)
    return digest
  })
  assert.deepEqual(digests, ['8519fec1dc0c8245', 'e232f79c3b918fe7', 'de7ca64e0a0f17d5', '7640893bcc1b7261'])
})

test('the scores that training went by are the scores of the forest, for rows inside the sample and outside', () => {
  const { table, targets } = noisyRows(500, 3)
  // A second training that starts where the first ended would see the same residuals: one tree more of the same forest is the same forest.
  const short = learn(table, targets, sampled)
  const long = learn(table, targets, { ...sampled, trees: 21 })
  assert.deepEqual(long.value.slice(0, short.value.length), short.value)
  assert.deepEqual(long.threshold.slice(0, short.threshold.length), short.threshold)
})

test('progress is reported after every tree', () => {
  const reports: [number, number][] = []
  learn(tableOf([1, 2, 3]), [1, 2, 3], { trees: 3, onTree: (done, total) => reports.push([done, total]) })
  assert.deepEqual(reports, [
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

const good = tableOf([1, 2, 3])
const refusals: [what: string, train: () => Forest, message: RegExp][] = [
  ['no rows', () => learn(tableOf([]), []), /no rows/],
  ['targets of another length', () => learn(good, [1, 2]), /2 targets for 3 rows/],
  ['a target that is no number', () => learn(good, [1, Number.NaN, 2]), /target of row 2 is not a finite number but NaN/],
  ['a class that is neither 0 nor 1', () => learn(good, [0, 1, 2], { loss: { kind: 'logistic' } }), /row 3 is not between 0 and 1 but 2/],
  ['a value without bounds', () => learn(tableOf([1, Number.NEGATIVE_INFINITY]), [1, 2]), /"x0" is infinite in row 2/],
  ['names given twice', () => learn({ ...tableOf([1], [2]), names: ['a', 'a'] }, [1]), /same name/],
  ['a short column', () => learn({ ...tableOf([1, 2], [3]), rowCount: 2 }, [1, 2]), /"x1" has 1 values for 2 rows/],
  ['constraints of another length', () => learn(good, [1, 2, 3], { monotone: [1, 0] }), /monotone has 2 entries for 1 columns/],
  ['a negative weight', () => learn(good, [1, 2, 3], { weights: Float32Array.of(1, -1, 1) }), /weight of row 2 is -1/],
  ['no weight at all', () => learn(good, [1, 2, 3], { weights: new Float32Array(3) }), /every row weighs nothing/],
  ['too many bins', () => learn(good, [1, 2, 3], { bins: 256 }), /bins is a whole number from 2 to 255, not 256/],
  ['a quantile of 1', () => learn(good, [1, 2, 3], { loss: { kind: 'quantile', alpha: 1 } }), /alpha lies between 0 and 1/],
  ['a share above 1', () => learn(good, [1, 2, 3], { rowSample: 1.1 }), /rowSample lies between 0 and 1, not at 1.1/],
]
for (const [what, train, message] of refusals) {
  test(`${what}: refused with the reason`, () => assert.throws(train, { name: 'RangeError', message }))
}
