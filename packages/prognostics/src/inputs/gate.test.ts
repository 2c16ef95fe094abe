import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignalName, signalNames, signals } from '@roadworthy/signals/registry'
import { predict } from '../predict.ts'
import { repeat, sequence, stateless } from '../testing/inputs.ts'

const warm = { engineSpeedRpm: 1500, coolantTempC: 88, batteryVoltageV: 13.8, fuelLevelPct: 60, vehicleSpeedKmh: 50 }

test('garbage such as coolant 215 °C and 276 V raises no alert, lowers confidence and is reported', () => {
  const sound = predict(stateless(warm))
  const garbage = predict(stateless({ ...warm, coolantTempC: 215, batteryVoltageV: 276 }))
  assert.deepEqual(garbage.alerts, [])
  assert.equal(garbage.healthStatus, 'healthy')
  assert.ok(garbage.confidence < sound.confidence)
  assert.deepEqual(
    garbage.doubts.map(({ signal, reason }) => [signal, reason]),
    [
      ['coolantTempC', 'out_of_range'],
      ['batteryVoltageV', 'out_of_range'],
    ],
  )
  assert.ok(garbage.insights.includes('Coolant temperature 215 °C was ignored: outside -40 to 150 °C'), garbage.insights.join('\n'))
})

test('a reading just beyond its range is not said to be inside of it', () => {
  const { doubts } = predict(stateless({ ...warm, batteryVoltageV: 30.01, coolantTempC: 150.04, fuelLevelPct: -0.02 }))
  assert.deepEqual(
    doubts.map(({ message }) => message),
    [
      'Coolant temperature 150.04 °C was ignored: outside -40 to 150 °C',
      'Battery voltage 30.01 V was ignored: outside 0 to 30 V',
      'Fuel level -0.02 % was ignored: outside 0 to 100 %',
    ],
  )
})

test('beside a reading that was ignored, not every reading given is within its band', () => {
  const quietOf = (coolantTempC: number, more = {}) => predict(stateless({ ...warm, coolantTempC }, more)).insights[0]
  assert.equal(quietOf(88), 'Every reading given is within its normal band')
  assert.equal(quietOf(151), 'Every reading that is believed is within its normal band')
  assert.match(quietOf(151, { history: [] }) ?? '', /^Every reading that is believed is within its normal band: Battery voltage 13\.8 V/)
})

test('no field out of its range ever raises an alert or lowers health, with or without history', () => {
  for (const name of signalNames) {
    for (const value of [signals[name].min - 1, signals[name].max + 1, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY]) {
      const wrong: Partial<Record<SignalName, number>> = { ...warm, [name]: value }
      const without: Partial<Record<SignalName, number>> = { ...warm }
      delete without[name]
      for (const inputOf of [stateless, (given: typeof wrong) => sequence(5000, repeat(30, given))]) {
        const result = predict(inputOf(wrong))
        assert.deepEqual(result.alerts, [], `${name} ${value}`)
        assert.equal(result.healthScore, predict(inputOf(without)).healthScore, `${name} ${value}`)
        assert.ok(result.confidence < predict(inputOf(without)).confidence, `${name} ${value}`)
      }
    }
  }
})

test('what missing sensors read is not believed', () => {
  for (const reading of [{ coolantTempC: -40 }, { batteryVoltageV: 0 }, { engineOilTempC: -40 }, { coolantTempC: -10, ambientTempC: 30 }]) {
    const result = predict(stateless({ ...warm, ...reading }))
    assert.deepEqual(result.alerts, [], JSON.stringify(reading))
    assert.equal(result.doubts.length, 1, JSON.stringify(reading))
  }
})

test('one spike among sound readings is held back to what a sensor can do, and a lasting change is followed', () => {
  const spike = predict(sequence(1000, [...repeat(30, warm), { ...warm, coolantTempC: 140 }]))
  assert.deepEqual(spike.alerts, [])
  assert.equal(spike.doubts[0]?.reason, 'jump')
  const lasting = predict(sequence(1000, [...repeat(30, warm), ...repeat(25, { ...warm, coolantTempC: 120 })]))
  assert.equal(lasting.alerts[0]?.type, 'coolant_overheat')
  assert.equal(lasting.alerts[0]?.severity, 'critical')
})

