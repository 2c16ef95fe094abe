import type { InvoicePayment } from '@roadworthy/contracts/sim-billing/invoices'
import type { Db } from '@roadworthy/service-kit/db'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { selectAttemptsOfInvoice } from './attempts.sql.ts'
import { withMoney } from './request-refund.ts'
import { toWireDispute, toWireStatus } from './wire-payment.ts'

/** Attempts to pay an invoice, oldest first, as the invoice shows them. */
export async function paymentsOf(db: Db, { resellerId, invoiceId }: StoredInvoice): Promise<InvoicePayment[]> {
  const payments = await withMoney(db, resellerId, await selectAttemptsOfInvoice(db, resellerId, invoiceId))
  return payments.map(({ attempt, disputes }) => ({
    id: attempt.attemptId,
    gateway: attempt.gateway,
    status: toWireStatus(attempt.status),
    amount_minor: attempt.amountMinor,
    currency: attempt.currency,
    failure: attempt.failure ?? null,
    disputes: disputes.map(toWireDispute),
    created_at: attempt.createdAt.toISOString(),
    updated_at: attempt.updatedAt.toISOString(),
  }))
}
