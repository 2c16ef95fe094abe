import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { predict } from '../predict.ts'
import { repeat, sequence, stateless } from '../testing/inputs.ts'

const S = 1000
const driving: SignalValues = { engineSpeedRpm: 1800, vehicleSpeedKmh: 50, batteryVoltageV: 13.9, fuelLevelPct: 50 }
const coolant = (...values: readonly number[]) => values.map((coolantTempC) => ({ ...driving, coolantTempC }))
const warmC = Array.from({ length: 60 }, (_, step) => 87 + (step % 5))
const toF = (celsius: number) => Math.round(celsius * 1.8 + 32)
const suspicionIn = (values: readonly number[]) =>
  predict(sequence(S, coolant(...values))).alerts.find(({ type }) => type === 'unit_suspected')

test('a device that goes over from °C to °F is reported within half a minute, and not when it goes back', () => {
  assert.equal(suspicionIn([...warmC, ...warmC.slice(0, 15).map(toF)]), undefined)
  const found = suspicionIn([...warmC, ...warmC.slice(0, 30).map(toF)])
  assert.equal(found?.component, 'cooling')
  assert.equal(found?.evidence['suspectedUnit'], '°F')
  assert.match(found?.message ?? '', /19\d .* as °F it is 8\d|9\d °C/)
  assert.equal(suspicionIn([...warmC, ...warmC.slice(0, 30).map(toF), ...warmC]), undefined)
})

test('a cold engine reported in °F is known by the step, although it reads like a warm one', () => {
  const cold = Array.from({ length: 50 }, (_, step) => Math.round(28 + step / 10))
  assert.notEqual(suspicionIn([...cold.slice(0, 20), ...cold.slice(20).map(toF)]), undefined)
  assert.equal(suspicionIn([...cold, ...cold]), undefined)
})

test('a device that has always sent °F is reported once the engine is warm', () => {
  assert.notEqual(suspicionIn(warmC.map(toF)), undefined)
})

test('garbage is nobody’s unit: one number for ever, no smooth course, a control unit’s value for "not available", or no history', () => {
  for (const values of [repeat(100, 190), repeat(100, 215), warmC.map((_, step) => (step % 2 === 0 ? 160 : 240)), warmC, repeat(60, 118)]) {
    assert.equal(suspicionIn(values), undefined, String(values.slice(0, 4)))
  }
  assert.deepEqual(predict(stateless({ ...driving, coolantTempC: 190 })).alerts, [])
})

test('a suspicion takes nothing off health', () => {
  const { healthScore } = predict(sequence(S, coolant(...warmC.map(toF))))
  assert.equal(healthScore, predict(sequence(S, repeat(60, driving))).healthScore)
})
