import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { amountDueMinor, type Invoice } from '../invoice.ts'
import { decimalsOf } from '../rating/money.ts'
import { invoiceTextOf } from './invoice-text.ts'
import { printedPartOf } from './printed-part.ts'
import { anyInvoice } from './test-any-invoice.ts'
import { exampleCreditNote, exampleInvoice, exampleLine } from './test-invoices.ts'

const textOf = (invoice: Invoice, locale?: string) => invoiceTextOf(printedPartOf(invoice), locale)

/** As a person reads it: the last separator is that of the decimals, the others group digits. */
function readAmount(text: string, currency: string): bigint {
  const decimals = decimalsOf(currency)
  const amount = text
    .replace(currency, '')
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .trim()
  const pattern = decimals === 0 ? /^[-−]?\d{1,3}(\D?\d{2,3})*$/ : new RegExp(`^[-−]?\\d{1,3}(\\D?\\d{2,3})*\\D\\d{${decimals}}$`)
  assert.match(amount, pattern)
  const digits = BigInt(amount.replace(/\D/g, ''))
  return /^[-−]/.test(amount) ? -digits : digits
}

test('every amount of any invoice reads back to the minor unit, whatever the locale', () => {
  const locales = fc.constantFrom(undefined, 'en-GB', 'en-IN', 'de-DE', 'de-CH', 'fr-FR', 'hi-IN', 'ar-EG', 'no such locale')
  fc.assert(
    fc.property(anyInvoice, locales, (invoice, locale) => {
      const { currency, lines, taxes, subtotalMinor, kind, totalMinor } = invoice
      const text = textOf(invoice, locale)
      const read = (shown: string | undefined) => readAmount(shown ?? '', currency)
      assert.deepEqual(
        text.lines.map(({ amount }) => read(amount)),
        lines.map(({ amountMinor }) => BigInt(amountMinor)),
      )
      const [subtotal, ...others] = text.sums.map(({ text: shown }) => read(shown))
      assert.equal(subtotal, BigInt(subtotalMinor))
      assert.deepEqual(
        others.slice(0, taxes.length),
        taxes.map(({ amountMinor }) => BigInt(amountMinor)),
      )
      assert.equal(read(text.result.text), BigInt(kind === 'invoice' ? amountDueMinor(invoice) : totalMinor))
    }),
  )
})

test('what is taken off stands between the total and the amount due', () => {
  const { sums, result } = textOf(exampleInvoice({ paidMinor: 10_000, creditedMinor: 500 }))
  assert.deepEqual(
    sums.map(({ label, text }) => `${label}: ${text}`),
    ['Subtotal: 773.76', 'CGST 9 %: 69.64', 'SGST 9 %: 69.64', 'Total: 913.04', 'Paid: -100.00', 'Credited: -5.00'],
  )
  assert.deepEqual(result, { label: 'Amount due', text: 'INR\u00a0808.04' })
})

test('what is no invoice to pay is marked so in words', () => {
  const draft = textOf(exampleInvoice({ status: 'draft', number: undefined, openedAt: undefined }))
  assert.deepEqual([draft.mark, draft.result.label], ['Draft', 'Total'])
  assert.match(draft.notice ?? '', /^This is a draft\./)

  const voided = textOf(exampleInvoice({ status: 'void', voidedAt: new Date('2026-11-05T20:00:00Z') }))
  assert.deepEqual([voided.mark, voided.result.label], ['Void', 'Total'])
  assert.match(voided.notice ?? '', /void since 6 Nov 2026/, 'in the time zone of the invoice')

  const credit = textOf(exampleCreditNote())
  assert.deepEqual([credit.title, credit.result.label], ['Credit note', 'Total credited'])
  assert.match(credit.notice ?? '', /corrects invoice ACME-2026-0042/)

  assert.match(textOf(exampleInvoice({ status: 'overdue' })).notice ?? '', /overdue: INR\u00a0913\.04 was to be paid by 16 Nov 2026/)
  assert.equal(textOf(exampleInvoice()).notice, undefined)
})

test('an invoice is paid on a day only where it was paid', () => {
  const total = exampleInvoice().totalMinor
  const noticeOf = (given: Partial<Invoice>) =>
    textOf(exampleInvoice({ status: 'paid', paidAt: new Date('2026-11-05T00:00:00Z'), ...given })).notice
  assert.equal(noticeOf({ creditedMinor: total }), 'This invoice is credited in full. Nothing is to be paid on it.')
  assert.equal(noticeOf({ paidMinor: total - 500, creditedMinor: 500 }), 'This invoice is paid.', 'the day may be that of the credit note')
  assert.equal(noticeOf({ paidMinor: total }), 'This invoice was paid on 5 Nov 2026.')
  const nothing = { lines: [exampleLine({ quantity: '0', amountMinor: 0 })] }
  assert.equal(noticeOf(nothing), 'This invoice comes to nothing. Nothing is to be paid on it.')
})

test('why a tax is not charged stands on the invoice', () => {
  const tax = {
    taxId: 'vat',
    name: 'VAT',
    ratePercent: '0',
    category: 'AE',
    exemptionReason: 'Article 196',
    taxableMinor: 1,
    amountMinor: 0,
  } as const
  assert.deepEqual(textOf(exampleInvoice({ taxes: [tax] })).remarks, ['VAT: Reverse charge. Article 196'])
})

test('a part of a month is a fraction, a price of a thousand is marked so, and days are shown where they are not the whole period', () => {
  const { lines } = textOf(exampleInvoice(), 'en-IN')
  assert.deepEqual(
    lines.map(({ quantity, price, detail }) => [quantity, price, detail]),
    [
      ['1\u00a0month', '99.00', 'SIM 8991000012345678901'],
      ['18/31\u00a0months', '99.00', 'SIM 8991000012345678902 · 14 Oct 2026 – 31 Oct 2026'],
      ['12,34,567', '0.50 per 1,000', undefined],
    ],
  )
})
