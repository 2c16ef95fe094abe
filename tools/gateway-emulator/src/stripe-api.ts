// Stripe's API, as far as a merchant with Checkout Sessions needs it. https://docs.stripe.com/api

import { type FormValue, numberAt, parseForm, textAt, textsIn } from './form-body.ts'
import { type Exchange, json, type Reply, type Route } from './http-exchange.ts'
import { type Account, type Checkout, countUp, newId } from './state.ts'
import { disputeObject, intentObject, refundObject, sessionObject } from './stripe-objects.ts'
import { capture, endCheckout, refund } from './transitions.ts'
import { amountRefusal } from './wire-units.ts'
import { ownById, type World } from './world.ts'

const MINUTE_S = 60
const LEAST_LIFETIME_S = 30 * MINUTE_S
const MOST_LIFETIME_S = 24 * 60 * MINUTE_S
const MAX_REPLAYS = 10_000
const MAX_PAGE_SIZE = 100

type Call = { world: World; account: Account; params: Record<string, string>; form: FormValue; query: URLSearchParams }
type StripeRoute = Route & { readonly run: (call: Call) => Reply }

export const stripeRoutes: readonly StripeRoute[] = [
  { method: 'POST', path: '/v1/checkout/sessions', operation: 'open', run: createSession },
  { method: 'GET', path: '/v1/checkout/sessions', operation: 'find', run: listSessions },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    operation: 'state',
    run: (call) => withSession(call, (checkout) => showSession(call, checkout)),
  },
  { method: 'POST', path: '/v1/checkout/sessions/:id/expire', operation: 'expire', run: expireSession },
  { method: 'GET', path: '/v1/payment_intents/:id', operation: 'state', run: retrieveIntent },
  { method: 'POST', path: '/v1/payment_intents/:id/capture', operation: 'capture', run: captureIntent },
  { method: 'POST', path: '/v1/refunds', operation: 'refund', run: createRefund },
  { method: 'GET', path: '/v1/refunds', operation: 'find', run: listRefunds },
  { method: 'GET', path: '/v1/refunds/:id', operation: 'state', run: retrieveRefund },
  { method: 'GET', path: '/v1/disputes', operation: 'disputes', run: listDisputes },
  { method: 'GET', path: '/v1/disputes/:id', operation: 'dispute', run: retrieveDispute },
]

export function stripeError(status: number, message: string, more: { type?: string; code?: string; param?: string } = {}): Reply {
  return json(status, { error: { type: 'invalid_request_error', message, ...more } }, { 'request-id': newId('req', 14) })
}

/** The account of a request; absent of an unknown key. */
export function stripeAccount(world: World, { headers }: Exchange): Account | undefined {
  const [, key] = /^Bearer (\S+)$/.exec(String(headers['authorization'] ?? '')) ?? []
  return world.state.accounts.find((account) => account.gateway === 'stripe' && account.key === key)
}

