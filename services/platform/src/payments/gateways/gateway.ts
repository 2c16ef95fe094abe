// A payment gateway as the payment flow sees it: one interface, in our own terms, whoever the gateway is.
//
// Amounts are whole numbers of minor units of an ISO 4217 currency as `billing/rating/money.ts` counts them (JPY 0, INR 2, KWD 3 decimals). Some
// gateways count some currencies differently (`gateway-amounts.ts`); an adapter converts in both directions, and nobody else sees it.
//
// What is hostile: every answer and every callback. An adapter bounds its size, checks it against a schema, and follows no redirect. What it
// cannot check is left to the flow, and is stated here: that an attempt belongs to the connection whose callback names it, and that amount and
// currency are those of the attempt.
//
// What is idempotent: `openCheckout` by attempt id, `refund` by refund id, `capture` and `expireCheckout` by their nature. Each may be called
// again after any crash or error with the same values, and does the thing once.

export const gatewayIds = ['stripe', 'razorpay'] as const
export type GatewayId = (typeof gatewayIds)[number]

/** Ids of attempts and refunds, as all gateways take them: Razorpay's reference has at most 40 characters, its refund key at least 10. */
export const OUR_ID = /^[A-Za-z0-9_-]{10,40}$/

export type CheckoutRequest = {
  /** Ours; `OUR_ID`. One attempt is one checkout at the gateway, however often it is opened. */
  readonly attemptId: string
  readonly amountMinor: number
  /** ISO 4217, in capitals. */
  readonly currency: string
  /** What the customer reads at the gateway, such as `Invoice INV-2026-0042`. Longer than 200 characters is cut. */
  readonly description: string
  readonly customerEmail: string | undefined
  /** Where the customer's browser goes afterwards, whether paid or not. That it comes there proves nothing. */
  readonly returnUrl: string
  /** Within `checkoutLifetime` of the gateway. A repeat gives the same instant as the first call: Stripe refuses one that differs. */
  readonly expiresAt: Date
}

export type OpenedCheckout = {
  /** The gateway's id of the checkout: a Checkout Session, a Payment Link. */
  readonly gatewayRef: string
  /** Send the customer there. Absent of a checkout that is no longer open. */
  readonly checkoutUrl: string | undefined
  readonly expiresAt: Date
}

/**
 * Of a checkout. `pending`: may still be paid. `authorised`: the customer's money is promised, not ours yet, and cannot be prevented by
 * expiring the checkout. `paid`: all that was asked is captured. The others are final for the checkout, but not for its payments: a payment
 * that began before may be authorised later, and then the state is `authorised` or `paid` after all.
 */
export type CheckoutState = 'pending' | 'authorised' | 'paid' | 'expired' | 'failed' | 'canceled'

export type PaymentStatus = 'pending' | 'authorised' | 'captured' | 'failed' | 'canceled'

export type GatewayPayment = {
  /** The gateway's id of the payment: a PaymentIntent, a Payment. Refunds and disputes name it. */
  readonly paymentRef: string
  /** What this payment brought, or is to bring; not what was asked. */
  readonly amountMinor: number
  readonly currency: string
  readonly status: PaymentStatus
  readonly capturedAt: Date | undefined
  /** Refunds that have not failed, in all, also those that somebody made at the gateway's own dashboard. */
  readonly refundedMinor: number
}

export type CheckoutSnapshot = {
  readonly gatewayRef: string
  /** As the gateway kept it. Absent where the checkout is not one of ours. */
  readonly attemptId: string | undefined
  readonly state: CheckoutState
  /** What was asked. */
  readonly amountMinor: number
  readonly currency: string
  readonly checkoutUrl: string | undefined
  readonly expiresAt: Date | undefined
  /** Whatever `state` is, each that is `captured` is money that we hold and have to account for. */
  readonly payments: readonly GatewayPayment[]
}

export type RefundRequest = {
  /** Ours; `OUR_ID`. */
  readonly refundId: string
  readonly paymentRef: string
  readonly amountMinor: number
  readonly currency: string
  /** Kept at the gateway for whoever looks there; cut at 200 characters. */
  readonly reason: string
}

/** `succeeded` is the last word of most refunds, but a bank may return the money days later: then it becomes `failed`. */
export type RefundStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

