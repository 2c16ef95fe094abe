import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertSubject } from './alert-subject.ts'

const names = new Map([['veh-1', 'KA-01 AB 1234']])

test('an alert is named by its vehicle, by the id of one that is not loaded, and by its device where it has none', () => {
  assert.deepEqual(alertSubject({ vehicleId: 'veh-1', deviceId: 'dev-1' }, names), { label: 'KA-01 AB 1234', vehicleId: 'veh-1' })
  assert.deepEqual(alertSubject({ vehicleId: 'veh-2', deviceId: null }, names), { label: 'veh-2', vehicleId: 'veh-2' })
  assert.deepEqual(alertSubject({ vehicleId: null, deviceId: 'dev-1' }, names), { label: 'Device dev-1' })
})
