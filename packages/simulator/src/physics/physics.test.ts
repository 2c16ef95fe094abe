import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultKind } from '../fleet/components.ts'
import { advanceFleet, createFleet, type FleetSettings } from '../fleet/fleet.ts'
import type { WireRecord } from '../fleet/reading.ts'

const WINTER = Date.parse('2026-01-14T08:00:00Z')
const SUMMER = Date.parse('2026-07-15T12:00:00Z')
const MINUTE_MS = 60_000

/** Catalogue order: 0 van, 1 petrol car, 3 truck with 24 V. */
const VAN = 0
const CAR = 1
const TRUCK = 3

type Trip = { startAtMs: number; minutes: number } & { [K in keyof FleetSettings]?: FleetSettings[K] }

function readingsOf(vehicleIndex: number, { minutes, ...options }: Trip): WireRecord[] {
  const fleet = createFleet({ seed: 7, vehicleCount: 8, wearFactor: 0, schedule: 'continuous', intervalS: 5, ...options })
  const records: WireRecord[] = []
  const alone = { ...fleet, vehicles: fleet.vehicles.slice(vehicleIndex, vehicleIndex + 1) }
  advanceFleet(alone, options.startAtMs + minutes * MINUTE_MS, (record) => records.push(record))
  return records
}

/** A fault that begins after 20 minutes and is complete after 30. */
function withFault(vehicleIndex: number, kind: FaultKind, startAtMs = SUMMER, minutes = 90): WireRecord[] {
  const faults = [{ vehicleIndex, kind, onsetMs: startAtMs + 20 * MINUTE_MS, rampS: 600 }]
  return readingsOf(vehicleIndex, { startAtMs, minutes, faults }).filter(
    (record) => Date.parse(record.timestamp) > startAtMs + 20 * MINUTE_MS,
  )
}

const numbers = (records: readonly WireRecord[], key: string) =>
  records.flatMap((record) => (typeof record[key] === 'number' ? [record[key]] : []))
const running = (records: readonly WireRecord[]) => records.filter((record) => Number(record['rpm']) > 500)
const codesOf = (records: readonly WireRecord[]) => new Set(records.flatMap((record) => (record['dtc_codes'] ?? []) as string[]))

test('a cold engine warms up steadily, reaches 80 °C between 4 and 25 minutes, and is held between 80 and 100 °C', () => {
  for (const startAtMs of [WINTER, SUMMER]) {
    for (const vehicle of [VAN, CAR, TRUCK]) {
      const records = running(readingsOf(vehicle, { startAtMs, minutes: 180, schedule: 'shifts' }))
      const warm = records.findIndex((record) => Number(record['coolant_temp']) >= 80)
      const minutesToWarm = (warm * 5) / 60
      assert.ok(minutesToWarm > 4 && minutesToWarm < 25, `vehicle ${vehicle} took ${minutesToWarm} min`)
      // A stop of some minutes takes a few degrees, and a few minutes of driving bring them back.
      const held = numbers(
        records.slice(warm).filter((record) => Number(record['runTime']) > 300),
        'coolant_temp',
      )
      assert.ok(held.length > 100)
      assert.ok(
        held.every((c) => c >= 79 && c <= 100),
        `vehicle ${vehicle}: ${Math.min(...held)} to ${Math.max(...held)} °C`,
      )
    }
  }
})

test('the bus is at 13.2 to 14.4 V per battery while the engine runs, and at 12.2 to 12.8 V at rest', () => {
  for (const startAtMs of [WINTER, SUMMER]) {
    for (const [vehicle, blocks] of [
      [CAR, 1],
      [VAN, 1],
      [TRUCK, 2],
    ] as const) {
      const records = readingsOf(vehicle, { startAtMs, minutes: 24 * 60, schedule: 'shifts' })
      const charging = numbers(running(records), 'battery_voltage').map((v) => v / blocks)
      const resting = numbers(
        records.filter((record) => record['ignition'] === false),
        'battery_voltage',
      ).map((v) => v / blocks)
      assert.ok(
        charging.length > 500 && charging.every((v) => v >= 13.2 && v <= 14.4),
        `${Math.min(...charging)} to ${Math.max(...charging)} V`,
      )
      assert.ok(
        resting.length > 100 && resting.every((v) => v >= 12.2 && v <= 12.85),
        `${Math.min(...resting)} to ${Math.max(...resting)} V`,
      )
    }
  }
})

