import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataSize, majorText, minorOf, money, price, quantity } from './money.ts'

test('an amount has the decimals of its currency, to the last digit', () => {
  assert.equal(money(123_450, 'INR'), '₹1,234.50')
  assert.equal(money(1_234, 'JPY'), '¥1,234')
  assert.equal(money(1_234, 'KWD').replaceAll('\u00a0', ' '), 'KWD 1.234')
  assert.equal(money(5, 'EUR'), '€0.05')
  assert.equal(money(-5, 'EUR'), '-€0.05')
  assert.equal(money(1_250, 'HUF').replaceAll('\u00a0', ' '), 'Ft 12.50')
  assert.equal(money(9_007_199_254_740_991, 'USD'), '$90,071,992,547,409.91')
})

test('a price has the decimals of its currency at least, and all that it has', () => {
  assert.equal(price('5.5', 'EUR'), '€5.50')
  assert.equal(price('0.088', 'EUR'), '€0.088')
  assert.equal(price('1', 'JPY'), '¥1')
  assert.equal(price('0.0000012', 'USD'), '$0.0000012')
  assert.deepEqual([quantity('0.903226'), quantity('1'), quantity('51.902742')], ['0.903', '1', '51.903'])
})

test('data is shown in megabytes of 1,048,576 bytes', () => {
  assert.equal(dataSize(0), '0 MB')
  assert.equal(dataSize(1_048_576), '1 MB')
  assert.equal(dataSize(312.4 * 1_048_576), '312 MB')
  assert.equal(dataSize(1_610_612_736), '1.5 GB')
})

test('what is typed as an amount becomes minor units of its currency, exactly, and back', () => {
  assert.deepEqual(
    [minorOf('1234.5', 'INR'), minorOf('1234', 'JPY'), minorOf('1.234', 'KWD'), minorOf('0.', 'EUR')],
    [123_450, 1_234, 1_234, 0],
  )
  assert.deepEqual(
    [minorOf('', 'INR'), minorOf('-1', 'INR'), minorOf('1.5', 'JPY'), minorOf('1e3', 'INR')],
    [undefined, undefined, undefined, undefined],
  )
  assert.equal(minorOf('90071992547409.92', 'USD'), undefined)
  for (const [currency, text] of [['INR', '0.05'] as const, ['JPY', '118000'] as const, ['KWD', '118.000'] as const])
    assert.equal(majorText(minorOf(text, currency) ?? 0, currency), text)
})
