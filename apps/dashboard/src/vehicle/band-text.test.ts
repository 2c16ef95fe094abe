import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalBandOf } from '@roadworthy/signals/normal-bands'
import type { SignalName } from '@roadworthy/signals/registry'
import { bandText } from './band-text.ts'

test('a band is shown in words, also where it is open on one side or holds always', () => {
  const textOf = (signal: SignalName) => bandText(signal, normalBandOf(signal, [14]) ?? assert.fail(signal))
  assert.equal(textOf('coolantTempC'), 'normal 77 °C to 102 °C, engine warm')
  assert.equal(textOf('batteryVoltageV'), 'normal 13.0 V to 14.8 V, engine running')
  assert.equal(textOf('engineOilTempC'), 'normal up to 120 °C')
  assert.equal(textOf('fuelTempC'), 'normal up to 80 °C, diesel engine running')
  assert.equal(textOf('fuelLevelPct'), 'normal from 10 %')
})
