import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberMarksOf } from './number-marks.ts'

test('each language has its marks, and no key writes both', () => {
  for (const [locale, thousands, decimals] of [
    ['en', ',', '.'],
    ['en-IN', ',', '.'],
    ['de', '.', ','],
    ['es', '.', ','],
  ] as const) {
    assert.deepEqual(
      numberMarksOf(locale),
      { thousandSeparator: thousands, decimalSeparator: decimals, allowedDecimalSeparators: [decimals] },
      locale,
    )
  }
})
