import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedReading, RecordedValues } from './recording.ts'
import {
  at,
  between,
  coolantRamp,
  coolantStuck,
  deadAlternator,
  fahrenheit,
  fuelLoss,
  overcharge,
  type Transform,
  thermostatOpen,
  transformed,
  until,
  voltageDrift,
} from './transforms.ts'

/** A warm engine at 1500 rpm, one row a second. */
async function* trip(seconds: number, change: (s: number) => RecordedValues = () => ({})): AsyncGenerator<RecordedReading> {
  for (let s = 0; s < seconds; s++) {
    yield { offsetS: s, record: { rpm: 1500, coolant_temp: 88 + (s % 3), battery_voltage: 13.9, fuel_level: 50, ...change(s) } }
  }
}

async function valuesOf(key: string, seconds: number, ...transforms: Transform[]): Promise<number[]> {
  return Array.fromAsync(transformed(trip(seconds), ...transforms), ({ record }) => Number(record[key]))
}

test('a coolant ramp leaves the trip alone before its start, climbs at its rate, and stays at its end', async () => {
  const coolant = await valuesOf('coolant_temp', 300, coolantRamp({ startS: 60, toC: 118, ratePerS: 0.5 }))
  assert.deepEqual(coolant.slice(0, 60), await valuesOf('coolant_temp', 60))
  assert.equal(coolant[80], 88 + 10)
  assert.equal(coolant.at(-1), 118)
})

test('a stuck sensor repeats itself', async () => {
  assert.deepEqual([...new Set((await valuesOf('coolant_temp', 100, coolantStuck({ startS: 31 }))).slice(31))], [89])
})

test('an open thermostat cools the engine towards its end value', async () => {
  const coolant = await valuesOf('coolant_temp', 1_500, thermostatOpen({ startS: 0, toC: 55 }))
  assert.ok((coolant[240] ?? 0) < 69 && (coolant.at(-1) ?? 0) < 56)
})

test('a dead alternator sags to about 12.2 V within a minute and discharges from there', async () => {
  const volts = await valuesOf('battery_voltage', 8_000, deadAlternator({ startS: 100 }))
  assert.equal(volts[99], 13.9)
  assert.ok(Math.abs((volts[160] ?? 0) - 12.25) < 0.05, `${volts[160]}`)
  assert.ok(volts.slice(101).every((v, i) => v <= (volts[100 + i] ?? 0)))
  assert.ok((volts.at(-1) ?? 0) < 10)
})

test('drift, overcharge and fuel loss change only their own signal', async () => {
  assert.equal((await valuesOf('battery_voltage', 3_601, voltageDrift({ startS: 0, perHourV: -1 })))[3_600], 12.9)
  assert.ok(((await valuesOf('battery_voltage', 100, overcharge({ startS: 10 })))[99] ?? 0) > 15.5)
  assert.equal((await valuesOf('fuel_level', 101, fuelLoss({ startS: 0, pctPerS: 0.1 })))[100], 40)
  assert.equal((await valuesOf('coolant_temp', 100, overcharge({ startS: 10 })))[50], 90)
})

test('an engine at rest is not overcharged', async () => {
  const parked = transformed(
    trip(50, () => ({ rpm: 0, battery_voltage: 12.5 })),
    overcharge({ startS: 0 }),
  )
  assert.ok((await Array.fromAsync(parked)).every(({ record }) => record['battery_voltage'] === 12.5))
})

test('Fahrenheit for Celsius is the conversion of NIST', async () => {
  assert.equal((await valuesOf('coolant_temp', 1, fahrenheit({ startS: 0 })))[0], 190.4)
})

test('a window starts its own time', async () => {
  const window = await Array.fromAsync(transformed(trip(100), between({ fromS: 20, toS: 23 })), ({ offsetS }) => offsetS)
  assert.deepEqual(window, [0, 1, 2])
})

test('until a second, a recording is read that far and no further', async () => {
  let readS = -1
  const trip = async function* () {
    for (let s = 0; s < 100; s++) {
      readS = s
      yield { offsetS: s, record: {} }
    }
  }
  assert.deepEqual(await Array.fromAsync(until(trip(), 3), ({ offsetS }) => offsetS), [0, 1, 2])
  assert.equal(readS, 3)
})

test('a signal that the trip does not have is not made up', async () => {
  const bare = (async function* () {
    yield { offsetS: 500, record: { rpm: 900 } }
  })()
  assert.deepEqual(
    await Array.fromAsync(transformed(bare, deadAlternator({ startS: 0 }), coolantRamp({ startS: 0, toC: 118, ratePerS: 1 }))),
    [{ offsetS: 500, record: { rpm: 900 } }],
  )
})

test('a position is added without hiding one that is there', async () => {
  const [reading] = await Array.fromAsync(transformed(trip(1), at({ latitude: 49, longitude: 8 })))
  assert.equal(reading?.record['latitude'], 49)
})
