// Razorpay's webhooks: https://razorpay.com/docs/webhooks/validate-test. Its signature is of the body alone: it has no time, so an old one
// stays good, and the event's id in the header is not signed at all.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { fromSeconds, ourId } from './answer-fields.ts'
import { exactText, judgeBody, MAX_CALLBACK_BYTES, onlyHeader, refused, required } from './callback-verdict.ts'
import type { CallbackHeaders, CallbackVerdict, GatewayEvent } from './gateway.ts'
import { fromWireAmount } from './gateway-amounts.ts'
import { plainText } from './gateway-call.ts'
import { disputeOf, noteOf, type Payment, paymentOf, razorpaySchemas, refundOf } from './razorpay-answers.ts'

const SIGNATURE = /^[0-9a-f]{64}$/
const EVENT_ID = /^[A-Za-z0-9_-]{1,100}$/
/** 64 bits of it: enough to distinguish bodies that carry the same id. */
const DIGEST_CHARACTERS = 16

const entityIn = (schema: TSchema) => Type.Optional(Type.Object({ entity: schema }))
const anything = Type.Record(Type.String(), Type.Unknown())

const Event = Compile(
  Type.Object({
    entity: Type.Literal('event'),
    event: Type.String({ minLength: 1, maxLength: 200 }),
    created_at: Type.Integer({ minimum: 0, maximum: 253_402_300_799 }),
    payload: Type.Object({
      payment: entityIn(anything),
      payment_link: entityIn(anything),
      refund: entityIn(anything),
      dispute: entityIn(anything),
    }),
  }),
)

type Origin = Pick<GatewayEvent, 'eventId' | 'at' | 'type'>
type Payload = Readonly<Record<'payment' | 'payment_link' | 'refund' | 'dispute', { readonly entity?: unknown } | undefined>>

/** Never throws. `now` means nothing here: see above. */
export function verifyRazorpayCallback(webhookSecrets: readonly string[], rawBody: Buffer, headers: CallbackHeaders): CallbackVerdict {
  if (rawBody.length > MAX_CALLBACK_BYTES) return refused('too_large')
  const signature = onlyHeader(headers, 'x-razorpay-signature')
  if (signature === undefined) return refused('missing_signature')
  const isSigned = SIGNATURE.test(signature) && exactText(rawBody) !== undefined
  if (!isSigned || !webhookSecrets.some((secret) => isSignedBy(rawBody, signature, secret))) return refused('bad_signature')
  const eventId = eventIdOf(rawBody, headers)
  return judgeBody(rawBody, (body) => {
    const event = required(Event, body)
    const origin = { eventId, at: fromSeconds(event.created_at), type: event.event }
    return READERS.get(event.event)?.(origin, event.payload as Payload) ?? ignored(origin)
  })
}

