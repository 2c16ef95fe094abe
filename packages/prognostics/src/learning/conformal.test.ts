import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  absoluteInterval,
  absoluteScores,
  conformalQuantile,
  cqrInterval,
  cqrScores,
  normalisedInterval,
  normalisedScores,
} from './conformal.ts'
import { coverage as shareCovered } from './metrics.ts'
import { createRandom } from './random.ts'

test('the quantile is the ⌈(n + 1) coverage⌉-th smallest score, and infinite where there is no such one', () => {
  assert.equal(conformalQuantile([9, 1, 3, 2, 4, 8, 7, 6, 5], 0.9), 9)
  assert.equal(conformalQuantile([9, 1, 3, 2, 4, 8, 7, 6, 5], 0.91), Number.POSITIVE_INFINITY)
  assert.equal(conformalQuantile([9, 1, 3, 2, 4, 8, 7, 6, 5], 0.5), 5)
  assert.equal(conformalQuantile([9, 1, 3, 2, 4, 8, 7, 6, 5], 0.51), 6)
  assert.equal(
    conformalQuantile(
      Array.from({ length: 29 }, (_, i) => i + 1),
      0.1,
    ),
    3,
  )
  assert.equal(conformalQuantile([], 0.5), Number.POSITIVE_INFINITY)
})

test('units of one row each are the plain rule; a unit of many rows counts no more than one of few', () => {
  const scores = [5, 1, 4, 2, 3, 9, 8, 6, 7]
  for (const coverage of [0.1, 0.5, 0.8, 0.9, 0.95]) {
    assert.equal(conformalQuantile(scores, coverage, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']), conformalQuantile(scores, coverage))
  }
  const [many, few] = [new Array<number>(1000).fill(1), [2, 3]]
  const groups = [...many.map(() => 0), 1, 2]
  assert.equal(conformalQuantile([...many, ...few], 0.25, groups), 1)
  assert.equal(conformalQuantile([...many, ...few], 0.5, groups), 2)
  assert.equal(conformalQuantile([...many, ...few], 0.75, groups), 3)
  assert.equal(conformalQuantile([...many, ...few], 0.76, groups), Number.POSITIVE_INFINITY)
})

/** Skewed noise whose spread grows with the row, and a "model" that knows the middle but not the noise. */
function rows(count: number, seed: number) {
  const random = createRandom(seed)
  const predicted = Float64Array.from({ length: count }, () => random() * 10)
  const spreads = predicted.map((value) => 0.2 + value / 5)
  const truth = predicted.map((value, row) => value + (spreads[row] as number) * (-Math.log1p(-random()) - 0.7))
  return { predicted, spreads, truth, low: predicted.map((v) => v - 0.1), high: predicted.map((v, row) => v + (spreads[row] as number)) }
}

test('each kind of interval covers the share it promises, of rows it has not seen', () => {
  const [known, fresh] = [rows(2000, 1), rows(20_000, 2)]
  for (const promised of [0.5, 0.8, 0.9]) {
    const absolute = conformalQuantile(absoluteScores(known.predicted, known.truth), promised)
    const normalised = conformalQuantile(normalisedScores(known.predicted, known.spreads, known.truth), promised)
    const cqr = conformalQuantile(cqrScores(known.low, known.high, known.truth), promised)
    const at = (values: Float64Array, row: number) => values[row] as number
    const intervals = {
      absolute: [...fresh.truth.keys()].map((row) => absoluteInterval(at(fresh.predicted, row), absolute)),
      normalised: [...fresh.truth.keys()].map((row) => normalisedInterval(at(fresh.predicted, row), at(fresh.spreads, row), normalised)),
      cqr: [...fresh.truth.keys()].map((row) => cqrInterval(at(fresh.low, row), at(fresh.high, row), cqr)),
    }
    for (const [kind, pairs] of Object.entries(intervals)) {
      const lows = pairs.map(([low]) => low)
      const highs = pairs.map(([, high]) => high)
      const share = shareCovered(lows, highs, fresh.truth)
      // Three standard errors of a quantile of 2000 scores, and of 20 000 trials.
      assert.ok(Math.abs(share - promised) < 0.037, `${kind} covers ${share} of ${promised}`)
    }
  }
})

test('with few and unequal units the grouped rule covers rows of new units at least as often as promised', () => {
  const random = createRandom(5)
  const unit = () => {
    const offset = random() * 4
    return Array.from({ length: 1 + Math.floor(random() * 40) }, () => offset + random())
  }
  const trials = 4000
  let covered = 0
  for (let trial = 0; trial < trials; trial++) {
    const units = Array.from({ length: 12 }, unit)
    const quantile = conformalQuantile(
      units.flat(),
      0.8,
      units.flatMap((scores, group) => scores.map(() => group)),
    )
    if ((unit()[0] ?? 0) <= quantile) covered++
  }
  const share = covered / trials
  assert.ok(share > 0.78 && share < 0.9, `covers ${share}`)
})

test('quantiles that are narrowed past each other give their middle, and impossible calibration is refused', () => {
  assert.deepEqual(cqrInterval(2, 4, -1.5), [3, 3])
  assert.deepEqual(cqrInterval(2, 4, -0.5), [2.5, 3.5])
  assert.deepEqual(absoluteInterval(3, Number.POSITIVE_INFINITY), [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  assert.throws(() => conformalQuantile([1], 1), /coverage lies between 0 and 1/)
  assert.throws(() => conformalQuantile([1, Number.NaN], 0.5), /row 2 is not a number/)
  assert.throws(() => conformalQuantile([1, 2], 0.5, [1]), /1 groups for 2 scores/)
  assert.throws(() => normalisedScores([1], [0], [1]), /spread of row 1 is 0/)
  assert.throws(() => absoluteScores([1], [1, 2]), /1 predictions for 2 true values/)
})
