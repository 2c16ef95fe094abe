// What can happen to a checkout, a payment, a refund and a dispute, whoever brings it about: the merchant's requests, the customer, the bank,
// or time.

import {
  checkoutCompletedUnpaid,
  checkoutEnded,
  disputeChanged,
  paymentAuthorised,
  paymentCaptured,
  paymentFailed,
  refundChanged,
} from './events.ts'
import type { Checkout, Dispute, DisputeState, Payment, Refund, Scheduled } from './state.ts'
import { countUp, newId } from './state.ts'
import { refundedOf } from './stripe-objects.ts'
import { checkoutOf, takeFault, type World } from './world.ts'

/** `processing`: a bank debit, of which one hears later. `authorised`: not captured by itself. */
export const payOutcomes = ['paid', 'declined', 'processing', 'authorised'] as const
export type PayOutcome = (typeof payOutcomes)[number]

const MINUTE_MS = 60_000
const DECLINED = 'Your card was declined.'

/** The customer tries to pay. Absent when the checkout is not open any more. */
export function pay(world: World, checkout: Checkout, outcome: PayOutcome): Payment | undefined {
  if (checkout.status !== 'open' && checkout.status !== 'partially_paid') return undefined
  const payment = beginPayment(world, checkout)
  const late = outcome === 'paid' ? takeFault(world, ['late_authorisation'], { gateway: checkout.gateway }) : undefined
  const partial = outcome === 'paid' ? takeFault(world, ['partial_payment'], { gateway: checkout.gateway }) : undefined
  if (late !== undefined) {
    const atMs = world.now() + (late.delayMs ?? checkout.expiresAtMs - world.now() + MINUTE_MS)
    world.state.scheduled.push({ atMs, action: late.captures === true ? 'capture' : 'authorise', id: payment.id })
    if (checkout.gateway === 'stripe') complete(world, checkout)
  } else if (outcome === 'declined') {
    Object.assign(payment, { status: 'failed', failure: DECLINED })
    paymentFailed(world, payment, { isFinal: false })
  } else if (outcome === 'processing') complete(world, checkout)
  else if (outcome === 'authorised') {
    authorise(world, payment)
    if (checkout.gateway === 'stripe') complete(world, checkout)
  } else {
    if (partial !== undefined) payInPart(checkout, payment)
    if (checkout.gateway === 'razorpay') paymentAuthorised(world, payment)
    capture(world, payment)
  }
  world.changed()
  return payment
}

function beginPayment(world: World, checkout: Checkout): Payment {
  const { payments } = world.state
  const earlier = payments.find((payment) => payment.checkoutId === checkout.id && payment.status === 'failed')
  const charge = { status: 'pending', failure: null, chargeId: newId('ch', 24), createdAtMs: world.now() } as const
  // Stripe tries again within the same PaymentIntent; at Razorpay each try is a payment.
  if (earlier !== undefined && checkout.gateway === 'stripe') return Object.assign(earlier, charge)
  const payment: Payment = {
    ...charge,
    id: checkout.gateway === 'stripe' ? newId('pi', 24) : newId('pay', 14),
    gateway: checkout.gateway,
    account: checkout.account,
    checkoutId: checkout.id,
    amount: checkout.amount,
    currency: checkout.currency,
    metadata: checkout.metadata,
  }
  payments.push(payment)
  return payment
}

/** Half of it, in whole tens. At Stripe it looks as if a discount had been given in the checkout. */
function payInPart(checkout: Checkout, payment: Payment): void {
  payment.amount = Math.max(10, Math.floor(checkout.amount / 20) * 10)
  if (checkout.gateway === 'stripe') checkout.amount = payment.amount
}

function complete(world: World, checkout: Checkout): void {
  checkout.status = 'completed'
  if (checkout.gateway === 'stripe') checkoutCompletedUnpaid(world, checkout)
}

function authorise(world: World, payment: Payment): void {
  payment.status = 'authorised'
  paymentAuthorised(world, payment)
}

/** The money is taken. Also of a checkout that is over by then. */
export function capture(world: World, payment: Payment): void {
  if (payment.status === 'captured') return
  payment.status = 'captured'
  const checkout = checkoutOf(world, payment)
  const wasCompleted = checkout?.status === 'completed'
  if (checkout?.status === 'open' || checkout?.status === 'partially_paid') {
    checkout.status = capturedOf(world, checkout) >= checkout.amount ? 'completed' : 'partially_paid'
  }
  countUp(world.state.charged, checkout?.reference ?? payment.id)
  paymentCaptured(world, payment, { wasCompleted })
  world.changed()
}

function capturedOf(world: World, checkout: Checkout): number {
  const captured = world.state.payments.filter((payment) => payment.checkoutId === checkout.id && payment.status === 'captured')
  return captured.reduce((sum, payment) => sum + payment.amount, 0)
}

