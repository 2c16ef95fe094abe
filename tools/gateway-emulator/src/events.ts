// From something that happened to a webhook that waits to be delivered, with whatever fault is to strike it.

import { disputeEntity, linkEntity, orderEntity, paymentEntity, refundEntity } from './razorpay-objects.ts'
import type { Checkout, Delivery, Dispute, Fault, GatewayKind, Payment, Refund } from './state.ts'
import { newId } from './state.ts'
import { chargeObject, disputeObject, intentObject, isLive, refundObject, STRIPE_API_VERSION, sessionObject } from './stripe-objects.ts'
import { accountOf, checkoutOf, takeFault, type World } from './world.ts'

/** Those by which a merchant learns that it is paid: faults strike these unless they name another. */
const REPORTING = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'payment_link.paid',
  'payment_link.partially_paid',
])
/** More are forgotten, the oldest first, when they have come to their end. */
const MAX_DELIVERIES = 2_000
const HELD_AT_MOST_MS = 5_000
const DEFAULT_DELAY_MS = 600_000

const BODY_FAULTS = ['wrong_amount', 'wrong_currency', 'foreign_reference']
const DELIVERY_FAULTS = ['duplicate', 'reordered', 'delayed', 'forged_signature', 'stale_timestamp', 'lost']

const AMOUNTS = new Set(['amount', 'amount_total', 'amount_subtotal', 'amount_received', 'amount_captured', 'amount_paid'])
const REFERENCES = new Set(['client_reference_id', 'reference_id', 'attempt_id'])

export function paymentCaptured(world: World, payment: Payment, { wasCompleted }: { wasCompleted: boolean }): void {
  const checkout = checkoutOf(world, payment)
  if (payment.gateway === 'stripe') {
    notifyStripe(world, payment.account, 'payment_intent.succeeded', intentObject(world.state, payment, { isChargeExpanded: false }))
    notifyStripe(world, payment.account, 'charge.succeeded', chargeObject(world.state, payment))
    if (checkout !== undefined) notifySession(world, checkout, wasCompleted ? 'async_payment_succeeded' : 'completed')
    return
  }
  notifyRazorpay(world, payment.account, 'payment.captured', { payment: paymentEntity(world.state, payment) })
  if (checkout?.status !== 'completed' && checkout?.status !== 'partially_paid') return
  const link = linkEntity(world.state, checkout, world.baseUrl)
  const payload = { payment_link: link, order: orderEntity(checkout), payment: paymentEntity(world.state, payment) }
  notifyRazorpay(world, payment.account, checkout.status === 'completed' ? 'payment_link.paid' : 'payment_link.partially_paid', payload)
}

export function paymentAuthorised(world: World, payment: Payment): void {
  if (payment.gateway === 'razorpay') {
    notifyRazorpay(world, payment.account, 'payment.authorized', { payment: paymentEntity(world.state, payment) })
    return
  }
  const intent = intentObject(world.state, payment, { isChargeExpanded: false })
  notifyStripe(world, payment.account, 'payment_intent.amount_capturable_updated', intent)
}

export function paymentFailed(world: World, payment: Payment, { isFinal }: { isFinal: boolean }): void {
  const checkout = checkoutOf(world, payment)
  if (payment.gateway === 'razorpay') {
    notifyRazorpay(world, payment.account, 'payment.failed', { payment: paymentEntity(world.state, payment) })
  } else if (isFinal && checkout !== undefined) notifySession(world, checkout, 'async_payment_failed')
  else
    notifyStripe(world, payment.account, 'payment_intent.payment_failed', intentObject(world.state, payment, { isChargeExpanded: false }))
}

/** A bank debit: the customer is through, the bank is not. */
export function checkoutCompletedUnpaid(world: World, checkout: Checkout): void {
  notifySession(world, checkout, 'completed')
}

export function checkoutEnded(world: World, checkout: Checkout): void {
  if (checkout.gateway === 'stripe') {
    notifySession(world, checkout, 'expired')
    return
  }
  const type = checkout.status === 'canceled' ? 'payment_link.cancelled' : 'payment_link.expired'
  notifyRazorpay(world, checkout.account, type, { payment_link: linkEntity(world.state, checkout, world.baseUrl) })
}

export function refundChanged(world: World, refund: Refund, { isNew }: { isNew: boolean }): void {
  const payment = world.state.payments.find((each) => each.id === refund.paymentId)
  if (refund.gateway === 'stripe') {
    const type = isNew ? 'refund.created' : refund.status === 'failed' ? 'refund.failed' : 'refund.updated'
    notifyStripe(world, refund.account, type, refundObject(world.state, refund))
    if (isNew && payment !== undefined) notifyStripe(world, refund.account, 'charge.refunded', chargeObject(world.state, payment))
    return
  }
  const payload = { refund: refundEntity(refund), ...(payment === undefined ? {} : { payment: paymentEntity(world.state, payment) }) }
  if (isNew) notifyRazorpay(world, refund.account, 'refund.created', payload)
  if (refund.status === 'succeeded') notifyRazorpay(world, refund.account, 'refund.processed', payload)
  if (refund.status === 'failed') notifyRazorpay(world, refund.account, 'refund.failed', payload)
}

const RAZORPAY_DISPUTES = {
  warning_needs_response: 'created',
  needs_response: 'created',
  warning_closed: 'closed',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
} as const

