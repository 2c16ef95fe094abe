import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptMoves, attemptStatusAfter, attemptStatuses, isLive } from './attempt-states.ts'

test('what is paid stays paid, and what has ended is live again in no way', () => {
  for (const reported of attemptStatuses) assert.equal(attemptStatusAfter('paid', reported), 'paid')
  for (const { from, to } of attemptMoves) assert.ok(isLive(from) || to === 'paid', `${from} to ${to}`)
})

test('whatever is reported, in any order and however often, ends in the same state', () => {
  const allReports = ['pending', 'expired', 'pending', 'paid', 'expired', 'failed'] as const
  const orders = [allReports, [...allReports].reverse(), ['paid', 'paid', 'expired'] as const]
  for (const order of orders) {
    assert.equal(order.reduce(attemptStatusAfter, 'created' as (typeof attemptStatuses)[number]), 'paid')
  }
})