/** The bank reports how a payment that was processing ended. */
export function settle(world: World, payment: Payment, isPaid: boolean): void {
  if (payment.status !== 'pending') return
  if (isPaid) capture(world, payment)
  else {
    Object.assign(payment, { status: 'failed', failure: 'The bank returned the debit.' })
    paymentFailed(world, payment, { isFinal: true })
  }
  world.changed()
}

/** By the merchant or by time. Whether it was open. */
export function endCheckout(world: World, checkout: Checkout, status: 'expired' | 'canceled'): boolean {
  const isOpen = checkout.status === 'open'
  if (!isOpen && !(checkout.status === 'partially_paid' && status === 'expired')) return false
  checkout.status = status
  if (status === 'canceled') checkout.canceledAtMs = world.now()
  checkoutEnded(world, checkout)
  world.changed()
  return true
}

type NewRefund = Pick<Refund, 'amount' | 'receipt' | 'metadata'>

/** Absent when that is more than is left. */
export function refund(world: World, payment: Payment, wanted: NewRefund): Refund | undefined {
  const left = payment.status === 'captured' ? payment.amount - refundedOf(world.state, payment) : 0
  if (wanted.amount < 1 || wanted.amount > left) return undefined
  const fails = takeFault(world, ['refund_fails_later'], { gateway: payment.gateway })
  const waits = fails === undefined ? takeFault(world, ['refund_pending'], { gateway: payment.gateway }) : undefined
  const made: Refund = {
    ...wanted,
    id: payment.gateway === 'stripe' ? newId('re', 24) : newId('rfnd', 14),
    gateway: payment.gateway,
    account: payment.account,
    paymentId: payment.id,
    currency: payment.currency,
    status: waits === undefined ? 'succeeded' : 'pending',
    createdAtMs: world.now(),
    failure: null,
  }
  world.state.refunds.push(made)
  const later = fails ?? waits
  if (later !== undefined) {
    const action = fails === undefined ? 'succeed_refund' : 'fail_refund'
    world.state.scheduled.push({ atMs: world.now() + (later.delayMs ?? MINUTE_MS), action, id: made.id })
  }
  refundChanged(world, made, { isNew: true })
  world.changed()
  return made
}

function endRefund(world: World, id: string, status: 'succeeded' | 'failed'): void {
  const made = world.state.refunds.find((each) => each.id === id)
  if (made === undefined || made.status === 'failed') return
  Object.assign(made, { status, failure: status === 'failed' ? 'lost_or_stolen_card' : null })
  refundChanged(world, made, { isNew: false })
}

export function openDispute(world: World, payment: Payment, { amount, status }: { amount: number; status: DisputeState }): Dispute {
  const dispute: Dispute = {
    id: payment.gateway === 'stripe' ? newId('du', 24) : newId('disp', 14),
    gateway: payment.gateway,
    account: payment.account,
    paymentId: payment.id,
    amount,
    currency: payment.currency,
    status,
    reason: 'fraudulent',
    createdAtMs: world.now(),
  }
  world.state.disputes.push(dispute)
  disputeChanged(world, dispute, { isNew: true })
  world.changed()
  return dispute
}

export function moveDispute(world: World, dispute: Dispute, status: DisputeState): void {
  dispute.status = status
  disputeChanged(world, dispute, { isNew: false })
  world.changed()
}

/** Whatever time has brought about until now, in the order in which it did. */
export function catchUp(world: World): void {
  for (;;) {
    const nowMs = world.now()
    const [next] = dueThings(world).filter(({ atMs }) => atMs <= nowMs)
    if (next === undefined) return
    next.run()
  }
}

/** When there is something to do next; absent when nothing is. */
export function nextDueMs(world: World): number | undefined {
  return dueThings(world)[0]?.atMs
}

function dueThings(world: World): { atMs: number; run: () => void }[] {
  const { checkouts, scheduled } = world.state
  const open = checkouts.filter(({ status }) => status === 'open' || status === 'partially_paid')
  const expiries = open.map((checkout) => ({ atMs: checkout.expiresAtMs, run: () => void endCheckout(world, checkout, 'expired') }))
  const others = scheduled.map((each) => ({ atMs: each.atMs, run: () => runScheduled(world, each) }))
  return [...expiries, ...others].sort((a, b) => a.atMs - b.atMs)
}

function runScheduled(world: World, due: Scheduled): void {
  world.state.scheduled.splice(world.state.scheduled.indexOf(due), 1)
  const payment = world.state.payments.find((each) => each.id === due.id)
  if (due.action === 'succeed_refund' || due.action === 'fail_refund') {
    endRefund(world, due.id, due.action === 'fail_refund' ? 'failed' : 'succeeded')
  } else if (payment?.status === 'pending') {
    if (payment.gateway === 'razorpay') authorise(world, payment)
    if (due.action === 'capture' || payment.gateway === 'stripe') capture(world, payment)
  }
  world.changed()
}
