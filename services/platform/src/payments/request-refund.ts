// Giving money back: the refund is committed before the gateway is asked, and its job repeats it with the same id until the gateway has it.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { toMajorText } from '../billing/rating/money.ts'
import { unappliedMinorOf } from '../billing/settle-invoice.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { type Attempt, type Payment, type Refund, refundableMinor } from './attempt.ts'
import { selectAttempt, selectAttemptsOfInvoice, selectCaptures, selectLiveAttempt } from './attempts.sql.ts'
import { isConnectionThereForShare } from './connections.sql.ts'
import { refusalOfAmount } from './gateways/gateway-amounts.ts'
import { isId, type PaymentDeps } from './payment-deps.ts'
import { scheduleAttempt, scheduleRefund } from './payment-schedule.ts'
import { newRefund } from './record-capture.ts'
import { insertRefund, selectDisputes, selectRefunds } from './refunds.sql.ts'
import { withLockedAttempt } from './settle-attempt.ts'

export type RefundWish = { readonly amountMinor: number | undefined; readonly reason: string }

/** Payments of the reseller and its sub-clients; of a key that is pinned, that sub-client's. */
export async function requirePayment({ database }: Pick<PaymentDeps, 'database'>, viewer: Viewer, paymentId: string): Promise<Payment> {
  const { resellerId, subClientPin } = viewer
  const db = database.tenantPool(resellerId)
  const attempt = isId(paymentId) ? await selectAttempt(db, { resellerId, attemptId: paymentId }) : undefined
  if (attempt === undefined || (subClientPin !== undefined && attempt.subClientId !== subClientPin)) {
    throw new Problem('not_found', 'There is no such payment.')
  }
  return (await withMoney(db, resellerId, [attempt]))[0] as Payment
}

/** What became of each, in the same order. */
export async function withMoney(db: Db, resellerId: string, attempts: readonly Attempt[]): Promise<Payment[]> {
  const ids = attempts.map(({ attemptId }) => attemptId)
  if (ids.length === 0) return []
  const captures = await selectCaptures(db, resellerId, ids)
  const refunds = await selectRefunds(db, resellerId, ids)
  const disputes = await selectDisputes(db, resellerId, ids)
  const ofIt = <T extends { readonly attemptId: string }>(all: readonly T[], { attemptId }: Attempt) =>
    all.filter((each) => each.attemptId === attemptId)
  return attempts.map((attempt) => ({
    attempt,
    captures: ofIt(captures, attempt),
    refunds: ofIt(refunds, attempt),
    disputes: ofIt(disputes, attempt),
  }))
}

/** Whoever issued the invoice may, and nobody else. `what`: such as "makes refunds". */
export function refuseOthers({ attempt }: Payment, { resellerId, subClientPin }: Viewer, what: string): void {
  if (subClientPin !== undefined) {
    throw new Problem('missing_scope', `This key belongs to one sub-client; who issued the invoice ${what}.`, {
      details: { required_scope: '*' },
    })
  }
  if (attempt.issuerId === resellerId) return
  throw new Problem('conflict', `Who issued the invoice ${what}: ask whoever runs this installation.`)
}

/** All that is left, unless an amount is given. Returns what is asked of the gateway: one refund for each payment of the checkout that it takes. */
export async function requestRefund(
  deps: Pick<PaymentDeps, 'database' | 'now'>,
  key: Attempt,
  wish: RefundWish,
  author: Author,
): Promise<Refund[]> {
  return await withLockedAttempt(deps, key, async ({ db, attempt, at }) => {
    await refuseWithoutConnection(db, attempt)
    const [payment] = await withMoney(db, attempt.resellerId, [attempt])
    const refunds = spread(payment as Payment, wish, at)
    for (const refund of refunds) {
      await insertRefund(db, refund)
      await scheduleRefund(db, refund, at)
      await writeAudit(db, author, {
        action: 'payment.refund_requested',
        objectId: attempt.attemptId,
        subClientId: attempt.subClientId === '' ? undefined : attempt.subClientId,
        after: { refund_id: refund.refundId, amount: refund.amountMinor, currency: refund.currency, reason: refund.reason },
      })
    }
    return refunds
  })
}

