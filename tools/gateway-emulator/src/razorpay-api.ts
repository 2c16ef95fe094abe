// Razorpay's API, as far as a merchant with Payment Links needs it. https://razorpay.com/docs/api

import { timingSafeEqual } from 'node:crypto'
import { type Exchange, json, type Reply, type Route } from './http-exchange.ts'
import { disputeEntity, linkEntity, paymentEntity, refundEntity } from './razorpay-objects.ts'
import { type Account, type Checkout, countUp, newId, type Payment } from './state.ts'
import { capture, endCheckout, refund } from './transitions.ts'
import { amountRefusal } from './wire-units.ts'
import { ownById, type World } from './world.ts'

const MINUTE_S = 60
const LEAST_LIFETIME_S = 15 * MINUTE_S
const MOST_LIFETIME_S = 184 * 24 * 60 * MINUTE_S
const MAX_REFERENCE_LENGTH = 40
const MAX_NOTE_LENGTH = 256
const MAX_PAGE_SIZE = 100

type Body = Record<string, unknown>
type Call = { world: World; account: Account; params: Record<string, string>; body: Body; exchange: Exchange }
type RazorpayRoute = Route & { readonly run: (call: Call) => Reply }

export const razorpayRoutes: readonly RazorpayRoute[] = [
  { method: 'POST', path: '/v1/payment_links', operation: 'open', run: createLink },
  { method: 'GET', path: '/v1/payment_links', operation: 'find', run: listLinks },
  {
    method: 'GET',
    path: '/v1/payment_links/:id',
    operation: 'state',
    run: (call) => withLink(call, (checkout) => showLink(call, checkout)),
  },
  { method: 'POST', path: '/v1/payment_links/:id/cancel', operation: 'expire', run: cancelLink },
  { method: 'GET', path: '/v1/orders/:id/payments', operation: 'state', run: listOrderPayments },
  { method: 'GET', path: '/v1/payments', operation: 'state', run: listPayments },
  {
    method: 'GET',
    path: '/v1/payments/:id',
    operation: 'state',
    run: (call) => withPayment(call, (payment) => showPayment(call, payment)),
  },
  { method: 'POST', path: '/v1/payments/:id/capture', operation: 'capture', run: capturePayment },
  { method: 'POST', path: '/v1/payments/:id/refund', operation: 'refund', run: createRefund },
  { method: 'GET', path: '/v1/payments/:id/refunds', operation: 'find', run: listRefunds },
  { method: 'GET', path: '/v1/refunds/:id', operation: 'state', run: fetchRefund },
  { method: 'GET', path: '/v1/disputes', operation: 'disputes', run: listDisputes },
  { method: 'GET', path: '/v1/disputes/:id', operation: 'dispute', run: fetchDispute },
]

export function razorpayError(status: number, description: string, code = 'BAD_REQUEST_ERROR'): Reply {
  return json(status, {
    error: { code, description, source: 'business', step: 'payment_initiation', reason: 'input_validation_failed', metadata: {} },
  })
}

/** The account of a request; absent of an unknown key or a wrong secret. */
export function razorpayAccount(world: World, { headers }: Exchange): Account | undefined {
  const [, encoded = ''] = /^Basic (\S+)$/.exec(String(headers['authorization'] ?? '')) ?? []
  const [key = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  const account = world.state.accounts.find((each) => each.gateway === 'razorpay' && each.key === key)
  const [given, expected] = [Buffer.from(secret.join(':')), Buffer.from(account?.keySecret ?? '')]
  return given.length === expected.length && timingSafeEqual(given, expected) ? account : undefined
}

export function answerRazorpay(
  world: World,
  account: Account,
  route: RazorpayRoute,
  params: Record<string, string>,
  exchange: Exchange,
): Reply {
  const body = exchange.body === '' ? {} : parseBody(exchange.body)
  if (body === undefined) return razorpayError(400, 'The request body is not valid JSON.')
  return route.run({ world, account, params, body, exchange })
}

function parseBody(text: string): Body | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Body) : undefined
  } catch {
    // What was sent is not JSON.
    return undefined
  }
}

