import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatsOf } from './formats.ts'

test('a number has as many decimals as are asked for, whatever was asked for before, as its language writes it', () => {
  const [english, german] = [formatsOf('en', 'UTC'), formatsOf('de', 'UTC')]
  const written = [2, 0, 1, 2].map((decimals) => english.decimalNumber(1234.567, decimals))
  assert.deepEqual(written, ['1,234.57', '1,235', '1,234.6', '1,234.57'])
  assert.equal(german.decimalNumber(1234.567, 2), '1.234,57')
})
