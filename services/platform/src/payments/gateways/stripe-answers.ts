// What we rely on in Stripe's objects, and what they are in our terms. They come in answers and in callbacks, and are checked in both.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { amount, fromSeconds, orNull, ourId, text, time } from './answer-fields.ts'
import type {
  CheckoutSnapshot,
  CheckoutState,
  DisputeStatus,
  GatewayDispute,
  GatewayPayment,
  GatewayRefund,
  ListedDispute,
  PaymentStatus,
  RefundStatus,
} from './gateway.ts'
import { fromWireAmount } from './gateway-amounts.ts'
import { plainText } from './gateway-call.ts'

const id = (prefix: string) => Type.String({ pattern: `^${prefix}_[A-Za-z0-9_]{1,250}$` })
const currency = Type.String({ pattern: '^[a-z]{3}$' })
const metadata = orNull(Type.Record(Type.String(), Type.String()))
/** An id, or the object where it was asked for. */
const idOf = (prefix: string) => Type.Union([id(prefix), Type.Object({ id: id(prefix) })])

const Charge = Type.Object({
  id: id('(ch|py)'),
  created: time,
  captured: Type.Boolean(),
  amount_refunded: amount,
  currency,
  payment_intent: Type.Optional(orNull(idOf('pi'))),
  metadata: Type.Optional(metadata),
})
export type Charge = Static<typeof Charge>

const PaymentIntent = Type.Object({
  id: id('pi'),
  status: Type.String({ maxLength: 100 }),
  amount,
  amount_received: amount,
  amount_capturable: Type.Optional(amount),
  currency,
  metadata: Type.Optional(metadata),
  latest_charge: Type.Optional(orNull(Type.Union([id('(ch|py)'), Charge]))),
  last_payment_error: Type.Optional(orNull(Type.Object({ message: Type.Optional(orNull(text)), code: Type.Optional(orNull(text)) }))),
})
export type PaymentIntent = Static<typeof PaymentIntent>

const Session = Type.Object({
  id: id('cs'),
  object: Type.Literal('checkout.session'),
  mode: Type.String(),
  status: orNull(Type.String()),
  payment_status: Type.String(),
  amount_total: orNull(amount),
  currency: orNull(currency),
  client_reference_id: orNull(text),
  payment_intent: orNull(Type.Union([id('pi'), PaymentIntent])),
  url: Type.Optional(orNull(text)),
  expires_at: time,
})
export type Session = Static<typeof Session>

const Refund = Type.Object({
  id: id('(re|pyr)'),
  object: Type.Literal('refund'),
  amount,
  currency,
  status: orNull(Type.String()),
  charge: orNull(idOf('(ch|py)')),
  payment_intent: orNull(idOf('pi')),
  metadata,
  failure_reason: Type.Optional(orNull(text)),
})
export type Refund = Static<typeof Refund>

const Dispute = Type.Object({
  id: id('(dp|du|pdp)'),
  object: Type.Literal('dispute'),
  amount,
  currency,
  status: Type.String({ maxLength: 100 }),
  reason: text,
  charge: idOf('(ch|py)'),
  payment_intent: Type.Optional(orNull(idOf('pi'))),
  evidence_details: Type.Optional(orNull(Type.Object({ due_by: Type.Optional(orNull(time)) }))),
})
export type Dispute = Static<typeof Dispute>

/** In a list stand disputes of all payments of the account; more of one is read when it is fetched. */
const DisputeEntry = Type.Object({
  id: Dispute.properties.id,
  charge: Dispute.properties.charge,
  payment_intent: Dispute.properties.payment_intent,
  created: time,
})
type DisputeEntry = Static<typeof DisputeEntry>

/** In a list stand others' sessions too, which may be of any kind. */
const SessionEntry = Type.Object({ id: text, client_reference_id: Type.Optional(orNull(text)) })

export const stripeSchemas = {
  charge: Compile(Charge),
  paymentIntent: Compile(PaymentIntent),
  session: Compile(Session),
  sessionEntry: Compile(SessionEntry),
  refund: Compile(Refund),
  dispute: Compile(Dispute),
  disputeEntry: Compile(DisputeEntry),
}

/** Throws `RangeError` on an amount that is none, as all of these. */
export function snapshotOf(session: Session): CheckoutSnapshot | undefined {
  if (session.mode !== 'payment' || session.amount_total === null || session.currency === null) return undefined
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent
  const state = stateOf(session, intent)
  if (state === undefined) return undefined
  return {
    gatewayRef: session.id,
    attemptId: ourId(session.client_reference_id),
    state,
    ...fromWireAmount('stripe', session.amount_total, session.currency),
    checkoutUrl: session.url ?? undefined,
    expiresAt: fromSeconds(session.expires_at),
    payments: intent === null ? [] : [paymentOf(intent)],
  }
}

