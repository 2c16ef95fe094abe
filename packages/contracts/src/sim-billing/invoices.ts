// Invoices and credit notes: of a reseller to its sub-clients, and of the operator of the installation to its resellers.

import { type Static, Type } from 'typebox'
import { subClientId, success, text } from '../external/references.ts'
import { nullable, Pagination, pageQuery, timestamp, total } from '../wire-fields.ts'
import { currency, invoiceId, minor, month, Party, partyExample, taxCategory } from './billing-fields.ts'
import { Dispute } from './payments.ts'
import { recorded } from './recorded-payments.ts'

const status = Type.Enum(['draft', 'open', 'paid', 'overdue', 'void'], {
  type: 'string',
  description: '`draft`: may still be made anew. `open` and `overdue` are to be paid. A credit note is `paid`: nothing is to be paid.',
})
const kind = Type.Enum(['invoice', 'credit_note'], {
  type: 'string',
  description: 'A credit note has positive amounts: its kind shows that they are given back.',
})
const issuer = Type.Enum(['reseller', 'operator'], {
  type: 'string',
  description: '`reseller`: to one of its sub-clients. `operator`: to the reseller, by the operator of the installation.',
})

const summary = {
  invoice_id: invoiceId(),
  number: nullable(Type.String({ description: 'Without gaps within its issuer. Null of a draft.', examples: ['INV-000042'] })),
  kind,
  status,
  issuer,
  sub_client_id: nullable(Type.String({ description: 'To whom; null where it is to the reseller.' })),
  period: month('The month it is for.'),
  time_zone: Type.String({ description: 'Of the month.' }),
  from: timestamp('The month’s first instant.'),
  until: timestamp('The first instant after it.'),
  currency,
  subtotal_minor: minor('Without taxes.'),
  tax_minor: minor('All taxes.'),
  total_minor: minor('What was invoiced.'),
  paid_minor: minor('Of it, what was paid.'),
  credited_minor: minor('Of it, what credit notes gave back.'),
  amount_due_minor: minor('What is still to be paid.'),
  corrects: Type.Union([Type.Object({ invoice_id: Type.String(), number: Type.String() }, { title: 'CorrectedInvoice' }), Type.Null()], {
    description: 'Of a credit note: what it corrects.',
  }),
  drafted_at: timestamp('When it was made.'),
  opens_at: nullable(timestamp('Of a draft: when it opens by itself.')),
  opened_at: nullable(timestamp('When it was issued.')),
  due_date: nullable(Type.String({ description: 'The day on which it is due, in its time zone.', examples: ['2026-11-19'] })),
  paid_at: nullable(timestamp('When nothing was left to pay.')),
  voided_at: nullable(timestamp('When it was voided, or discarded as a draft.')),
}

const summaryExample = {
  invoice_id: 'inv-3k8f2m9x4c7v1b6n5q0z',
  number: 'INV-000042',
  kind: 'invoice' as const,
  status: 'open' as const,
  issuer: 'reseller' as const,
  sub_client_id: 'acme-logistics',
  period: '2026-10',
  time_zone: 'Asia/Kolkata',
  from: '2026-09-30T18:30:00.000Z',
  until: '2026-10-31T18:30:00.000Z',
  currency: 'INR',
  subtotal_minor: 225_000,
  tax_minor: 40_500,
  total_minor: 265_500,
  paid_minor: 0,
  credited_minor: 0,
  amount_due_minor: 265_500,
  corrects: null,
  drafted_at: '2026-11-02T01:00:00.000Z',
  opens_at: null,
  opened_at: '2026-11-03T01:00:00.000Z',
  due_date: '2026-11-17',
  paid_at: null,
  voided_at: null,
}

export const InvoiceSummary = Type.Object(summary, { title: 'InvoiceSummary', examples: [summaryExample] })
export type InvoiceSummary = Static<typeof InvoiceSummary>

const Line = Type.Object(
  {
    line: Type.Integer({ minimum: 1 }),
    kind: Type.String({ description: 'Such as `sim_rental` or `data_overage`.' }),
    description: Type.String(),
    sim: Type.Union([Type.Object({ sim_id: Type.String(), iccid: Type.String() }, { title: 'InvoicedSim' }), Type.Null()]),
    plan_id: nullable(Type.String()),
    from: timestamp('Half-open.'),
    until: timestamp('Half-open.'),
    quantity: Type.String({ description: 'Decimal text.' }),
    quantity_fraction: Type.Union(
      [Type.Object({ numerator: Type.String(), denominator: Type.String() }, { title: 'ExactQuantity' }), Type.Null()],
      {
        description: 'Exact, where `quantity` had to be rounded to 6 decimals.',
      },
    ),
    unit: Type.Enum(['month', 'day', 'piece', 'megabyte'], { type: 'string' }),
    unit_price: Type.String({ description: 'Decimal text in major units, margin included.' }),
    price_quantity: Type.Integer({ minimum: 1, description: 'The price is for so many units.' }),
    amount_minor: minor('`quantity / price_quantity * unit_price`, rounded half up once.'),
  },
  { title: 'InvoiceLine' },
)

