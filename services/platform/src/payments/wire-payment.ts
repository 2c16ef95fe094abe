// As the SIM and billing API shows payments.

import type { Payment as WirePayment } from '@roadworthy/contracts/sim-billing/payments'
import type { RecordedMoney, RecordPaymentRequest } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { countsAsRefunded, type Dispute, type Payment, type Refund } from './attempt.ts'
import type { AttemptStatus } from './attempt-states.ts'
import type { RecordedWish } from './record-payment.ts'
import type { RecordedPayment } from './recorded-payment.ts'

export function toWirePayment({ attempt, captures, refunds, disputes }: Payment): WirePayment {
  const elsewhereMinor = captures.reduce((sum, { refundedElsewhereMinor }) => sum + refundedElsewhereMinor, 0)
  const refundedMinor = refunds.filter(countsAsRefunded).reduce((sum, { amountMinor }) => sum + amountMinor, elsewhereMinor)
  return {
    id: attempt.attemptId,
    invoice_id: attempt.invoiceId,
    sub_client_id: attempt.subClientId === '' ? null : attempt.subClientId,
    gateway: attempt.gateway,
    recorded: null,
    status: toWireStatus(attempt.status),
    amount: attempt.amountMinor,
    currency: attempt.currency,
    checkout_url: attempt.checkoutUrl ?? null,
    expires_at: attempt.expiresAt.toISOString(),
    failure: attempt.failure ?? null,
    unanswered_since: attempt.unansweredSince?.toISOString() ?? null,
    abandoned_at: attempt.abandonedAt?.toISOString() ?? null,
    received: captures.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    refunded: refundedMinor,
    refunds: refunds.map(toWireRefund),
    disputes: disputes.map(toWireDispute),
    created_at: attempt.createdAt.toISOString(),
    updated_at: attempt.updatedAt.toISOString(),
  }
}

/** One that was recorded by hand. */
export function toWireRecorded(payment: RecordedPayment): WirePayment {
  const { amountMinor, reversal, createdAt } = payment
  return {
    id: payment.paymentId,
    invoice_id: payment.invoiceId,
    sub_client_id: payment.subClientId === '' ? null : payment.subClientId,
    gateway: null,
    recorded: toRecordedMoney(payment),
    status: reversal === undefined ? 'paid' : 'reversed',
    amount: amountMinor,
    currency: payment.currency,
    ...{ checkout_url: null, expires_at: null, failure: null, unanswered_since: null, abandoned_at: null },
    received: amountMinor,
    refunded: reversal === undefined ? 0 : amountMinor,
    ...{ refunds: [], disputes: [] },
    created_at: createdAt.toISOString(),
    updated_at: (reversal?.at ?? createdAt).toISOString(),
  }
}

export function toRecordedMoney({ method, receivedOn, reference, reversal }: RecordedPayment): RecordedMoney {
  return {
    method,
    received_on: receivedOn,
    reference: reference ?? null,
    reversed_at: reversal?.at.toISOString() ?? null,
    reversal_reason: reversal?.reason ?? null,
  }
}

export function fromWireRecorded({ amount_minor, currency, method, received_on, reference }: RecordPaymentRequest): RecordedWish {
  const trimmed = reference?.trim() ?? ''
  return { amountMinor: amount_minor, currency, method, receivedOn: received_on, reference: trimmed === '' ? undefined : trimmed }
}

/** One whose checkout is being opened is pending to whoever looks. */
export function toWireStatus(status: AttemptStatus): WirePayment['status'] {
  return status === 'created' ? 'pending' : status
}

export function fromWireStatus(status: WirePayment['status']): readonly AttemptStatus[] {
  if (status === 'pending') return ['created', 'pending']
  return status === 'reversed' ? [] : [status]
}

function toWireRefund({ refundId, status, origin, amountMinor, currency, reason, failure, createdAt, updatedAt }: Refund) {
  return {
    id: refundId,
    status: status === 'created' ? ('pending' as const) : status,
    origin,
    amount: amountMinor,
    currency,
    reason,
    failure: failure ?? null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}

export function toWireDispute(dispute: Dispute) {
  return {
    id: dispute.disputeRef,
    status: dispute.status,
    amount: dispute.amountMinor,
    withdrawn: dispute.withdrawnMinor,
    currency: dispute.currency,
    reason: dispute.reason,
    respond_by: dispute.respondBy?.toISOString() ?? null,
    opened_at: dispute.openedAt.toISOString(),
    updated_at: dispute.updatedAt.toISOString(),
  }
}
