import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { createRandom } from '../learning/random.ts'
import { predict } from '../predict.ts'
import { sequence } from '../testing/inputs.ts'

const S = 1000
const driving: SignalValues = { engineSpeedRpm: 1800, vehicleSpeedKmh: 50, coolantTempC: 88, fuelLevelPct: 50 }
const DRIFTS_FOR_S = 240
/** 121 readings that end `now`, with the noise of a real regulator. */
const drifts = (perHourV: number, nowV: number, everyMs: number) => {
  const random = createRandom(3)
  return Array.from({ length: 121 }, (_, index) => {
    const agoS = ((120 - index) * everyMs) / S
    return { ...driving, batteryVoltageV: nowV - (perHourV * Math.min(DRIFTS_FOR_S, agoS)) / 3600 + (random() - 0.5) * 0.04 }
  })
}
const chargingIn = (steps: readonly SignalValues[], everyMs = S) =>
  predict(sequence(everyMs, steps))
    .alerts.filter(({ component }) => component === 'charging')
    .map(({ type, severity }) => `${type} ${severity}`)

test('a charging voltage that falls on and on is reported before it is low', () => {
  assert.deepEqual(chargingIn(drifts(-60, 13.5, S / 2), S / 2), ['voltage_drifting low'])
  assert.deepEqual(chargingIn(drifts(-24, 13.5, S)), ['voltage_drifting low'])
  assert.deepEqual(chargingIn(drifts(-12, 13.5, 5 * S), 5 * S), ['voltage_drifting low'])
})

test('below what a sound system charges at a smaller fall will do, and a rise only above it', () => {
  assert.deepEqual(chargingIn(drifts(-14, 13.6, S)), [])
  assert.deepEqual(chargingIn(drifts(-14, 13.3, S)), ['voltage_drifting low'])
  assert.deepEqual(chargingIn(drifts(30, 14.3, S)), [])
  assert.deepEqual(chargingIn(drifts(30, 14.6, S)), ['voltage_drifting low'])
})

test('of one fault one finding is reported: the more severe, and the one by level where both are equally severe', () => {
  assert.deepEqual(chargingIn(drifts(-24, 13.1, S)), ['voltage_drifting low'])
  assert.deepEqual(chargingIn(drifts(-6, 12.85, S)), ['undercharge low'])
  assert.deepEqual(chargingIn(drifts(-24, 12.75, S)), ['undercharge low'])
  assert.deepEqual(chargingIn(drifts(60, 15.6, S)), ['overcharge medium'])
})

test('a step, a voltage that wavers, and an engine that does not run all along are no drift', () => {
  const step = drifts(0, 13.9, S).map((reading, index) => (index > 60 ? { ...reading, batteryVoltageV: 13.45 } : reading))
  const wavers = drifts(-24, 13.5, S).map((step, index) => ({ ...step, batteryVoltageV: step.batteryVoltageV + Math.sin(index / 9) * 0.2 }))
  assert.deepEqual([chargingIn(step), chargingIn(wavers)], [[], []])
  assert.deepEqual(chargingIn(drifts(-24, 13.5, S).with(100, { ...driving, engineSpeedRpm: 0, batteryVoltageV: 13.6 })), [])
})

test('a 24 V system may move by twice as much', () => {
  const twice = (steps: readonly SignalValues[]) => steps.map((step) => ({ ...step, batteryVoltageV: 2 * (step.batteryVoltageV ?? 0) }))
  assert.deepEqual(chargingIn(twice(drifts(-10, 13.6, S))), [])
  assert.deepEqual(chargingIn(twice(drifts(-24, 13.5, S))), ['voltage_drifting low'])
})
