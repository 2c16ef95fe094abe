import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation, PredictionInput } from '@roadworthy/prognostics/inputs/observation'
import { sequence, stateless } from '@roadworthy/prognostics/testing/inputs'
import type { SignalValues } from '@roadworthy/signals/registry'
import { startEngine } from '../http/testing-engine.ts'
import { suspectUnits } from './suspect-units.ts'

const suspectedIn = (input: PredictionInput) => suspectUnits(input)?.map(({ field, suspectedUnit }) => `${field} ${suspectedUnit}`) ?? []
const lasting = (signals: SignalValues, count = 20) =>
  sequence(
    1000,
    Array.from({ length: count }, () => signals),
  )

test('a value that is impossible in its unit and usual in another is reported with its evidence, and nothing is converted', async (t) => {
  const { post } = await startEngine(t)
  const { body } = await post('/v1/predict', { vehicleId: 'V-1', ect: 195, battery_voltage: 13_800, oil_pressure: 310 })
  assert.deepEqual(body._schemaMapping.mappedFields, { ect: 'coolant' })
  const [coolant, ...others] = body._schemaMapping.suggestions
  assert.deepEqual(coolant, {
    field: 'coolant',
    unit: '°C',
    suspectedUnit: '°F',
    value: 195,
    convertedValue: 90.56,
    readings: 1,
    reason: 'coolant is 195, which is outside -40 to 150 °C; taken as °F it is 90.56 °C, which is usual.',
  })
  assert.deepEqual(
    others.map((each: Record<string, unknown>) => [each['field'], each['suspectedUnit'], each['convertedValue']]),
    [
      ['battery_voltage', 'mV', 13.8],
      ['oil_pressure', 'kPa', 44.96],
    ],
  )
  const without = (await post('/v1/predict', { vehicleId: 'V-1' })).body
  assert.deepEqual(body._validation.ignored.toSorted(), ['battery_voltage', 'coolant', 'oil_pressure'])
  assert.deepEqual(body.alerts, [])
  assert.deepEqual(body.predictions.remainingUsefulLife, without.predictions.remainingUsefulLife)
})

test('without an alias a doubted unit is reported in the same place, and a sound input has no such place', async (t) => {
  const { post } = await startEngine(t)
  const { body } = await post('/v1/predict', { vehicleId: 'V-1', ambient_air_temperature: 77 })
  assert.deepEqual([body._schemaMapping.autoMapped, body._schemaMapping.mappedFields], [false, {}])
  assert.equal(body._schemaMapping.suggestions[0].convertedValue, 25)
  assert.equal((await post('/v1/predict', { vehicleId: 'V-1', ambient_air_temperature: 25 })).body._schemaMapping, undefined)
})

test('what can be true is never doubted', () => {
  const trueValues: Readonly<Record<string, SignalValues>> = {
    'a hot engine at 118 °C': { coolantTempC: 118, engineOilTempC: 128, batteryVoltageV: 13.9, ambientTempC: 41, oilPressureKpa: 240 },
    'an engine that boils': { coolantTempC: 149, engineOilTempC: 190, batteryVoltageV: 13.6 },
    'a 24 V lorry': { coolantTempC: 84, batteryVoltageV: 28.4, oilPressureKpa: 420, odometerKm: 1_240_000 },
    'an overcharged 24 V lorry': { batteryVoltageV: 30 },
    'a cold start in the north': { coolantTempC: -38, ambientTempC: -40, batteryVoltageV: 7.4, oilPressureKpa: 690 },
    'a van in the desert': { coolantTempC: 104, ambientTempC: 56, engineOilTempC: 131 },
    'a diesel with its oil cold': { oilPressureKpa: 800, engineSpeedRpm: 2200 },
  }
  for (const [what, signals] of Object.entries(trueValues)) {
    for (const inputOf of [stateless, lasting]) assert.deepEqual(suspectedIn(inputOf(signals)), [], what)
  }
})

test('garbage is not taken for a unit', () => {
  for (const signals of [
    { coolantTempC: 215 },
    { coolantTempC: 214 },
    { coolantTempC: 6000 },
    { batteryVoltageV: 276 },
    { batteryVoltageV: 65_535 },
  ]) {
    for (const inputOf of [stateless, lasting]) assert.deepEqual(suspectedIn(inputOf(signals)), [], JSON.stringify(signals))
  }
  assert.deepEqual(suspectedIn(stateless({ oilPressureKpa: Number.MAX_VALUE, odometerKm: 1e300 })), [])
})