export function disputeChanged(world: World, dispute: Dispute, { isNew }: { isNew: boolean }): void {
  if (dispute.gateway === 'stripe') {
    const isOver = ['won', 'lost', 'warning_closed'].includes(dispute.status)
    const type = isNew ? 'created' : isOver ? 'closed' : 'updated'
    notifyStripe(world, dispute.account, `charge.dispute.${type}`, disputeObject(world.state, dispute))
    return
  }
  const payment = world.state.payments.find((each) => each.id === dispute.paymentId)
  const payload = { dispute: disputeEntity(dispute), ...(payment === undefined ? {} : { payment: paymentEntity(world.state, payment) }) }
  notifyRazorpay(world, dispute.account, `payment.dispute.${RAZORPAY_DISPUTES[dispute.status]}`, payload)
}

function notifySession(world: World, checkout: Checkout, what: string): void {
  notifyStripe(world, checkout.account, `checkout.session.${what}`, sessionObject(world.state, checkout, world.baseUrl))
}

function notifyStripe(world: World, account: string, type: string, object: object): void {
  const event = {
    id: newId('evt', 24),
    object: 'event',
    api_version: STRIPE_API_VERSION,
    created: Math.floor(world.now() / 1000),
    data: { object },
    livemode: isLive(account),
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  // Stripe writes them with line breaks and indented.
  queue(world, { gateway: 'stripe', account, type, eventId: event.id }, (change) => JSON.stringify(change(event), null, 2))
}

function notifyRazorpay(world: World, account: string, type: string, entities: Record<string, object>): void {
  const event = {
    entity: 'event',
    account_id: `acc_${account.replaceAll('_', '').slice(-14)}`,
    event: type,
    contains: Object.keys(entities),
    payload: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }])),
    created_at: Math.floor(world.now() / 1000),
  }
  queue(world, { gateway: 'razorpay', account, type, eventId: newId('evt', 14) }, (change) => JSON.stringify(change(event)))
}

type About = { gateway: GatewayKind; account: string; type: string; eventId: string }

function queue(world: World, about: About, write: (change: (event: object) => object) => string): void {
  if (accountOf(world, about.account)?.callbackUrl === undefined) return
  const fits = { gateway: about.gateway, event: about.type, isReporting: REPORTING.has(about.type) }
  const bodyFault = takeFault(world, BODY_FAULTS, fits)
  const body = write((event) => (bodyFault === undefined ? event : (altered(event, '', bodyFault) as object)))
  const genuine: Delivery = {
    id: newId('dlv', 14),
    ...about,
    body,
    signature: 'genuine',
    isRetried: true,
    tries: 0,
    dueAtMs: world.now(),
    status: 'waiting',
    lastStatus: null,
  }
  const { deliveries } = world.state
  deliveries.push(...struck(genuine, takeFault(world, DELIVERY_FAULTS, fits)))
  releaseHeld(world, about.account)
  const surplus = deliveries.length - MAX_DELIVERIES
  const isOver = ({ status }: Delivery) => status !== 'waiting' && status !== 'held'
  for (let i = 0; i < surplus; i++) deliveries.splice(Math.max(0, deliveries.findIndex(isOver)), 1)
  world.changed()
}

function struck(delivery: Delivery, fault: Fault | undefined): Delivery[] {
  const copy = (change: Partial<Delivery>): Delivery => ({ ...delivery, id: newId('dlv', 14), ...change })
  switch (fault?.kind) {
    case 'duplicate':
      return Array.from({ length: fault.times ?? 5 }, () => copy({}))
    case 'delayed':
      return [copy({ dueAtMs: delivery.dueAtMs + (fault.delayMs ?? DEFAULT_DELAY_MS) })]
    case 'reordered':
      return [copy({ status: 'held', dueAtMs: delivery.dueAtMs + (fault.delayMs ?? HELD_AT_MOST_MS) })]
    case 'forged_signature':
      return [copy({ signature: 'forged', isRetried: false }), delivery]
    case 'stale_timestamp':
      return [copy({ signature: 'stale', isRetried: false }), delivery]
    case 'lost':
      return [copy({ status: 'lost' })]
    default:
      return [delivery]
  }
}

/** What was held back goes out once something newer has overtaken it, the newest first. */
function releaseHeld(world: World, account: string): void {
  const ours = world.state.deliveries.filter((delivery) => delivery.account === account)
  if (ours.at(-1)?.status === 'held') return
  const held = ours.filter((delivery) => delivery.status === 'held').reverse()
  for (const [i, delivery] of held.entries()) Object.assign(delivery, { status: 'waiting', dueAtMs: world.now() + 1 + i })
}

/** A copy in which every amount, currency or reference is wrong. */
function altered(value: unknown, name: string, fault: Fault): unknown {
  if (Array.isArray(value)) return value.map((each) => altered(each, name, fault))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, altered(each, key, fault)]))
  }
  if (fault.kind === 'wrong_amount' && typeof value === 'number' && AMOUNTS.has(name) && value > 0) return value + 10
  if (fault.kind === 'wrong_currency' && typeof value === 'string' && name === 'currency') {
    const currency = fault.currency ?? 'CHF'
    return value === value.toLowerCase() ? currency.toLowerCase() : currency
  }
  if (fault.kind === 'foreign_reference' && REFERENCES.has(name)) return fault.reference ?? 'pat-of-another-tenant'
  return value
}
