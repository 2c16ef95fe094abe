import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalText, numberMarksOf, typedDecimal } from './number-marks.ts'

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

test('an amount is read by the marks with which the language writes it, and a lone mark of the other kind as that of decimals', () => {
  const read = (locale: string, ...typed: string[]) => typed.map((each) => decimalText(each, numberMarksOf(locale)))
  assert.deepEqual(read('en', '2.90', '2,90', '1,234', '1,234.5', '12,345,678', '0,088', ' 7 '), [
    ...['2.90', '2.90', '1234', '1234.5', '12345678', '0.088', '7'],
  ])
  assert.deepEqual(read('de', '2,90', '2.90', '1.234', '1.234,5', '1.234.567,89', '0.088', '-2,5'), [
    ...['2.90', '2.90', '1234', '1234.5', '1234567.89', '0.088', '-2.5'],
  ])
  assert.deepEqual(read('en-IN', '12,34,567.50'), ['1234567.50'])
  // While it is typed.
  assert.deepEqual(read('de', '', '2', '2,', '-'), ['', '2', '2', '-'])
  // No number: its field refuses it.
  assert.deepEqual(read('de', 'about 5', '1,2,3', '1.23.4'), ['about5', '1.2,3', '1.23.4'])
  assert.deepEqual([typedDecimal('2.90', numberMarksOf('de')), typedDecimal('2.90', numberMarksOf('en'))], ['2,90', '2.90'])
})
