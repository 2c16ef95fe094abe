import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFiltered, readIncidentSearch } from './incident-search.ts'

test('an address names a tab and filters; what it does not know is left out', () => {
  assert.deepEqual(
    readIncidentSearch({
      status: 'snoozed',
      severity: 'high',
      component: 'cooling',
      subClientId: 'north',
      vehicleId: 'veh-1',
      groupId: 'vgr-1',
    }),
    {
      ...{ status: 'snoozed', severity: 'high', component: 'cooling', subClientId: 'north', vehicleId: 'veh-1', groupId: 'vgr-1' },
    },
  )
  assert.deepEqual(readIncidentSearch({ status: 'open' }), {})
  assert.deepEqual(
    readIncidentSearch({ status: 'closed', severity: 'fatal', component: '', subClientId: 7, vehicleId: 'x'.repeat(201) }),
    {},
  )
})

test('a tab alone filters nothing', () => {
  assert.equal(isFiltered({ status: 'resolved' }), false)
  assert.equal(isFiltered({ status: 'resolved', severity: 'low' }), true)
})
