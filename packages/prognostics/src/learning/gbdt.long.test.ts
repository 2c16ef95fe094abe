// Goal: forests learn what is there to be learned and nothing else. Method: rows drawn from known laws, judged on rows drawn anew; and the
// public engine_health set in five folds.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fc } from '../../../../test/support/fast-check.ts'
import { type FeatureTable, scoreRow, scoreTable, sigmoid } from './forest.ts'
import { type GbdtOptions, trainForest } from './gbdt.ts'
import { auc, ece, pinball, rmse } from './metrics.ts'
import { createRandom, shuffle } from './random.ts'

const ROWS = 8000
const options = {
  trees: 300,
  leaves: 15,
  learningRate: 0.03,
  rowSample: 0.7,
  columnSample: 0.8,
  minLeafRows: 40,
  lambda: 5,
  bins: 255,
  seed: 1,
} as const
const NOISE = 0.5

type Drawn = { table: FeatureTable; targets: Float64Array; centres: Float64Array; spreads: Float64Array; classes: Float64Array }

/** Five columns, of which three matter; one is missing at times, and that matters too. The noise is uniform and of unequal width. */
function draw(seed: number): Drawn {
  const random = createRandom(seed)
  const columns = Array.from({ length: 5 }, () => Float32Array.from({ length: ROWS }, random))
  const second = columns[1] ?? new Float32Array(ROWS)
  for (let row = 0; row < ROWS; row++) if (random() < 0.15) second[row] = Number.NaN
  const at = (column: number, row: number) => columns[column]?.[row] ?? 0
  const centres = Float64Array.from({ length: ROWS }, (_, row) => {
    return 3 * at(0, row) + (Number.isNaN(at(1, row)) ? 1.5 : Math.sin(6 * at(1, row)))
  })
  const spreads = centres.map((_, row) => NOISE * (0.4 + at(2, row)))
  const targets = centres.map((centre, row) => centre + (spreads[row] ?? 0) * (2 * random() - 1))
  const classes = centres.map((centre) => (random() < sigmoid(2 * centre - 3) ? 1 : 0))
  return { table: { names: ['a', 'b', 'c', 'd', 'e'], columns, rowCount: ROWS }, targets, centres, spreads, classes }
}

const [known, fresh] = [draw(1), draw(2)]

test('squared: what is left on new rows is little more than the noise', () => {
  const predicted = scoreTable(trainForest(known.table, known.targets, { ...options, loss: { kind: 'squared' } }), fresh.table)
  const noise = rmse(fresh.centres, fresh.targets)
  const left = rmse(predicted, fresh.targets)
  assert.ok(left < noise * 1.06, `${left} of ${noise}`)
})

/** A step to a tail quantile is only as good as the rows in its leaf: few leaves of many rows. */
const tails = { ...options, trees: 200, leaves: 8, learningRate: 0.1, minLeafRows: 200 }

for (const alpha of [0.05, 0.1, 0.5, 0.9, 0.95]) {
  test(`quantile ${alpha}: that share of new rows lies below, where noise is wide and where it is narrow`, () => {
    const predicted = scoreTable(trainForest(known.table, known.targets, { ...tails, loss: { kind: 'quantile', alpha } }), fresh.table)
    const wide = fresh.table.columns[2] ?? new Float32Array(ROWS)
    for (const isIn of [
      (value: number) => value < 1 / 3,
      (value: number) => value >= 1 / 3 && value < 2 / 3,
      (value: number) => value >= 2 / 3,
    ]) {
      const rows = [...fresh.targets.keys()].filter((row) => isIn(wide[row] ?? 0))
      const share = rows.filter((row) => (fresh.targets[row] ?? 0) <= (predicted[row] ?? 0)).length / rows.length
      assert.ok(Math.abs(share - alpha) < 0.05, `${share} of ${alpha}`)
    }
    const ideal = fresh.centres.map((centre, row) => centre + (fresh.spreads[row] ?? 0) * (2 * alpha - 1))
    const [loss, least] = [pinball(predicted, fresh.targets, alpha), pinball(ideal, fresh.targets, alpha)]
    assert.ok(loss < least * 1.2, `pinball ${loss} of ${least}`)
  })
}

test('logistic: probabilities on new rows are calibrated, and rank nearly as well as the law itself', () => {
  const forest = trainForest(known.table, known.classes, { ...options, loss: { kind: 'logistic' } })
  const predicted = scoreTable(forest, fresh.table).map(sigmoid)
  const calibration = ece(predicted, fresh.classes)
  assert.ok(calibration < 0.02, `ECE ${calibration}`)
  const [ours, best] = [auc(predicted, fresh.classes), auc(fresh.centres, fresh.classes)]
  assert.ok(ours > best - 0.01, `AUC ${ours} of ${best}`)
})

test('from shuffled targets nothing is learned: no better than the mean, and no order', () => {
  const random = createRandom(9)
  const [targets, classes] = [known.targets.slice(), known.classes.slice()]
  shuffle(targets, random)
  shuffle(classes, random)
  const predicted = scoreTable(trainForest(known.table, targets, { ...options, loss: { kind: 'squared' } }), fresh.table)
  const mean = fresh.targets.reduce((sum, target) => sum + target, 0) / ROWS
  const error = rmse(predicted, fresh.targets)
  assert.ok(error > 0.99 * rmse(new Float64Array(ROWS).fill(mean), fresh.targets), `${error}`)
  const order = auc(scoreTable(trainForest(known.table, classes, { ...options, loss: { kind: 'logistic' } }), fresh.table), fresh.classes)
  assert.ok(Math.abs(order - 0.5) < 0.06, `AUC ${order}`)
})

