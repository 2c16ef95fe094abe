// Stripe's webhooks: https://docs.stripe.com/webhooks. Which events mean what: https://docs.stripe.com/api/events/types.

import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { fromSeconds, ourId } from './answer-fields.ts'
import { exactText, judgeBody, MAX_CALLBACK_BYTES, onlyHeader, refused, required } from './callback-verdict.ts'
import type { CallbackHeaders, CallbackVerdict, GatewayEvent } from './gateway.ts'
import { fromWireAmount } from './gateway-amounts.ts'
import { plainText } from './gateway-call.ts'
import { type Charge, disputeOf, idIn, type PaymentIntent, refundOf, type Session, stripeSchemas } from './stripe-answers.ts'
import { stripePackage } from './stripe-package.ts'

/** Stripe's own default. */
const TOLERANCE_S = 300
/** What the package takes for "do not look at the time". */
const ANY_TIME = 0

const Event = Compile(
  Type.Object({
    id: Type.String({ pattern: '^evt_[A-Za-z0-9_]{1,250}$' }),
    object: Type.Literal('event'),
    type: Type.String({ minLength: 1, maxLength: 200 }),
    created: Type.Integer({ minimum: 0, maximum: 253_402_300_799 }),
    livemode: Type.Boolean(),
    data: Type.Object({ object: Type.Record(Type.String(), Type.Unknown()) }),
  }),
)

type Origin = Pick<GatewayEvent, 'eventId' | 'at' | 'type'>
type Keys = { webhookSecrets: readonly string[]; isLive: boolean }

/** Never throws. */
export function verifyStripeCallback(
  { webhookSecrets, isLive }: Keys,
  rawBody: Buffer,
  headers: CallbackHeaders,
  now: Date,
): CallbackVerdict {
  if (rawBody.length > MAX_CALLBACK_BYTES) return refused('too_large')
  const header = onlyHeader(headers, 'stripe-signature')
  if (header === undefined) return refused('missing_signature')
  const text = exactText(rawBody)
  const signedAtS = signingTime(header)
  if (text === undefined || signedAtS === undefined) return refused('bad_signature')
  if (!webhookSecrets.some((secret) => isSigned(text, header, secret, ANY_TIME, now))) return refused('bad_signature')
  // The package looks at the past only.
  const isFresh = signedAtS <= now.getTime() / 1000 + TOLERANCE_S
  if (!isFresh || !webhookSecrets.some((secret) => isSigned(text, header, secret, TOLERANCE_S, now))) return refused('stale')
  return judgeBody(rawBody, (body) => eventOf(required(Event, body), isLive))
}

/** The one time that the header names: with two of them it would depend on the reader which one is signed. */
function signingTime(header: string): number | undefined {
  const times = header.split(',').filter((part) => part.split('=')[0]?.trim() === 't')
  const [, digits] = /^t=(\d{1,12})$/.exec(times[0] ?? '') ?? []
  return times.length === 1 && digits !== undefined ? Number(digits) : undefined
}

/** The package's own check; it compares in constant time, and throws on what it does not like. */
function isSigned(text: string, header: string, secret: string, toleranceS: number, now: Date): boolean {
  try {
    return stripePackage().webhooks.signature?.verifyHeader(text, header, secret, toleranceS, undefined, now.getTime()) === true
  } catch {
    // A signature that is wrong, or so malformed that it cannot be compared.
    return false
  }
}

function eventOf(
  event: { id: string; type: string; created: number; livemode: boolean; data: { object: unknown } },
  isLive: boolean,
): GatewayEvent {
  const origin: Origin = { eventId: event.id, at: fromSeconds(event.created), type: event.type }
  const read = READERS.get(event.type)
  // Test payments reach no live connection: each mode has secrets of its own. If one does, it is no money.
  if (read === undefined || event.livemode !== isLive) return ignored(origin)
  return read(origin, event.data.object)
}

function ignored(origin: Origin): GatewayEvent {
  return { ...origin, gatewayRef: undefined, paymentRef: undefined, attemptId: undefined, kind: 'ignored' }
}