function createLink({ world, account, body }: Call): Reply {
  const reference = textIn(body, 'reference_id')
  countUp(world.state.opened, reference ?? 'none')
  const amount = numberIn(body, 'amount') ?? Number.NaN
  const currency = textIn(body, 'currency') ?? 'INR'
  const nowS = Math.floor(world.now() / 1000)
  const expiresAtS = numberIn(body, 'expire_by') ?? nowS + MOST_LIFETIME_S
  const refusal = amountRefusal('razorpay', amount, currency)
  if (refusal !== undefined) return razorpayError(400, refusal.message)
  if ((reference ?? '').length > MAX_REFERENCE_LENGTH) return razorpayError(400, 'reference_id: the length must be no more than 40.')
  if (reference !== null && world.state.checkouts.some((each) => each.account === account.key && each.reference === reference)) {
    return razorpayError(400, 'payment link creation with reference ID already attempted')
  }
  if (expiresAtS < nowS + LEAST_LIFETIME_S) return razorpayError(400, 'timestamp must be atleast 15 minutes in future')
  if (expiresAtS > nowS + MOST_LIFETIME_S) return razorpayError(400, 'expire_by cannot be more than six months from now')
  const checkout: Checkout = {
    id: newId('plink', 14),
    gateway: 'razorpay',
    account: account.key,
    reference,
    amount,
    currency,
    description: textIn(body, 'description') ?? '',
    email: textIn(objectIn(body, 'customer'), 'email'),
    returnUrl: textIn(body, 'callback_url'),
    metadata: notesIn(body),
    orderId: newId('order', 14),
    createdAtMs: world.now(),
    expiresAtMs: expiresAtS * 1000,
    canceledAtMs: null,
    status: 'open',
  }
  world.state.checkouts.push(checkout)
  world.changed()
  return json(200, linkEntity(world.state, checkout, world.baseUrl))
}

function listLinks({ world, account, exchange }: Call): Reply {
  const reference = exchange.query.get('reference_id')
  const ours = world.state.checkouts.filter((each) => each.account === account.key && (reference === null || each.reference === reference))
  return json(200, { payment_links: ours.slice(-MAX_PAGE_SIZE).map((each) => linkEntity(world.state, each, world.baseUrl)) })
}

function withLink({ world, account, params }: Call, run: (checkout: Checkout) => Reply): Reply {
  const checkout = ownById(world.state.checkouts, account, params['id'])
  return checkout === undefined ? razorpayError(400, 'The id provided does not exist') : run(checkout)
}

function showLink({ world }: Call, checkout: Checkout): Reply {
  return json(200, linkEntity(world.state, checkout, world.baseUrl))
}

function cancelLink(call: Call): Reply {
  return withLink(call, (checkout) => {
    if (endCheckout(call.world, checkout, 'canceled')) return showLink(call, checkout)
    const isPaid = checkout.status === 'completed' || checkout.status === 'partially_paid'
    return razorpayError(400, `cannot cancel or expire an ${isPaid ? 'already paid/partially paid' : 'expired'} link`)
  })
}

function listOrderPayments({ world, account, params }: Call): Reply {
  const checkout = world.state.checkouts.find((each) => each.orderId === params['id'] && each.account === account.key)
  if (checkout === undefined) return razorpayError(400, 'The id provided does not exist')
  return collection(
    world.state.payments.filter(({ checkoutId }) => checkoutId === checkout.id).map((each) => paymentEntity(world.state, each)),
  )
}

function listPayments({ world, account, exchange }: Call): Reply {
  const count = Math.min(Number(exchange.query.get('count') ?? 10), MAX_PAGE_SIZE)
  const ours = world.state.payments.filter((each) => each.account === account.key)
  return collection(ours.slice(-count).map((each) => paymentEntity(world.state, each)))
}

function collection(items: readonly object[]): Reply {
  return json(200, { entity: 'collection', count: items.length, items })
}

