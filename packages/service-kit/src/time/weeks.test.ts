import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mondayMs } from './weeks.ts'

test('a week begins on Monday at midnight in UTC, before 1970 too', () => {
  const mondayOf = (time: string) => new Date(mondayMs(Date.parse(time))).toISOString()
  assert.equal(mondayOf('2026-11-23T00:00:00.000Z'), '2026-11-23T00:00:00.000Z')
  assert.equal(mondayOf('2026-11-29T23:59:59.999Z'), '2026-11-23T00:00:00.000Z')
  assert.equal(mondayOf('2026-11-22T23:59:59.999Z'), '2026-11-16T00:00:00.000Z')
  assert.equal(mondayOf('1970-01-01T00:00:00.000Z'), '1969-12-29T00:00:00.000Z')
})
