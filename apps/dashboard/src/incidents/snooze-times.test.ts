import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snoozeTimes } from './snooze-times.ts'

test('a snooze ends in the morning of a day to come, and on Monday never today', () => {
  const friday = new Date(2026, 10, 20, 17, 30)
  const days = (now: Date) => snoozeTimes(now).map(({ until }) => [until.getDate(), until.getHours()])
  assert.deepEqual(days(friday), [
    [20, 18],
    [21, 8],
    [23, 8],
    [27, 8],
    [20, 8],
  ])
  assert.deepEqual(days(new Date(2026, 10, 23, 7))[2], [30, 8])
  assert.deepEqual(days(new Date(2026, 10, 22, 7))[2], [23, 8])
})
