import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMaintenanceSearch } from './maintenance-search.ts'

test('what an address cannot mean is left out', () => {
  assert.deepEqual(readMaintenanceSearch({ view: 'done', vehicleId: 'veh-1', component: 'brakes', other: 1 }), {
    view: 'done',
    vehicleId: 'veh-1',
    component: 'brakes',
  })
  assert.deepEqual(readMaintenanceSearch({ view: 'nothing', vehicleId: 7, component: '' }), {})
  assert.deepEqual(readMaintenanceSearch({ component: 'x'.repeat(201) }), {})
})
