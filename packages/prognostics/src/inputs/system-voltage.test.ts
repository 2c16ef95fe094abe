import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeat } from '../testing/inputs.ts'
import type { Observation } from './observation.ts'
import { systemVoltageOf } from './system-voltage.ts'

const readings = (...voltagesV: number[]): Observation[] =>
  voltagesV.map((batteryVoltageV, index) => ({ recordedAtMs: index * 1000, signals: { batteryVoltageV }, lamps: {}, dtcCodes: undefined }))

test('one reading decides where it is the only one', () => {
  assert.equal(systemVoltageOf([], undefined), 12)
  assert.equal(systemVoltageOf([], 13.8), 12)
  assert.equal(systemVoltageOf([], 16.5), 12)
  assert.equal(systemVoltageOf([], 18), 24)
  assert.equal(systemVoltageOf([], 27.9), 24)
})

test('what the vehicle reported before outweighs the reading at hand', () => {
  assert.equal(systemVoltageOf(readings(...repeat(10, 28)), 14.8), 24, 'a truck that cranks')
  assert.equal(systemVoltageOf(readings(...repeat(10, 28)), 17), 24)
  assert.equal(systemVoltageOf(readings(...repeat(10, 13.8)), 24), 12, 'a car with one odd reading')
  assert.equal(systemVoltageOf(readings(...repeat(10, 13.8)), 18.5), 12, 'a car that overcharges badly')
  assert.equal(systemVoltageOf(readings(14.5, 15, 15.2), 28), 12, 'nothing but cranking so far')
  assert.equal(systemVoltageOf(readings(14.5, 15, 15.2, 28), 28), 24, 'and the engine has caught')
  assert.equal(systemVoltageOf(readings(276, 276, 276), 13.8), 12, 'garbage does not count')
})
