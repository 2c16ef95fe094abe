import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../random.ts'
import { tailProbability } from './stretch-tail.ts'

const draw = (count: number, random: () => number) => Array.from({ length: count }, () => -Math.log(1 - random())).sort((a, b) => a - b)

test('of values drawn like the calibration, a share of at most p has a tail probability of at most p', () => {
  const random = createRandom(7)
  const thresholds = [0.01, 0.05, 0.2, 0.5]
  const counts = thresholds.map(() => 0)
  const rounds = 400
  const perRound = 50
  for (let round = 0; round < rounds; round++) {
    const maxima = draw(199, random)
    for (const value of draw(perRound, random)) {
      const probability = tailProbability(maxima, value)
      for (const [index, threshold] of thresholds.entries()) if (probability <= threshold) counts[index] = (counts[index] ?? 0) + 1
    }
  }
  for (const [index, threshold] of thresholds.entries()) {
    const share = (counts[index] ?? 0) / (rounds * perRound)
    assert.ok(share <= threshold * 1.15, `${share} for ${threshold}`)
    assert.ok(share >= threshold * 0.8, `${share} for ${threshold}: nothing is wasted either`)
  }
})

test('it falls with every step further out, and goes on falling beyond all that was ever seen', () => {
  const maxima = draw(100, createRandom(1))
  const largest = maxima.at(-1) ?? 0
  let before = 1
  for (let value = -1; value < largest * 2; value += 0.05) {
    const probability = tailProbability(maxima, value)
    assert.ok(probability <= before && probability > 0, `at ${value}`)
    before = probability
  }
  assert.equal(tailProbability(maxima, -1), 1)
  assert.ok(tailProbability(maxima, largest) >= 2 / 101 && tailProbability(maxima, largest * 1.5) < 1 / 101)
})

test('without calibration nothing is rare', () => {
  assert.equal(tailProbability([], 100), 1)
})
