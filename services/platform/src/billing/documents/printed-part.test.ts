import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PRINTED_LINES, printMessages } from './printed-part.ts'
import { exampleInvoice, manyLines } from './test-invoices.ts'

test('of lines that come in parts so many are printed as at most, and the sum of the others is known', async () => {
  const { lines: _, ...invoice } = exampleInvoice()
  const part = manyLines(700)
  const lineParts = () => Array.from({ length: 8 }, () => part)
  let printedCount = 0
  const others: unknown[] = []
  for await (const message of printMessages({ invoice, lineParts, brand: { name: 'Acme' } })) {
    if ('lines' in message) printedCount += message.lines.length
    else others.push(message.invoice.further)
  }
  assert.equal(printedCount, MAX_PRINTED_LINES)
  const amountMinor = part.slice(100).reduce((sum, line) => sum + line.amountMinor, 0)
  assert.deepEqual(others, [{ count: 600, amountMinor }])
})