/** Runs it, or gives the answer that the same key had before. https://docs.stripe.com/api/idempotent_requests */
export function answerStripe(
  world: World,
  account: Account,
  route: StripeRoute,
  params: Record<string, string>,
  exchange: Exchange,
): Reply {
  const key = exchange.headers['idempotency-key']
  const call = { world, account, params, form: parseForm(exchange.body), query: exchange.query }
  if (exchange.method !== 'POST' || typeof key !== 'string') return route.run(call)
  const request = `${exchange.path} ${exchange.body}`
  const earlier = world.state.replays.find((replay) => replay.account === account.key && replay.key === key)
  if (earlier !== undefined && route.operation === 'open') countUp(world.state.opened, textAt(call.form, 'client_reference_id') ?? key)
  if (earlier !== undefined && earlier.request !== request) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with: ${key}`
    return stripeError(400, message, { type: 'idempotency_error' })
  }
  if (earlier !== undefined) {
    const headers = { 'content-type': 'application/json', 'idempotent-replayed': 'true', 'idempotency-key': key }
    return { status: earlier.status, headers, body: earlier.body }
  }
  const reply = route.run(call)
  // What fails validation is not kept, so that it may be sent again in another way.
  if (reply.status < 300) {
    world.state.replays.push({ account: account.key, key, request, status: reply.status, body: reply.body })
    world.state.replays.splice(0, world.state.replays.length - MAX_REPLAYS)
    world.changed()
  }
  return { ...reply, headers: { ...reply.headers, 'idempotency-key': key } }
}

function createSession({ world, account, form }: Call): Reply {
  const reference = textAt(form, 'client_reference_id') ?? null
  countUp(world.state.opened, reference ?? 'none')
  const currency = (textAt(form, 'line_items', '0', 'price_data', 'currency') ?? '').toUpperCase()
  const unit = numberAt(form, 'line_items', '0', 'price_data', 'unit_amount') ?? Number.NaN
  const amount = unit * (numberAt(form, 'line_items', '0', 'quantity') ?? 1)
  const nowS = Math.floor(world.now() / 1000)
  const expiresAtS = numberAt(form, 'expires_at') ?? nowS + MOST_LIFETIME_S
  if (textAt(form, 'mode') !== 'payment') return stripeError(400, 'Only mode=payment is emulated.', { param: 'mode' })
  if (!/^[A-Z]{3}$/.test(currency)) return stripeError(400, 'Invalid currency.', { param: 'line_items[0][price_data][currency]' })
  const refusal = amountRefusal('stripe', amount, currency)
  if (refusal !== undefined) return stripeError(400, refusal.message, { code: refusal.code })
  if (expiresAtS < nowS + LEAST_LIFETIME_S || expiresAtS > nowS + MOST_LIFETIME_S) {
    return stripeError(400, 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', { param: 'expires_at' })
  }
  const checkout: Checkout = {
    id: newId(account.key.includes('_live_') ? 'cs_live' : 'cs_test', 40),
    gateway: 'stripe',
    account: account.key,
    reference,
    amount,
    currency,
    description: textAt(form, 'line_items', '0', 'price_data', 'product_data', 'name') ?? '',
    email: textAt(form, 'customer_email') ?? null,
    returnUrl: textAt(form, 'success_url') ?? null,
    metadata: { ...textsIn(typeof form === 'object' && !Array.isArray(form) ? form['metadata'] : undefined) },
    orderId: newId('order', 14),
    createdAtMs: world.now(),
    expiresAtMs: expiresAtS * 1000,
    canceledAtMs: null,
    status: 'open',
  }
  world.state.checkouts.push(checkout)
  world.changed()
  return json(200, sessionObject(world.state, checkout, world.baseUrl))
}

function listSessions({ world, account, query }: Call): Reply {
  const ours = createdIn(query, world.state.checkouts, account)
  return page(ours, query, '/v1/checkout/sessions', (checkout) => sessionObject(world.state, checkout, world.baseUrl))
}

/** Newest first. */
function createdIn<T extends { account: string; createdAtMs: number }>(query: URLSearchParams, all: readonly T[], { key }: Account): T[] {
  const [fromS, untilS] = [Number(query.get('created[gte]') ?? 0), Number(query.get('created[lt]') ?? Number.POSITIVE_INFINITY)]
  const isIn = (atS: number) => atS >= fromS && atS < untilS
  return all.filter((each) => each.account === key && isIn(Math.floor(each.createdAtMs / 1000))).reverse()
}

function page<T extends { id: string }>(all: readonly T[], query: URLSearchParams, url: string, show: (each: T) => object): Reply {
  const after = query.get('starting_after')
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const size = Math.min(Number(query.get('limit') ?? 10), MAX_PAGE_SIZE)
  const shown = all.slice(start, start + size)
  return json(200, { object: 'list', url, has_more: start + size < all.length, data: shown.map(show) })
}

function withSession({ world, account, params }: Call, run: (checkout: Checkout) => Reply): Reply {
  const checkout = ownById(world.state.checkouts, account, params['id'])
  return checkout === undefined ? missing('checkout.session', params['id']) : run(checkout)
}

function missing(kind: string, id: string | undefined): Reply {
  return stripeError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' })
}

function showSession({ world, query }: Call, checkout: Checkout): Reply {
  const expand = [...query].filter(([name]) => name.startsWith('expand')).map(([, value]) => value)
  return json(200, sessionObject(world.state, checkout, world.baseUrl, expand))
}

function expireSession(call: Call): Reply {
  return withSession(call, (checkout) => {
    if (endCheckout(call.world, checkout, 'expired')) return showSession(call, checkout)
    const message = 'Only Checkout Sessions with a status in ["open"] can be expired.'
    return stripeError(400, `${message} This Checkout Session has a status of ${checkout.status}.`)
  })
}

function retrieveIntent({ world, account, params, query }: Call): Reply {
  const payment = ownById(world.state.payments, account, params['id'])
  const isChargeExpanded = [...query.values()].includes('latest_charge')
  return payment === undefined
    ? missing('payment_intent', params['id'])
    : json(200, intentObject(world.state, payment, { isChargeExpanded }))
}

function captureIntent({ world, account, params }: Call): Reply {
  const payment = ownById(world.state.payments, account, params['id'])
  if (payment === undefined) return missing('payment_intent', params['id'])
  if (payment.status !== 'authorised') {
    const message = 'This PaymentIntent could not be captured because it is not in requires_capture.'
    return stripeError(400, message, { code: 'payment_intent_unexpected_state' })
  }
  capture(world, payment)
  return json(200, intentObject(world.state, payment, { isChargeExpanded: false }))
}

function createRefund({ world, account, form }: Call): Reply {
  const id = textAt(form, 'payment_intent')
  const payment = ownById(world.state.payments, account, id)
  if (payment === undefined) return missing('payment_intent', id)
  const amount = numberAt(form, 'amount') ?? payment.amount
  const refusal = amountRefusal('stripe', amount, payment.currency)
  if (refusal !== undefined) return stripeError(400, refusal.message, { code: refusal.code })
  const metadata = textsIn(typeof form === 'object' && !Array.isArray(form) ? form['metadata'] : undefined)
  const made = refund(world, payment, { amount, receipt: null, metadata })
  if (made === undefined)
    return stripeError(400, 'Refund amount is greater than unrefunded amount on charge.', { code: 'amount_too_large' })
  return json(200, refundObject(world.state, made))
}

function listRefunds({ world, account, query }: Call): Reply {
  const intent = query.get('payment_intent')
  const ours = world.state.refunds
    .filter((each) => each.account === account.key && (intent === null || each.paymentId === intent))
    .reverse()
  return page(ours, query, '/v1/refunds', (each) => refundObject(world.state, each))
}

function retrieveRefund({ world, account, params }: Call): Reply {
  const found = ownById(world.state.refunds, account, params['id'])
  return found === undefined ? missing('refund', params['id']) : json(200, refundObject(world.state, found))
}

function listDisputes({ world, account, query }: Call): Reply {
  return page(createdIn(query, world.state.disputes, account), query, '/v1/disputes', (each) => disputeObject(world.state, each))
}

function retrieveDispute({ world, account, params }: Call): Reply {
  const found = ownById(world.state.disputes, account, params['id'])
  return found === undefined ? missing('dispute', params['id']) : json(200, disputeObject(world.state, found))
}
