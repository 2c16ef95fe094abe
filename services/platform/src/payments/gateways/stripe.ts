// Stripe, by Checkout Sessions and the official package. https://docs.stripe.com/api/checkout/sessions

import type Stripe from 'stripe'
import {
  type CheckoutRequest,
  type CheckoutSnapshot,
  type ConnectionTest,
  GatewayError,
  type GatewayPayment,
  type GatewayRefund,
  type PaymentGateway,
  type RefundRequest,
} from './gateway.ts'
import { refusalOfAmount, toWireAmount } from './gateway-amounts.ts'
import {
  type AnswerSchema,
  converted,
  entriesOnPages,
  firstOf,
  type GatewayDeps,
  isCheckoutUrl,
  openedCheckout,
  plainText,
  readBaseUrl,
  refusalIn,
  unreadable,
} from './gateway-call.ts'
import type { StripeSecrets, StripeSettings } from './gateway-settings.ts'
import { disputeOf, listedDisputeOf, paymentOf, refundOf, snapshotOf, stripeSchemas } from './stripe-answers.ts'
import { verifyStripeCallback } from './stripe-callback.ts'
import { callStripe } from './stripe-http.ts'

const BASE_URL = 'https://api.stripe.com'
const MINUTE_MS = 60_000
/** https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at */
const CHECKOUT_LIFETIME = { leastMs: 30 * MINUTE_MS, mostMs: 24 * 60 * MINUTE_MS }
/** Between our clock and Stripe's, when a session is looked for by the time it was made. An assumption. */
const CLOCK_SKEW_MS = 10 * MINUTE_MS
const PAGE_SIZE = 100
/** 2000 checkouts since an attempt that is being looked for is more than a day's business of anybody here; then nothing is certain. */
const MAX_PAGES = 20
const MAX_TEXT_LENGTH = 200

type Run = <T>(signal: AbortSignal, run: (stripe: Stripe) => Promise<T>) => Promise<T>

/** How the package is asked for the page after an entry. */
type After = { starting_after?: string }
type Page = { readonly data: readonly unknown[]; readonly has_more: boolean }

/** Throws `GatewayError` `rejected` when the settings name an impossible base URL. */
export function createStripeGateway(deps: GatewayDeps, settings: StripeSettings, secrets: StripeSecrets): PaymentGateway {
  const { apiKey, webhookSecrets } = secrets
  const baseUrl = readBaseUrl(settings.baseUrl ?? BASE_URL)
  const isLive = apiKey.includes('_live_')
  const read: Run = (signal, run) => callStripe({ deps, baseUrl, apiKey }, { isWrite: false, signal }, run)
  const write: Run = (signal, run) => callStripe({ deps, baseUrl, apiKey }, { isWrite: true, signal }, run)

  const fetchState = async (gatewayRef: string, signal: AbortSignal): Promise<CheckoutSnapshot> => {
    const expand = ['payment_intent.latest_charge']
    return checkedSnapshot(await read(signal, (stripe) => stripe.checkout.sessions.retrieve(gatewayRef, { expand })), baseUrl, false)
  }
  const findRefund: PaymentGateway['findRefund'] = async ({ refundId, paymentRef }, signal) => {
    const query = { payment_intent: paymentRef, limit: PAGE_SIZE }
    const nextPage = (after: After) => read(signal, (stripe) => stripe.refunds.list({ ...query, ...after }))
    const found = await firstOf(entriesOf(stripeSchemas.refund, nextPage), ({ metadata }) => metadata?.['refund_id'] === refundId)
    return found === undefined ? undefined : checkedRefund(found, false)
  }

  return {
    id: 'stripe',
    checkoutLifetime: CHECKOUT_LIFETIME,
    refusalOf: (amountMinor, currency) => refusalOfAmount('stripe', amountMinor, currency),
    testConnection: async (signal): Promise<ConnectionTest> => {
      await read(signal, (stripe) => stripe.checkout.sessions.list({ limit: 1 }))
      return { account: undefined, isLive }
    },
    openCheckout: async (request, signal) => {
      const params = sessionParams(request)
      // The key makes it one session for 24 hours at least (https://docs.stripe.com/api/idempotent_requests); after that `expires_at` is in the
      // past, and Stripe makes none.
      const session = await write(signal, (stripe) => stripe.checkout.sessions.create(params, { idempotencyKey: request.attemptId }))
      return openedCheckout(checkedSnapshot(session, baseUrl, true), request)
    },
    findAttempt: async (attemptId, since, signal) => {
      const created = { gte: Math.floor((since.getTime() - CLOCK_SKEW_MS) / 1000) }
      const nextPage = (after: After) => read(signal, (stripe) => stripe.checkout.sessions.list({ created, limit: PAGE_SIZE, ...after }))
      const found = await firstOf(entriesOf(stripeSchemas.sessionEntry, nextPage), (entry) => entry.client_reference_id === attemptId)
      return found === undefined ? undefined : await fetchState(found.id, signal)
    },
    fetchState,
    expireCheckout: async (gatewayRef, signal) => {
      const refusal = await refusalIn(write(signal, (stripe) => stripe.checkout.sessions.expire(gatewayRef)))
      const snapshot = await fetchState(gatewayRef, signal)
      if (refusal !== undefined && snapshot.state === 'pending') throw refusal
      return snapshot
    },
    capture: ({ paymentRef }, signal) => capturePayment(read, write, paymentRef, signal),
    refund: async (request, signal) => {
      const params = refundParams(request)
      // The key is forgotten after a day, and a refund may be repeated later than that.
      const earlier = await findRefund(request, signal)
      if (earlier !== undefined) return earlier
      const refund = await write(signal, (stripe) => stripe.refunds.create(params, { idempotencyKey: request.refundId }))
      return checkedRefund(refund, true)
    },
    fetchRefund: async (refundRef, signal) => checkedRefund(await read(signal, (stripe) => stripe.refunds.retrieve(refundRef)), false),
    findRefund,
    fetchDispute: async (disputeRef, signal) => {
      const dispute = await read(signal, (stripe) => stripe.disputes.retrieve(disputeRef))
      return converted(stripeSchemas.dispute, dispute, false, disputeOf)
    },
    listDisputes: async ({ from, until }, signal) => {
      const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) }
      const nextPage = (after: After) => read(signal, (stripe) => stripe.disputes.list({ created, limit: PAGE_SIZE, ...after }))
      return (await Array.fromAsync(entriesOf(stripeSchemas.disputeEntry, nextPage))).map(listedDisputeOf)
    },
    verifyCallback: (rawBody, headers, now) => verifyStripeCallback({ webhookSecrets, isLive }, rawBody, headers, now),
  }
}