const TaxLine = Type.Object(
  {
    tax_id: Type.String(),
    name: Type.String(),
    rate_percent: Type.String(),
    category: taxCategory,
    exemption_reason: nullable(Type.String()),
    taxable_minor: minor('What it is charged on.'),
    amount_minor: minor('Rounded half up once.'),
  },
  { title: 'InvoiceTax' },
)

export const InvoicePayment = Type.Object(
  {
    id: Type.String({ description: 'Of the attempt, or of what was recorded.' }),
    gateway: nullable(Type.String({ description: 'Null where it came in outside of a gateway.', examples: ['stripe'] })),
    recorded,
    status: Type.String({ description: 'Such as `pending`, `paid`, `failed`, `expired` or `reversed`.' }),
    amount_minor: minor('What was asked, or came in.'),
    currency,
    failure: nullable(Type.String({ description: 'Why it failed, in the gateway’s words.' })),
    disputes: Type.Array(Dispute, { description: 'What the bank of the customer disputes of it, oldest first.' }),
    created_at: timestamp('When it was begun.'),
    updated_at: timestamp('When it last changed.'),
  },
  { title: 'InvoicePayment' },
)
export type InvoicePayment = Static<typeof InvoicePayment>

const invoiceExample = {
  ...summaryExample,
  issuer_party: partyExample,
  recipient: { ...partyExample, name: 'Acme Logistics' },
  lines: [],
  taxes: [],
  buyer_reference: null,
  footer: null,
  credit_notes: [],
  payments: [],
  unapplied_minor: 0,
}

export const Invoice = Type.Object(
  {
    ...summary,
    issuer_party: Party,
    recipient: Party,
    lines: Type.Array(Line),
    taxes: Type.Array(TaxLine),
    buyer_reference: nullable(Type.String()),
    footer: nullable(Type.String()),
    credit_notes: Type.Array(InvoiceSummary, { description: 'That correct it, oldest first.' }),
    payments: Type.Array(InvoicePayment, { description: 'Attempts to pay it, and payments that were recorded by hand, oldest first.' }),
    unapplied_minor: minor(
      'What came in for it and belongs to no invoice: it is to be given back. What came by a gateway is refunded there by itself, the rest is not.',
    ),
  },
  {
    title: 'Invoice',
    examples: [invoiceExample],
  },
)
export type Invoice = Static<typeof Invoice>

export const InvoiceListQuery = Type.Object({
  status: Type.Optional(status),
  period: Type.Optional(month('Only of this month.')),
  sub_client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only to this sub-client.' })),
  kind: Type.Optional(kind),
  issuer: Type.Optional(issuer),
  ...pageQuery,
})

export const InvoiceList = Type.Object(
  {
    total,
    invoices: Type.Array(InvoiceSummary),
    pagination: Pagination,
    next_cursor: nullable(Type.String({ description: 'As `pagination.endCursor` where there is a next page.' })),
  },
  {
    title: 'InvoiceList',
    description: 'A page of invoices and credit notes.',
    examples: [{ total: 1, invoices: [summaryExample], pagination: { endCursor: null, hasNextPage: false }, next_cursor: null }],
  },
)
export const InvoiceParams = Type.Object({ invoice_id: invoiceId() })
export const InvoiceAnswer = Type.Object(
  { success, invoice: Invoice },
  { title: 'InvoiceAnswer', description: 'The invoice as it is.', examples: [{ success: true, invoice: invoiceExample }] },
)

