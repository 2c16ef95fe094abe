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

test('a month and a day of it are the calendar’s alone', () => {
  const read = (search: object) => readMaintenanceSearch({ view: 'calendar', ...search })
  assert.deepEqual(read({ month: '2026-11', day: '2026-11-30' }), { view: 'calendar', month: '2026-11', day: '2026-11-30' })
  assert.deepEqual(read({ month: '2026-11', day: '2026-11-31' }), { view: 'calendar', month: '2026-11' })
  assert.deepEqual(read({ month: '2026-11', day: '2026-12-01' }), { view: 'calendar', month: '2026-11' })
  assert.deepEqual(read({ month: 'May', day: '2026-11-01' }), { view: 'calendar' })
  assert.deepEqual(readMaintenanceSearch({ view: 'done', month: '2026-11' }), { view: 'done' })
})