test('with history a unit has to show itself three times in a row', () => {
  const coolants = (...values: number[]) =>
    sequence(
      1000,
      values.map((coolantTempC) => ({ coolantTempC })),
    )
  assert.deepEqual(suspectedIn(coolants(90, 91, 195)), [])
  assert.deepEqual(suspectedIn(coolants(90, 195, 90, 195, 196)), [])
  assert.deepEqual(suspectedIn(coolants(195)), [], 'a history that is empty')
  assert.deepEqual(suspectedIn(coolants(149, 151, 152, 153)), ['coolant °F'])
})

test('a jump that is exactly the conversion and stays is reported, in the range of the field too', () => {
  const before = [44, 44, 45, 45]
  const fahrenheit = [113, 113, 114, 115]
  const historyOf = (...values: number[]) =>
    sequence(
      1000,
      values.map((coolantTempC) => ({ coolantTempC })),
    )
  const [suggestion] = suspectUnits(historyOf(...before, ...fahrenheit)) ?? []
  assert.deepEqual(
    [suggestion?.field, suggestion?.suspectedUnit, suggestion?.readings, suggestion?.convertedValue],
    ['coolant', '°F', 4, 46.11],
  )
  assert.match(suggestion?.reason ?? '', /went from 45 to 113 at once and stayed there/)
  assert.deepEqual(suspectedIn(historyOf(...before, 113, 113)), [], 'twice may be garbage')
  assert.deepEqual(suspectedIn(historyOf(...before, 113, 45, 46, 46)), [], 'it did not stay')
  assert.deepEqual(suspectedIn(historyOf(...before, 100, 100, 101, 101)), [], 'not the conversion')
  assert.deepEqual(
    suspectedIn(
      sequence(
        60_000,
        [45, 113, 114, 115, 116].map((coolantTempC) => ({ coolantTempC })),
      ),
    ),
    [],
    'time to warm up',
  )
})

/** A drive of ten minutes, reported every 5 s. */
function drive(speedUnitKmh: number, odometerUnitKm: number, odometerStep: number): PredictionInput {
  let km = 120_000.4
  const steps = Array.from({ length: 120 }, (_, at): SignalValues => {
    const kmh = 70 + 25 * Math.sin(at / 9)
    km += (kmh * 5) / 3600
    return { vehicleSpeedKmh: Math.round(kmh / speedUnitKmh), odometerKm: Math.floor(km / odometerUnitKm / odometerStep) * odometerStep }
  })
  return sequence(5000, steps)
}

test('speed and odometer that differ by the factor between two units are reported, and agreeing ones are not', () => {
  assert.deepEqual(suspectedIn(drive(1.609, 1, 0.1)), ['vehicleSpeed mph'])
  assert.deepEqual(suspectedIn(drive(1.852, 1, 0.1)), ['vehicleSpeed knots'])
  assert.deepEqual(suspectedIn(drive(3.6, 1, 0.1)), ['vehicleSpeed m/s'])
  assert.deepEqual(suspectedIn(drive(1, 1.609, 0.1)), ['obdDistance mi'])
  for (const step of [0.005, 0.1, 1]) assert.deepEqual(suspectedIn(drive(1, 1, step)), [], String(step))
  const [suggestion] = suspectUnits(drive(1.609, 1, 0.1)) ?? []
  assert.match(
    suggestion?.reason ?? '',
    /^obdDistance rose by [\d.]+ while vehicleSpeed adds up to [\d.]+ km; with vehicleSpeed in mph the two agree\.$/,
  )
})

test('too short a drive, an odometer that stands, and one that counts in steps of ten show nothing about units', () => {
  const mph = drive(1.609, 1, 0.1)
  const tail = (count: number): PredictionInput => ({ ...mph, history: (mph.history as Observation[]).slice(-count) })
  assert.deepEqual(suspectedIn(tail(5)), [])
  assert.deepEqual(suspectedIn(drive(1.609, 1, 10)), [])
  const standing = lasting({ vehicleSpeedKmh: 60, odometerKm: 120_000 }, 120)
  assert.deepEqual(suspectedIn(standing), [])
})
