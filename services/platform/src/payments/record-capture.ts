// Money that a gateway took in. It is booked once, by the gateway's id of the payment, whoever brings the news and however often.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { systemAuthor } from '../audit/audit.ts'
import { applyPayment } from '../billing/settle-invoice.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { writeEvents } from '../events/outbox.ts'
import type { Attempt, Refund } from './attempt.ts'
import { insertCapture, selectLiveAttempt } from './attempts.sql.ts'
import type { GatewayPayment } from './gateways/gateway.ts'
import { paymentUnapplied } from './payment-events.ts'
import { scheduleAttempt, scheduleRefund } from './payment-schedule.ts'
import { insertRefund } from './refunds.sql.ts'

type Captured = Pick<GatewayPayment, 'paymentRef' | 'amountMinor' | 'currency' | 'capturedAt'>

/**
 * Within a transaction that holds the locks of both. Books it against the invoice; what the invoice does not take is queued to be refunded. Returns
 * the invoice as it is after that.
 */
export async function recordCapture(db: Db, invoice: StoredInvoice, attempt: Attempt, payment: Captured, at: Date): Promise<StoredInvoice> {
  const { resellerId, connectionId, attemptId } = attempt
  const { paymentRef, amountMinor, currency, capturedAt = at } = payment
  const capture = { resellerId, connectionId, paymentRef, attemptId, amountMinor, currency, capturedAt, refundedElsewhereMinor: 0 }
  if (!(await insertCapture(db, capture, at))) return invoice
  const money = { amountMinor, currency, source: sourceOf(attempt, paymentRef), gateway: attempt.gateway, at }
  const settlement = await applyPayment(db, invoice, money, systemAuthor(resellerId, at))
  if (settlement.unappliedMinor > 0) await queueUnapplied(db, attempt, { paymentRef, amountMinor: settlement.unappliedMinor, currency }, at)
  // Less is due than another attempt asks for: its checkout has to end before somebody pays there.
  const live = await selectLiveAttempt(db, resellerId, attempt.invoiceId)
  if (live !== undefined && live.attemptId !== attemptId) await scheduleAttempt(db, live, at)
  return settlement.invoice
}

/** What makes a booking in the ledger happen once: an account of a gateway, and what the gateway calls it there. */
export function sourceOf({ connectionId }: Pick<Attempt, 'connectionId'>, ref: string): string {
  return `${connectionId}/${ref}`
}

type Surplus = { readonly paymentRef: string; readonly amountMinor: number; readonly currency: string }

async function queueUnapplied(db: Db, attempt: Attempt, surplus: Surplus, at: Date): Promise<void> {
  const refund = newRefund(attempt, surplus, { origin: 'unapplied', reason: 'Paid more than was due.' }, at)
  await insertRefund(db, refund)
  await scheduleRefund(db, refund, at)
  await writeEvents(db, [paymentUnapplied(attempt, surplus, refund.refundId, at)])
}

export function newRefund(
  { resellerId, attemptId, connectionId }: Attempt,
  { paymentRef, amountMinor, currency }: Surplus,
  why: Pick<Refund, 'origin' | 'reason'>,
  at: Date,
): Refund {
  return {
    ...{ resellerId, refundId: newId('rfd'), attemptId, connectionId, paymentRef, refundRef: undefined },
    ...{ amountMinor, currency, ...why, status: 'created', isBooked: false, failure: undefined, createdAt: at, updatedAt: at },
  }
}
