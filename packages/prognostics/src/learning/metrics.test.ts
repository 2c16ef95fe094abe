import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { accuracy, auc, coverage, ece, f1, macroF1, mae, meanWidth, nasaScore, pinball, rmse } from './metrics.ts'

const close = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`)

test('errors of regression, by hand', () => {
  close(rmse([1, 2, 6], [1, 4, 2]), Math.sqrt(20 / 3))
  close(mae([1, 2, 6], [1, 4, 2]), 2)
  close(pinball([1, 2, 6], [1, 4, 2], 0.9), (0.9 * 2 + 0.1 * 4) / 3)
  close(nasaScore([110], [100]), Math.E - 1)
  close(nasaScore([87], [100]), Math.E - 1)
  close(nasaScore([110, 87, 50], [100, 100, 50]), 2 * (Math.E - 1))
})

test('auc is the share of pairs in the right order, ties half, whatever the scale', () => {
  close(auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]), 0.75)
  close(auc([1, 1, 1, 1], [0, 1, 0, 1]), 0.5)
  assert.ok(Number.isNaN(auc([1, 2], [1, 1])))
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1 })), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(rows, (pairs) => {
      const of = (label: number) => pairs.filter((pair) => pair[1] === label).map(([score]) => score)
      const [negatives, positives] = [of(0), of(1)]
      fc.pre(negatives.length > 0 && positives.length > 0)
      const won = positives
        .flatMap((p) => negatives.map((n): number => (p > n ? 1 : p === n ? 0.5 : 0)))
        .reduce((sum, each) => sum + each, 0)
      close(
        auc(
          pairs.map(([score]) => Math.exp(score)),
          pairs.map(([, label]) => label),
        ),
        won / (positives.length * negatives.length),
      )
    }),
  )
})

test('classification, by hand: two hits, one miss, one false alarm', () => {
  const [predicted, truth] = [
    [1, 1, 0, 1, 0],
    [1, 1, 1, 0, 0],
  ]
  close(accuracy(predicted, truth), 3 / 5)
  close(f1(predicted, truth), 2 / 3)
  close(f1(predicted, truth, 0), 1 / 2)
  close(macroF1(predicted, truth), (2 / 3 + 1 / 2) / 2)
  close(f1([0, 0], [0, 0]), 0)
  close(macroF1([0, 1, 2], [0, 1, 1]), (1 + 2 / 3 + 0) / 3)
})

test('calibration error compares mean probability and share of positives bin by bin', () => {
  close(ece([0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1]), 0)
  close(ece([0.95, 0.95, 0.05, 0.05], [1, 0, 0, 0]), (2 * 0.45 + 2 * 0.05) / 4)
  close(ece([1, 1], [1, 1]), 0)
})

test('intervals cover with their ends, and are as wide as they are', () => {
  close(coverage([0, 0, 0], [1, 1, 1], [0, 1, 1.1]), 2 / 3)
  close(meanWidth([0, 1], [1, 4]), 2)
})

test('lists of different length, or none, are no measurement', () => {
  assert.throws(() => rmse([1], [1, 2]), /1 predictions for 2 true values/)
  assert.throws(() => coverage([1, 2], [1], [1, 2]), /1 predictions for 2 true values/)
  assert.throws(() => mae([], []), /nothing to measure/)
})
