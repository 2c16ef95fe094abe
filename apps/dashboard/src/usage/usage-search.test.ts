import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUsageSearch, usageFilter } from './usage-search.ts'

test('an address names a month and a sub-client, and what is neither is left out', () => {
  assert.deepEqual(readUsageSearch({ month: '2026-01', subClientId: 'north' }), { month: '2026-01', subClientId: 'north' })
  assert.deepEqual(readUsageSearch({ month: '2026-13', subClientId: 'North Fleet' }), {})
})

test('a month is asked for from its first day to the first of the next', () => {
  assert.deepEqual(usageFilter({ month: '2026-12', subClientId: 'north' }), { from: '2026-12-01', to: '2027-01-01', subClientId: 'north' })
  assert.deepEqual(usageFilter({ month: '2026-01' }), { from: '2026-01-01', to: '2026-02-01' })
  assert.deepEqual(usageFilter({}), {})
})
