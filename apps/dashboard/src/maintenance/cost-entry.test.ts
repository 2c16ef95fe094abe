import assert from 'node:assert/strict'
import { test } from 'node:test'
import { majorText } from '../text/money.ts'
import { readCost } from './cost-entry.ts'

test('a cost is read into the minor units of its currency, exactly, and written back as it was entered', () => {
  const minor = (text: string, currency: string) => readCost(text, currency)?.amount_minor
  assert.deepEqual([minor('8450', 'INR'), minor('8.2', 'EUR'), minor('1234.50', 'USD'), minor('0.07', 'EUR')], [845_000, 820, 123_450, 7])
  assert.deepEqual([minor('1234', 'JPY'), minor('1.234', 'KWD')], [1_234, 1_234])
  assert.equal(readCost('  ', ''), undefined)
  for (const [text, currency] of [
    ['8450.50', 'INR'],
    ['0.07', 'EUR'],
    ['1234', 'JPY'],
    ['1.234', 'KWD'],
  ] as const) {
    assert.equal(majorText(readCost(text, currency)?.amount_minor ?? assert.fail(), currency), text)
  }
})

test('what is no cost is refused with what to enter', () => {
  assert.throws(() => readCost('about 50', 'EUR'), /in digits/)
  assert.throws(() => readCost('-5', 'EUR'), /in digits/)
  assert.throws(() => readCost('8,45', 'EUR'), /in digits/)
  assert.throws(() => readCost('1.5', 'JPY'), /JPY has no digits/)
  assert.throws(() => readCost('1.999', 'EUR'), /EUR has 2 digits/)
  assert.throws(() => readCost('5', ''), /currency/)
  assert.throws(() => readCost('99999999999999999', 'EUR'), /too large/)
})