function withPayment({ world, account, params }: Call, run: (payment: Payment) => Reply): Reply {
  const payment = ownById(world.state.payments, account, params['id'])
  return payment === undefined ? razorpayError(400, 'The id provided does not exist') : run(payment)
}

function showPayment({ world }: Call, payment: Payment): Reply {
  return json(200, paymentEntity(world.state, payment))
}

function capturePayment(call: Call): Reply {
  return withPayment(call, (payment) => {
    if (payment.status !== 'authorised') return razorpayError(400, 'This payment has already been captured')
    if (numberIn(call.body, 'amount') !== payment.amount) return razorpayError(400, 'Capture amount must be equal to the amount authorized')
    capture(call.world, payment)
    return showPayment(call, payment)
  })
}

function createRefund(call: Call): Reply {
  return withPayment(call, (payment) => {
    const key = call.exchange.headers['x-refund-idempotency']
    const replays = call.world.state.replays
    const earlier = replays.find((replay) => replay.account === call.account.key && replay.key === key)
    const request = `${call.exchange.path} ${call.exchange.body}`
    if (earlier !== undefined && earlier.request !== request) {
      return razorpayError(409, 'Different request with the same idempotency key has already been processed.')
    }
    if (earlier !== undefined) return { status: earlier.status, headers: { 'content-type': 'application/json' }, body: earlier.body }
    const reply = makeRefund(call, payment)
    if (typeof key === 'string' && reply.status < 300) {
      replays.push({ account: call.account.key, key, request, status: reply.status, body: reply.body })
      call.world.changed()
    }
    return reply
  })
}

function makeRefund({ world, body }: Call, payment: Payment): Reply {
  const amount = numberIn(body, 'amount') ?? payment.amount
  const refusal = amountRefusal('razorpay', amount, payment.currency)
  if (refusal !== undefined) return razorpayError(400, refusal.message)
  const made = refund(world, payment, { amount, receipt: textIn(body, 'receipt'), metadata: notesIn(body) })
  if (made === undefined) return razorpayError(400, 'The refund amount provided is greater than amount captured')
  return json(200, refundEntity(made))
}

function listRefunds(call: Call): Reply {
  return withPayment(call, (payment) => {
    const ours = call.world.state.refunds.filter((each) => each.paymentId === payment.id).reverse()
    return page(call, ours, refundEntity)
  })
}

function page<T>({ exchange: { query } }: Call, all: readonly T[], show: (each: T) => object): Reply {
  const skip = Number(query.get('skip') ?? 0)
  const count = Math.min(Number(query.get('count') ?? 10), MAX_PAGE_SIZE)
  return collection(all.slice(skip, skip + count).map(show))
}

function fetchRefund({ world, account, params }: Call): Reply {
  const found = ownById(world.state.refunds, account, params['id'])
  return found === undefined ? razorpayError(400, 'The id provided does not exist') : json(200, refundEntity(found))
}

function listDisputes(call: Call): Reply {
  const { query } = call.exchange
  const [fromS, toS] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? Number.POSITIVE_INFINITY)]
  const isIn = (atS: number) => atS >= fromS && atS <= toS
  const { disputes } = call.world.state
  const ours = disputes.filter((each) => each.account === call.account.key && isIn(Math.floor(each.createdAtMs / 1000))).reverse()
  return page(call, ours, disputeEntity)
}

function fetchDispute({ world, account, params }: Call): Reply {
  const found = ownById(world.state.disputes, account, params['id'])
  return found === undefined ? razorpayError(400, 'The id provided does not exist') : json(200, disputeEntity(found))
}

function textIn(body: Body, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function numberIn(body: Body, name: string): number | undefined {
  const value = body[name]
  return typeof value === 'number' ? value : undefined
}

function objectIn(body: Body, name: string): Body {
  const value = body[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
}

function notesIn(body: Body): Record<string, string> {
  const pairs = Object.entries(objectIn(body, 'notes')).slice(0, 15)
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value).slice(0, MAX_NOTE_LENGTH)]))
}