/** A refund is made through the connection by which the money came. Until the transaction ends nobody deletes it. */
async function refuseWithoutConnection(db: Db, { issuerId, connectionId }: Attempt): Promise<void> {
  if (await isConnectionThereForShare(db, issuerId, connectionId)) return
  const message = 'The connection to the payment gateway was deleted: give the money back at the gateway, or in another way.'
  throw new Problem('conflict', message)
}

function spread(payment: Payment, { amountMinor, reason }: RefundWish, at: Date): Refund[] {
  const { attempt, captures } = payment
  const left = captures
    .map((capture) => ({ capture, leftMinor: refundableMinor(capture, payment) }))
    .filter(({ leftMinor }) => leftMinor > 0)
  const mostMinor = left.reduce((sum, { leftMinor }) => sum + leftMinor, 0)
  const wantedMinor = amountMinor ?? mostMinor
  if (wantedMinor === 0 || wantedMinor > mostMinor) {
    const { currency } = attempt
    const most = toMajorText(mostMinor, currency)
    const message =
      mostMinor === 0 ? 'Nothing of this payment can be given back.' : `Of this payment ${most} ${currency} can be given back at most.`
    throw new Problem('conflict', message, { details: { refundable: mostMinor, currency } })
  }
  const refunds: Refund[] = []
  let restMinor = wantedMinor
  for (const { capture, leftMinor } of left) {
    const partMinor = Math.min(restMinor, leftMinor)
    restMinor -= partMinor
    if (partMinor === 0) break
    const refusal = refusalOfAmount(attempt.gateway, partMinor, capture.currency)
    if (refusal !== undefined) throw new Problem('conflict', refusal)
    refunds.push(newRefund(attempt, { ...capture, amountMinor: partMinor }, { origin: 'request', reason }, at))
  }
  return refunds
}

/**
 * Money that belongs to no invoice any more, because a credit note took what had been paid: it goes back to where it came from. What came from no
 * gateway stays unapplied. Within the transaction that made it so, with the invoice locked.
 */
export async function refundSurplus(
  db: Db,
  { invoice, amountMinor, currency }: { readonly invoice: StoredInvoice; readonly amountMinor: number; readonly currency: string },
  { at }: Pick<Author, 'at'>,
): Promise<void> {
  const { resellerId, invoiceId } = invoice
  let restMinor = amountMinor
  for (const payment of await withMoney(db, resellerId, await selectAttemptsOfInvoice(db, resellerId, invoiceId))) {
    for (const capture of payment.captures.filter((each) => each.currency === currency)) {
      const partMinor = Math.min(restMinor, refundableMinor(capture, payment))
      if (partMinor === 0) continue
      restMinor -= partMinor
      const refund = newRefund(payment.attempt, { ...capture, amountMinor: partMinor }, { origin: 'unapplied', reason: 'Credited.' }, at)
      await insertRefund(db, refund)
      await scheduleRefund(db, refund, at)
    }
  }
}

/** Of an invoice that is locked, and of which less is due: the job of the open attempt ends a checkout that asks for more. */
export async function endCheckout(
  db: Db,
  { resellerId, invoiceId }: Pick<StoredInvoice, 'resellerId' | 'invoiceId'>,
  { at }: Pick<Author, 'at'>,
): Promise<void> {
  const live = await selectLiveAttempt(db, resellerId, invoiceId)
  if (live !== undefined) await scheduleAttempt(db, live, at)
}

/**
 * What could not be given back while a dispute held it, once the gateway has released it. Within the transaction that booked this, with the invoice locked.
 * What is on its way already is not asked for again.
 */
export async function refundReleased(db: Db, invoice: StoredInvoice, author: Pick<Author, 'at'>): Promise<void> {
  const { resellerId, invoiceId, currency } = invoice
  const payments = await withMoney(db, resellerId, await selectAttemptsOfInvoice(db, resellerId, invoiceId))
  const queued = payments.flatMap(({ refunds }) => refunds).filter((each) => each.status === 'created' && each.currency === currency)
  const restMinor = (await unappliedMinorOf(db, invoice)) - queued.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  if (restMinor > 0) await refundSurplus(db, { invoice, amountMinor: restMinor, currency }, author)
}
