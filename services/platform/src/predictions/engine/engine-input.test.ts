import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KPA_PER_PSI } from '@roadworthy/signals/registry'
import { type KnownVehicle, type SourceState, toEngineInput } from './engine-input.ts'

const NOW_MS = Date.parse('2026-05-04T10:00:00.000Z')
const MINUTE_MS = 60_000

function vehicle(more: Partial<KnownVehicle>): KnownVehicle {
  return { vehicleId: 'veh-1', previousStatus: undefined, modelYear: undefined, sources: [], history: [], ...more }
}

function source(more: Partial<SourceState>): SourceState {
  return { recordedAtMs: NOW_MS, signals: {}, states: {}, fix: undefined, ...more }
}

test('canonical values go out under the engine’s names and units', () => {
  const input = toEngineInput(
    vehicle({
      sources: [
        source({
          signals: { coolantTempC: [91, NOW_MS], oilPressureKpa: [45 * KPA_PER_PSI, NOW_MS], odometerKm: [120_000, NOW_MS] },
          states: { redStopLamp: [true, NOW_MS], milLamp: [false, NOW_MS], dtcCodes: [['P0217'], NOW_MS] },
          fix: { latitude: 59.3, longitude: 18.1, recordedAtMs: NOW_MS },
        }),
      ],
    }),
  )
  assert.deepEqual(input, {
    vehicleId: 'veh-1',
    timestamp: '2026-05-04T10:00:00.000Z',
    coolant: 91,
    oil_pressure: 45,
    obdDistance: 120_000,
    red_stop_lamp: 'LAMP_ON',
    mil_lamp: 'LAMP_OFF',
    dtc_codes: ['P0217'],
    latitude: 59.3,
    longitude: 18.1,
    history: [],
  })
})

test('a vehicle that never reported is asked about by its id and its record', () => {
  assert.deepEqual(toEngineInput(vehicle({})), { vehicleId: 'veh-1' })
  assert.deepEqual(toEngineInput(vehicle({ fuelType: 'electric', vehicleClass: undefined })), { vehicleId: 'veh-1', fuelType: 'electric' })
})

test('the description in the record goes along, a VIN only where it can be read', () => {
  const described = { vehicleClass: 'heavy_truck', fuelType: 'diesel', drivetrain: '6x4', batteryNominalV: 12, vin: '3AKJHHDR5JSJT1234' }
  const inputOf = (more: Partial<KnownVehicle>) => toEngineInput(vehicle({ sources: [source({})], ...more }))
  assert.deepEqual(inputOf(described), { ...inputOf({}), ...described })
  assert.deepEqual(inputOf({ vin: 'OLD1970' }), inputOf({}))
})

test('an hour meter stands like the odometer, a run time since the start only as long as other signals', () => {
  const runTimeOf = (runTimeS: number, minutesAgo: number) =>
    toEngineInput(vehicle({ sources: [source({ signals: { engineRunTimeS: [runTimeS, NOW_MS - minutesAgo * MINUTE_MS] } })] }))['runTime']
  assert.equal(runTimeOf(8000 * 3600, 60), 8000 * 3600)
  assert.equal(runTimeOf(600, 60), undefined)
  assert.equal(runTimeOf(600, 0), 600)
})

test('a value that is too old for the newest message is left out; slow signals, lamps and codes stand longer', () => {
  const ago = (minutes: number) => NOW_MS - minutes * MINUTE_MS
  const input = toEngineInput(
    vehicle({
      sources: [
        source({
          signals: {
            vehicleSpeedKmh: [50, NOW_MS],
            coolantTempC: [118, NOW_MS - 10_000],
            batteryVoltageV: [14.1, NOW_MS - 9_999],
            odometerKm: [120_000, ago(60 * 24 * 29)],
            fuelLevelPct: [40, ago(61)],
          },
          states: { amberWarningLamp: [true, ago(60 * 23)], milLamp: [true, ago(60 * 25)] },
          fix: { latitude: 1, longitude: 2, recordedAtMs: ago(1) },
        }),
      ],
    }),
  )
  assert.deepEqual(input, {
    vehicleId: 'veh-1',
    timestamp: '2026-05-04T10:00:00.000Z',
    battery_voltage: 14.1,
    vehicleSpeed: 50,
    obdDistance: 120_000,
    amber_warning_lamp: 'LAMP_ON',
    history: [],
  })
})