test('the starter pulls a sound battery down, but not below 9.6 V', () => {
  const starts = readingsOf(CAR, { startAtMs: WINTER, minutes: 300 }).filter((record) => record['event'] === 'ignition_on')
  assert.ok(starts.length >= 3)
  assert.ok(starts.every((record) => Number(record['battery_voltage']) < 11.5 && Number(record['battery_voltage']) > 9.6))
})

test('oil pressure rises with engine speed and stays above 10 psi per 1000 rpm in a sound warm engine', () => {
  const warm = running(readingsOf(VAN, { startAtMs: SUMMER, minutes: 120 })).filter((record) => Number(record['engineOilTemp']) > 80)
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const idle = numbers(
    warm.filter((record) => Number(record['rpm']) < 900),
    'oil_pressure',
  )
  const cruising = numbers(
    warm.filter((record) => Number(record['rpm']) > 1800),
    'oil_pressure',
  )
  assert.ok(mean(cruising) > mean(idle) + 10)
  assert.ok(warm.every((record) => Number(record['oil_pressure']) > (Number(record['rpm']) / 1000) * 10))
})

test('fuel consumption is that of the class, and the tank is filled before it is empty', () => {
  for (const [vehicle, low, high] of [
    [CAR, 4, 10],
    [VAN, 6, 14],
    [TRUCK, 18, 42],
  ] as const) {
    const records = readingsOf(vehicle, { startAtMs: SUMMER, minutes: 30 * 60, intervalS: 30 })
    const consumption = numbers(records, 'fuel_consumption').sort((a, b) => a - b)
    const median = consumption[Math.floor(consumption.length / 2)] ?? Number.NaN
    assert.ok(median >= low && median <= high, `vehicle ${vehicle}: ${median} L/100 km`)
    const levels = numbers(records, 'fuel_level')
    assert.ok(Math.min(...levels) >= 0)
    assert.ok(
      levels.some((level, i) => i > 0 && level - (levels[i - 1] ?? 0) > 50),
      'never refuelled',
    )
  }
})

test('harsh braking is reported, and rare', () => {
  const records = readingsOf(7, { startAtMs: SUMMER, minutes: 24 * 60 })
  const harsh = records.filter((record) => record['event'] === 'harsh_braking')
  assert.ok(harsh.length >= 1 && harsh.length < 60, `${harsh.length} in a day`)
})

test('a coolant leak ends above 114 °C with the codes and the lamp for it', () => {
  const car = withFault(CAR, 'coolant_leak')
  assert.ok(Math.max(...numbers(car, 'coolant_temp')) > 114)
  assert.ok(codesOf(car).has('P0217'))
  const truck = withFault(TRUCK, 'coolant_leak')
  assert.ok(codesOf(truck).has('SPN110-FMI0'))
  assert.ok(truck.some((record) => record['red_stop_lamp'] === 'LAMP_ON'))
  assert.ok(Math.max(...numbers(truck, 'coolant_temp')) < 150)
})

test('a thermostat that stays open leaves the engine cold on the road', () => {
  const late = running(withFault(VAN, 'thermostat_open', SUMMER, 150)).slice(-1_000)
  const driving = late.filter((record) => Number(record['speed']) > 40)
  assert.ok(driving.length > 20)
  assert.ok(Math.max(...numbers(driving.slice(-20), 'coolant_temp')) < 75)
  assert.ok(codesOf(late).has('P0128'))
})

