import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenValue, shownUnit, shownValue } from './units.ts'

test('a person who chose imperial units reads degrees Fahrenheit, miles and pounds', () => {
  const shown = (unit: string, value: number) => [Math.round(shownValue(unit, value, 'imperial') * 10) / 10, shownUnit(unit, 'imperial')]
  assert.deepEqual(shown('°C', 100), [212, '°F'])
  assert.deepEqual(shown('km', 100), [62.1, 'mi'])
  assert.deepEqual(shown('km/h', 80), [49.7, 'mph'])
  assert.deepEqual(shown('kPa', 300), [43.5, 'psi'])
  assert.deepEqual(shown('L/100km', 10), [23.5, 'mpg'])
  assert.deepEqual(shown('V', 13.9), [13.9, 'V'])
})

test('a person who chose metric units reads the values of the API', () => {
  assert.deepEqual([shownValue('°C', 83.4, 'metric'), shownUnit('°C', 'metric')], [83.4, '°C'])
})

test('what is written in the units of the person arrives in those of the API', () => {
  for (const unit of ['°C', 'km', 'km/h', 'kPa', 'L/100km', 'V']) {
    assert.ok(Math.abs(givenValue(unit, shownValue(unit, 42, 'imperial'), 'imperial') - 42) < 1e-9, unit)
  }
})

test('a run time is read in minutes and a gear as a number, whatever units were chosen', () => {
  for (const units of ['metric', 'imperial'] as const) {
    assert.deepEqual([shownValue('s', 1_230, units), shownUnit('s', units)], [20.5, 'min'])
    assert.deepEqual([shownValue('gear', 5, units), shownUnit('gear', units)], [5, ''])
  }
})
