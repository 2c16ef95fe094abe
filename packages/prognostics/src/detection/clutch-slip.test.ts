// Goal: a clutch that slips is detected by the two speeds and the gear, and driving as it is, gears changed and clutch down included, is not.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { VehicleDescription } from '../inputs/observation.ts'
import { predict } from '../predict.ts'
import { etiosRpmPerKmh, withInferredGears } from '../testing/inferred-gears.ts'
import { repeat, sequence } from '../testing/inputs.ts'
import { carobd, findRecordings } from '../testing/recordings.ts'

const S = 1000
const at = (currentGear: number, engineSpeedRpm: number, vehicleSpeedKmh: number, throttlePct = 30): SignalValues => ({
  currentGear,
  engineSpeedRpm,
  vehicleSpeedKmh,
  throttlePct,
  coolantTempC: 88,
})
/** Third gear for a while, then fifth at 30 rpm per km/h. */
const cruise = [...repeat(10, at(3, 2350, 50)), ...repeat(30, at(5, 2400, 80))]
const truck = (steps: readonly SignalValues[]) => steps.map((step) => ({ ...step, batteryVoltageV: 28 }))
const alertsOf = (steps: readonly SignalValues[], everyMs = S, vehicle?: VehicleDescription) =>
  predict(sequence(everyMs, steps, { vehicle }))
    .alerts.filter(({ component }) => component === 'transmission')
    .map(({ type, severity }) => `${type} ${severity}`)

const slips = repeat(10, at(5, 2800, 80, 60))

test('an engine that turns faster than its gear for 8 s is reported, by what it may be', () => {
  assert.deepEqual(alertsOf([...cruise, ...slips]), ['clutch_slipping info'], 'an unlocked converter does so')
  assert.deepEqual(alertsOf(truck([...cruise, ...slips])), ['clutch_slipping low'], 'heavy vehicles lock theirs')
  assert.deepEqual(alertsOf([...cruise, ...slips], S, { vehicleClass: 'bus' }), ['clutch_slipping low'])
  const fast = [...repeat(10, at(3, 4700, 100)), ...repeat(30, at(5, 3000, 100))]
  assert.deepEqual(
    alertsOf([...fast, ...repeat(10, at(5, 3700, 100, 70))]),
    ['clutch_slipping low'],
    'no converter does so at this engine speed',
  )
  const stepless = fast.map((step) => ({ ...step, currentGear: 5 }))
  assert.deepEqual(
    alertsOf([...stepless.slice(10), ...repeat(10, at(5, 3700, 100, 70))]),
    ['clutch_slipping info'],
    'a gearbox without steps does',
  )
})

test('where there is no engine, or one that turns at a speed of its own, nothing slips', () => {
  for (const fuelType of ['electric', 'hybrid', 'plug_in_hybrid'] as const) {
    assert.deepEqual(alertsOf([...cruise, ...slips], S, { vehicleClass: 'bus', fuelType }), [], fuelType)
  }
})

test('it is reported as long as it is in the readings, and takes nothing off health while it may be sound', () => {
  const after = [...cruise, ...slips, ...repeat(20, at(5, 2400, 80))]
  const { healthScore, insights } = predict(sequence(S, after))
  assert.deepEqual(alertsOf(after), ['clutch_slipping info'])
  assert.equal(healthScore, predict(sequence(S, [...cruise, ...repeat(30, at(5, 2400, 80))])).healthScore)
  assert.ok(
    insights.some((text) => text.startsWith('In gear 5 the engine turned at least 17 % faster for 9 s than this gear does')),
    insights.join('\n'),
  )
})

test('what clutches and converters do on purpose, and what is no slip, is not reported', () => {
  const second = repeat(40, at(2, 2400, 40))
  const cases: Readonly<Record<string, SignalValues[]>> = {
    'in second gear': [...second, ...repeat(10, at(2, 2900, 40, 60))],
    'for 7 s': [...cruise, ...slips.slice(0, 8)],
    'by a tenth': [...cruise, ...repeat(10, at(5, 2640, 80, 60))],
    'with less throttle than it holds at': [...cruise, ...repeat(10, at(5, 2800, 80, 15))],
    'while it slows down': [...cruise, ...repeat(12, 0).map((_, second) => at(5, 2800 - 60 * second, 80 - 3 * second))],
    'in a gear that is reported late': [...cruise, at(5, 1500, 80), ...repeat(4, at(5, 3100, 80, 50)), ...repeat(10, at(4, 3100, 80, 50))],
    'with another final drive, as a transfer case has': [...cruise, ...repeat(20, at(5, 4800, 80))],
    'while the speed is reported 3 s later than the engine speed': [
      ...repeat(40, at(5, 1500, 50)),
      ...repeat(14, 0).map((_, second) => at(5, (50 + 6 * second) * 30, 50 + 6 * Math.max(0, second - 3), 60)),
    ],
    'in two gears, half as long in each': [...repeat(20, at(4, 3000, 80)), ...cruise, ...slips.slice(5), ...repeat(5, at(4, 3500, 80, 60))],
    'in a gear that was hardly used before': [...repeat(30, at(3, 2350, 50)), ...repeat(8, at(5, 2400, 80)), ...slips.slice(1)],
  }
  for (const [what, steps] of Object.entries(cases)) assert.deepEqual(alertsOf(truck(steps)), [], what)
  const inFifth = (count: number) => repeat(count, at(5, 2400, 80))
  assert.deepEqual(
    alertsOf(truck([...inFifth(20), ...repeat(18, at(5, 2800, 80, 60))]), S / 2),
    [],
    'in a gear that was in for 10 s before',
  )
  assert.deepEqual(alertsOf(truck([...inFifth(8), ...slips.slice(5)]), 5 * S), [], 'in a gear with few readings before')
})

const recordings = findRecordings(process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data'), carobd)
const skip = recordings === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false

test('a real drive with its gears is quiet, and the same with a clutch that slips by a quarter is found', { skip }, () => {
  const drive = withInferredGears(recordings?.read('drive9') ?? [], etiosRpmPerKmh).filter((_, row) => row % 2 === 0)
  const slipsIn = (observations: typeof drive) =>
    observations.flatMap((observation, index) => {
      if (index % 5 !== 0) return []
      const history = observations.slice(Math.max(0, index - 120), index)
      const { alerts } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
      return alerts.filter(({ type }) => type === 'clutch_slipping').map(() => observation.recordedAtMs)
    })
  assert.deepEqual(slipsIn(drive), [])
  const slipping = drive.map((observation) => {
    const { engineSpeedRpm = 0, throttlePct = 0, currentGear = 0 } = observation.signals
    return currentGear < 4 || throttlePct < 22
      ? observation
      : { ...observation, signals: { ...observation.signals, engineSpeedRpm: engineSpeedRpm * 1.25 } }
  })
  assert.ok(slipsIn(slipping).length > 0)
})
