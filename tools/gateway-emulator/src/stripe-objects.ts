// The emulator's things as Stripe's objects: https://docs.stripe.com/api. Fields that nobody here reads are mostly left out.

import type { Checkout, Dispute, EmulatorState, Payment, Refund } from './state.ts'

export const STRIPE_API_VERSION = '2026-10-28.endive'

const seconds = (ms: number) => Math.floor(ms / 1000)

/** A session has one PaymentIntent, from the first try on. */
function intentOfCheckout(state: EmulatorState, checkout: Checkout): Payment | undefined {
  return state.payments.find((payment) => payment.checkoutId === checkout.id)
}

export function sessionObject(state: EmulatorState, checkout: Checkout, baseUrl: string, expand: readonly string[] = []): object {
  const payment = intentOfCheckout(state, checkout)
  const isExpanded = expand.some((path) => path.startsWith('payment_intent'))
  const intent = payment === undefined ? null : isExpanded ? intentObject(state, payment, { isChargeExpanded: true }) : payment.id
  return {
    id: checkout.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    amount_subtotal: checkout.amount,
    amount_total: checkout.amount,
    cancel_url: checkout.returnUrl,
    client_reference_id: checkout.reference,
    created: seconds(checkout.createdAtMs),
    currency: checkout.currency.toLowerCase(),
    customer: null,
    customer_email: checkout.email,
    expires_at: seconds(checkout.expiresAtMs),
    livemode: isLive(checkout.account),
    metadata: checkout.metadata,
    mode: 'payment',
    payment_intent: intent,
    payment_method_types: ['card'],
    payment_status: payment?.status === 'captured' ? 'paid' : 'unpaid',
    status: checkout.status === 'completed' ? 'complete' : checkout.status === 'open' ? 'open' : 'expired',
    success_url: checkout.returnUrl,
    url: checkout.status === 'open' ? `${baseUrl}/pay/${checkout.id}` : null,
  }
}

const INTENT_STATUS = {
  pending: 'processing',
  authorised: 'requires_capture',
  captured: 'succeeded',
  failed: 'requires_payment_method',
} as const

export function intentObject(state: EmulatorState, payment: Payment, { isChargeExpanded }: { isChargeExpanded: boolean }): object {
  const isCaptured = payment.status === 'captured'
  return {
    id: payment.id,
    object: 'payment_intent',
    amount: payment.amount,
    amount_capturable: payment.status === 'authorised' ? payment.amount : 0,
    amount_received: isCaptured ? payment.amount : 0,
    capture_method: 'automatic_async',
    created: seconds(payment.createdAtMs),
    currency: payment.currency.toLowerCase(),
    last_payment_error: payment.failure === null ? null : { code: 'card_declined', message: payment.failure, type: 'card_error' },
    latest_charge: isChargeExpanded ? chargeObject(state, payment) : payment.chargeId,
    livemode: isLive(payment.account),
    metadata: payment.metadata,
    status: INTENT_STATUS[payment.status],
  }
}

export function chargeObject(state: EmulatorState, payment: Payment): object {
  const isCaptured = payment.status === 'captured'
  const refunded = refundedOf(state, payment)
  return {
    id: payment.chargeId,
    object: 'charge',
    amount: payment.amount,
    amount_captured: isCaptured ? payment.amount : 0,
    amount_refunded: refunded,
    captured: isCaptured,
    created: seconds(payment.createdAtMs),
    currency: payment.currency.toLowerCase(),
    disputed: state.disputes.some((dispute) => dispute.paymentId === payment.id),
    livemode: isLive(payment.account),
    metadata: payment.metadata,
    paid: isCaptured,
    payment_intent: payment.id,
    refunded: isCaptured && refunded === payment.amount,
    status: payment.status === 'failed' ? 'failed' : isCaptured ? 'succeeded' : 'pending',
  }
}

export function refundedOf(state: EmulatorState, payment: Payment): number {
  const counted = state.refunds.filter((refund) => refund.paymentId === payment.id && refund.status !== 'failed')
  return counted.reduce((sum, refund) => sum + refund.amount, 0)
}

export function refundObject(state: EmulatorState, refund: Refund): object {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    charge: state.payments.find((payment) => payment.id === refund.paymentId)?.chargeId ?? null,
    created: seconds(refund.createdAtMs),
    currency: refund.currency.toLowerCase(),
    ...(refund.failure === null ? {} : { failure_reason: refund.failure }),
    metadata: refund.metadata,
    payment_intent: refund.paymentId,
    reason: null,
    status: refund.status,
  }
}

export function disputeObject(state: EmulatorState, dispute: Dispute): object {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: state.payments.find((payment) => payment.id === dispute.paymentId)?.chargeId ?? null,
    created: seconds(dispute.createdAtMs),
    currency: dispute.currency.toLowerCase(),
    evidence_details: { due_by: seconds(dispute.createdAtMs) + 7 * 86_400, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: dispute.status.startsWith('warning'),
    livemode: isLive(dispute.account),
    metadata: {},
    payment_intent: dispute.paymentId,
    reason: dispute.reason,
    status: dispute.status,
  }
}

export function isLive(account: string): boolean {
  return account.includes('_live_')
}
