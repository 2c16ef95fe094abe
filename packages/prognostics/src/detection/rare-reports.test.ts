// Trackers that report once a minute, every ten minutes, a few messages at a time or once a day: what holds is found, one spike is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LampStates, SignalValues } from '@roadworthy/signals/registry'
import type { Observation } from '../inputs/observation.ts'
import { predict } from '../predict.ts'
import { NOW_MS, repeat, sequence, stateless } from '../testing/inputs.ts'

const S = 1000
const MIN = 60 * S
const HOUR = 60 * MIN
const DAY = 24 * HOUR

const warm = { engineSpeedRpm: 1500, coolantTempC: 88, batteryVoltageV: 13.8, fuelLevelPct: 60, vehicleSpeedKmh: 50 }
const parked = { engineSpeedRpm: 0, vehicleSpeedKmh: 0, batteryVoltageV: 12.6, coolantTempC: 40, fuelLevelPct: 60 }
const hot = { ...warm, coolantTempC: 118 }

type Report = { readonly signals?: SignalValues; readonly lamps?: LampStates; readonly dtcCodes?: readonly string[] }

/** What each report contained, and the time from each to the next: one less. The last report is judged. */
function alertsOf(reports: readonly Report[], gapsMs: readonly number[]): string[] {
  assert.equal(gapsMs.length, reports.length - 1)
  let atMs = NOW_MS - gapsMs.reduce((total, gapMs) => total + gapMs, 0)
  const observations = reports.map(({ signals = warm, lamps = {}, dtcCodes }, index): Observation => {
    const recordedAtMs = atMs
    atMs += gapsMs[index] ?? 0
    return { recordedAtMs, signals, lamps, dtcCodes }
  })
  const { alerts } = predict({ ...stateless({}), ...observations.at(-1), history: observations.slice(0, -1) })
  return alerts.map(({ type, severity }) => `${type} ${severity}`)
}

const lit: Report = { lamps: { redStopLamp: true } }
const unlit: Report = { lamps: { redStopLamp: false } }

for (const [every, everyMs] of Object.entries({ minute: MIN, '10 minutes': 10 * MIN, '7 hours': 7 * HOUR, day: DAY })) {
  const alertsAfter = (reports: readonly SignalValues[]) =>
    predict(sequence(everyMs, reports)).alerts.map(({ type, severity }) => [type, severity])

  test(`of a device that reports every ${every}, two reports of coolant at 118 °C alert and one spike does not`, () => {
    assert.deepEqual(alertsAfter([...repeat(9, warm), hot, hot]), [['coolant_overheat', 'critical']])
    assert.deepEqual(alertsAfter([hot, hot]), [['coolant_overheat', 'critical']])
    assert.deepEqual(alertsAfter([...repeat(9, warm), hot]), [])
    assert.deepEqual(alertsAfter([...repeat(9, warm), hot, warm]), [])
    assert.deepEqual(alertsAfter([...repeat(9, warm), hot, warm, hot]), [])
  })

  test(`of a device that reports every ${every}, a red stop lamp alerts on its second report and goes with the first that has it off`, () => {
    const gaps = (count: number) => repeat(count, everyMs)
    assert.deepEqual(alertsOf([unlit, unlit, unlit, lit], gaps(3)), [])
    assert.deepEqual(alertsOf([unlit, unlit, lit, lit], gaps(3)), ['red_stop_lamp critical'])
    assert.deepEqual(alertsOf([lit, lit], gaps(1)), ['red_stop_lamp critical'])
    assert.deepEqual(alertsOf([lit, lit, lit, unlit], gaps(3)), [])
  })

  test(`of a device that reports every ${every}, a signal left out of every other report does not end its finding`, () => {
    const { coolantTempC: _, ...silent } = warm
    assert.deepEqual(alertsAfter([warm, silent, warm, silent, hot, silent, hot, silent]), [['coolant_overheat', 'critical']])
  })
}