function isSignedBy(rawBody: Buffer, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

/**
 * `x-razorpay-event-id`, bound to the body: whoever sends a known body again under the id of an event that is yet to come must not have that
 * event taken for a duplicate.
 */
function eventIdOf(rawBody: Buffer, headers: CallbackHeaders): string {
  const given = onlyHeader(headers, 'x-razorpay-event-id')
  const digest = createHash('sha256').update(rawBody).digest('hex').slice(0, DIGEST_CHARACTERS)
  return `${given !== undefined && EVENT_ID.test(given) ? given : 'none'}.${digest}`
}

function ignored(origin: Origin): GatewayEvent {
  return { ...origin, gatewayRef: undefined, paymentRef: undefined, attemptId: undefined, kind: 'ignored' }
}

type Reader = (origin: Origin, payload: Payload) => GatewayEvent

/** https://razorpay.com/docs/webhooks/all. `order.paid` reports nothing that these do not. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['payment_link.paid', linkPaid],
  ['payment_link.partially_paid', linkPaid],
  ['payment_link.expired', linkEnded],
  ['payment_link.cancelled', linkEnded],
  ['payment.captured', ofPayment((refs, payment) => ({ ...refs, kind: 'checkout_paid', ...moneyOf(payment) }))],
  ['payment.authorized', ofPayment((refs, payment) => ({ ...refs, kind: 'payment_authorised', ...moneyOf(payment) }))],
  ['payment.failed', ofPayment((refs, payment) => ({ ...refs, kind: 'payment_failed', isFinal: false, failure: failureOf(payment) }))],
  ['refund.created', ofRefund],
  ['refund.processed', ofRefund],
  ['refund.failed', ofRefund],
  ['refund.speed_changed', ofRefund],
  ['payment.dispute.created', ofDispute('dispute_opened')],
  ['payment.dispute.under_review', ofDispute('dispute_updated')],
  ['payment.dispute.action_required', ofDispute('dispute_updated')],
  ['payment.dispute.won', ofDispute('dispute_closed')],
  ['payment.dispute.lost', ofDispute('dispute_closed')],
  ['payment.dispute.closed', ofDispute('dispute_closed')],
])

function linkPaid(origin: Origin, payload: Payload): GatewayEvent {
  const link = required(razorpaySchemas.link, payload.payment_link?.entity)
  const payment = required(razorpaySchemas.payment, payload.payment?.entity)
  const refs = { ...origin, gatewayRef: link.id, paymentRef: payment.id, attemptId: ourId(link.reference_id) }
  if (paymentOf(payment).status !== 'captured') return { ...refs, kind: 'payment_authorised', ...moneyOf(payment) }
  return { ...refs, kind: 'checkout_paid', ...moneyOf(payment) }
}

function linkEnded(origin: Origin, payload: Payload): GatewayEvent {
  const link = required(razorpaySchemas.link, payload.payment_link?.entity)
  return { ...origin, gatewayRef: link.id, paymentRef: undefined, attemptId: ourId(link.reference_id), kind: 'checkout_expired' }
}

type PaymentRefs = Origin & { gatewayRef: undefined; paymentRef: string; attemptId: string }

/** A payment names our attempt in the notes that it has from its link. One without is not for an invoice of ours, or `payment_link.paid` reports it. */
function ofPayment(read: (refs: PaymentRefs, payment: Payment) => GatewayEvent): Reader {
  return (origin, payload) => {
    const payment = required(razorpaySchemas.payment, payload.payment?.entity)
    const attemptId = ourId(noteOf(payment.notes, 'attempt_id'))
    if (attemptId === undefined) return ignored(origin)
    return read({ ...origin, gatewayRef: undefined, paymentRef: payment.id, attemptId }, payment)
  }
}

function ofRefund(origin: Origin, payload: Payload): GatewayEvent {
  const refund = refundOf(required(razorpaySchemas.refund, payload.refund?.entity))
  const payment = payload.payment === undefined ? undefined : paymentOf(required(razorpaySchemas.payment, payload.payment.entity))
  const refs = { ...origin, gatewayRef: undefined, paymentRef: refund.paymentRef, attemptId: undefined }
  const refundedMinor = payment?.paymentRef === refund.paymentRef ? payment.refundedMinor : undefined
  return { ...refs, kind: 'refund_updated', refund, refundedMinor, currency: refund.currency }
}

function ofDispute(kind: 'dispute_opened' | 'dispute_updated' | 'dispute_closed'): Reader {
  return (origin, payload) => {
    const dispute = disputeOf(required(razorpaySchemas.dispute, payload.dispute?.entity))
    return { ...origin, gatewayRef: undefined, paymentRef: dispute.paymentRef, attemptId: undefined, kind, dispute }
  }
}

function moneyOf(payment: Payment): { amountMinor: number; currency: string } {
  return fromWireAmount('razorpay', payment.amount, payment.currency)
}

function failureOf({ error_description }: Payment): string {
  return plainText(error_description ?? 'The payment failed.')
}
