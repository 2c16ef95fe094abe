import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KPA_PER_PSI, lampNames, signalNames, signalsByWireKey } from './registry.ts'
import { externalKeyOf, toWireEvidence, toWireValue, wireKeyOf } from './wire-names.ts'

test('every signal has a key of either vocabulary, by which it can be sent', () => {
  for (const name of signalNames) {
    for (const vocabulary of ['external', 'engine'] as const) {
      const { key, scale } = wireKeyOf(name, vocabulary)
      assert.deepEqual(signalsByWireKey.get(key), { name, scale })
    }
  }
})

test('values leave in the unit of the wire, without the noise of a division', () => {
  assert.equal(toWireValue('oilPressureKpa', 45 * KPA_PER_PSI, 'external'), 45)
  assert.equal(toWireValue('coolantTempC', 92.5, 'engine'), 92.5)
})

test('a field of the engine has its name of the External API, and what is no signal keeps its own', () => {
  const asked = ['coolant', 'vehicleSpeed', 'engine_speed', 'engineOilTemp', 'mil_lamp', 'dtc_codes']
  assert.deepEqual(asked.map(externalKeyOf), ['coolant_temp', 'speed', 'rpm', 'engineOilTemp', 'mil_lamp', 'dtc_codes'])
})

test('evidence names signals and lamps as they are sent, with its numbers in the unit it names', () => {
  assert.deepEqual(toWireEvidence({ signal: 'coolantTempC', value: 116, threshold: 114, unit: '°C', heldSeconds: 40 }), {
    ...{ signal: 'coolant', value: 116, threshold: 114, unit: '°C', heldSeconds: 40 },
  })
  assert.deepEqual(toWireEvidence({ signal: 'oilPressureKpa', value: 68.94757, threshold: 137.89514, unit: 'kPa', heldSeconds: 10 }), {
    ...{ signal: 'oil_pressure', value: 10, threshold: 20, unit: 'PSI', heldSeconds: 10 },
  })
  for (const lamp of lampNames) assert.match(String(toWireEvidence({ lamp, value: 'LAMP_ON' })['lamp']), /^[a-z_]+_lamp$/)
  assert.deepEqual(toWireEvidence({ codes: ['P0217'] }), { codes: ['P0217'] })
})
