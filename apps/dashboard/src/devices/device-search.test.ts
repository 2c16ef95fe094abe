import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDeviceSearch } from './device-search.ts'

test('the address holds the filters of the list, and nothing that the service would refuse', () => {
  const given = { status: 'active', presence: 'never', subClientId: 'north', search: 'KA 01' }
  assert.deepEqual(readDeviceSearch(given), given)
  assert.deepEqual(readDeviceSearch({ status: 'gone', presence: 'yes', subClientId: '', search: '  ', more: 1 }), {})
  assert.deepEqual(readDeviceSearch({ search: 356938035643809 }), { search: '356938035643809' })
  assert.equal(readDeviceSearch({ search: 'x'.repeat(300) }).search?.length, 200)
  assert.deepEqual(readDeviceSearch({ search: null, subClientId: {} }), {})
})
