import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { predict } from '../predict.ts'
import { repeat, sequence } from '../testing/inputs.ts'

const S = 1000
const driving: SignalValues = { engineSpeedRpm: 1800, vehicleSpeedKmh: 50, batteryVoltageV: 13.9, fuelLevelPct: 50 }
const stuckIn = (steps: readonly SignalValues[], everyMs = S) =>
  predict(sequence(everyMs, steps)).alerts.find(({ type }) => type === 'coolant_stuck')?.severity

const stands = (coolantTempC: number, more: SignalValues = {}) => ({ ...driving, coolantTempC, ...more })

test('a coolant that stands still while the engine should warm up is reported, more severely the colder it is, the more it moves and the longer it lasts', () => {
  const cases = [
    [45, 41, 50, undefined],
    [58, 37, 50, 'info'],
    [95, 41, 50, 'info'],
    [103, 41, 50, 'low'],
    [103, 41, 0, 'info'],
    [113, 41, 0, 'low'],
    [113, 55, 0, 'info'],
    [120, 55, 0, 'low'],
    [60, 65, 50, 'info'],
    [120, 65, 50, 'low'],
    [120, 65, 0, 'info'],
  ] as const
  for (const [seconds, coolantTempC, vehicleSpeedKmh, severity] of cases) {
    assert.equal(stuckIn(repeat(seconds, stands(coolantTempC, { vehicleSpeedKmh }))), severity, `${seconds} s at ${coolantTempC} °C`)
  }
  const mild = { vehicleSpeedKmh: 0, intakeAirTempC: 25 }
  assert.deepEqual(
    [37, 45, 58, 65].map((coolantTempC) => stuckIn(repeat(58, stands(coolantTempC, mild)))),
    ['info', 'info', 'info', 'info'],
    'a sound car stood at 37 °C for 57 s',
  )
  assert.deepEqual(
    [45, 58, 65].map((coolantTempC) => stuckIn(repeat(103, stands(coolantTempC, mild)))),
    ['low', 'info', 'info'],
  )
  assert.equal(stuckIn(repeat(120, stands(58, mild))), 'low')
  const minutes = repeat(100, stands(41))
  assert.equal(stuckIn(minutes, 5 * S), 'medium')
})

test('from 66 °C on a sound thermostat may hold the coolant where it is: only driving that changes shows a fault', () => {
  const hot = { ambientTempC: 28, intakeAirTempC: 41 }
  const town = (coolantTempC: number, count: number) =>
    Array.from({ length: count }, (_, step) =>
      stands(coolantTempC, { ...hot, vehicleSpeedKmh: (step % 12) * 5, engineSpeedRpm: 900 + 120 * (step % 12) }),
    )
  // A car that no rule was made on stood at 69 °C for 108 s, reported every 4 to 9 s.
  for (const everyMs of [4 * S, 9 * S]) assert.equal(stuckIn(town(69, Math.ceil((108 * S) / everyMs) + 1), everyMs), 'info')
  assert.equal(stuckIn(town(69, 51), 9 * S), 'info', '450 s in town')
  assert.equal(stuckIn(town(66, 120)), 'info')
  assert.equal(stuckIn(town(65, 120)), 'low', 'no thermostat is open yet')
  const stopToRoad = Array.from({ length: 121 }, (_, step) => stands(69, { ...hot, vehicleSpeedKmh: Math.max(0, (step % 20) * 6 - 20) }))
  assert.equal(stuckIn(stopToRoad, 5 * S), 'low', 'a stop and 94 km/h within ten minutes move a sound one')
  assert.equal(stuckIn(town(69, 121), 8 * S), 'low', 'so do 16 min in town')
})

test('an engine that idles at 60 to 66 °C is in balance, unless it warmed up while it idled', () => {
  const idling = (coolantTempC: number, more: SignalValues = {}) =>
    stands(coolantTempC, { engineSpeedRpm: 800, vehicleSpeedKmh: 0, ambientTempC: 24, ...more })
  const from = (coolantC: readonly number[], more?: SignalValues) => coolantC.map((coolantTempC) => idling(coolantTempC, more))
  const still = repeat(55, idling(63))
  assert.equal(stuckIn([...from([58, 59, 60, 61, 62]), ...still], 2 * S), 'low')
  assert.equal(stuckIn([...from([58, 59, 60, 61, 62]), ...still.slice(0, 48)], 2 * S), 'info', '96 s')
  assert.equal(stuckIn([...from([58, 59, 60, 61, 62], { vehicleSpeedKmh: 40 }), ...still], 2 * S), 'info', 'it came to a stop')
  assert.equal(stuckIn([...from([68, 67, 66, 65, 64]), ...still], 2 * S), 'info', 'it cools from a hot start')
  assert.equal(stuckIn([...from([62, 63, 64, 64, 64]), ...still], 2 * S), 'info', 'it turns back')
  assert.equal(stuckIn(still, 2 * S), 'info', 'nothing shows where it came from')
})

test('one degree to and fro is no warming up, and in cold air little is expected', () => {
  const toAndFro = Array.from({ length: 110 }, (_, step) => stands(41 + (step % 2), { vehicleSpeedKmh: 0 }))
  assert.equal(stuckIn(toAndFro), undefined)
  assert.equal(stuckIn(toAndFro, 2 * S), 'low')
  assert.equal(stuckIn(repeat(120, stands(41, { ambientTempC: 2 }))), 'info')
  assert.equal(stuckIn(repeat(80, stands(41, { ambientTempC: 2 })), 2 * S), 'low')
  assert.equal(stuckIn(repeat(120, stands(41, { ambientTempC: 2, vehicleSpeedKmh: 0 }))), 'info')
})

test('a logger that stalls and repeats what it heard is not a sensor that is stuck', () => {
  const { history = [], ...input } = sequence(S, repeat(30, stands(41)))
  const stalled = history.map((observation, index) =>
    index < 15 ? { ...observation, recordedAtMs: observation.recordedAtMs - 60 * S } : observation,
  )
  assert.deepEqual(predict({ ...input, history: stalled }).alerts, [])
})

test('a warm coolant is stuck when ten minutes of stop and go do not move it, and takes nothing off health', () => {
  const townAndRoad = Array.from({ length: 121 }, (_, step) => stands(88, { vehicleSpeedKmh: Math.max(0, (step % 20) * 6 - 20) }))
  const cruising = Array.from({ length: 121 }, (_, step) => stands(88, { vehicleSpeedKmh: 70 + (step % 30) * 2 }))
  const jam = townAndRoad.map((step) => ({ ...step, vehicleSpeedKmh: Math.min(53, step.vehicleSpeedKmh ?? 0) }))
  assert.equal(stuckIn(townAndRoad, 5 * S), 'low')
  assert.equal(stuckIn(jam, 5 * S), undefined, 'a sound coolant stood still for 562 s in a jam')
  assert.equal(stuckIn(jam, 10 * S), 'low')
  assert.equal(stuckIn(cruising, 5 * S), undefined)
  assert.equal(stuckIn(cruising, 10 * S), 'low')
  assert.equal(stuckIn(repeat(121, stands(88, { vehicleSpeedKmh: 0 })), 10 * S), undefined, 'idling')
  assert.equal(stuckIn(townAndRoad, S), undefined)
  assert.equal(stuckIn(townAndRoad.slice(0, 15), 60 * S), undefined, 'once a minute misses what moves in between')
  const moved = townAndRoad.with(60, stands(89))
  assert.equal(stuckIn(moved, 5 * S), undefined)
  assert.equal(predict(sequence(5 * S, townAndRoad)).healthScore, predict(sequence(5 * S, moved)).healthScore)
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
