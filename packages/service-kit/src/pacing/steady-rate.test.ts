import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SteadyRate } from './steady-rate.ts'

const TEN_A_SECOND = 600

test('a rate lets a burst through at once and then one event per spacing', () => {
  const rate = new SteadyRate({ perMinute: TEN_A_SECOND, burst: 3 })
  assert.deepEqual(
    [0, 0, 0, 0, 99, 100, 100, 200].map((nowMs) => rate.takeOrWaitMs('a', nowMs)),
    [0, 0, 0, 100, 1, 0, 100, 0],
  )
  assert.equal(rate.takeOrWaitMs('b', 0), 0)
})

test('without a burst of its own, an idle name has a minute of events in hand, and waiting as long as returned is enough', () => {
  const rate = new SteadyRate({ perMinute: 10 })
  assert.deepEqual(
    Array.from({ length: 11 }, () => rate.takeOrWaitMs('a', 0)),
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6_000],
  )
  assert.equal(rate.takeOrWaitMs('a', 5_999), 1)
  assert.equal(rate.takeOrWaitMs('a', 6_000), 0)
})

test('delays keep events at the rate and in their order', () => {
  const rate = new SteadyRate({ perMinute: TEN_A_SECOND, burst: 2 })
  assert.deepEqual(
    [0, 0, 0, 0, 150].map((nowMs) => rate.delayMs('a', nowMs)),
    [0, 0, 100, 200, 150],
  )
})

test('a rate of 0 is no limit', () => {
  const rate = new SteadyRate({ perMinute: 0 })
  assert.ok(Array.from({ length: 1_000 }).every(() => rate.takeOrWaitMs('a', 0) === 0 && rate.delayMs('a', 0) === 0))
})

test('names are remembered up to a limit, those let in last the longest', () => {
  const rate = new SteadyRate({ perMinute: 2, maxNames: 2 })
  for (const name of ['a', 'b', 'a', 'c']) assert.equal(rate.takeOrWaitMs(name, 0), 0)
  assert.equal(rate.takeOrWaitMs('a', 0), 30_000, 'a was let in after b, so b is the one forgotten')
  assert.equal(rate.takeOrWaitMs('b', 0), 0)
})
