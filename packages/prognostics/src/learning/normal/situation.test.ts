import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { buildTimeline } from '../../inputs/timeline.ts'
import { repeat, sequence, stateless } from '../../testing/inputs.ts'
import { situationFeatures, situationOf } from './situation.ts'

const S = 1000
const warm: SignalValues = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, coolantTempC: 88, batteryVoltageV: 13.8 }
const situationAfter = (steps: readonly SignalValues[], everyMs = S) => situationOf(buildTimeline(sequence(everyMs, steps)))

test('a situation compares the last ten seconds with a minute before, and one odd reading moves neither', () => {
  const steps = [...repeat(50, warm), ...repeat(15, { ...warm, coolantTempC: 94 })]
  const odd = steps.map((step, index) => (index === steps.length - 1 || index === 3 ? { ...step, batteryVoltageV: 9 } : step))
  for (const given of [steps, odd]) {
    const { movements, row, beforeAgeS } = situationAfter(given) ?? assert.fail('there is a minute of history')
    assert.deepEqual(movements, { coolantTempC: { before: 88, now: 94 }, batteryVoltageV: { before: 13.8, now: 13.8 } })
    assert.ok(beforeAgeS > 40 && beforeAgeS < 75)
    assert.equal(row[situationFeatures.indexOf('engine_speed_mean_rpm')], 1500)
    assert.ok(Number.isNaN(row[situationFeatures.indexOf('ambient_c')]), 'what was not reported is missing')
  }
})

test('a device that sends one reading a minute has a situation, one that sends every two minutes has none', () => {
  assert.deepEqual(situationAfter(repeat(3, warm), 60 * S)?.movements.coolantTempC, { before: 88, now: 88 })
  assert.equal(situationAfter(repeat(3, warm), 120 * S), undefined)
})

test('there is no situation without history, nor when the engine did not run through all of it', () => {
  assert.equal(situationOf(buildTimeline(stateless(warm))), undefined)
  assert.equal(situationAfter(repeat(20, warm)), undefined, '20 s are no minute')
  const stopped = { ...warm, engineSpeedRpm: 0, vehicleSpeedKmh: 0 }
  assert.equal(situationAfter([...repeat(40, warm), stopped, ...repeat(40, warm)]), undefined)
  assert.equal(situationAfter([...repeat(80, warm), stopped]), undefined)
})

test('the voltage of a 24 V system is not compared with what was learned of 12 V', () => {
  const truck = { ...warm, batteryVoltageV: 27.8 }
  assert.deepEqual(Object.keys(situationAfter(repeat(80, truck))?.movements ?? {}), ['coolantTempC'])
})

test('a signal that is missing at one end is not compared, and the other one is', () => {
  const { batteryVoltageV: _, ...silent } = warm
  assert.deepEqual(Object.keys(situationAfter([...repeat(60, warm), ...repeat(20, silent)])?.movements ?? {}), ['coolantTempC'])
})
