// What an insight owes its reader: the reading, its normal band, and its share in the result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { predict } from '../predict.ts'
import { repeat, sequence, stateless } from '../testing/inputs.ts'

const warm = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, coolantTempC: 88, batteryVoltageV: 13.8 }

test('an insight names the reading, the band it should be in, and its share of the health that is lost', () => {
  const { insights } = predict(stateless({ ...warm, coolantTempC: 118 }))
  assert.match(insights[0] ?? '', /118 °C is above 114 °C \(normally at most 102 °C; 9\d % of the health that is lost\)/)
})

test('a sound vehicle with a history gets its readings with their bands, for a car and for a truck', () => {
  const [car] = predict(sequence(1000, repeat(30, warm))).insights
  assert.match(car ?? '', /Coolant temperature 88 °C \(normally at most 102 °C, at least 70 °C\)/)
  assert.match(car ?? '', /Battery voltage 13\.8 V \(normally at most 14\.8 V, at least 13 V\)/)
  const [truck] = predict(sequence(1000, repeat(30, { ...warm, batteryVoltageV: 27.9 }))).insights
  assert.match(truck ?? '', /Battery voltage 27\.9 V \(normally at most 29\.\d V, at least 26\.5 V\)/)
  for (const signals of [{}, { odometerKm: 1000 }, { vehicleSpeedKmh: 0, throttlePct: 12 }])
    assert.equal(predict(stateless(signals)).insights[0], 'No reading could be judged: this is what vehicles are like in general')
})