/** https://docs.stripe.com/api/checkout/sessions/object: `complete` and `unpaid` is a bank debit that takes days, or that has failed. */
function stateOf(session: Session, intent: PaymentIntent | null): CheckoutState | undefined {
  const isPromised = intent?.status === 'processing' || intent?.status === 'requires_capture'
  if (session.status === 'open') return isPromised ? 'authorised' : 'pending'
  if (session.status === 'expired') return 'expired'
  if (session.status !== 'complete') return undefined
  if (session.payment_status === 'paid' || session.payment_status === 'no_payment_required') return 'paid'
  if (session.payment_status !== 'unpaid') return undefined
  if (intent?.status === 'canceled') return 'canceled'
  return intent?.status === 'requires_payment_method' ? 'failed' : 'authorised'
}

export function paymentOf(intent: PaymentIntent): GatewayPayment {
  const charge = typeof intent.latest_charge === 'string' ? undefined : (intent.latest_charge ?? undefined)
  const status = paymentStatusOf(intent, charge)
  const isCaptured = status === 'captured'
  return {
    paymentRef: intent.id,
    ...fromWireAmount('stripe', isCaptured ? intent.amount_received : intent.amount, intent.currency),
    status,
    // Stripe keeps no time of capture; with automatic capture it is that of the charge.
    capturedAt: isCaptured && charge !== undefined ? fromSeconds(charge.created) : undefined,
    refundedMinor: charge === undefined ? 0 : fromWireAmount('stripe', charge.amount_refunded, charge.currency).amountMinor,
  }
}

function paymentStatusOf({ status }: PaymentIntent, charge: Charge | undefined): PaymentStatus {
  if (status === 'succeeded') return 'captured'
  if (status === 'requires_capture') return 'authorised'
  if (status === 'canceled') return 'canceled'
  return status === 'requires_payment_method' && charge !== undefined ? 'failed' : 'pending'
}

export function refundOf(refund: Refund): GatewayRefund {
  return {
    refundRef: refund.id,
    status: refundStatusOf(refund.status),
    paymentRef: idIn(refund.payment_intent) ?? idIn(refund.charge) ?? '',
    refundId: ourId(refund.metadata?.['refund_id']),
    ...fromWireAmount('stripe', refund.amount, refund.currency),
    failure: typeof refund.failure_reason === 'string' ? plainText(refund.failure_reason) : undefined,
  }
}

function refundStatusOf(status: string | null): RefundStatus {
  return status === 'succeeded' || status === 'failed' || status === 'canceled' ? status : 'pending'
}

/** https://docs.stripe.com/api/disputes/object#dispute_object-status. Those with `warning` are inquiries, for which no money is taken. */
const DISPUTES: ReadonlyMap<string, { readonly status: DisputeStatus; readonly isWithdrawn: boolean }> = new Map(
  Object.entries({
    warning_needs_response: { status: 'open', isWithdrawn: false },
    warning_under_review: { status: 'under_review', isWithdrawn: false },
    warning_closed: { status: 'closed', isWithdrawn: false },
    prevented: { status: 'closed', isWithdrawn: false },
    needs_response: { status: 'open', isWithdrawn: true },
    under_review: { status: 'under_review', isWithdrawn: true },
    appeal_needs_response: { status: 'open', isWithdrawn: true },
    appeal_under_review: { status: 'under_review', isWithdrawn: true },
    won: { status: 'won', isWithdrawn: false },
    lost: { status: 'lost', isWithdrawn: true },
  } as const),
)

/** A status that is not known yet: somebody has to look at it. */
const UNKNOWN_DISPUTE = { status: 'under_review', isWithdrawn: true } as const

export function disputeOf(dispute: Dispute): GatewayDispute {
  const { status, isWithdrawn } = DISPUTES.get(dispute.status) ?? UNKNOWN_DISPUTE
  const money = fromWireAmount('stripe', dispute.amount, dispute.currency)
  const dueBy = dispute.evidence_details?.due_by
  return {
    disputeRef: dispute.id,
    paymentRef: disputedPayment(dispute),
    status,
    ...money,
    withdrawnMinor: isWithdrawn ? money.amountMinor : 0,
    reason: plainText(dispute.reason),
    respondBy: typeof dueBy === 'number' ? fromSeconds(dueBy) : undefined,
  }
}

export function listedDisputeOf(entry: DisputeEntry): ListedDispute {
  return { disputeRef: entry.id, paymentRef: disputedPayment(entry), openedAt: fromSeconds(entry.created) }
}

function disputedPayment({ payment_intent, charge }: Pick<Dispute, 'payment_intent' | 'charge'>): string {
  return idIn(payment_intent) ?? idIn(charge) ?? ''
}

export function idIn(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
