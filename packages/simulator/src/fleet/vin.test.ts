import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVin, isValidVin, vinCheckDigit } from './vin.ts'

test('the check digit is that of 49 CFR 565.15', () => {
  // The regulation's own worked example, and the all-ones VIN that every implementation is tried on.
  assert.equal(vinCheckDigit('1M8GDM9A_KP042788'.replace('_', '0')), 'X')
  assert.ok(isValidVin('1M8GDM9AXKP042788'))
  assert.ok(isValidVin('11111111111111111'))
})

test('a VIN with one character changed, of another length or with a forbidden letter is not valid', () => {
  assert.ok(!isValidVin('1M8GDM9AXKP042789'))
  assert.ok(!isValidVin('1M8GDM9AXKP04278'))
  assert.equal(vinCheckDigit('IM8GDM9AXKP042788'), undefined)
})

test('a created VIN is valid and carries its model year', () => {
  const vin = createVin('WF0', 'XXTTG', 2021, 42)
  assert.ok(isValidVin(vin), vin)
  assert.equal(vin.charAt(9), 'M')
})
