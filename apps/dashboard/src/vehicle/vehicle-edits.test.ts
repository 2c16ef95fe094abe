import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { vehicleChanges } from './vehicle-edits.ts'

test('only what differs is asked for, and an empty field clears', () => {
  const vehicle = { name: 'Truck 17', licensePlate: 'KA 1', year: 2019, subClientId: null, vin: null } as Vehicle
  assert.deepEqual(vehicleChanges(vehicle, { name: ' Truck 17 ', licensePlate: '', year: 2020, vin: '' }), {
    licensePlate: null,
    year: 2020,
  })
  assert.deepEqual(vehicleChanges(vehicle, { subClientId: 'north', year: '' }), { subClientId: 'north', year: null })
  assert.deepEqual(vehicleChanges(vehicle, {}), {})
})