test('more rows than the bins look at are binned and learned all the same', () => {
  const rowCount = 450_000
  const random = createRandom(4)
  const column = Float32Array.from({ length: rowCount }, () => -Math.log1p(-random()))
  const table = { names: ['x'], columns: [column], rowCount }
  const targets = Float64Array.from(column, (value) => (value > 5 ? 10 : value > 1 ? 1 : 0))
  const forest = trainForest(table, targets, { ...options, trees: 20, learningRate: 0.5, lambda: 0, loss: { kind: 'squared' } })
  for (const [value, wanted] of [
    [0.5, 0],
    [2, 1],
    [7, 10],
  ] as const) {
    assert.ok(Math.abs(scoreRow(forest, [value]) - wanted) < 0.1)
  }
})

test('whatever the data, the loss and the settings, no forest breaks the order of its monotone columns', () => {
  const loss = fc.oneof(
    fc.constantFrom({ kind: 'squared' } as const, { kind: 'logistic' } as const),
    fc.double({ min: 0.02, max: 0.98, noNaN: true }).map((alpha) => ({ kind: 'quantile', alpha }) as const),
  )
  const direction = fc.constantFrom(-1 as const, 0 as const, 1 as const)
  const settings = fc.record({
    loss,
    monotone: fc.tuple(direction, direction, direction),
    leaves: fc.integer({ min: 2, max: 40 }),
    learningRate: fc.double({ min: 0.05, max: 1, noNaN: true }),
    rowSample: fc.double({ min: 0.3, max: 1, noNaN: true }),
    minLeafRows: fc.integer({ min: 1, max: 10 }),
    lambda: fc.constantFrom(0, 0.1, 10),
    bins: fc.constantFrom(3, 16, 255),
    seed: fc.integer(),
    isWeighted: fc.boolean(),
  })
  fc.assert(
    fc.property(settings, ({ isWeighted, ...given }) => checkOrder({ ...given, trees: 12, columnSample: 1 }, isWeighted)),
    { numRuns: 300, seed: 17 },
  )
})

function checkOrder(given: GbdtOptions, isWeighted: boolean): void {
  const random = createRandom(given.seed)
  const rowCount = 120
  const cell = () => (random() < 0.15 ? Number.NaN : Math.round(random() * 30))
  const columns = Array.from({ length: 3 }, () => Float32Array.from({ length: rowCount }, cell))
  const targets = Float64Array.from({ length: rowCount }, () =>
    given.loss.kind === 'logistic' ? Math.round(random()) : random() ** 3 * 100,
  )
  const weights = isWeighted ? { weights: Float32Array.from({ length: rowCount }, () => random() * 3) } : {}
  const forest = trainForest({ names: ['a', 'b', 'c'], columns, rowCount }, targets, { ...given, ...weights })
  for (let pair = 0; pair < 300; pair++) {
    const row = [cell(), cell(), cell()]
    for (const [column, direction] of (given.monotone ?? []).entries()) {
      const [less, more] = [random() * 30, random() * 30].toSorted((a, b) => a - b) as [number, number]
      const change = scoreRow(forest, row.with(column, more)) - scoreRow(forest, row.with(column, less))
      assert.ok(direction * change >= 0, `column ${column}: from ${less} to ${more} the score moves by ${change} at ${row}`)
    }
  }
}

const dataFolder = process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data')
const enginePath = join(dataFolder, 'engine_health/engine_data_train.csv.gz')
const skip = existsSync(enginePath) ? false : 'the engine_health set is not here (set ROADWORTHY_DATA)'

test('engine_health: AUC over five folds of at least 0.695, the bar; published ones stand near 0.70', { skip }, () => {
  const [, ...lines] = gunzipSync(readFileSync(enginePath)).toString().trim().split('\n')
  const cells = lines.map((line) => line.split(',').map(Number))
  const order = Int32Array.from(cells.keys())
  shuffle(order, createRandom(1))
  const labels = Float64Array.from(cells, (row) => row[6] ?? 0)
  const scores = new Float64Array(cells.length)
  const pick = (rows: Int32Array): FeatureTable => ({
    names: ['rpm', 'oil pressure', 'fuel pressure', 'coolant pressure', 'oil temperature', 'coolant temperature'],
    columns: Array.from({ length: 6 }, (_, column) => Float32Array.from(rows, (row) => cells[row]?.[column] ?? 0)),
    rowCount: rows.length,
  })
  for (let fold = 0; fold < 5; fold++) {
    const [train, judged] = [order.filter((_, index) => index % 5 !== fold), order.filter((_, index) => index % 5 === fold)]
    const targets = Float64Array.from(train, (row) => labels[row] ?? 0)
    const predicted = scoreTable(
      trainForest(pick(train), targets, { ...options, loss: { kind: 'logistic' }, minLeafRows: 60 }),
      pick(judged),
    )
    for (const [index, row] of judged.entries()) scores[row] = predicted[index] ?? 0
  }
  const measured = auc(scores, labels)
  assert.ok(measured >= 0.695, `AUC ${measured}`)
  const calibration = ece(scores.map(sigmoid), labels)
  assert.ok(calibration < 0.03, `ECE ${calibration}`)
})
