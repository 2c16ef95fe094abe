import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { chooseVehicles, countFleet, type FleetChoice } from './choose-vehicles.ts'

function vehicle(licensePlate: string, rest: Partial<Vehicle> = {}): Vehicle {
  return {
    ...{ id: `veh-${licensePlate}`, vin: null, make: 'Ford', model: 'Transit', year: 2022, licensePlate, externalRef: null },
    ...{ name: null, vehicleClass: null, fuelType: null, drivetrain: null, batteryNominalV: null, status: 'active' },
    ...{ subClientId: null, registered: true, healthScore: 90, healthStatus: 'healthy', riskLevel: 'low', scoredAt: null },
    ...{ lastReadingAt: '2026-11-20T12:00:00.000Z', openAlerts: 0, online: true, location: null, createdAt: '', updatedAt: '' },
    ...rest,
  }
}

const fleet = [
  vehicle('KA 10'),
  vehicle('KA 9', { model: 'Focus' }),
  vehicle('OS 1', { healthScore: 20, healthStatus: 'critical', openAlerts: 2, online: false, subClientId: 'nordfrakt' }),
  vehicle('VA 1', { healthScore: null, healthStatus: null, lastReadingAt: null, online: false }),
]

const plates = (choice: FleetChoice) => chooseVehicles(fleet, choice).map(({ licensePlate }) => licensePlate)

test('the worst come first, equals by name as people count, and the unjudged last', () => {
  assert.deepEqual(plates({}), ['OS 1', 'KA 9', 'KA 10', 'VA 1'])
  assert.deepEqual(plates({ isReversed: true }), ['VA 1', 'KA 9', 'KA 10', 'OS 1'])
  assert.deepEqual(plates({ order: 'name' }), ['KA 9', 'KA 10', 'OS 1', 'VA 1'])
  assert.deepEqual(plates({ order: 'alerts' })[0], 'OS 1')
  assert.deepEqual(plates({ order: 'heard' }).at(-1), 'VA 1')
})

test('every word of the search has to be found somewhere', () => {
  assert.deepEqual(plates({ text: ' ford  FOCUS' }), ['KA 9'])
  assert.deepEqual(plates({ text: 'nordfrakt' }), ['OS 1'])
  assert.deepEqual(plates({ text: 'ford opel' }), [])
})

test('a vehicle that is offline keeps the health it had, and is counted in both', () => {
  assert.deepEqual(plates({ only: 'offline' }), ['OS 1', 'VA 1'])
  assert.deepEqual(plates({ only: 'critical' }), ['OS 1'])
  assert.deepEqual(countFleet(fleet), { healthy: 2, warning: 0, critical: 1, offline: 2 })
})
