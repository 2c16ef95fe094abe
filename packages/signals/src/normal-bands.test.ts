import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalBandOf } from './normal-bands.ts'

test('the voltage band follows the system that most values show, so that a start does not make a truck a car', () => {
  assert.deepEqual(normalBandOf('batteryVoltageV', [13.9, 14.1, 9.8]), { min: 13, max: 14.8, when: 'engine running' })
  assert.deepEqual(normalBandOf('batteryVoltageV', [28.2, 16, 28.4]), { min: 26.5, max: 29.1, when: 'engine running' })
  assert.equal(normalBandOf('batteryVoltageV', []), undefined)
})

test('what can only be too high, or too low, has a band that is open on the other side', () => {
  assert.deepEqual(normalBandOf('engineOilTempC', []), { max: 120 })
  assert.deepEqual(normalBandOf('fuelLevelPct', []), { min: 10 })
})

test('what depends on the driver has no band', () => {
  assert.equal(normalBandOf('vehicleSpeedKmh', [50]), undefined)
  assert.equal(normalBandOf('engineSpeedRpm', [1500]), undefined)
})
