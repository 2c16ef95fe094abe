import assert from 'node:assert/strict'
import { test } from 'node:test'
import { floor, fraction, isSame, parseDecimal, product, roundHalfUp, sum, toDecimalText } from './rational.ts'

test('a half is rounded away from zero, what is less towards it', () => {
  for (const [text, rounded] of [
    ['0.5', 1n],
    ['0.499999', 0n],
    ['1.5', 2n],
    ['2.5', 3n],
    ['-0.5', -1n],
    ['-0.499999', 0n],
    ['-2.5', -3n],
    ['-2.500001', -3n],
    ['0', 0n],
  ] as const) {
    assert.equal(roundHalfUp(parseDecimal(text)), rounded, text)
  }
  assert.equal(roundHalfUp(fraction(1, 3)), 0n)
  assert.equal(roundHalfUp(fraction(2, 3)), 1n)
})

test('rounding down takes off any part, and what is below zero is refused', () => {
  assert.equal(floor(fraction(17, 18)), 0n)
  assert.equal(floor(fraction(36, 18)), 2n)
  assert.throws(() => floor(fraction(-1, 2)), RangeError)
})

test('decimals are read and written exactly', () => {
  for (const text of ['0', '-12.5', '0.000001', '123456789.123456789']) assert.equal(toDecimalText(parseDecimal(text), 9), text)
  assert.equal(toDecimalText(fraction(18, 31), 6), '0.580645')
  assert.equal(toDecimalText(parseDecimal('-0.0000005'), 6), '-0.000001')
  assert.equal(toDecimalText(parseDecimal('-0.0000004'), 6), '0')
  for (const text of ['', '1e3', '1.', '.5', '+1', 'NaN', '1,5']) assert.throws(() => parseDecimal(text), RangeError, text)
})

test('products, sums and comparisons have no error', () => {
  assert.ok(isSame(product(fraction(1, 3), fraction(3, 7)), fraction(1, 7)))
  assert.ok(isSame(sum(fraction(1, 3), fraction(-1, 2)), fraction(1, -6)))
  assert.throws(() => fraction(1, 0), RangeError)
})
