import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { renderInvoiceCsv } from './render-csv.ts'
import { anyInvoice, minorOf } from './test-any-invoice.ts'
import { exampleInvoice, exampleLine } from './test-invoices.ts'

/** RFC 4180 §2, as a reader that knows nothing of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    assert.ok(found, `not CSV: ${text.slice(cell.lastIndex, cell.lastIndex + 40)}`)
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

function recordsOf(csv: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(csv)
  return rows.map((row) => {
    assert.equal(row.length, names.length)
    return Object.fromEntries(names.map((name, nth) => [name, row[nth] ?? '']))
  })
}

test('a line is a row with its days, quantity, price and amount', () => {
  const [, second, third] = recordsOf(renderInvoiceCsv(exampleInvoice()))

  assert.deepEqual(second, {
    invoice_id: 'inv-1',
    invoice_number: 'ACME-2026-0042',
    document: 'invoice',
    line: '2',
    kind: 'sim_rental',
    description: 'SIM rental, plan “Fleet 500 MB”',
    sim_id: 'sim-2',
    iccid: '8991000012345678902',
    plan_id: 'fleet-500',
    first_day: '2026-10-14',
    last_day: '2026-10-31',
    quantity: '0.580645',
    quantity_numerator: '18',
    quantity_denominator: '31',
    unit: 'month',
    unit_price: '99',
    price_quantity: '1',
    amount: '57.48',
    currency: 'INR',
  })
  assert.equal(third?.['price_quantity'], '1000')
  assert.equal(third?.['sim_id'], '')
})

test('text cannot become a formula of a spreadsheet', () => {
  const starts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '  =1', '\r\n=1', '＝1', '\u200e=1']
  for (const description of starts) {
    const [record] = recordsOf(renderInvoiceCsv(exampleInvoice({ lines: [exampleLine({ description })] })))
    assert.equal(record?.['description']?.startsWith("'"), true, JSON.stringify(description))
  }
  const [record] = recordsOf(renderInvoiceCsv(exampleInvoice({ lines: [exampleLine({ description: 'a=1, "b"' })] })))
  assert.equal(record?.['description'], 'a=1, "b"')
})

test('every amount of any invoice reads back to the minor unit, and no cell begins as a formula', () => {
  fc.assert(
    fc.property(anyInvoice, (invoice) => {
      const records = recordsOf(renderInvoiceCsv(invoice))
      assert.deepEqual(
        records.map(({ amount }) => minorOf(amount ?? '', invoice.currency)),
        invoice.lines.map(({ amountMinor }) => BigInt(amountMinor)),
      )
      for (const cell of records.flatMap((record) => Object.values(record))) assert.doesNotMatch(cell, /^\s*[=+\-@]/)
    }),
  )
})
