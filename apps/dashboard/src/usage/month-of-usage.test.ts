import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthOfUsage } from './month-of-usage.ts'

const none = { points_ingested: 0, api_calls: 0, predictions: 0, active_devices: 0 }
const projected = { period: '2026-02', elapsedPercent: 10, used: none, totals: { ...none, points_ingested: 280, active_devices: 5 } }
const periods = [
  { period: '2026-02-01', totals: { ...none, points_ingested: 8, active_devices: 2 } },
  { period: '2026-02-02', totals: none },
]

test('days that were are drawn with what was used, 0 too, and days to come with what is expected at this rate', () => {
  const days = monthOfUsage({ periods, projected }, 'points_ingested')
  assert.equal(days.length, 28)
  assert.deepEqual(days.slice(0, 3), [
    { day: '2026-02-01', used: 8, expected: undefined },
    { day: '2026-02-02', used: 0, expected: undefined },
    { day: '2026-02-03', used: undefined, expected: 10 },
  ])
})

test('nothing is expected of active devices, nor of a month that is not this one', () => {
  const expected = (days: ReturnType<typeof monthOfUsage>) => days.filter((day) => day.expected !== undefined)
  assert.deepEqual(expected(monthOfUsage({ periods, projected }, 'active_devices')), [])
  assert.deepEqual(expected(monthOfUsage({ periods, projected: { ...projected, period: '2026-03' } }, 'points_ingested')), [])
})
