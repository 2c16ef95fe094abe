// The emulator's things as Razorpay's entities: https://razorpay.com/docs/api. Fields that nobody here reads are mostly left out.

import type { Checkout, Dispute, DisputeState, EmulatorState, Payment, Refund } from './state.ts'
import { refundedOf } from './stripe-objects.ts'

const seconds = (ms: number) => Math.floor(ms / 1000)

const LINK_STATUS = {
  open: 'created',
  completed: 'paid',
  partially_paid: 'partially_paid',
  expired: 'expired',
  canceled: 'cancelled',
} as const

export function linkEntity(state: EmulatorState, checkout: Checkout, baseUrl: string): object {
  const payments = state.payments.filter((payment) => payment.checkoutId === checkout.id)
  const captured = payments.filter((payment) => payment.status === 'captured')
  const isOver = checkout.status === 'expired'
  return {
    accept_partial: false,
    amount: checkout.amount,
    amount_paid: captured.reduce((sum, payment) => sum + payment.amount, 0),
    callback_method: checkout.returnUrl === null ? '' : 'get',
    callback_url: checkout.returnUrl ?? '',
    cancelled_at: checkout.canceledAtMs === null ? 0 : seconds(checkout.canceledAtMs),
    created_at: seconds(checkout.createdAtMs),
    currency: checkout.currency,
    customer: checkout.email === null ? {} : { email: checkout.email },
    description: checkout.description,
    expire_by: seconds(checkout.expiresAtMs),
    expired_at: isOver ? seconds(checkout.expiresAtMs) : 0,
    first_min_partial_amount: 0,
    id: checkout.id,
    notes: notesOf(checkout.metadata),
    notify: { email: false, sms: false },
    // Razorpay makes the order when somebody begins to pay.
    ...(payments.length === 0 ? {} : { order_id: checkout.orderId }),
    payments: captured.length === 0 ? null : captured.map((payment) => linkPayment(checkout, payment)),
    reference_id: checkout.reference ?? '',
    reminder_enable: false,
    reminders: [],
    short_url: `${baseUrl}/pay/${checkout.id}`,
    status: LINK_STATUS[checkout.status],
    updated_at: seconds(checkout.createdAtMs),
    upi_link: false,
    user_id: '',
  }
}

function linkPayment(checkout: Checkout, payment: Payment): object {
  const at = seconds(payment.createdAtMs)
  return {
    amount: payment.amount,
    created_at: at,
    method: 'card',
    payment_id: payment.id,
    plink_id: checkout.id,
    status: 'captured',
    updated_at: at,
  }
}

export function paymentEntity(state: EmulatorState, payment: Payment): object {
  const refunded = refundedOf(state, payment)
  const isCaptured = payment.status === 'captured'
  const isRefunded = isCaptured && refunded === payment.amount
  const status = { pending: 'created', authorised: 'authorized', captured: 'captured', failed: 'failed' }[payment.status]
  return {
    id: payment.id,
    entity: 'payment',
    amount: payment.amount,
    amount_refunded: refunded,
    captured: isCaptured,
    contact: '+919876543210',
    created_at: seconds(payment.createdAtMs),
    currency: payment.currency,
    description: `#${payment.checkoutId.replace('plink_', '')}`,
    email: 'customer@example.com',
    error_code: payment.failure === null ? null : 'BAD_REQUEST_ERROR',
    error_description: payment.failure,
    fee: isCaptured ? Math.floor(payment.amount / 50) : null,
    international: false,
    invoice_id: null,
    method: 'card',
    notes: notesOf(payment.metadata),
    order_id: state.checkouts.find((checkout) => checkout.id === payment.checkoutId)?.orderId ?? null,
    refund_status: refunded === 0 ? null : isRefunded ? 'full' : 'partial',
    status: isRefunded ? 'refunded' : status,
    tax: isCaptured ? 0 : null,
  }
}

export function orderEntity(checkout: Checkout): object {
  return {
    id: checkout.orderId,
    entity: 'order',
    amount: checkout.amount,
    currency: checkout.currency,
    notes: notesOf(checkout.metadata),
    receipt: checkout.reference,
    status: checkout.status === 'completed' ? 'paid' : 'attempted',
  }
}

export function refundEntity(refund: Refund): object {
  return {
    id: refund.id,
    entity: 'refund',
    acquirer_data: { arn: null },
    amount: refund.amount,
    batch_id: null,
    created_at: seconds(refund.createdAtMs),
    currency: refund.currency,
    notes: notesOf(refund.metadata),
    payment_id: refund.paymentId,
    receipt: refund.receipt,
    speed_processed: 'normal',
    speed_requested: 'normal',
    status: refund.status === 'succeeded' ? 'processed' : refund.status,
  }
}

const DISPUTE_STATUS: Readonly<Record<DisputeState, string>> = {
  warning_needs_response: 'open',
  warning_closed: 'closed',
  needs_response: 'open',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
}

export function disputeEntity(dispute: Dispute): object {
  return {
    id: dispute.id,
    entity: 'dispute',
    amount: dispute.amount,
    amount_deducted: dispute.status === 'lost' ? dispute.amount : 0,
    created_at: seconds(dispute.createdAtMs),
    currency: dispute.currency,
    evidence: {},
    payment_id: dispute.paymentId,
    phase: dispute.status.startsWith('warning') ? 'retrieval' : 'chargeback',
    reason_code: dispute.reason,
    reason_description: null,
    respond_by: seconds(dispute.createdAtMs) + 7 * 86_400,
    status: DISPUTE_STATUS[dispute.status],
  }
}

/** Razorpay writes an empty array for no notes. */
function notesOf(metadata: Readonly<Record<string, string>>): object {
  return Object.keys(metadata).length === 0 ? [] : metadata
}