export const InvoiceDraftRequest = Type.Object(
  {
    month: month('A month that is over and whose usage is final: a day after its end.'),
    sub_client_id: Type.Optional(nullable(subClientId('Of this one only.'))),
    replace: Type.Optional(
      Type.Boolean({ default: false, description: 'Rate drafts that are there anew. Invoices that were issued stay as they are.' }),
    ),
  },
  { title: 'InvoiceDraftRequest', examples: [{ month: '2026-10', sub_client_id: 'acme-logistics' }] },
)
export const InvoiceDraftAnswer = Type.Object(
  {
    success,
    invoices: Type.Array(InvoiceSummary, {
      description: 'What was drafted or rated anew. A sub-client that has nothing to be billed gets none.',
    }),
    made: Type.Integer({ minimum: 0, description: 'Drafts that are new.' }),
    replaced: Type.Integer({ minimum: 0, description: 'Drafts that were rated anew, with `replace`.' }),
    kept: Type.Integer({
      minimum: 0,
      description: 'Invoices of the month that stay as they are: those that were issued, and without `replace` drafts too.',
    }),
    discarded: Type.Integer({ minimum: 0, description: 'Drafts that were discarded, with `replace`: nothing is left to be billed.' }),
    failures: Type.Array(Type.Object({ sub_client_id: Type.String(), message: Type.String() }, { title: 'RatingFailure' }), {
      description: 'What could not be rated, and why. A draft that is there stays.',
    }),
  },
  {
    title: 'InvoiceDraftAnswer',
    description: 'What was drafted, and what could not be.',
    examples: [
      {
        success: true,
        invoices: [{ ...summaryExample, status: 'draft' as const, number: null }],
        made: 1,
        replaced: 0,
        kept: 0,
        discarded: 0,
        failures: [],
      },
    ],
  },
)
export type InvoiceDraftAnswer = Static<typeof InvoiceDraftAnswer>

export const InvoiceVoidRequest = Type.Object(
  { reason: Type.Optional(text('For the credit note that voids an invoice that was issued.', 'Billed twice')) },
  { title: 'InvoiceVoidRequest', examples: [{ reason: 'Billed twice' }] },
)

export const CreditNoteRequest = Type.Object(
  {
    reason: text('As on the credit note.', 'Wrong rental of two SIMs'),
    lines: Type.Optional(
      Type.Array(
        Type.Object(
          {
            line: Type.Integer({ minimum: 1, description: 'Of the invoice.' }),
            amount_minor: Type.Integer({
              minimum: 1,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'How much of the line is given back, without tax, in minor units.',
            }),
          },
          { title: 'CreditedLine' },
        ),
        { minItems: 1, maxItems: 1_000, description: 'Left out: everything that is not credited yet.' },
      ),
    ),
  },
  { title: 'CreditNoteRequest', examples: [{ reason: 'Wrong rental', lines: [{ line: 1, amount_minor: 9_000 }] }] },
)
const creditNoteExample = {
  ...invoiceExample,
  kind: 'credit_note' as const,
  status: 'paid' as const,
  number: 'INV-000043',
  total_minor: 10_620,
  amount_due_minor: 0,
  due_date: null,
  corrects: { invoice_id: summaryExample.invoice_id, number: summaryExample.number },
}

export const CreditNoteAnswer = Type.Object(
  {
    success,
    credit_note: Invoice,
    invoice: InvoiceSummary,
    unapplied_minor: minor('What had been paid of the credited amount: it belongs to no invoice, and is to be refunded.'),
  },
  {
    title: 'CreditNoteAnswer',
    description: 'The credit note, and the invoice as it is with it.',
    examples: [
      {
        success: true,
        credit_note: creditNoteExample,
        invoice: { ...summaryExample, credited_minor: 10_620, amount_due_minor: 254_880 },
        unapplied_minor: 0,
      },
    ],
  },
)

/** Of a document that was made from it. */
export const InvoiceStatement = Type.Object(
  {
    statement: Type.Enum(['roadworthy-invoice-1', 'roadworthy-credit-note-1'], {
      type: 'string',
      description: 'Of an invoice, or of a credit note.',
    }),
    invoice: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was issued: parties, lines, taxes, totals.' }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The ledgers, prices, terms and taxes that it was rated from. Of a credit note: what was asked, the invoice that it corrects and the notes before it.',
    }),
    publicKey: Type.String({ description: 'Base64 of SPKI DER, Ed25519.' }),
    signature: Type.String({ description: 'Base64, over the canonical JSON (RFC 8785) of everything else.' }),
  },
  {
    title: 'InvoiceStatement',
    description: 'The invoice with everything that it was made from.',
    examples: [{ statement: 'roadworthy-invoice-1' as const, invoice: {}, input: {}, publicKey: 'MCowBQYDK2VwAyEA…', signature: 'mQ0…' }],
  },
)
export type InvoiceStatement = Static<typeof InvoiceStatement>
