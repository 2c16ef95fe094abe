import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { Observation } from '../inputs/observation.ts'
import { predict } from '../predict.ts'

const S = 1000
const MIN = 60 * S
const HOUR = 60 * MIN

const off = (batteryVoltageV: number, more: SignalValues = {}): SignalValues => ({
  ...{ engineSpeedRpm: 0, vehicleSpeedKmh: 0, batteryVoltageV },
  ...more,
})
const turning = (batteryVoltageV: number, more: SignalValues = {}): SignalValues => ({ engineSpeedRpm: 190, batteryVoltageV, ...more })
const running: SignalValues = { engineSpeedRpm: 900, coolantTempC: 60, batteryVoltageV: 14.1 }

/** `count` readings, `everyMs` apart, the first of them after that time too. */
type Phase = readonly [count: number, everyMs: number, signals: SignalValues]

function observe(...phases: readonly Phase[]): Observation[] {
  let atMs = 0
  return phases.flatMap(([count, everyMs, signals]) =>
    Array.from({ length: count }, (): Observation => {
      atMs += everyMs
      return { recordedAtMs: atMs, signals, lamps: {}, dtcCodes: undefined }
    }),
  )
}

/** Every alert on the battery above info, as each reading was judged with the 120 before it. */
function alarmsIn(observations: readonly Observation[]): string[] {
  return observations.flatMap((observation, index) => {
    const history = observations.slice(Math.max(0, index - 120), index)
    const { alerts } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
    return alerts
      .filter(({ component, severity }) => component === 'battery' && severity !== 'info')
      .map(({ type, severity }) => `${type} ${severity}`)
  })
}
const alarmAtEnd = (...phases: readonly Phase[]) => {
  const observations = observe(...phases)
  const last = observations.pop() ?? assert.fail()
  const { alerts } = predict({ ...last, history: observations, ageDays: undefined, previousStatus: undefined })
  return alerts.filter(({ component }) => component === 'battery').map(({ type, severity }) => `${type} ${severity}`)
}

test('a vehicle that is woken reads 12.0 to 12.1 V before its start, and that is no alarm', () => {
  for (const awakeS of [5, 60, 180, 900]) {
    for (const voltageV of [12, 12.05, 12.1]) {
      const life = observe(
        [4, HOUR, off(12.5)],
        [1, 8 * HOUR, off(voltageV)],
        [awakeS, S, off(voltageV)],
        [2, S, turning(10.4)],
        [60, S, running],
      )
      assert.deepEqual(alarmsIn(life), [], `${voltageV} V for ${awakeS} s`)
    }
  }
  assert.deepEqual(alarmsIn(observe([1, S, off(12.05)], [300, S, off(12.05)])), [], 'by a device that has just been fitted')
})

test('a battery that reads as little at rest is discharged, however its device reports', () => {
  assert.deepEqual(alarmAtEnd([60, S, running], [3, HOUR, off(12)]), ['battery_discharged low'])
  assert.deepEqual(alarmAtEnd([20, 10 * MIN, off(11.75)]), ['battery_discharged medium'])
  assert.deepEqual(alarmAtEnd([100, MIN, off(12)]), ['battery_discharged low'])
  assert.deepEqual(alarmAtEnd([75, MIN, { batteryVoltageV: 11.3 }]), ['battery_discharged high'])
  assert.deepEqual(alarmAtEnd([30, 10 * MIN, off(23.4)]), ['battery_discharged medium'])
})

test('a voltage that is too low even with the ignition on is reported after ten minutes', () => {
  assert.deepEqual(alarmAtEnd([60, 10 * S, off(11.4)]), [])
  assert.deepEqual(alarmAtEnd([70, 10 * S, off(11.4)]), ['battery_discharged medium'])
})

test('a cold battery has a little less for the same charge', () => {
  const at = (ambientTempC: number) => alarmAtEnd([10, HOUR, off(12.03, { ambientTempC })])
  assert.deepEqual(at(25), ['battery_discharged low'])
  assert.deepEqual(at(-20), ['battery_discharged info'])
})

test('a start that the battery holds up in ends the finding of its voltage at rest', () => {
  const discharged: Phase = [10, HOUR, off(12)]
  const awake: Phase = [3, S, off(11.9)]
  assert.deepEqual(alarmAtEnd(discharged, awake), ['battery_discharged low'])
  assert.deepEqual(alarmAtEnd(discharged, awake, [2, S, turning(10.2)], [1, S, running]), [])
})

test('a battery that gives way to the starter for seconds is weak, by its temperature', () => {
  const start = (voltageV: number, more: SignalValues = {}): Phase[] => [
    [5, S, off(12.5, more)],
    [6, S, turning(voltageV, more)],
    [5, S, { ...running, ...more }],
  ]
  assert.deepEqual(alarmAtEnd(...start(8.2)), ['battery_weak medium'])
  assert.deepEqual(alarmAtEnd(...start(9)), [], 'it may be freezing')
  assert.deepEqual(alarmAtEnd(...start(9, { ambientTempC: 22 })), ['battery_weak medium'])
  assert.deepEqual(alarmAtEnd(...start(9, { ambientTempC: -10 })), [])
  assert.deepEqual(alarmAtEnd(...start(8.6, { ambientTempC: -10 })), ['battery_weak medium'])
  assert.deepEqual(alarmAtEnd([5, S, off(12.5)], [2, S, turning(7.6)], [5, S, running]), [], 'the first instants of a start')
  assert.deepEqual(alarmAtEnd([9, S, running], [6, S, turning(13.6)], [5, S, running]), [], 'an engine that stalls')
})

test('the evidence contains the charge that the voltage means', () => {
  const life = observe([10, HOUR, off(12)])
  const last = life.pop() ?? assert.fail()
  const { alerts } = predict({ ...last, history: life, ageDays: undefined, previousStatus: undefined })
  assert.equal(alerts[0]?.evidence['stateOfChargePct'], 14)
})