async function capturePayment(read: Run, write: Run, paymentRef: string, signal: AbortSignal): Promise<GatewayPayment> {
  const fetchPayment = async () => {
    const intent = await read(signal, (stripe) => stripe.paymentIntents.retrieve(paymentRef, { expand: ['latest_charge'] }))
    return converted(stripeSchemas.paymentIntent, intent, false, paymentOf)
  }
  const payment = await fetchPayment()
  if (payment.status !== 'authorised') return payment
  const options = { idempotencyKey: `capture-${paymentRef}` }
  const refusal = await refusalIn(write(signal, (stripe) => stripe.paymentIntents.capture(paymentRef, {}, options)))
  const captured = await fetchPayment()
  if (refusal !== undefined && captured.status === 'authorised') throw refusal
  return captured
}

function sessionParams(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { attemptId, amountMinor, currency, customerEmail, returnUrl, expiresAt } = request
  const refusal = refusalOfAmount('stripe', amountMinor, currency)
  if (refusal !== undefined) throw new GatewayError('rejected', refusal)
  const description = request.description.slice(0, MAX_TEXT_LENGTH).toWellFormed()
  const price = { currency: currency.toLowerCase(), unit_amount: toWireAmount('stripe', amountMinor, currency) }
  return {
    mode: 'payment',
    client_reference_id: attemptId,
    metadata: { attempt_id: attemptId },
    payment_intent_data: { metadata: { attempt_id: attemptId }, description },
    line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: description } } }],
    ...(customerEmail === undefined ? {} : { customer_email: customerEmail }),
    // Otherwise the customer may be charged in another currency than the invoice's.
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

function refundParams({ refundId, paymentRef, amountMinor, currency, reason }: RefundRequest): Stripe.RefundCreateParams {
  const refusal = refusalOfAmount('stripe', amountMinor, currency)
  if (refusal !== undefined) throw new GatewayError('rejected', refusal)
  return {
    payment_intent: paymentRef,
    amount: toWireAmount('stripe', amountMinor, currency),
    metadata: { refund_id: refundId, reason: plainText(reason).slice(0, MAX_TEXT_LENGTH).toWellFormed() },
  }
}

function checkedSnapshot(answer: unknown, baseUrl: URL, isWrite: boolean): CheckoutSnapshot {
  const snapshot = converted(stripeSchemas.session, answer, isWrite, snapshotOf)
  const { checkoutUrl } = snapshot ?? {}
  if (snapshot === undefined || (checkoutUrl !== undefined && !isCheckoutUrl(checkoutUrl, baseUrl))) throw unreadable(isWrite)
  return snapshot
}

function checkedRefund(answer: unknown, isWrite: boolean): GatewayRefund {
  return converted(stripeSchemas.refund, answer, isWrite, refundOf)
}

async function* entriesOf<Entry extends { id: string }>(
  schema: AnswerSchema<Entry>,
  nextPage: (after: After) => Promise<Page>,
): AsyncGenerator<Entry, void, void> {
  yield* entriesOnPages<Entry>(MAX_PAGES, async ({ last }) => {
    const { data, has_more } = await nextPage(last === undefined ? {} : { starting_after: last.id })
    if (!Array.isArray(data)) throw unreadable(false)
    return { entries: data.map((each: unknown) => converted(schema, each, false, (entry: Entry) => entry)), hasMore: has_more === true }
  })
}
