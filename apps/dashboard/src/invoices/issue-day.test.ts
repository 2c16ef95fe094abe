import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueDay } from './issue-day.ts'

test('an invoice is of the day on which it was issued in the zone of its months', () => {
  const openedAt = '2026-11-01T18:30:00.000Z'
  assert.equal(issueDay({ opened_at: openedAt, time_zone: 'Asia/Kolkata' }), '2026-11-02')
  assert.equal(issueDay({ opened_at: openedAt, time_zone: 'UTC' }), '2026-11-01')
  assert.equal(issueDay({ opened_at: null, time_zone: 'UTC' }), undefined)
})
