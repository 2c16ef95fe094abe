// Razorpay, by Payment Links. https://razorpay.com/docs/api/payments/payment-links
//
// Over plain HTTP and not through the `razorpay` package: that brings axios with it, follows redirects, sets no time limit, takes no other
// transport in which addresses are looked at, and describes answers it does not check. It is a dozen requests.
//
// Razorpay has no idempotency key for links. It refuses a second link with the same `reference_id`, which is our attempt's id, so a link is
// looked for by that before one is made, and again when Razorpay reports that there is one.

import type { GuardedRequest } from '@roadworthy/service-kit/network/guarded-request'
import {
  type CheckoutRequest,
  type CheckoutSnapshot,
  GatewayError,
  type GatewayPayment,
  type GatewayRefund,
  type PaymentGateway,
  type RefundRequest,
} from './gateway.ts'
import { refusalOfAmount, toWireAmount } from './gateway-amounts.ts'
import {
  type AnswerSchema,
  callGateway,
  converted,
  entriesOnPages,
  errorOfStatus,
  firstOf,
  type GatewayDeps,
  isCheckoutUrl,
  openedCheckout,
  parseJsonObject,
  plainText,
  readBaseUrl,
  refusalIn,
  unreadable,
} from './gateway-call.ts'
import type { RazorpaySecrets, RazorpaySettings } from './gateway-settings.ts'
import {
  disputeOf,
  listedDisputeOf,
  noteOf,
  type Payment,
  type PaymentLink,
  paymentOf,
  type Refund,
  razorpaySchemas,
  refundOf,
  snapshotOf,
} from './razorpay-answers.ts'
import { verifyRazorpayCallback } from './razorpay-callback.ts'

const BASE_URL = 'https://api.razorpay.com'
const MINUTE_MS = 60_000
/** "timestamp must be atleast 15 minutes in future"; at most six months, of which this is a little less. */
const CHECKOUT_LIFETIME = { leastMs: 15 * MINUTE_MS, mostMs: 180 * 24 * 60 * MINUTE_MS }
const MAX_TEXT_LENGTH = 200
/** The most that one page of a list may hold: https://razorpay.com/docs/api/payments/fetch-all-payments, `count`. */
const PAGE_SIZE = 100
const MAX_PAGES = 10
/** Payments of one link that are asked for one by one, where the link names no order. Partial payments are off, so there is one. */
const MAX_PAYMENTS = 10
/** Razorpay answers 400 for what it does not know. */
const NOT_FOUND = /does not exist|is not a valid id|invalid input \[strippedid\]/i
const ALREADY_MADE = /reference.?id already/i
const DIFFERENT_REFUND = /different request with the same idempotency key/i

type Call = <Answer>(
  method: 'GET' | 'POST',
  path: string,
  schema: AnswerSchema<Answer>,
  signal: AbortSignal,
  more?: { query?: Record<string, string>; body?: object; headers?: Record<string, string> },
) => Promise<Answer>