test('a fault code alerts at once: a control unit has confirmed it before storing it', () => {
  assert.deepEqual(alertsOf([{}, {}, { dtcCodes: ['P0217'] }], [DAY, DAY]), ['fault_code critical'])
  assert.deepEqual(alertsOf([{ dtcCodes: [] }, { dtcCodes: ['P0217'] }], [S]), ['fault_code critical'])
})

test('a device that wakes up to send a few messages confirms over its sleeps', () => {
  const burst = (reports: Report) => repeat(3, reports)
  const gaps = [S, S, 7 * HOUR, S, S, 7 * HOUR, S, S]
  assert.deepEqual(alertsOf([...burst({}), ...burst({ signals: hot }), ...burst({ signals: hot })], gaps), ['coolant_overheat critical'])
  assert.deepEqual(alertsOf([...burst({}), ...burst({}), ...burst({ signals: hot })], gaps), [])
  assert.deepEqual(alertsOf([...burst(unlit), ...burst(lit), ...burst(lit)], gaps), ['red_stop_lamp critical'])
  assert.deepEqual(alertsOf([...burst(unlit), ...burst(unlit), ...burst(lit)], gaps), [])
})

test('a lamp that was lit before a pause of any length and ever since is lit, two bulb checks with the engine off are not', () => {
  const gaps = [...repeat(8, 10 * S), 20 * HOUR]
  assert.deepEqual(alertsOf([...repeat(8, unlit), lit, lit], gaps), ['red_stop_lamp critical'])
  assert.deepEqual(alertsOf([...repeat(8, unlit), lit, {}, lit], [...gaps, S]), ['red_stop_lamp critical'])
  assert.deepEqual(alertsOf([...repeat(8, lit), unlit, lit], gaps), [])
  const bulbCheck: Report = { ...lit, signals: parked }
  assert.deepEqual(alertsOf([...repeat(8, unlit), bulbCheck, bulbCheck], gaps), [])
  assert.deepEqual(alertsOf([...repeat(8, unlit), bulbCheck, lit], gaps), [])
  assert.deepEqual(alertsOf([...repeat(8, unlit), lit, bulbCheck], gaps), [])
  assert.deepEqual(alertsOf([...repeat(8, unlit), lit, unlit, lit], [...gaps, S]), [])
})

test('heartbeats of a parked vehicle confirm a discharged battery by the second, and bring back nothing of the trip', () => {
  const trip = repeat(30, { signals: { ...warm, batteryVoltageV: 12.4 } })
  const gaps = repeat(29, 10 * S)
  assert.deepEqual(alertsOf(trip, gaps), ['undercharge medium'])
  const beat: Report = { signals: { ...parked, batteryVoltageV: 12 } }
  assert.deepEqual(alertsOf([...trip, beat], [...gaps, HOUR]), [])
  assert.deepEqual(alertsOf([...trip, beat, beat], [...gaps, HOUR, HOUR]), ['battery_discharged low'])
  const sound: Report = { signals: parked }
  assert.deepEqual(alertsOf([...trip, sound, sound], [...gaps, HOUR, HOUR]), [])
})

test('cold starts hours apart are not a thermostat, a warm engine that cools on the move within minutes is one', () => {
  const cold = { ...warm, coolantTempC: 45, ambientTempC: 15 }
  assert.deepEqual(predict(sequence(2 * HOUR, [...repeat(5, warm), cold, cold, cold])).alerts, [])
  const types = predict(sequence(10 * MIN, [...repeat(5, warm), cold, cold])).alerts.map(({ type }) => type)
  assert.deepEqual(types, ['thermostat_stuck_open'])
})

test('fuel burnt between rare reports of standing is not lost fuel', () => {
  const falling = Array.from({ length: 20 }, (_, step) => ({ ...parked, fuelLevelPct: 90 - step * 4 }))
  assert.deepEqual(predict(sequence(12 * HOUR, falling)).alerts, [])
  assert.deepEqual(
    predict(sequence(10 * MIN, falling)).alerts.map(({ type }) => type),
    ['fuel_loss'],
  )
})
