import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentSubject } from './incident-subject.ts'

const names = new Map([['veh-1', 'KA-01 AB 1234']])

test('an incident is named by its vehicle, by the id of one that is not loaded, and by its device where it has none', () => {
  assert.deepEqual(incidentSubject({ vehicleId: 'veh-1', deviceId: 'dev-1' }, names), { label: 'KA-01 AB 1234', vehicleId: 'veh-1' })
  assert.deepEqual(incidentSubject({ vehicleId: 'veh-2', deviceId: null }, names), { label: 'veh-2', vehicleId: 'veh-2' })
  assert.deepEqual(incidentSubject({ vehicleId: null, deviceId: 'dev-1' }, names), { label: 'Device dev-1' })
})