/** Throws `GatewayError` `rejected` when the settings name an impossible base URL. */
export function createRazorpayGateway(deps: GatewayDeps, settings: RazorpaySettings, secrets: RazorpaySecrets): PaymentGateway {
  const baseUrl = readBaseUrl(settings.baseUrl ?? BASE_URL)
  const call = createCall(deps, baseUrl, `${settings.keyId}:${secrets.keySecret}`)

  const fetchPayment = async (paymentRef: string, signal: AbortSignal): Promise<Payment> =>
    await call('GET', `payments/${segment(paymentRef)}`, razorpaySchemas.payment, signal)
  const snapshot = async (link: PaymentLink, signal: AbortSignal): Promise<CheckoutSnapshot> => {
    const payments = (await paymentsOf(call, link, signal)).map(readPayment)
    return checkedSnapshot(link, payments, baseUrl)
  }
  const fetchState = async (gatewayRef: string, signal: AbortSignal): Promise<CheckoutSnapshot> =>
    await snapshot(await call('GET', `payment_links/${segment(gatewayRef)}`, razorpaySchemas.link, signal), signal)
  const findRefund: PaymentGateway['findRefund'] = async ({ refundId, paymentRef }, signal) => {
    const refunds = itemsOf(call, `payments/${segment(paymentRef)}/refunds`, razorpaySchemas.refunds, {}, signal)
    const isOurs = ({ receipt, notes }: Refund) => receipt === refundId || noteOf(notes, 'refund_id') === refundId
    const found = await firstOf(refunds, isOurs)
    return found === undefined ? undefined : readRefund(found, false)
  }

  return {
    id: 'razorpay',
    checkoutLifetime: CHECKOUT_LIFETIME,
    refusalOf: (amountMinor, currency) => refusalOfAmount('razorpay', amountMinor, currency),
    testConnection: async (signal) => {
      await call('GET', 'payments', razorpaySchemas.payments, signal, { query: { count: '1' } })
      return { account: settings.keyId, isLive: settings.keyId.startsWith('rzp_live_') }
    },
    openCheckout: async (request, signal) => {
      const body = linkParams(request)
      const link = (await findLink(call, request.attemptId, signal)) ?? (await makeLink(call, request.attemptId, body, signal))
      return openedCheckout(checkedSnapshot(link, [], baseUrl), request)
    },
    findAttempt: async (attemptId, _since, signal) => {
      const link = await findLink(call, attemptId, signal)
      return link === undefined ? undefined : await snapshot(link, signal)
    },
    fetchState,
    expireCheckout: async (gatewayRef, signal) => {
      const path = `payment_links/${segment(gatewayRef)}/cancel`
      const refusal = await refusalIn(call('POST', path, razorpaySchemas.link, signal, { body: {} }))
      const after = await fetchState(gatewayRef, signal)
      if (refusal !== undefined && after.state === 'pending') throw refusal
      return after
    },
    capture: async ({ paymentRef }, signal) => {
      const payment = await fetchPayment(paymentRef, signal)
      if (payment.status !== 'authorized') return readPayment(payment)
      const body = { amount: payment.amount, currency: payment.currency }
      const refusal = await refusalIn(call('POST', `payments/${segment(paymentRef)}/capture`, razorpaySchemas.payment, signal, { body }))
      const captured = readPayment(await fetchPayment(paymentRef, signal))
      if (refusal !== undefined && captured.status === 'authorised') throw refusal
      return captured
    },
    refund: async (request, signal) => (await findRefund(request, signal)) ?? (await makeRefund(call, request, signal)),
    fetchRefund: async (refundRef, signal) =>
      readRefund(await call('GET', `refunds/${segment(refundRef)}`, razorpaySchemas.refund, signal), false),
    findRefund,
    fetchDispute: async (disputeRef, signal) => {
      const dispute = await call('GET', `disputes/${segment(disputeRef)}`, razorpaySchemas.dispute, signal)
      return converted(razorpaySchemas.dispute, dispute, false, disputeOf)
    },
    listDisputes: async ({ from, until }, signal) => {
      // https://razorpay.com/docs/api/disputes/fetch-all: `from` and `to` are seconds. Whether `to` counts is not documented: an instant twice does no harm.
      const query = { from: String(Math.floor(from.getTime() / 1000)), to: String(Math.ceil(until.getTime() / 1000)) }
      const disputes = itemsOf(call, 'disputes', razorpaySchemas.disputes, query, signal)
      return (await Array.fromAsync(disputes)).map(listedDisputeOf)
    },
    verifyCallback: (rawBody, headers) => verifyRazorpayCallback(secrets.webhookSecrets, rawBody, headers),
  }
}

function createCall(deps: GatewayDeps, baseUrl: URL, credential: string): Call {
  const authorization = `Basic ${Buffer.from(credential).toString('base64')}`
  return async (method, path, schema, signal, { query = {}, body, headers = {} } = {}) => {
    const isWrite = method === 'POST'
    const url = new URL(`/v1/${path}`, baseUrl)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const request: GuardedRequest = {
      method,
      url,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'roadworthy', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    }
    const answer = await callGateway(deps, request, signal)
    const parsed = parseJsonObject(answer.body)
    if (answer.status < 300) {
      if (!schema.Check(parsed)) throw unreadable(isWrite)
      return parsed
    }
    throw refusalOf(answer, isWrite, parsed)
  }
}

function refusalOf(answer: { status: number; headers: object }, isWrite: boolean, body: unknown): GatewayError {
  const { code, description } = razorpaySchemas.error.Check(body) ? body.error : {}
  const message = description ?? `answered ${answer.status}`
  const isUnknown = answer.status === 400 && NOT_FOUND.test(message)
  // The key is used with other values: a refund was made by it, and this answer does not name it.
  const isOther = isWrite && DIFFERENT_REFUND.test(message)
  const status = isUnknown ? 404 : isOther ? 409 : answer.status
  return errorOfStatus({ status, headers: answer.headers as Record<string, string> }, isWrite, code, message)
}

function segment(ref: string): string {
  if (!/^[A-Za-z0-9_]{1,80}$/.test(ref)) throw new GatewayError('not_found', 'That is no id of Razorpay.')
  return ref
}

