// Learned here, from trips of an engine that exists nowhere: what must hold whatever was learned.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../../inputs/observation.ts'
import { predict } from '../../predict.ts'
import { madeUpTrip } from '../../testing/made-up-trips.ts'
import { learnedNormal } from './learned-normal.ts'
import { addUp, countFalseAlarms } from './measure-normal.ts'
import { answerRow, normalFromJson, normalToJson } from './normal-model.ts'
import { situationsOf, trainNormal } from './train-normal.ts'

const options = { seed: 1, trees: 40 }
const trips = Array.from({ length: 30 }, (_, index) => situationsOf(`trip${index}`, madeUpTrip(index)))
const { model, report } = trainNormal(trips, options)
const judge = learnedNormal(model)

const judged = (observations: readonly Observation[], at = observations.length - 1) => {
  const input = { ...(observations[at] as Observation), ageDays: undefined, previousStatus: undefined }
  return { ...input, history: observations.slice(Math.max(0, at - 120), at) }
}
const changed = (trip: readonly Observation[], change: (signals: Observation['signals'], second: number) => Observation['signals']) =>
  trip.map((observation, second) => ({ ...observation, signals: change(observation.signals, second) }))

test('bands hold about nine tenths of the movements of trips they have not seen', () => {
  for (const { signal, coverage, stretches } of report.channels) {
    assert.ok(coverage > 0.85 && coverage < 0.95, `${signal}: ${coverage}`)
    assert.ok(stretches >= 60, `${signal}: ${stretches}`)
  }
})

test('sound trips it has not seen are called unusual in no more stretches than was promised', () => {
  const { alarms, engineHours } = addUp(Array.from({ length: 16 }, (_, index) => countFalseAlarms(judge, madeUpTrip(1000 + index))))
  assert.ok(engineHours > 3)
  // 0.12 an hour are promised; 48 stretches of which one in a hundred may alarm give more than 3 once in 500 tries.
  assert.ok(alarms <= 3, `${alarms} alarms in ${engineHours} h`)
})

test('a coolant that falls and a voltage that drops are unusual, as an information that costs no health', () => {
  const faults = {
    cooling: (signals: Observation['signals'], second: number) => ({
      ...signals,
      coolantTempC: (signals.coolantTempC ?? 0) - Math.max(0, (second - 860) / 5),
    }),
    charging: (signals: Observation['signals'], second: number) => ({
      ...signals,
      batteryVoltageV: (signals.batteryVoltageV ?? 0) - (second > 880 ? 0.7 : 0),
    }),
  }
  for (const [component, change] of Object.entries(faults)) {
    const input = judged(changed(madeUpTrip(2000), change))
    const learned = predict(input, judge)
    assert.ok(learned.anomalyDetected && learned.anomalyScore >= 0.99, component)
    const alert = learned.alerts.find(({ type }) => type === 'unusual_reading')
    assert.equal(alert?.component, component)
    assert.equal(alert?.severity, 'info')
    assert.match(alert?.message ?? '', /from [\d.]+ to [\d.]+ .* where [\d.]+ to [\d.]+ .* is usual/)
    const { healthScore, components, maintenanceProbability, remainingUsefulLife } = predict(input)
    assert.deepEqual(
      [learned.healthScore, learned.components, learned.maintenanceProbability, learned.remainingUsefulLife],
      [healthScore, components, maintenanceProbability, remainingUsefulLife],
    )
    assert.equal(predict(judged(madeUpTrip(2000)), judge).anomalyDetected, false)
  }
})

test('where a rule names what is wrong, it is not called unusual as well', () => {
  const hot = changed(madeUpTrip(2000), (signals, second) => ({
    ...signals,
    coolantTempC: second > 870 ? 118 : (signals.coolantTempC ?? 0),
  }))
  const { alerts } = predict(judged(hot), judge)
  assert.deepEqual(
    alerts.map(({ type }) => type),
    ['coolant_overheat'],
  )
})

test('what the training data do not span is not judged: another climate, engine speed or thermostat, and a 24 V system', () => {
  const falls = (signals: Observation['signals'], second: number, by: Observation['signals']) => ({
    ...signals,
    ...by,
    coolantTempC: (by.coolantTempC ?? signals.coolantTempC ?? 0) - Math.max(0, (second - 860) / 2),
  })
  for (const by of [{ ambientTempC: -25 }, { engineSpeedRpm: 6500 }, { coolantTempC: 119 }]) {
    const input = judged(changed(madeUpTrip(2000), (signals, second) => falls(signals, second, by)))
    const { anomalyDetected, alerts } = predict(input, judge)
    assert.deepEqual([anomalyDetected && alerts.every(({ type }) => type === 'unusual_reading')], [false], JSON.stringify(by))
  }
  const truck = changed(madeUpTrip(2000), (signals, second) => ({
    ...signals,
    batteryVoltageV: second > 880 ? 26.6 : 28.2,
  }))
  assert.equal(predict(judged(truck), judge).anomalyScore < 0.99, true)
})

test('a model is the same after it was written and read, and the same seed and trips in any order give the same bytes', () => {
  const json = JSON.stringify(normalToJson(model))
  const read = normalFromJson(JSON.parse(json))
  const row = trips[0]?.situations[100]?.row ?? assert.fail('a trip has situations')
  assert.deepEqual(answerRow(read, row), answerRow(model, row))
  const few = { seed: 1, trees: 5 }
  const bytes = (some: typeof trips) => JSON.stringify(normalToJson(trainNormal(some, few).model))
  assert.equal(bytes(trips.slice(0, 10).reverse()), bytes(trips.slice(0, 10)))
  for (const spoil of [{ format: 'other/1' }, { channels: [] }, { channels: [{ signal: 'fuelLevelPct' }] }]) {
    assert.throws(() => normalFromJson({ ...JSON.parse(json), ...spoil }), /not a learned normal/)
  }
})

test('recordings without a running engine, or too few of them, are refused with what is missing', () => {
  assert.throws(
    () => trainNormal([situationsOf('off', madeUpTrip(1, { engineSpeedRpm: 0, vehicleSpeedKmh: 0 }))], { seed: 1 }),
    /running engine/,
  )
  assert.throws(() => trainNormal(trips.slice(0, 3), { seed: 1 }), /at least 5/)
})
