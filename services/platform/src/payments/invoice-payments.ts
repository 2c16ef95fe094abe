import type { InvoicePayment } from '@roadworthy/contracts/sim-billing/invoices'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import type { Payment } from './attempt.ts'
import { selectAttemptsOfInvoice } from './attempts.sql.ts'
import type { RecordedPayment } from './recorded-payment.ts'
import { selectRecordedPaymentsOfInvoice } from './recorded-payments.sql.ts'
import { withMoney } from './request-refund.ts'
import { toRecordedMoney, toWireDispute, toWireStatus } from './wire-payment.ts'

/** Attempts to pay an invoice, and payments that were recorded by hand, oldest first, as the invoice shows them. */
export async function paymentsOf(db: Db, { resellerId, invoiceId }: StoredInvoice): Promise<InvoicePayment[]> {
  const payments = await withMoney(db, resellerId, await selectAttemptsOfInvoice(db, resellerId, invoiceId))
  const recorded = await selectRecordedPaymentsOfInvoice(db, resellerId, invoiceId)
  // Times of one form sort as texts do.
  const byTime = (one: InvoicePayment, other: InvoicePayment) =>
    one.created_at === other.created_at ? 0 : one.created_at < other.created_at ? -1 : 1
  return [...payments.map(fromGateway), ...recorded.map(fromRecord)].sort(byTime)
}

function fromGateway({ attempt, disputes }: Payment): InvoicePayment {
  return {
    id: attempt.attemptId,
    gateway: attempt.gateway,
    recorded: null,
    status: toWireStatus(attempt.status),
    amount_minor: attempt.amountMinor,
    currency: attempt.currency,
    failure: attempt.failure ?? null,
    disputes: disputes.map(toWireDispute),
    created_at: attempt.createdAt.toISOString(),
    updated_at: attempt.updatedAt.toISOString(),
  }
}

function fromRecord(payment: RecordedPayment): InvoicePayment {
  const { paymentId, amountMinor, currency, reversal, createdAt } = payment
  return {
    id: paymentId,
    gateway: null,
    recorded: toRecordedMoney(payment),
    status: reversal === undefined ? 'paid' : 'reversed',
    amount_minor: amountMinor,
    currency,
    failure: null,
    disputes: [],
    created_at: createdAt.toISOString(),
    updated_at: (reversal?.at ?? createdAt).toISOString(),
  }
}