/** The one link of an attempt. Throws `unavailable` when the answer is not a choice by our id: then nobody knows what is missing from it. */
async function findLink(call: Call, attemptId: string, signal: AbortSignal): Promise<PaymentLink | undefined> {
  const query = { reference_id: attemptId }
  const { payment_links: links } = await call('GET', 'payment_links', razorpaySchemas.links, signal, { query })
  if (links.some((link) => link.reference_id !== attemptId)) throw unreadable(false)
  return links.find(({ status }) => status === 'paid' || status === 'partially_paid') ?? links[0]
}

async function makeLink(call: Call, attemptId: string, body: object, signal: AbortSignal): Promise<PaymentLink> {
  try {
    return await call('POST', 'payment_links', razorpaySchemas.link, signal, { body })
  } catch (error) {
    const isMade = error instanceof GatewayError && error.kind === 'rejected' && ALREADY_MADE.test(error.message)
    if (!isMade) throw error
    // Somebody was faster, or the search is behind.
    const link = await findLink(call, attemptId, signal)
    if (link === undefined) throw new GatewayError('unknown_outcome', error.message, { cause: error })
    return link
  }
}

function linkParams(request: CheckoutRequest): object {
  const { attemptId, amountMinor, currency, description, customerEmail, returnUrl, expiresAt } = request
  const refusal = refusalOfAmount('razorpay', amountMinor, currency)
  if (refusal !== undefined) throw new GatewayError('rejected', refusal)
  return {
    amount: toWireAmount('razorpay', amountMinor, currency),
    currency,
    accept_partial: false,
    reference_id: attemptId,
    description: description.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
    ...(customerEmail === undefined ? {} : { customer: { email: customerEmail } }),
    // We write to the customer ourselves.
    notify: { sms: false, email: false },
    reminder_enable: false,
    notes: { attempt_id: attemptId },
    callback_url: returnUrl,
    callback_method: 'get',
    expire_by: Math.floor(expiresAt.getTime() / 1000),
  }
}

function checkedSnapshot(link: PaymentLink, payments: readonly GatewayPayment[], baseUrl: URL): CheckoutSnapshot {
  const snapshot = converted(razorpaySchemas.link, link, false, (each) => snapshotOf(each, payments))
  const { checkoutUrl } = snapshot ?? {}
  if (snapshot === undefined || (checkoutUrl !== undefined && !isCheckoutUrl(checkoutUrl, baseUrl))) throw unreadable(false)
  return snapshot
}

/** The link itself lists captured payments only; its order lists all, also those that were authorised late. */
async function paymentsOf(call: Call, link: PaymentLink, signal: AbortSignal): Promise<Payment[]> {
  const orderId = link.order_id ?? undefined
  const path = `orders/${orderId}/payments`
  const ofOrder = orderId === undefined ? [] : (await call('GET', path, razorpaySchemas.payments, signal)).items
  const known = new Set(ofOrder.map((payment) => payment.id))
  const others = (link.payments ?? []).map((each) => each.payment_id).filter((ref) => !known.has(ref))
  const rest: Payment[] = []
  for (const ref of others.slice(0, MAX_PAYMENTS)) rest.push(await call('GET', `payments/${ref}`, razorpaySchemas.payment, signal))
  return [...ofOrder, ...rest]
}

async function makeRefund(call: Call, request: RefundRequest, signal: AbortSignal): Promise<GatewayRefund> {
  const { refundId, paymentRef, amountMinor, currency, reason } = request
  const refusal = refusalOfAmount('razorpay', amountMinor, currency)
  if (refusal !== undefined) throw new GatewayError('rejected', refusal)
  const body = {
    amount: toWireAmount('razorpay', amountMinor, currency),
    speed: 'normal',
    receipt: refundId,
    notes: { refund_id: refundId, reason: plainText(reason).slice(0, MAX_TEXT_LENGTH).toWellFormed() },
  }
  // https://razorpay.com/docs/api/refunds/create-normal-idempotent: of refunds there is a key, and nothing states for how long.
  const headers = { 'x-refund-idempotency': refundId }
  return readRefund(await call('POST', `payments/${segment(paymentRef)}/refund`, razorpaySchemas.refund, signal, { body, headers }), true)
}

async function* itemsOf<Item>(
  call: Call,
  path: string,
  schema: AnswerSchema<{ items: Item[] }>,
  query: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  yield* entriesOnPages<Item>(MAX_PAGES, async ({ count }) => {
    const page = { ...query, count: String(PAGE_SIZE), skip: String(count) }
    const { items } = await call('GET', path, schema, signal, { query: page })
    return { entries: items, hasMore: items.length >= PAGE_SIZE }
  })
}

function readPayment(payment: Payment): GatewayPayment {
  return converted(razorpaySchemas.payment, payment, false, paymentOf)
}

function readRefund(answer: unknown, isWrite: boolean): GatewayRefund {
  return converted(razorpaySchemas.refund, answer, isWrite, refundOf)
}
