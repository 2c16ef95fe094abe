// What follows from what a gateway reports of a checkout. The gateway is the truth: nothing here goes by our own clock.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { tenantsOf } from '../billing/book.ts'
import { lockInvoice } from '../billing/invoices.sql.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { writeEvents } from '../events/outbox.ts'
import type { Attempt } from './attempt.ts'
import { type AttemptStatus, attemptStatusAfter, isLive } from './attempt-states.ts'
import { lockAttempt, updateAttempt } from './attempts.sql.ts'
import type { CheckoutSnapshot, CheckoutState } from './gateways/gateway.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { paymentFailed } from './payment-events.ts'
import { recordCapture } from './record-capture.ts'

type AttemptKey = Pick<Attempt, 'resellerId' | 'attemptId' | 'invoiceId' | 'issuerId'>

export type LockedAttempt = { readonly db: Db; readonly invoice: StoredInvoice; readonly attempt: Attempt; readonly at: Date }

/** The one order in which both are locked: the invoice first. */
export async function withLockedAttempt<T>(
  deps: Pick<PaymentDeps, 'database' | 'now'>,
  key: AttemptKey,
  run: (locked: LockedAttempt) => Promise<T>,
): Promise<T> {
  return await deps.database.tenant(tenantsOf(key), async (db) => {
    const invoice = await lockInvoice(db, key)
    const attempt = await lockAttempt(db, key)
    if (invoice === undefined || attempt === undefined) throw new Error(`attempt ${key.attemptId} or its invoice is gone`)
    return await run({ db, invoice, attempt, at: deps.now() })
  })
}

const STATUS_OF: Readonly<Record<CheckoutState, AttemptStatus>> = {
  pending: 'pending',
  authorised: 'pending',
  paid: 'paid',
  expired: 'expired',
  failed: 'failed',
  canceled: 'canceled',
}

/** Books what was captured, and moves the attempt to the state that the gateway reports. */
export async function settleSnapshot(deps: PaymentDeps, key: Attempt, snapshot: CheckoutSnapshot): Promise<Attempt> {
  refuseForeign(key, snapshot)
  return await withLockedAttempt(deps, key, async (locked) => {
    const { db, at } = locked
    let { invoice } = locked
    const captured = snapshot.payments.filter(({ status }) => status === 'captured')
    for (const payment of captured) invoice = await recordCapture(db, invoice, locked.attempt, payment, at)
    return await moveAttempt(locked, STATUS_OF[snapshot.state], {
      gatewayRef: snapshot.gatewayRef,
      checkoutUrl: snapshot.checkoutUrl,
      expiresAt: snapshot.expiresAt ?? locked.attempt.expiresAt,
    })
  })
}

/** An answer about another checkout than ours, and one that frees the slot without showing the money, are not believed. */
function refuseForeign(attempt: Attempt, { attemptId, gatewayRef, state, payments }: CheckoutSnapshot): void {
  const isOurs = attemptId === attempt.attemptId && (attempt.gatewayRef === undefined || attempt.gatewayRef === gatewayRef)
  if (!isOurs) throw new Error(`the gateway answers about ${gatewayRef}, which is not the checkout of ${attempt.attemptId}`)
  if (state === 'paid' && !payments.some(({ status }) => status === 'captured')) {
    throw new Error(`the gateway reports that ${gatewayRef} is paid, and shows no payment`)
  }
}

type Reported = Partial<Pick<Attempt, 'gatewayRef' | 'checkoutUrl' | 'expiresAt' | 'failure' | 'abandonedAt'>>

/** Stores it, and publishes that it failed. */
export async function moveAttempt({ db, attempt, at }: LockedAttempt, reported: AttemptStatus, news: Reported): Promise<Attempt> {
  const status = attemptStatusAfter(attempt.status, reported)
  const hasEnded = isLive(attempt.status) && !isLive(status)
  const moved = {
    ...attempt,
    ...news,
    status,
    // Of a card that was declined before another one paid.
    failure: status === 'paid' ? undefined : (news.failure ?? attempt.failure),
    checkoutUrl: isLive(status) ? (news.checkoutUrl ?? attempt.checkoutUrl) : undefined,
    endedAt: hasEnded || (status === 'paid' && attempt.status !== 'paid') ? at : attempt.endedAt,
    // It is over, or the gateway has just answered.
    unansweredSince: undefined,
    updatedAt: at,
  }
  await updateAttempt(db, moved)
  if (hasEnded && status === 'failed') {
    const reason = moved.failure ?? 'The payment failed.'
    const cause = news.abandonedAt === undefined ? 'gateway' : 'abandoned'
    await writeEvents(db, [paymentFailed(moved, { cause, reason, isFinal: true }, at)])
  }
  return moved
}
