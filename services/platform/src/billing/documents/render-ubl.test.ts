import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { amountDueMinor, type TaxLine } from '../invoice.ts'
import { renderInvoiceUbl } from './render-ubl.ts'
import { anyInvoice, minorOf } from './test-any-invoice.ts'
import { exampleCreditNote, exampleInvoice, exampleLine } from './test-invoices.ts'

/** Texts of all elements of that name. */
function textsOf(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g')), ([, text = '']) => text)
}

function onlyTextOf(xml: string, name: string): string {
  const texts = textsOf(xml, name)
  assert.equal(texts.length, 1, `${name}: ${texts.join(' | ')}`)
  return texts[0] ?? ''
}

function within(xml: string, name: string): string {
  const found = new RegExp(`<${name}>.*</${name}>`, 's').exec(xml)
  assert.ok(found, name)
  return found[0]
}

const untaxed = (category: TaxLine['category'], exemptionReason?: string): TaxLine[] => [
  { taxId: 'vat', name: 'VAT', ratePercent: '0', category, exemptionReason, taxableMinor: 77376, amountMinor: 0 },
]

test('an invoice becomes a UBL Invoice of EN 16931', () => {
  const xml = renderInvoiceUbl(exampleInvoice({ paidMinor: 10_000, creditedMinor: 1_000 }))

  assert.match(xml, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/)
  assert.equal(onlyTextOf(xml, 'cbc:CustomizationID'), 'urn:cen.eu:en16931:2017')
  assert.equal(onlyTextOf(xml, 'cbc:InvoiceTypeCode'), '380')
  assert.deepEqual([onlyTextOf(xml, 'cbc:IssueDate'), onlyTextOf(xml, 'cbc:DueDate')], ['2026-11-02', '2026-11-16'])
  assert.equal(onlyTextOf(xml, 'cbc:BuyerReference'), 'PO-77')
  assert.deepEqual(
    [textsOf(xml, 'cbc:StartDate')[0], textsOf(xml, 'cbc:EndDate')[0]],
    ['2026-10-01', '2026-10-31'],
    'days of the time zone of the invoice, both included',
  )
  const totals = within(xml, 'cac:LegalMonetaryTotal')
  assert.equal(onlyTextOf(totals, 'cbc:LineExtensionAmount'), '773.76')
  assert.equal(onlyTextOf(totals, 'cbc:TaxInclusiveAmount'), '913.04')
  assert.equal(onlyTextOf(totals, 'cbc:PrepaidAmount'), '110.00')
  assert.equal(onlyTextOf(totals, 'cbc:PayableAmount'), '803.04')
})

test('a credit note becomes a UBL CreditNote that names the invoice before it', () => {
  const xml = renderInvoiceUbl(exampleCreditNote())

  assert.match(xml, /<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/)
  assert.equal(onlyTextOf(xml, 'cbc:CreditNoteTypeCode'), '381')
  assert.equal(onlyTextOf(within(xml, 'cac:BillingReference'), 'cbc:ID'), 'ACME-2026-0042')
  assert.equal(onlyTextOf(xml, 'cbc:PayableAmount'), '116.82')
  assert.match(xml, /<cbc:CreditedQuantity unitCode="MON">1</)
})

test('taxes on the same net are one VAT breakdown with the sum of their rates, and are named in a note', () => {
  const xml = renderInvoiceUbl(exampleInvoice())

  const breakdown = within(xml, 'cac:TaxTotal')
  assert.deepEqual(textsOf(breakdown, 'cbc:TaxAmount'), ['139.28', '139.28'])
  assert.equal(onlyTextOf(breakdown, 'cbc:TaxableAmount'), '773.76')
  assert.equal(onlyTextOf(breakdown, 'cbc:Percent'), '18')
  assert.match(xml, /<cbc:Note>CGST 9 %: 69.64 INR; SGST 9 %: 69.64 INR<\/cbc:Note>/)
  assert.deepEqual(new Set(textsOf(xml, 'cbc:Percent')), new Set(['18']), 'lines have the rate of the breakdown')
})