test('a signal that comes rarely is held to what it can do since it was itself last known, not since anything was', () => {
  const { coolantTempC: _, ...between } = warm
  const every30S = (coolantTempC: number) => [{ ...warm, coolantTempC }, ...repeat(29, between)]
  const steep = sequence(1000, [...every30S(60), ...every30S(75), { ...warm, coolantTempC: 90 }])
  assert.deepEqual(predict(steep).doubts, [])
  const hot = sequence(1000, [...every30S(90), ...every30S(118), { ...warm, coolantTempC: 118 }])
  assert.deepEqual(
    predict(hot).alerts.map(({ type, severity }) => `${type} ${severity}`),
    ['coolant_overheat critical'],
  )
  const spike = predict(sequence(1000, [...every30S(88), { ...warm, coolantTempC: 140 }, { ...warm, coolantTempC: 88 }]))
  assert.deepEqual(spike.alerts, [])
})

test('an odometer that is reported rarely may have moved by all the driving since its last report', () => {
  const at = (odometerKm: number) => ({ ...warm, odometerKm })
  const minutes = [at(1000), ...repeat(20, warm), at(1001.5), ...repeat(20, warm), at(1016.7)]
  assert.deepEqual(predict(sequence(30_000, minutes)).doubts, [])
  assert.equal(predict(sequence(30_000, [...minutes.slice(0, -1), at(1100)])).doubts[0]?.signal, 'odometerKm')
})

test('an odometer never counts backwards, nor faster than a vehicle can drive', () => {
  const at = (odometerKm: number) => ({ ...warm, odometerKm })
  const steady = predict(sequence(1000, repeat(5, at(200_000))))
  const back = predict(sequence(1000, [...repeat(4, at(200_000)), at(1000)]))
  assert.deepEqual(back.remainingUsefulLife, steady.remainingUsefulLife)
  assert.equal(back.doubts[0]?.signal, 'odometerKm')
  const forth = predict(sequence(1000, [...repeat(4, at(200_000)), at(9_000_000)]))
  assert.deepEqual(forth.remainingUsefulLife, steady.remainingUsefulLife)
})

test('a first reading that is wrong pulls nothing after itself', () => {
  const cold = { ...warm, coolantTempC: 90 }
  for (const count of [1, 2, 5, 30]) {
    const result = predict(sequence(1000, [{ ...warm, coolantTempC: 150 }, ...repeat(count, cold)]))
    assert.deepEqual(result.alerts, [], `${count}`)
    assert.deepEqual(result.doubts, [], `${count}`)
  }
  const at = (odometerKm: number) => ({ ...warm, odometerKm })
  const right = predict(sequence(1000, repeat(5, at(80_000)))).remainingUsefulLife
  for (const wrong of [999_000, 3]) {
    for (const count of [1, 4]) {
      assert.deepEqual(predict(sequence(1000, [at(wrong), ...repeat(count, at(80_000))])).remainingUsefulLife, right, `${wrong} ${count}`)
    }
  }
})

test('a value of only one reading is not held against the next, a value of two is', () => {
  const spikes = [90, 140, 90].map((coolantTempC) => ({ ...warm, coolantTempC }))
  assert.deepEqual(predict(sequence(1000, spikes)).alerts, [])
  const held = predict(
    sequence(
      1000,
      [90, 90, 140].map((coolantTempC) => ({ ...warm, coolantTempC })),
    ),
  )
  assert.deepEqual([held.alerts, held.doubts[0]?.reason], [[], 'jump'])
})

test('a tank that was nearly empty runs dry; one that was half full does not', () => {
  const level = (fuelLevelPct: number) => ({ ...warm, fuelLevelPct })
  const isBelieved = (everyMs: number, before: number) =>
    predict(sequence(everyMs, [...repeat(5, level(before)), level(0)])).doubts.length === 0
  assert.deepEqual([isBelieved(1000, 4), isBelieved(1000, 9), isBelieved(1000, 12), isBelieved(1000, 60)], [true, true, false, false])
  assert.deepEqual([isBelieved(600_000, 15), isBelieved(600_000, 40)], [true, false])
  const dry = predict(sequence(10_000, [...repeat(5, level(6)), ...repeat(5, level(0))]))
  assert.deepEqual(
    dry.alerts.map(({ type }) => type),
    ['fuel_low'],
  )
})
