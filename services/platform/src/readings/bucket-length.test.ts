import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { bucketFor } from './bucket-length.ts'

const DAY_MS = 86_400_000
const range = (fromMs: number, lengthMs: number) => ({ from: new Date(fromMs), to: new Date(fromMs + lengthMs) })

test('a range has a length that people know, as short as there is room for', () => {
  assert.deepEqual(
    [DAY_MS / 24, DAY_MS, 7 * DAY_MS, 30 * DAY_MS].map((lengthMs) => bucketFor(300, range(0, lengthMs))),
    [15, 300, 3_600, 10_800],
  )
})

test('whatever is asked for, no more buckets are touched', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2e12 }),
      fc.integer({ min: 1, max: 31 * DAY_MS }),
      fc.integer({ min: 10, max: 2000 }),
      (at, ms, points) => {
        const bucketMs = bucketFor(points, range(at, ms)) * 1000
        assert.ok(Math.floor((at + ms - 1) / bucketMs) - Math.floor(at / bucketMs) + 1 <= points)
      },
    ),
  )
})
