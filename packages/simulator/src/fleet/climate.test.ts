import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ambientTempC } from './climate.ts'
import { regions } from './regions.ts'

test('the weather of a seed is its own, whichever seed was asked for before', () => {
  const [first, second] = regions
  assert.ok(first !== undefined && second !== undefined)
  const days = Array.from({ length: 5 }, (_, day) => Date.UTC(2026, 6, 6 + day, 12))
  const weatherOf = (seed: number) => [first, second].flatMap((region) => days.map((atMs) => ambientTempC(region, atMs, seed)))
  const before = weatherOf(1)
  const other = weatherOf(2)
  assert.deepEqual(weatherOf(1), before)
  for (const [nth, valueC] of other.entries()) assert.notEqual(valueC, before[nth])
})
