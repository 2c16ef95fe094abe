import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Advice } from '@roadworthy/contracts/platform-v1/advice'
import { urgencyOf } from './urgency.ts'

/** Noon where the test runs: which day is today goes by the zone of the computer. */
const NOW_MS = Date.parse('2026-02-01T12:00:00')

test('advice is shown in a few words with its day; what ended is not urgent', () => {
  const words = { what: '', why: '', risk: '' }
  const finding = { source: 'engine', severity: 'medium' } as const
  const urgency = (advice: Pick<Advice, 'act' | 'by'>) => urgencyOf({ advice: { ...advice, ...words }, status: 'open', ...finding }, NOW_MS)
  assert.equal(urgency({ act: 'stop', by: '2026-02-04' }), 'Stop driving')
  assert.equal(urgency({ act: 'plan', by: '2026-02-04' }), 'Plan by Feb 4, 2026')
  assert.equal(urgency({ act: 'plan', by: '2026-02-01' }), 'Plan by today')
  assert.equal(urgency({ act: 'plan', by: '2026-02-02' }), 'Plan by tomorrow')
  assert.equal(urgency({ act: 'next_service', by: '2026-02-02' }), 'Next service by tomorrow')
  assert.equal(urgency({ act: 'plan', by: '2026-02-03' }), 'Plan by Feb 3, 2026')
  assert.equal(urgency({ act: 'plan', by: '2026-01-31' }), 'Plan by Jan 31, 2026')
  assert.equal(urgency({ act: 'next_service' }), 'Next service')
  assert.equal(urgencyOf({ advice: { act: 'stop', ...words }, status: 'resolved', ...finding }, NOW_MS), undefined)
  assert.equal(urgencyOf({ advice: null, status: 'open', ...finding }, NOW_MS), undefined)
})

test('an alarm of a device does not wait, and what it reports beside is not urgent', () => {
  const urgency = (severity: 'critical' | 'high' | 'low', status: 'open' | 'resolved' = 'open') =>
    urgencyOf({ advice: null, source: 'device', severity, status }, NOW_MS)
  assert.deepEqual([urgency('critical'), urgency('high'), urgency('low')], ['Act now', 'Act now', undefined])
  assert.equal(urgency('critical', 'resolved'), undefined)
  assert.equal(urgencyOf({ advice: null, source: 'maintenance', severity: 'high', status: 'open' }, NOW_MS), undefined)
})