export type GatewayRefund = {
  readonly refundRef: string
  readonly status: RefundStatus
  readonly paymentRef: string
  /** Ours; absent of a refund that was made at the gateway's dashboard. */
  readonly refundId: string | undefined
  readonly amountMinor: number
  readonly currency: string
  /** Why it failed, in the gateway's words. */
  readonly failure: string | undefined
}

/** `open`: the gateway waits for evidence. `closed`: ended without a winner, as an inquiry that never became a chargeback. */
export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed'

export type GatewayDispute = {
  readonly disputeRef: string
  readonly paymentRef: string
  readonly status: DisputeStatus
  readonly amountMinor: number
  readonly currency: string
  /**
   * What the gateway has taken back from us because of it, at present, its fee not counted: Stripe takes it when a chargeback opens and gives it
   * back when it is won, Razorpay takes it when it is lost.
   */
  readonly withdrawnMinor: number
  /** In the gateway's words. */
  readonly reason: string
  readonly respondBy: Date | undefined
}

/** As a list shows it; `fetchDispute` returns more. */
export type ListedDispute = Pick<GatewayDispute, 'disputeRef' | 'paymentRef'> & { readonly openedAt: Date }

type EventOrigin = {
  /** The same however often the gateway delivers it. Store it with its effect, in one transaction. */
  readonly eventId: string
  /** When it happened, by the gateway's clock. Events arrive in any order. */
  readonly at: Date
  /** In the gateway's words, for people: `checkout.session.completed`. */
  readonly type: string
  readonly gatewayRef: string | undefined
  readonly paymentRef: string | undefined
  /** Somebody who may write to the gateway's account may write anything here: check that the attempt is of this connection. */
  readonly attemptId: string | undefined
}

/**
 * The content of a verified callback. It is a hint to look at money, and safe to apply twice and in any order only if what it books is keyed by
 * `paymentRef`, `refundRef` or `disputeRef`: one payment is usually reported by more than one event.
 */
export type GatewayEvent = EventOrigin &
  (
    | {
        /** A payment is captured. `amountMinor` is what it brought, which may be less or more than was asked. */
        readonly kind: 'checkout_paid'
        readonly paymentRef: string
        readonly amountMinor: number
        readonly currency: string
      }
    | { readonly kind: 'checkout_expired' }
    | {
        /** One try failed. Unless `isFinal` the customer may try again in the same checkout, and succeed. */
        readonly kind: 'payment_failed'
        readonly isFinal: boolean
        readonly failure: string
      }
    | {
        /** Promised, not captured: see `capture`. Also comes after the checkout has expired. */
        readonly kind: 'payment_authorised'
        readonly amountMinor: number
        readonly currency: string
      }
    | {
        readonly kind: 'refund_updated'
        readonly paymentRef: string
        /** Absent where the event reports only the sum. */
        readonly refund: GatewayRefund | undefined
        /** All refunds of the payment, where the event reports it. */
        readonly refundedMinor: number | undefined
        readonly currency: string
      }
    | {
        readonly kind: 'dispute_opened' | 'dispute_updated' | 'dispute_closed'
        readonly paymentRef: string
        readonly dispute: GatewayDispute
      }
    | {
        /** Authentic, and nothing to us. Answer 200, or the gateway keeps sending it. */
        readonly kind: 'ignored'
      }
  )

/**
 * `too_large`, `missing_signature`, `bad_signature` and `stale` (signed too long ago, or in the future): not shown to be from the gateway, so
 * answer 401 and read nothing. `malformed`: signed with our secret, but not what the gateway's documentation promises; answer 400, so that it
 * is sent again and seen in the gateway's dashboard, and let the poller find what it was about.
 */
export const callbackRefusals = ['too_large', 'missing_signature', 'bad_signature', 'stale', 'malformed'] as const
export type CallbackRefusal = (typeof callbackRefusals)[number]

export type CallbackVerdict =
  | { readonly isAuthentic: true; readonly events: readonly GatewayEvent[] }
  | { readonly isAuthentic: false; readonly refusal: CallbackRefusal; readonly message: string }

/** As `node:http` gives them: names in lower case. */
export type CallbackHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a test call found. */
export type ConnectionTest = {
  /** The account's id at the gateway, where it reports one. */
  readonly account: string | undefined
  /** Whether real money moves. */
  readonly isLive: boolean
}