test('in a currency without decimals, VAT is rounded once and the rest is a rounding amount', () => {
  const tax = { name: 'CGST', ratePercent: '9', category: 'S', exemptionReason: undefined, taxableMinor: 50, amountMinor: 5 } as const
  const taxes = ['cgst', 'sgst'].map((taxId) => ({ ...tax, taxId }))
  const lines = [exampleLine({ unitPrice: '50', amountMinor: 50 })]
  const totals = within(renderInvoiceUbl(exampleInvoice({ currency: 'JPY', lines, taxes })), 'cac:LegalMonetaryTotal')

  assert.equal(onlyTextOf(totals, 'cbc:TaxInclusiveAmount'), '59')
  assert.equal(onlyTextOf(totals, 'cbc:PayableRoundingAmount'), '1')
  assert.equal(onlyTextOf(totals, 'cbc:PayableAmount'), '60')
})

test('where nothing is charged, the category shows it, with a reason where it wants one', () => {
  const shown = (taxes: TaxLine[]) => {
    const category = within(renderInvoiceUbl(exampleInvoice({ taxes })), 'cac:TaxCategory')
    return [textsOf(category, 'cbc:ID')[0], textsOf(category, 'cbc:Percent')[0], textsOf(category, 'cbc:TaxExemptionReason')[0]]
  }
  assert.deepEqual(shown([]), ['O', undefined, 'Not subject to VAT'])
  assert.deepEqual(shown(untaxed('O', 'Outside India')), ['O', undefined, 'Outside India'])
  assert.deepEqual(shown(untaxed('AE')), ['AE', '0', 'Reverse charge'])
  assert.deepEqual(shown(untaxed('E', 'Section 7')), ['E', '0', 'Section 7'])
  assert.deepEqual(shown(untaxed('E')), ['E', '0', 'Exempt from VAT'])
  assert.deepEqual(shown(untaxed('E', '\u0001')), ['E', '0', 'Exempt from VAT'], 'nothing that XML can hold is no reason')
  assert.deepEqual(shown(untaxed('Z', 'not wanted')), ['Z', '0', undefined])
  assert.deepEqual(shown(untaxed('S')), ['Z', '0', undefined], 'a standard rate of nothing is a zero rate')
})

test('a tax number stands where its form belongs', () => {
  const { issuer, recipient } = exampleInvoice()
  const seller = (xml: string) => within(xml, 'cac:AccountingSupplierParty')
  const buyer = (xml: string) => within(xml, 'cac:AccountingCustomerParty')

  const indian = renderInvoiceUbl(exampleInvoice())
  assert.match(seller(indian), /<cac:PartyTaxScheme><cbc:CompanyID>29ABCDE1234F1Z5<\/cbc:CompanyID><cac:TaxScheme><cbc:ID>TAX</)
  assert.match(buyer(indian), /<\/cbc:RegistrationName><cbc:CompanyID>29PQRST5678K1Z2</)

  const greek = { ...issuer, countryCode: 'GR', taxNumber: 'EL123456789' }
  const german = { ...recipient, countryCode: 'DE', taxNumber: 'DE123456789' }
  const european = renderInvoiceUbl(exampleInvoice({ issuer: greek, recipient: german }))
  assert.match(seller(european), /<cbc:CompanyID>EL123456789<\/cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</)
  assert.match(buyer(european), /<cbc:CompanyID>DE123456789<\/cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</)

  const outside = renderInvoiceUbl(exampleInvoice({ issuer: greek, recipient: german, taxes: [] }))
  assert.doesNotMatch(outside, /PartyTaxScheme/)
})

test('a price of a thousand names its base quantity, and units are those of Recommendation 20', () => {
  const units = ['month', 'day', 'piece', 'megabyte'] as const
  const lines = units.map((unit, nth) => exampleLine({ line: nth + 1, unit, priceQuantity: nth === 2 ? 1000 : 1 }))
  const xml = renderInvoiceUbl(exampleInvoice({ lines }))

  assert.deepEqual(
    Array.from(xml.matchAll(/<cbc:InvoicedQuantity unitCode="(\w+)"/g), ([, code]) => code),
    ['MON', 'DAY', 'C62', 'E63'],
  )
  assert.deepEqual(xml.match(/<cbc:BaseQuantity [^/]*/g), ['<cbc:BaseQuantity unitCode="C62">1000<'])
})

