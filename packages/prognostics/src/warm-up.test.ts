import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { predict } from './predict.ts'
import { repeat, sequence } from './testing/inputs.ts'

const S = 1000
const driving: SignalValues = { engineSpeedRpm: 1800, vehicleSpeedKmh: 50, batteryVoltageV: 13.9, fuelLevelPct: 50 }
const stuckIn = (steps: readonly SignalValues[], everyMs = S) =>
  predict(sequence(everyMs, steps)).alerts.find(({ type }) => type === 'coolant_stuck')?.severity

const stands = (coolantTempC: number, more: SignalValues = {}) => ({ ...driving, coolantTempC, ...more })

test('a coolant that stands still while the engine should warm up is told, louder the longer it lasts on the move', () => {
  assert.equal(stuckIn(repeat(45, stands(41))), undefined)
  assert.equal(stuckIn(repeat(60, stands(41))), 'info')
  assert.equal(stuckIn(repeat(120, stands(41))), 'low')
  assert.equal(stuckIn(repeat(120, stands(41, { vehicleSpeedKmh: 0 }))), 'info')
})

test('a coolant that moves, is warm, freezes, or belongs to an engine that stands or has just started is not stuck', () => {
  const rising = Array.from({ length: 120 }, (_, step) => stands(30 + Math.floor(step / 20)))
  assert.equal(stuckIn(rising), undefined)
  assert.equal(stuckIn(repeat(120, stands(88))), undefined)
  assert.equal(stuckIn(repeat(120, stands(41, { ambientTempC: -12 }))), undefined)
  assert.equal(stuckIn(repeat(120, stands(41, { engineSpeedRpm: 0, vehicleSpeedKmh: 0 }))), undefined)
  const started = Array.from({ length: 60 }, (_, step) => stands(41, { engineRunTimeS: step }))
  assert.equal(stuckIn(started), undefined)
})

test('a device that reports rarely needs several readings, not a long pause between two', () => {
  assert.equal(stuckIn(repeat(3, stands(41)), 60 * S), undefined)
  assert.notEqual(stuckIn(repeat(8, stands(41)), 60 * S), undefined)
})