test('a dead alternator lets the running bus fall under 12.6 V per battery, and on', () => {
  for (const [vehicle, blocks, code] of [
    [CAR, 1, 'P0562'],
    [TRUCK, 2, 'SPN168-FMI18'],
  ] as const) {
    const records = running(withFault(vehicle, 'alternator'))
    const volts = numbers(records, 'battery_voltage').map((v) => v / blocks)
    assert.ok(Math.min(...volts.slice(-100)) < 12.6)
    assert.ok((volts.at(-1) ?? 99) < (volts[Math.floor(volts.length / 2)] ?? 0))
    assert.ok(codesOf(records).has(code))
  }
})

test('an overcharging regulator goes above 15 V, and above 29.5 V but not beyond 30 V in a truck', () => {
  assert.ok(Math.max(...numbers(withFault(CAR, 'overcharge'), 'battery_voltage')) > 15)
  const truckV = Math.max(...numbers(withFault(TRUCK, 'overcharge'), 'battery_voltage'))
  assert.ok(truckV > 29.5 && truckV <= 30, `${truckV} V`)
})

test('a failing battery rests low and collapses under the starter', () => {
  const faults = [{ vehicleIndex: CAR, kind: 'battery' as const, onsetMs: WINTER + 20 * MINUTE_MS, rampS: 600 }]
  const records = readingsOf(CAR, { startAtMs: WINTER, minutes: 240, faults })
  const late = records.filter((record) => Date.parse(record.timestamp) > WINTER + 40 * MINUTE_MS)
  assert.ok(
    Math.min(
      ...numbers(
        late.filter((record) => record['ignition'] === false),
        'battery_voltage',
      ),
    ) < 12,
  )
  assert.ok(late.some((record) => record['event'] === 'ignition_on' && Number(record['battery_voltage']) < 9.6))
})

test('worn bearings lose the oil pressure and light the red lamp', () => {
  const records = running(withFault(TRUCK, 'oil_pressure'))
  assert.ok(Math.min(...numbers(records.slice(-50), 'oil_pressure')) < 6)
  assert.ok(records.some((record) => record['red_stop_lamp'] === 'LAMP_ON'))
})

test('a fuel leak empties the tank faster than any engine, also at standstill', () => {
  const levels = numbers(withFault(CAR, 'fuel_leak'), 'fuel_level')
  assert.ok(Math.max(...levels) - Math.min(...levels) > 20)
})

test('worn brakes and a slipping gearbox show as codes and lamps', () => {
  const brakes = withFault(TRUCK, 'brakes')
  assert.ok(codesOf(brakes).has('SPN1099-FMI18'))
  assert.ok(brakes.some((record) => record['amber_warning_lamp'] === 'LAMP_ON'))
  const gearbox = withFault(VAN, 'transmission')
  assert.ok(codesOf(gearbox).has('P0730') && codesOf(gearbox).has('P0218'))
})

test('a car reports its MIL only, a truck its four lamps', () => {
  const lampsOf = (record: WireRecord | undefined) => Object.keys(record ?? {}).filter((key) => key.endsWith('_lamp'))
  assert.deepEqual(lampsOf(running(readingsOf(CAR, { startAtMs: SUMMER, minutes: 20 }))[0]), ['mil_lamp'])
  assert.equal(lampsOf(running(readingsOf(TRUCK, { startAtMs: SUMMER, minutes: 20 }))[0]).length, 4)
})

test('the workshop replaces what has failed, and the codes are gone with it', () => {
  const faults = [{ vehicleIndex: CAR, kind: 'misfire' as const, onsetMs: SUMMER, rampS: 300 }]
  const records = readingsOf(CAR, { startAtMs: SUMMER, minutes: 240, faults, repairAfterS: 900 })
  assert.ok(codesOf(records.slice(0, 400)).has('P0301'))
  assert.deepEqual([...codesOf(records.slice(-100))], [])
})
