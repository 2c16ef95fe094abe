import type { EventPayload } from '@roadworthy/contracts/webhooks/events'
import type { NewEvent } from '../events/event.ts'
import { OPERATOR_BOOK } from './book.ts'
import { amountDueMinor } from './invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'

type InvoiceEventType = 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided'

/** In the log of the reseller: of the one that issued the invoice to a sub-client, or of the one that it was issued to. */
export function invoiceEvent(type: InvoiceEventType, invoice: StoredInvoice, at: Date): NewEvent {
  const told: EventPayload<InvoiceEventType> = {
    invoiceId: invoice.invoiceId,
    number: invoice.number ?? null,
    period: invoice.month,
    issuer: invoice.issuerId === OPERATOR_BOOK ? 'operator' : 'reseller',
    status: invoice.status,
    currency: invoice.currency,
    totalMinor: invoice.totalMinor,
    amountDueMinor: invoice.status === 'void' ? 0 : amountDueMinor(invoice),
    dueAt: invoice.dueAt?.toISOString() ?? null,
  }
  return { resellerId: invoice.resellerId, type, data: told, subClientId: invoice.subClientId, occurredAt: at }
}
