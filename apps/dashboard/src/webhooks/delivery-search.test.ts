import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryFilter, readDeliverySearch } from './delivery-search.ts'

test('what the API would refuse is not asked for', () => {
  const known = { status: 'failed', eventType: 'alert.created', eventId: 'evt-1', since: 'day' }
  assert.deepEqual(readDeliverySearch({ ...known, page: 1 }), known)
  assert.deepEqual(readDeliverySearch({ status: 'lost', eventType: 'alert.invented', eventId: 'whd-1', since: 'ever' }), {})
})

test('an age becomes the time from which on', () => {
  const nowMs = Date.parse('2026-01-31T08:15:00.000Z')
  assert.deepEqual(deliveryFilter({ since: 'hour', status: 'failed' }, nowMs), { status: 'failed', from: '2026-01-31T07:15:00.000Z' })
  assert.deepEqual(deliveryFilter({}, nowMs), {})
})