type Reader = (origin: Origin, object: unknown) => GatewayEvent

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    'checkout.session.completed': ofSession(completed),
    'checkout.session.async_payment_succeeded': ofSession(completed),
    'checkout.session.async_payment_failed': ofSession((refs) => ({
      ...refs,
      kind: 'payment_failed',
      isFinal: true,
      failure: 'The bank did not pay.',
    })),
    'checkout.session.expired': ofSession((refs) => ({ ...refs, kind: 'checkout_expired' })),
    'payment_intent.payment_failed': ofIntent((refs, intent) => {
      const failure = plainText(intent.last_payment_error?.message ?? intent.last_payment_error?.code ?? 'The payment failed.')
      return { ...refs, kind: 'payment_failed', isFinal: false, failure }
    }),
    'payment_intent.amount_capturable_updated': ofIntent((refs, intent) => {
      return {
        ...refs,
        kind: 'payment_authorised',
        ...fromWireAmount('stripe', intent.amount_capturable ?? intent.amount, intent.currency),
      }
    }),
    'charge.refunded': ofCharge,
    'refund.created': ofRefund,
    'refund.updated': ofRefund,
    'refund.failed': ofRefund,
    'charge.refund.updated': ofRefund,
    'charge.dispute.created': ofDispute('dispute_opened'),
    'charge.dispute.updated': ofDispute('dispute_updated'),
    'charge.dispute.funds_withdrawn': ofDispute('dispute_updated'),
    'charge.dispute.funds_reinstated': ofDispute('dispute_updated'),
    'charge.dispute.closed': ofDispute('dispute_closed'),
  }),
)

type Refs = Origin & Pick<GatewayEvent, 'gatewayRef' | 'paymentRef' | 'attemptId'>

function ofSession(read: (refs: Refs, session: Session) => GatewayEvent): Reader {
  return (origin, object) => {
    const session = required(stripeSchemas.session, object)
    if (session.mode !== 'payment') return ignored(origin)
    const paymentRef = idIn(session.payment_intent)
    return read({ ...origin, gatewayRef: session.id, paymentRef, attemptId: ourId(session.client_reference_id) }, session)
  }
}

/** Completed is not paid: a bank debit is completed days before it is known whether the bank pays. */
function completed(refs: Refs, { payment_status, amount_total, currency }: Session): GatewayEvent {
  if (amount_total === null || currency === null || amount_total === 0) return { ...refs, kind: 'ignored' }
  const money = fromWireAmount('stripe', amount_total, currency)
  if (payment_status !== 'paid') return { ...refs, kind: 'payment_authorised', ...money }
  if (refs.paymentRef === undefined) throw new RangeError('paid without a payment')
  return { ...refs, paymentRef: refs.paymentRef, kind: 'checkout_paid', ...money }
}

function ofIntent(read: (refs: Refs, intent: PaymentIntent) => GatewayEvent): Reader {
  return (origin, object) => {
    const intent = required(stripeSchemas.paymentIntent, object)
    const refs = { ...origin, gatewayRef: undefined, paymentRef: intent.id, attemptId: ourId(intent.metadata?.['attempt_id']) }
    return read(refs, intent)
  }
}

function ofCharge(origin: Origin, object: unknown): GatewayEvent {
  const charge: Charge = required(stripeSchemas.charge, object)
  const { amountMinor, currency } = fromWireAmount('stripe', charge.amount_refunded, charge.currency)
  const paymentRef = idIn(charge.payment_intent) ?? charge.id
  const refs = { ...origin, gatewayRef: undefined, paymentRef, attemptId: ourId(charge.metadata?.['attempt_id']) }
  return { ...refs, kind: 'refund_updated', refund: undefined, refundedMinor: amountMinor, currency }
}

function ofRefund(origin: Origin, object: unknown): GatewayEvent {
  const refund = refundOf(required(stripeSchemas.refund, object))
  const refs = { ...origin, gatewayRef: undefined, paymentRef: refund.paymentRef, attemptId: undefined }
  return { ...refs, kind: 'refund_updated', refund, refundedMinor: undefined, currency: refund.currency }
}

function ofDispute(kind: 'dispute_opened' | 'dispute_updated' | 'dispute_closed'): Reader {
  return (origin, object) => {
    const dispute = disputeOf(required(stripeSchemas.dispute, object))
    return { ...origin, gatewayRef: undefined, paymentRef: dispute.paymentRef, attemptId: undefined, kind, dispute }
  }
}
