// What we rely on in Razorpay's objects, and what they are in our terms. They come in answers and in callbacks, and are checked in both.

import { type Static, type TSchema, Type } from 'typebox'
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

const id = (prefix: string) => Type.String({ pattern: `^${prefix}_[A-Za-z0-9]{1,60}$` })
const currency = Type.String({ pattern: '^[A-Z]{3}$' })
/** An empty array where there are none. */
const notes = orNull(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())]))

const PaymentLink = Type.Object({
  id: id('plink'),
  status: Type.String({ maxLength: 100 }),
  amount,
  amount_paid: Type.Optional(amount),
  currency,
  reference_id: Type.Optional(orNull(text)),
  order_id: Type.Optional(orNull(id('order'))),
  short_url: Type.Optional(orNull(text)),
  expire_by: Type.Optional(orNull(time)),
  payments: Type.Optional(orNull(Type.Array(Type.Object({ payment_id: id('pay') })))),
})
export type PaymentLink = Static<typeof PaymentLink>

const Payment = Type.Object({
  id: id('pay'),
  amount,
  currency,
  status: Type.String({ maxLength: 100 }),
  amount_refunded: Type.Optional(orNull(amount)),
  notes: Type.Optional(notes),
  error_description: Type.Optional(orNull(text)),
  created_at: time,
})
export type Payment = Static<typeof Payment>

const Refund = Type.Object({
  id: id('rfnd'),
  payment_id: id('pay'),
  amount,
  currency,
  status: Type.String({ maxLength: 100 }),
  receipt: Type.Optional(orNull(text)),
  notes: Type.Optional(notes),
})
export type Refund = Static<typeof Refund>

const Dispute = Type.Object({
  id: id('disp'),
  payment_id: id('pay'),
  amount,
  currency,
  amount_deducted: Type.Optional(orNull(amount)),
  reason_code: text,
  reason_description: Type.Optional(orNull(text)),
  respond_by: Type.Optional(orNull(time)),
  status: Type.String({ maxLength: 100 }),
})
export type Dispute = Static<typeof Dispute>

/** In a list stand disputes of all payments of the account; more of one is read when it is fetched. */
const DisputeEntry = Type.Object({ id: id('disp'), payment_id: id('pay'), created_at: time })
type DisputeEntry = Static<typeof DisputeEntry>

const list = <T extends TSchema>(schema: T) => Type.Object({ items: Type.Array(schema) })

export const razorpaySchemas = {
  link: Compile(PaymentLink),
  links: Compile(Type.Object({ payment_links: Type.Array(PaymentLink) })),
  payment: Compile(Payment),
  payments: Compile(list(Payment)),
  refund: Compile(Refund),
  refunds: Compile(list(Refund)),
  dispute: Compile(Dispute),
  disputes: Compile(list(DisputeEntry)),
  error: Compile(Type.Object({ error: Type.Object({ code: Type.Optional(text), description: Type.Optional(orNull(text)) }) })),
}

/** Throws `RangeError` on an amount that is none, as all of these. */
export function snapshotOf(link: PaymentLink, payments: readonly GatewayPayment[]): CheckoutSnapshot | undefined {
  const asked = fromWireAmount('razorpay', link.amount, link.currency)
  const state = stateOf(link, asked, payments)
  if (state === undefined) return undefined
  return {
    gatewayRef: link.id,
    attemptId: ourId(link.reference_id),
    state,
    ...asked,
    checkoutUrl: link.status === 'created' ? (link.short_url ?? undefined) : undefined,
    expiresAt: timeOf(link.expire_by),
    payments,
  }
}

/** Payments before the link's own word: one that was authorised late does not change a link that has expired. */
function stateOf(
  { status }: PaymentLink,
  asked: { amountMinor: number; currency: string },
  payments: readonly GatewayPayment[],
): CheckoutState | undefined {
  const captured = payments.filter((each) => each.status === 'captured' && each.currency === asked.currency)
  if (captured.length > 0 && captured.reduce((sum, each) => sum + each.amountMinor, 0) >= asked.amountMinor) return 'paid'
  if (payments.some((each) => each.status === 'authorised')) return 'authorised'
  if (status === 'created' || status === 'partially_paid') return 'pending'
  if (status === 'cancelled') return 'canceled'
  return status === 'paid' || status === 'expired' ? status : undefined
}

/** https://razorpay.com/docs/api/payments/entity: `refunded` is captured, and given back in full. */
const PAYMENT_STATUSES: ReadonlyMap<string, PaymentStatus> = new Map([
  ['created', 'pending'],
  ['authorized', 'authorised'],
  ['captured', 'captured'],
  ['refunded', 'captured'],
  ['failed', 'failed'],
])

export function paymentOf(payment: Payment): GatewayPayment {
  const status = PAYMENT_STATUSES.get(payment.status) ?? 'pending'
  return {
    paymentRef: payment.id,
    ...fromWireAmount('razorpay', payment.amount, payment.currency),
    status,
    // Razorpay reports no time of capture; it is within days of the payment.
    capturedAt: status === 'captured' ? fromSeconds(payment.created_at) : undefined,
    refundedMinor: fromWireAmount('razorpay', payment.amount_refunded ?? 0, payment.currency).amountMinor,
  }
}

export function refundOf(refund: Refund): GatewayRefund {
  const status: RefundStatus = refund.status === 'processed' ? 'succeeded' : refund.status === 'failed' ? 'failed' : 'pending'
  return {
    refundRef: refund.id,
    status,
    paymentRef: refund.payment_id,
    refundId: ourId(refund.receipt) ?? ourId(noteOf(refund.notes, 'refund_id')),
    ...fromWireAmount('razorpay', refund.amount, refund.currency),
    // Razorpay reports that it failed, not why.
    failure: status === 'failed' ? 'The bank did not take the refund.' : undefined,
  }
}

const DISPUTE_STATUSES: ReadonlyMap<string, DisputeStatus> = new Map([
  ['open', 'open'],
  ['under_review', 'under_review'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['closed', 'closed'],
])

export function disputeOf(dispute: Dispute): GatewayDispute {
  const money = fromWireAmount('razorpay', dispute.amount, dispute.currency)
  return {
    disputeRef: dispute.id,
    paymentRef: dispute.payment_id,
    // A status that is not known yet: somebody has to look at it.
    status: DISPUTE_STATUSES.get(dispute.status) ?? 'under_review',
    ...money,
    withdrawnMinor: fromWireAmount('razorpay', dispute.amount_deducted ?? 0, dispute.currency).amountMinor,
    reason: plainText(dispute.reason_description ?? dispute.reason_code),
    respondBy: timeOf(dispute.respond_by),
  }
}

export function listedDisputeOf({ id: disputeRef, payment_id, created_at }: DisputeEntry): ListedDispute {
  return { disputeRef, paymentRef: payment_id, openedAt: fromSeconds(created_at) }
}

export function noteOf(value: Payment['notes'], name: string): string | undefined {
  if (value === null || value === undefined || Array.isArray(value) || !Object.hasOwn(value, name)) return undefined
  const note = value[name]
  return typeof note === 'string' ? note : undefined
}

/** 0 for never. */
function timeOf(seconds: number | null | undefined): Date | undefined {
  return typeof seconds === 'number' && seconds > 0 ? fromSeconds(seconds) : undefined
}
