import type { EventPayload } from '@roadworthy/contracts/webhooks/events'
import type { NewEvent } from '../events/event.ts'
import { OPERATOR_BOOK } from './book.ts'
import { amountDueMinor } from './invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'

type InvoiceEventType = 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided'

/** In the log of the reseller: of the one that issued the invoice to a sub-client, or of the one that it was issued to. */
export function invoiceEvent(type: InvoiceEventType, invoice: StoredInvoice, at: Date): NewEvent {
  const payload: EventPayload<InvoiceEventType> = {
    invoiceId: invoice.invoiceId,
    number: invoice.number ?? null,
    period: invoice.month,
    issuer: issuerOf(invoice),
    status: invoice.status,
    currency: invoice.currency,
    totalMinor: invoice.totalMinor,
    amountDueMinor: invoice.status === 'void' ? 0 : amountDueMinor(invoice),
    dueAt: invoice.dueAt?.toISOString() ?? null,
  }
  return { resellerId: invoice.resellerId, type, data: payload, subClientId: invoice.subClientId, occurredAt: at }
}

/** `invoice`: as it is with the credit note. `unappliedMinor`: what had been paid of the credited amount. */
export function creditedEvent(creditNote: StoredInvoice, invoice: StoredInvoice, unappliedMinor: number, at: Date): NewEvent {
  const payload: EventPayload<'invoice.credited'> = {
    creditNoteId: creditNote.invoiceId,
    creditNoteNumber: creditNote.number ?? '',
    invoiceId: invoice.invoiceId,
    invoiceNumber: invoice.number ?? '',
    period: invoice.month,
    issuer: issuerOf(invoice),
    currency: invoice.currency,
    subtotalMinor: creditNote.subtotalMinor,
    taxMinor: creditNote.taxMinor,
    totalMinor: creditNote.totalMinor,
    unappliedMinor,
    amountDueMinor: invoice.status === 'void' ? 0 : amountDueMinor(invoice),
  }
  return { resellerId: invoice.resellerId, type: 'invoice.credited', data: payload, subClientId: invoice.subClientId, occurredAt: at }
}

function issuerOf({ issuerId }: StoredInvoice): 'operator' | 'reseller' {
  return issuerId === OPERATOR_BOOK ? 'operator' : 'reseller'
}
