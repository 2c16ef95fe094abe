// Invoices for the tests of the documents.

import type { Invoice, InvoiceLine, Party, TaxLine } from '../invoice.ts'

const issuer: Party = {
  name: 'Acme Fleet Services Pvt. Ltd.',
  addressLines: ['4th Floor, Residency Road 12'],
  city: 'Bengaluru',
  postalCode: '560025',
  region: 'Karnataka',
  countryCode: 'IN',
  taxNumber: '29ABCDE1234F1Z5',
  email: 'billing@acme.example',
  phone: '+91 80 5550 0100',
}

const recipient: Party = {
  name: 'Zażółć Logistics Kft. – भारत परिवहन',
  addressLines: ['Großer Weg 3', 'Hinterhof'],
  city: 'Mysuru',
  postalCode: '570001',
  region: 'Karnataka',
  countryCode: 'IN',
  taxNumber: '29PQRST5678K1Z2',
  email: 'accounts@logistics.example',
  phone: undefined,
}

const period = { from: new Date('2026-09-30T18:30:00Z'), until: new Date('2026-10-31T18:30:00Z') }

export function exampleLine(given: Partial<InvoiceLine> = {}): InvoiceLine {
  return {
    line: 1,
    kind: 'sim_rental',
    description: 'SIM rental, plan “Fleet 500 MB”',
    sim: { simId: 'sim-1', iccid: '8991000012345678901' },
    planId: 'fleet-500',
    ...period,
    quantity: '1',
    quantityFraction: undefined,
    unit: 'month',
    unitPrice: '99',
    priceQuantity: 1,
    amountMinor: 9900,
    sources: [],
    ...given,
  }
}

const threeLines: readonly InvoiceLine[] = [
  exampleLine(),
  exampleLine({
    line: 2,
    from: new Date('2026-10-13T18:30:00Z'),
    sim: { simId: 'sim-2', iccid: '8991000012345678902' },
    quantity: '0.580645',
    quantityFraction: { numerator: '18', denominator: '31' },
    amountMinor: 5748,
  }),
  exampleLine({
    line: 3,
    kind: 'readings',
    description: 'Readings received',
    sim: undefined,
    planId: undefined,
    quantity: '1234567',
    unit: 'piece',
    unitPrice: '0.5',
    priceQuantity: 1000,
    amountMinor: 61728,
  }),
]

const tax = (taxId: string, taxableMinor: number, amountMinor: number): TaxLine => ({
  taxId,
  name: taxId.toUpperCase(),
  ratePercent: '9',
  category: 'S',
  exemptionReason: undefined,
  taxableMinor,
  amountMinor,
})

/** Three lines with CGST and SGST, open. */
export function exampleInvoice(given: Partial<Invoice> = {}): Invoice {
  const lines = given.lines ?? threeLines
  const subtotalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const ninePercent = Number((BigInt(subtotalMinor) * 9n + 50n) / 100n)
  const taxes = given.taxes ?? [tax('cgst', subtotalMinor, ninePercent), tax('sgst', subtotalMinor, ninePercent)]
  const taxMinor = taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  return {
    invoiceId: 'inv-1',
    kind: 'invoice',
    number: 'ACME-2026-0042',
    corrects: undefined,
    status: 'open',
    issuerId: 'acme',
    resellerId: 'acme',
    subClientId: 'logistics',
    issuer,
    recipient,
    month: '2026-10',
    timeZone: 'Asia/Kolkata',
    ...period,
    currency: 'INR',
    lines,
    taxes,
    subtotalMinor,
    taxMinor,
    totalMinor: subtotalMinor + taxMinor,
    paidMinor: 0,
    creditedMinor: 0,
    buyerReference: 'PO-77',
    footer: 'Bank transfer: Acme Fleet Services, IFSC HDFC0000001, account 5010 0000 0001.\nThank you for driving with us.',
    draftedAt: new Date('2026-11-01T00:00:00Z'),
    openedAt: new Date('2026-11-02T00:00:00Z'),
    dueAt: new Date('2026-11-16T18:29:59Z'),
    paidAt: undefined,
    voidedAt: undefined,
    ...given,
  }
}

export function exampleCreditNote(given: Partial<Invoice> = {}): Invoice {
  const corrects = { invoiceId: 'inv-1', number: 'ACME-2026-0042' }
  const lines = [exampleLine({ kind: 'correction', description: 'Rental charged twice' })]
  return exampleInvoice({ kind: 'credit_note', number: 'ACME-2026-0043', invoiceId: 'inv-2', corrects, lines, dueAt: undefined, ...given })
}

export function manyLines(count: number): InvoiceLine[] {
  return Array.from({ length: count }, (_, nth) =>
    exampleLine({ line: nth + 1, sim: { simId: `sim-${nth}`, iccid: `89910000${String(nth).padStart(11, '0')}` } }),
  )
}
