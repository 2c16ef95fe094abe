// Invoices with any amounts, taxes and texts, in currencies of 0, 2 and 3 decimals, for property tests. Their amounts add up, as those of rated ones do.

import { fc } from '../../../../../test/support/fast-check.ts'
import type { Invoice, InvoiceLine, TaxLine } from '../invoice.ts'
import { decimalsOf } from '../rating/money.ts'
import { exampleInvoice, exampleLine } from './test-invoices.ts'

const MAX_UNITS = 1_000_000
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constant('=1+1'))
const currency = fc.constantFrom('INR', 'EUR', 'JPY', 'KWD', 'TND', 'CLP')

/** Of a whole number of so many decimals. */
function decimalText(scaled: bigint, decimals: number): string {
  const digits = String(scaled).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const halfUp = (numerator: bigint, denominator: bigint) => Number((2n * numerator + denominator) / (2n * denominator))

function lineArbitrary(decimals: number): fc.Arbitrary<Omit<InvoiceLine, 'line'>> {
  return fc
    .record({
      description: anyText,
      unit: fc.constantFrom<InvoiceLine['unit'][]>('month', 'day', 'piece', 'megabyte'),
      micros: fc.nat({ max: MAX_UNITS * 1000 }),
      price: fc.nat({ max: MAX_UNITS * 10 }),
      priceQuantity: fc.constantFrom(1, 1000),
    })
    .map(({ description, unit, micros, price, priceQuantity }) => {
      const numerator = BigInt(micros) * BigInt(price) * 10n ** BigInt(decimals)
      return exampleLine({
        description,
        unit,
        quantity: decimalText(BigInt(micros), 6),
        unitPrice: decimalText(BigInt(price), 4),
        priceQuantity,
        amountMinor: halfUp(numerator, 10n ** 10n * BigInt(priceQuantity)),
      })
    })
}

const taxSets: readonly (readonly Pick<TaxLine, 'taxId' | 'ratePercent' | 'category' | 'exemptionReason'>[])[] = [
  [],
  [{ taxId: 'vat', ratePercent: '7.7', category: 'S', exemptionReason: undefined }],
  ['cgst', 'sgst'].map((taxId) => ({ taxId, ratePercent: '9', category: 'S', exemptionReason: undefined })),
  ['cgst', 'sgst', 'cess'].map((taxId) => ({ taxId, ratePercent: '2.25', category: 'S', exemptionReason: undefined })),
  [{ taxId: 'vat', ratePercent: '0', category: 'Z', exemptionReason: undefined }],
  [{ taxId: 'vat', ratePercent: '0', category: 'E', exemptionReason: 'Section 7' }],
  [{ taxId: 'vat', ratePercent: '0', category: 'E', exemptionReason: undefined }],
  [{ taxId: 'vat', ratePercent: '0', category: 'E', exemptionReason: '\u0001' }],
  [{ taxId: 'vat', ratePercent: '0', category: 'AE', exemptionReason: undefined }],
  [{ taxId: 'vat', ratePercent: '0', category: 'O', exemptionReason: undefined }],
]

export const anyInvoice: fc.Arbitrary<Invoice> = currency.chain((code) =>
  fc
    .record({
      given: fc.array(lineArbitrary(decimalsOf(code)), { minLength: 1, maxLength: 8 }),
      taxSet: fc.constantFrom(...taxSets),
      kind: fc.constantFrom<Invoice['kind'][]>('invoice', 'credit_note'),
      name: anyText,
      paidPercent: fc.nat({ max: 100 }),
    })
    .map(({ given, taxSet, kind, name, paidPercent }) => {
      const lines = given.map((line, nth) => ({ ...line, line: nth + 1 }))
      const subtotalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
      const taxes = taxSet.map((tax) => {
        const tenThousandths = BigInt(Math.round(Number(tax.ratePercent) * 100))
        return {
          ...tax,
          name: tax.taxId.toUpperCase(),
          taxableMinor: subtotalMinor,
          amountMinor: halfUp(BigInt(subtotalMinor) * tenThousandths, 10_000n),
        }
      })
      const invoice = exampleInvoice({ kind, currency: code, lines, taxes, corrects: { invoiceId: 'inv-0', number: 'ACME-1' } })
      const paidMinor = kind === 'invoice' ? Math.floor((invoice.totalMinor * paidPercent) / 100) : 0
      const recipient = { ...invoice.recipient, name, addressLines: [name, name, name, name], region: name }
      return {
        ...invoice,
        paidMinor,
        recipient,
        footer: name,
        buyerReference: name,
        corrects: kind === 'invoice' ? undefined : invoice.corrects,
      }
    }),
)

/** Minor units of `1234.56`; refuses other numbers of decimals. */
export function minorOf(text: string, currencyCode: string): bigint {
  const decimals = decimalsOf(currencyCode)
  const pattern = decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`)
  if (!pattern.test(text)) throw new Error(`${text} is no amount of ${currencyCode}`)
  return BigInt(text.replace('.', ''))
}
