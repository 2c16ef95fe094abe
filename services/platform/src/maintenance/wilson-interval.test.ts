import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wilsonInterval } from './wilson-interval.ts'

test('it is as published, and holds for none and for all', () => {
  const rounded = (hits: number, count: number) => wilsonInterval(hits, count).map((value) => Math.round(value * 10_000) / 10_000)
  // Newcombe (1998), table I.
  assert.deepEqual(rounded(81, 263), [0.2553, 0.3662])
  assert.deepEqual(rounded(15, 148), [0.0624, 0.1605])
  assert.deepEqual(rounded(0, 20), [0, 0.1611])
  assert.deepEqual(rounded(1, 29), [0.0061, 0.1718])
  assert.deepEqual(rounded(3, 3), [0.4385, 1])
})
