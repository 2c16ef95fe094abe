import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { predict } from '../predict.ts'
import { sequence } from '../testing/inputs.ts'

const S = 1000
const driving: SignalValues = { engineSpeedRpm: 1800, vehicleSpeedKmh: 50, batteryVoltageV: 13.9, fuelLevelPct: 50 }
/** Held at 88 °C, then cooling by so much a minute, reported every `everyMs`. */
const coolsBy = (perMinuteC: number, forS: number, more: SignalValues = {}, everyMs = S, warmS = 60) =>
  Array.from({ length: Math.min(121, ((warmS + forS) * S) / everyMs) }, (_, index) => {
    const sinceS = forS - ((Math.min(121, ((warmS + forS) * S) / everyMs) - 1 - index) * everyMs) / S
    return { ...driving, coolantTempC: Math.round(88 - (perMinuteC * Math.max(0, sinceS)) / 60), ...more }
  })
const fallIn = (steps: readonly SignalValues[], everyMs = S) =>
  predict(sequence(everyMs, steps)).alerts.find(({ type }) => type === 'coolant_falling')

test('a warm engine that loses its heat while it runs is found, driving or idling, at 2 Hz as at one reading in 10 s', () => {
  for (const everyMs of [S / 2, S, 5 * S, 10 * S]) {
    for (const vehicleSpeedKmh of [0, 50]) {
      const found = fallIn(coolsBy(6, 150, { vehicleSpeedKmh }, everyMs), everyMs)
      assert.equal(found?.severity, 'info', `every ${everyMs} ms at ${vehicleSpeedKmh} km/h`)
      assert.equal(found?.component, 'cooling')
    }
  }
})

test('it has to fall below what a warm engine keeps, and for a while', () => {
  assert.equal(fallIn(coolsBy(5, 120)), undefined, 'a fan that runs')
  assert.equal(fallIn(coolsBy(6, 115)), undefined, 'just now')
  assert.equal(fallIn([...coolsBy(0, 60), { ...driving, coolantTempC: 60 }]), undefined, 'one reading')
})

test('a slow fall is reported of an engine that was warm, and is no more than information: sound cars of other makes fall as well', () => {
  assert.equal(fallIn(coolsBy(1, 800, { vehicleSpeedKmh: 0 }, 10 * S), 10 * S)?.severity, 'info')
  assert.equal(fallIn(coolsBy(1, 800, {}, 10 * S), 10 * S)?.severity, 'info')
  assert.equal(fallIn(coolsBy(5, 170, { vehicleSpeedKmh: 0, ambientTempC: -3 }))?.severity, 'info')
})

test('an engine that stands cools as it may, and so does what mixes after a start', () => {
  const stopped = { engineSpeedRpm: 0, vehicleSpeedKmh: 0 }
  assert.equal(fallIn(coolsBy(6, 150, stopped)), undefined)
  const restarted = coolsBy(12, 60, {}, S, 60).map((step, index) => (index < 62 ? { ...step, ...stopped } : step))
  assert.equal(fallIn(restarted), undefined)
  const counted = coolsBy(12, 60).map((step, index, all) => ({ ...step, engineRunTimeS: Math.max(0, 58 - (all.length - index)) }))
  assert.equal(fallIn(counted), undefined)
})

test('a dip while the engine warms up is no loss of warmth: cold coolant comes in as the thermostat opens', () => {
  const warmingUp = [69, 70, 71, 72, 72, 73, 74, 74, 75, 74, 73, 72, 70, 69, 69]
  const dip = (coolantC: readonly number[]) =>
    fallIn(
      coolantC.map((coolantTempC) => ({ ...driving, coolantTempC })),
      9 * S,
    )
  assert.equal(dip(warmingUp), undefined)
  assert.equal(dip(warmingUp.map((coolantC) => coolantC + 5))?.severity, 'info', 'from 80 °C it is one')
})