test('of two sources the newer value of each signal is taken, and time is that of the newer source', () => {
  const input = toEngineInput(
    vehicle({
      sources: [
        source({ recordedAtMs: NOW_MS - 1000, signals: { coolantTempC: [90, NOW_MS - 1000], batteryVoltageV: [14, NOW_MS - 1000] } }),
        source({ signals: { coolantTempC: [92, NOW_MS] } }),
      ],
    }),
  )
  assert.equal(input['coolant'], 92)
  assert.equal(input['battery_voltage'], 14)
  assert.equal(input['timestamp'], '2026-05-04T10:00:00.000Z')
})

test('an implausible value is never sent, whether ingest marked it or not', () => {
  const input = toEngineInput(
    vehicle({
      sources: [source({ signals: { coolantTempC: [215, NOW_MS], unheardOf: [1, NOW_MS] } })],
      history: [
        {
          recordedAtMs: NOW_MS - 1000,
          signals: { coolantTempC: 90, batteryVoltageV: 276, engineSpeedRpm: 900 },
          attributes: { implausible: ['engineSpeedRpm'], lamps: { milLamp: true }, dtcCodes: ['P0301'] },
        },
      ],
    }),
  )
  assert.deepEqual(input, {
    vehicleId: 'veh-1',
    timestamp: '2026-05-04T10:00:00.000Z',
    history: [{ timestamp: '2026-05-04T09:59:59.000Z', coolant: 90, mil_lamp: 'LAMP_ON', dtc_codes: ['P0301'] }],
  })
})

test('the status last published and the age of the vehicle go along where they are known', () => {
  const input = toEngineInput(vehicle({ previousStatus: 'warning', modelYear: 2024, sources: [source({})] }))
  assert.equal(input['previousHealthStatus'], 'warning')
  assert.equal(input['vehicleAgeDays'], (Date.UTC(2026, 4, 4) - Date.UTC(2024, 6, 1)) / 86_400_000)
  const nextYears = toEngineInput(vehicle({ modelYear: 2027, sources: [source({})] }))
  assert.equal(nextYears['vehicleAgeDays'], 0)
})

test('a corrected odometer counts on from the correction, and what was read before it is no jump', () => {
  const sinceMs = NOW_MS - 2 * MINUTE_MS
  const past = [-3, -1].map((minutes) => ({
    recordedAtMs: NOW_MS + minutes * MINUTE_MS,
    signals: { odometerKm: 120_000 + minutes, coolantTempC: 90 },
    attributes: undefined,
  }))
  const read = (odometerOffset: KnownVehicle['odometerOffset']) => {
    const input = toEngineInput(
      vehicle({
        sources: [source({ signals: { odometerKm: [120_000, NOW_MS] } })],
        history: past as unknown as KnownVehicle['history'],
        odometerOffset,
      }),
    )
    const history = input['history'] as Record<string, unknown>[]
    return [history.map(({ obdDistance }) => obdDistance), input['obdDistance'], history.map(({ coolant }) => coolant)]
  }
  assert.deepEqual(read(undefined), [[119_997, 119_999], 120_000, [90, 90]])
  assert.deepEqual(read({ km: 80_000, sinceMs }), [[undefined, 199_999], 200_000, [90, 90]])
})

test('an odometer that falls back is taken as what is kept of it, and its readings are no measure; one that goes on is taken as it is', () => {
  const atMs = NOW_MS - 3 * MINUTE_MS
  const read = (offsetKm: number, kept: KnownVehicle['keptOdometer']) => {
    const history = [-3, -1].map((minutes) => ({
      recordedAtMs: NOW_MS + minutes * MINUTE_MS,
      signals: { odometerKm: minutes === -3 ? 401_000 : 401_002 + offsetKm, coolantTempC: 90 },
      attributes: null,
    }))
    const sources = [source({ signals: { odometerKm: [401_003 + offsetKm, NOW_MS] } })]
    const input = toEngineInput(vehicle({ sources, history, keptOdometer: kept }))
    const past = input['history'] as Record<string, unknown>[]
    return [past.map(({ obdDistance }) => obdDistance), input['obdDistance'], past.map(({ coolant }) => coolant)]
  }
  const kept = { km: 401_000, atMs }
  assert.deepEqual(read(-401_000, kept), [[401_000, undefined], 401_000, [90, 90]])
  assert.deepEqual(read(0, kept), [[401_000, 401_002], 401_003, [90, 90]])
  assert.deepEqual(read(-401_000, undefined), [[401_000, 2], 3, [90, 90]], 'of a vehicle of which nothing is kept yet')
})
