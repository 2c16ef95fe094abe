import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { absoluteTime, chance, days, daysBetween, timeAgo, vehicleKind, vehicleLabel } from './format.ts'
import { signalValue } from './signal-value.ts'

const AT = '2026-11-20T12:00:00.000Z'
const after = (seconds: number) => timeAgo(AT, Date.parse(AT) + seconds * 1000)

test('time is shown in the largest whole unit, and never in the future', () => {
  assert.deepEqual([-60, 0, 12, 119, 3600, 86_400, 200_000].map(after), [
    ...['just now', 'just now', '12 s ago', '1 min ago', '1 h ago', '1 day ago', '2 days ago'],
  ])
  assert.equal(timeAgo(null, 0), 'never')
})

test('an absolute time names its zone', () => {
  assert.match(absoluteTime(AT), /2026.*(UTC|GMT|[A-Z]{2,5})/)
})

test('a vehicle is called by what people know it by', () => {
  const unnamed = { name: null, licensePlate: null, externalRef: null, vin: null, id: 'veh-1' }
  assert.equal(vehicleLabel({ ...unnamed, licensePlate: 'KA 1', vin: 'V', name: 'Truck 17' }), 'KA 1')
  assert.equal(vehicleLabel({ ...unnamed, name: 'Truck 17', externalRef: 'r' }), 'Truck 17')
  assert.equal(vehicleLabel({ ...unnamed, externalRef: 'truck-1', vin: 'V' }), 'truck-1')
  assert.equal(vehicleLabel(unnamed), 'veh-1')
  assert.equal(vehicleKind({ make: 'Volvo', model: null, year: 2021 }), 'Volvo 2021')
})

test('values carry the unit of the registry', () => {
  assert.equal(signalValue('coolantTempC', 83.4), '83 °C')
  assert.equal(signalValue('batteryVoltageV', 28.271), '28.3 V')
  assert.equal(signalValue('currentGear', 5), '5')
  assert.equal(signalValue('engineRunTimeS', 1_226), '20 min')
  assert.equal(days(1), '1 day')
  assert.equal(days(2327), '2,327 days')
  assert.equal(daysBetween([11, 48]), '11–48 days')
  assert.deepEqual([0.0617, 0.986, 0.9999, 1].map(chance), ['6 %', '99 %', '99 %', '99 %'])
  assert.equal(sentenceCase('oil_pressure'), 'Oil pressure')
})
