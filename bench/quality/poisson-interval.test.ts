import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poissonInterval } from './poisson-interval.ts'

test('the interval of a count is the exact one of tables', () => {
  // Garwood's table: 0 → 3.689, 1 → 0.0253 to 5.572, 10 → 4.795 to 18.390.
  const expected = [
    [0, 0, 3.689],
    [1, 0.0253, 5.572],
    [10, 4.795, 18.39],
  ] as const
  for (const [count, least, most] of expected) {
    const [from, to] = poissonInterval(count)
    assert.ok(Math.abs(from - least) < 1e-3 && Math.abs(to - most) < 1e-3, `${count}: ${from} to ${to}`)
  }
})
