import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVehicleSearch } from './vehicle-search.ts'

test('an address names a tab, a range and a signal; what it does not know is left out', () => {
  const own = { from: '2026-01-31T08:00:00.000Z', to: '2026-01-31T09:00:00.000Z' }
  assert.deepEqual(readVehicleSearch({ tab: 'signals', span: '7d', signal: 'coolantTempC', ...own }), {
    ...{ tab: 'signals', span: '7d', signal: 'coolantTempC' },
    ...own,
  })
  assert.deepEqual(readVehicleSearch({ tab: 'health', span: '2h', signal: 'no signal', from: own.from, to: 'soon', more: 1 }), {})
  assert.deepEqual(readVehicleSearch({ from: own.to, to: own.from }), {})
})
