import type { InvoicePayment, InvoiceSummary, Invoice as WireInvoice } from '@roadworthy/contracts/sim-billing/invoices'
import { OPERATOR_BOOK } from './book.ts'
import { amountDueMinor, type InvoiceLine } from './invoice.ts'
import { civilDateOf, type StoredInvoice, type WholeInvoice } from './stored-invoice.ts'
import { toWireParty } from './wire-billing.ts'

export function toWireSummary(invoice: StoredInvoice): InvoiceSummary {
  const { status, kind } = invoice
  return {
    invoice_id: invoice.invoiceId,
    number: invoice.number ?? null,
    kind,
    status,
    issuer: invoice.issuerId === OPERATOR_BOOK ? 'operator' : 'reseller',
    sub_client_id: invoice.subClientId ?? null,
    period: invoice.month,
    time_zone: invoice.timeZone,
    from: invoice.from.toISOString(),
    until: invoice.until.toISOString(),
    currency: invoice.currency,
    subtotal_minor: invoice.subtotalMinor,
    tax_minor: invoice.taxMinor,
    total_minor: invoice.totalMinor,
    paid_minor: invoice.paidMinor,
    credited_minor: invoice.creditedMinor,
    amount_due_minor: status === 'void' || kind === 'credit_note' ? 0 : amountDueMinor(invoice),
    corrects: invoice.corrects === undefined ? null : { invoice_id: invoice.corrects.invoiceId, number: invoice.corrects.number },
    drafted_at: invoice.draftedAt.toISOString(),
    opens_at: (invoice.status === 'draft' ? invoice.opensAt?.toISOString() : undefined) ?? null,
    opened_at: invoice.openedAt?.toISOString() ?? null,
    due_date: invoice.dueAt === undefined ? null : civilDateOf(invoice.dueAt, invoice.timeZone),
    paid_at: invoice.paidAt?.toISOString() ?? null,
    voided_at: invoice.voidedAt?.toISOString() ?? null,
  }
}

type WireLine = WireInvoice['lines'][number]
type Beside = {
  readonly creditNotes: readonly StoredInvoice[]
  readonly payments: readonly InvoicePayment[]
  readonly unappliedMinor: number
}

export function toWireInvoice(invoice: WholeInvoice, beside: Beside): WireInvoice {
  return { ...toWireHead(invoice, beside), lines: invoice.lines.map(toWireLine) }
}

export function toWireLine(line: InvoiceLine): WireLine {
  return {
    line: line.line,
    kind: line.kind,
    description: line.description,
    sim: line.sim === undefined ? null : { sim_id: line.sim.simId, iccid: line.sim.iccid },
    plan_id: line.planId ?? null,
    from: line.from.toISOString(),
    until: line.until.toISOString(),
    quantity: line.quantity,
    quantity_fraction: line.quantityFraction ?? null,
    unit: line.unit,
    unit_price: line.unitPrice,
    price_quantity: line.priceQuantity,
    amount_minor: line.amountMinor,
  }
}

/** All but the lines. */
export function toWireHead(invoice: StoredInvoice, { creditNotes, payments, unappliedMinor }: Beside): Omit<WireInvoice, 'lines'> {
  return {
    ...toWireSummary(invoice),
    issuer_party: toWireParty(invoice.issuer),
    recipient: toWireParty(invoice.recipient),
    taxes: invoice.taxes.map((tax) => ({
      tax_id: tax.taxId,
      name: tax.name,
      rate_percent: tax.ratePercent,
      category: tax.category,
      exemption_reason: tax.exemptionReason ?? null,
      taxable_minor: tax.taxableMinor,
      amount_minor: tax.amountMinor,
    })),
    buyer_reference: invoice.buyerReference ?? null,
    footer: invoice.footer ?? null,
    credit_notes: creditNotes.map(toWireSummary),
    payments: [...payments],
    unapplied_minor: unappliedMinor,
  }
}
