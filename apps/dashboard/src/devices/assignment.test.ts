import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignmentChanges } from './assignment.ts'

const device = { name: 'Tracker', simNumber: null, subClientId: 'north', vehicleId: 'veh-1' }

test('only what differs from the device is sent', () => {
  assert.deepEqual(assignmentChanges(device, {}), {})
  assert.deepEqual(assignmentChanges(device, { name: ' Tracker ', subClientId: 'north', vehicleId: 'veh-1', simNumber: ' ' }), {})
  assert.deepEqual(assignmentChanges(device, { name: '', subClientId: null, vehicleId: null, simNumber: '8991' }), {
    name: null,
    subClientId: null,
    vehicleId: null,
    simNumber: '8991',
  })
})
