import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Advice } from '@roadworthy/contracts/platform-v1/advice'
import { urgencyOf } from './urgency.ts'

test('advice is said in a few words with its day; what ended is not urgent', () => {
  const words = { what: '', why: '', risk: '' }
  const urgency = (advice: Pick<Advice, 'act' | 'by'>) => urgencyOf({ advice: { ...advice, ...words }, status: 'open' })
  assert.equal(urgency({ act: 'stop', by: '2026-02-04' }), 'Stop driving')
  assert.equal(urgency({ act: 'plan', by: '2026-02-04' }), 'Plan by Feb 4, 2026')
  assert.equal(urgency({ act: 'next_service' }), 'Next service')
  assert.equal(urgencyOf({ advice: { act: 'stop', ...words }, status: 'resolved' }), undefined)
  assert.equal(urgencyOf({ advice: null, status: 'open' }), undefined)
})
