import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFleetFilters, readOverviewSearch } from './overview-search.ts'

test('the address states since when changes are shown; what makes no sense is left out', () => {
  assert.deepEqual(readOverviewSearch({ since: 'week' }), { since: 'week' })
  assert.deepEqual(readOverviewSearch({ since: 'ever', colour: 'red' }), {})
})

test('an address with filters of the fleet is known as one', () => {
  assert.equal(hasFleetFilters(readOverviewSearch({ since: 'day' })), false)
  assert.equal(hasFleetFilters(readOverviewSearch({ only: 'critical' })), true)
  assert.equal(hasFleetFilters(readOverviewSearch({ q: 'KA 01', since: 'day' })), true)
})