export type PaymentGateway = {
  readonly id: GatewayId
  /** How far ahead a checkout's `expiresAt` may be, from the moment the gateway gets the request. Leave a minute at both ends. */
  readonly checkoutLifetime: { readonly leastMs: number; readonly mostMs: number }

  /** Why this gateway cannot charge this amount, in words for the one who pays; absent when it can, as far as is known without asking. */
  refusalOf(amountMinor: number, currency: string): string | undefined

  /** Asks something that changes nothing. Throws `auth` for a wrong key. */
  testConnection(signal: AbortSignal): Promise<ConnectionTest>

  /**
   * Opens the attempt's checkout, or returns the one that it has: the same attempt gives the same checkout, also from two processes at once.
   * `unknown_outcome`: call it again with the same values, or ask `findAttempt`. `rejected`: there is none, and there will be none.
   */
  openCheckout(request: CheckoutRequest, signal: AbortSignal): Promise<OpenedCheckout>

  /**
   * What the gateway has of our attempt; absent: for certain nothing. Throws `unavailable` where that is not certain.
   * `since`: when the attempt was made, by our clock; some gateways have to be searched through by time.
   */
  findAttempt(attemptId: string, since: Date, signal: AbortSignal): Promise<CheckoutSnapshot | undefined>

  fetchState(gatewayRef: string, signal: AbortSignal): Promise<CheckoutSnapshot>

  /**
   * Ends a checkout that is open, so that nobody can begin to pay it, and returns what it is then. It may turn out to be paid: a payment may
   * have won the race. Only what this or `fetchState` returns frees the way for another attempt, never our own clock.
   */
  expireCheckout(gatewayRef: string, signal: AbortSignal): Promise<CheckoutSnapshot>

  /** Takes money that is authorised, all of it. Nothing happens where it is captured already. Left alone, the gateway gives it back in days. */
  capture(payment: Pick<GatewayPayment, 'paymentRef' | 'amountMinor' | 'currency'>, signal: AbortSignal): Promise<GatewayPayment>

  /** Refunds, or returns the refund that this id has. `unknown_outcome`: as for `openCheckout`, with `findRefund`. */
  refund(request: RefundRequest, signal: AbortSignal): Promise<GatewayRefund>

  fetchRefund(refundRef: string, signal: AbortSignal): Promise<GatewayRefund>

  /** Absent: for certain nothing. Throws `unavailable` where that is not certain. */
  findRefund(refund: Pick<RefundRequest, 'refundId' | 'paymentRef'>, signal: AbortSignal): Promise<GatewayRefund | undefined>

  fetchDispute(disputeRef: string, signal: AbortSignal): Promise<GatewayDispute>

  /**
   * All disputes that were opened from one instant until before another, of whatever payments of the account. Throws `unavailable` where there are
   * more than can be listed.
   */
  listDisputes(opened: { readonly from: Date; readonly until: Date }, signal: AbortSignal): Promise<ListedDispute[]>

  /** Reads nothing of a body that is not shown to be from the gateway. Never throws. `rawBody` are the bytes as they came. */
  verifyCallback(rawBody: Buffer, headers: CallbackHeaders, now: Date): CallbackVerdict
}

/**
 * `auth`: the credential is wrong, revoked, or not allowed to; somebody has to correct the connection.
 * `rate`: too many requests; nothing was done. Wait `retryAfterMs`.
 * `rejected`: understood and refused; nothing was done, and the same request is refused again.
 * `not_found`: the gateway does not know what is named.
 * `unavailable`: nothing was done, and it may work later. Of something that only reads: whatever kept it from being answered.
 * `unknown_outcome`: it may have been done or not. Look, or repeat it with the same id.
 */
export type GatewayErrorKind = 'auth' | 'rate' | 'rejected' | 'not_found' | 'unavailable' | 'unknown_outcome'

/** The only error that a gateway's calls throw, apart from the reason of an aborted signal. `message` may be shown to who set up the connection. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly kind: GatewayErrorKind
  /** How long to wait before asking again, where the gateway stated it. */
  readonly retryAfterMs: number | undefined
  /** The gateway's own word for it, such as `amount_too_small`. */
  readonly code: string | undefined

  constructor(
    kind: GatewayErrorKind,
    message: string,
    { retryAfterMs, code, cause }: { retryAfterMs?: number | undefined; code?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.code = code
  }
}
