import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocationChanges, subClientEdits } from './allocation.ts'

const sim = { sub_client_id: 'north', device_id: 'dev-1', plan_id: 'm2m-10', data_limit_mb: 10 }

test('what is as it was is not sent, and null takes away', () => {
  assert.deepEqual(allocationChanges(sim, {}), {})
  assert.deepEqual(allocationChanges(sim, { sub_client_id: 'north', plan_id: null, data_limit_mb: 10 }), { plan_id: null })
  assert.deepEqual(allocationChanges(sim, { data_limit_mb: '' }), { data_limit_mb: null })
})

test('a SIM that goes to another sub-client leaves its device, and stays in it when the first is chosen again', () => {
  const moved = subClientEdits(sim, 'south')
  assert.deepEqual(allocationChanges(sim, moved), { sub_client_id: 'south', device_id: null })
  assert.deepEqual(allocationChanges(sim, { ...moved, ...subClientEdits(sim, 'north') }), {})
})

test('a SIM of nobody that is put into a device is given to nobody by name: it goes to who has the device', () => {
  const free = { ...sim, sub_client_id: null, device_id: null }
  assert.deepEqual(allocationChanges(free, { device_id: 'dev-2' }), { device_id: 'dev-2' })
})