test('drafts, void invoices and invoices without lines are refused in words', () => {
  const conflict = (message: RegExp) => ({ code: 'conflict', message })
  assert.throws(() => renderInvoiceUbl(exampleInvoice({ status: 'draft', number: undefined })), conflict(/draft/))
  assert.throws(() => renderInvoiceUbl(exampleInvoice({ status: 'void' })), conflict(/void/))
  assert.throws(() => renderInvoiceUbl(exampleInvoice({ lines: [] })), conflict(/line/))
})

test('text is escaped, and what XML cannot hold is removed', () => {
  const description = 'A & B <script>"x"</script>\u0000\u000b\ud800\ufffe\r\nnext'
  const xml = renderInvoiceUbl(exampleInvoice({ lines: [exampleLine({ description })] }))

  assert.match(xml, /<cbc:Name>A &amp; B &lt;script&gt;&quot;x&quot;&lt;\/script&gt; next<\/cbc:Name>/)
})

// Goal: the calculation rules BR-CO-10 to BR-CO-16 of EN 16931 hold exactly, and BR-CO-17 within a minor unit a tax (see vatBreakdownOf).
test('the amounts of any invoice agree, in currencies of 0, 2 and 3 decimals', () => {
  fc.assert(
    fc.property(anyInvoice, (invoice) => {
      const xml = renderInvoiceUbl(invoice)
      const { currency } = invoice
      const minor = (part: string, name: string) => textsOf(part, name).map((text) => minorOf(text, currency))
      const [lineSum, net] = [xml.split('<cac:LegalMonetaryTotal>')[1] ?? '', 'cbc:LineExtensionAmount'] as const
      const lines = minor(lineSum.split('</cac:LegalMonetaryTotal>')[1] ?? '', net)
      const totals = within(xml, 'cac:LegalMonetaryTotal')
      const [[sum], [exclusive], [inclusive], [payable], [prepaid = 0n], [rounding = 0n]] = [
        minor(totals, net),
        minor(totals, 'cbc:TaxExclusiveAmount'),
        minor(totals, 'cbc:TaxInclusiveAmount'),
        minor(totals, 'cbc:PayableAmount'),
        minor(totals, 'cbc:PrepaidAmount'),
        minor(totals, 'cbc:PayableRoundingAmount'),
      ]
      const tax = within(xml, 'cac:TaxTotal')
      const [[taxable], [total, ofCategory]] = [minor(tax, 'cbc:TaxableAmount'), minor(tax, 'cbc:TaxAmount')]
      assert.deepEqual(
        lines,
        invoice.lines.map(({ amountMinor }) => BigInt(amountMinor)),
      )
      assert.equal(
        lines.reduce((all, each) => all + each, 0n),
        sum,
        'BR-CO-10',
      )
      assert.equal(exclusive, sum, 'BR-CO-13')
      assert.equal(total, ofCategory, 'BR-CO-14')
      assert.equal(inclusive, (exclusive ?? 0n) + (total ?? 0n), 'BR-CO-15')
      assert.equal(payable, (inclusive ?? 0n) - prepaid + rounding, 'BR-CO-16')
      assert.equal(taxable, exclusive, 'BR-S-08 and its like')
      const rate = BigInt(Math.round(Number(textsOf(tax, 'cbc:Percent')[0] ?? '0') * 100))
      const apart = 10_000n * (ofCategory ?? 0n) - (taxable ?? 0n) * rate
      assert.ok((apart < 0n ? -apart : apart) <= 10_000n * BigInt(invoice.taxes.length), 'BR-CO-17')
      const { kind, totalMinor } = invoice
      assert.equal(
        payable,
        BigInt(kind === 'invoice' ? amountDueMinor(invoice) : totalMinor),
        'what is to be paid is the amount of the invoice',
      )
    }),
  )
})
