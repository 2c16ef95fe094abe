// What the job of an attempt does: asks the gateway, and applies its answer. It may be done at any time, by any process, and twice at once.

import { newId } from '@roadworthy/service-kit/text/ids'
import { systemAuthor } from '../audit/audit.ts'
import { selectInvoice } from '../billing/invoices.sql.ts'
import { applyRefund, applyReturnedRefund, openMinor } from '../billing/settle-invoice.ts'
import { writeEvents } from '../events/outbox.ts'
import type { JobOutcome } from '../jobs/job.ts'
import { type Attempt, type Capture, countsAsRefunded, type Refund } from './attempt.ts'
import { isLive } from './attempt-states.ts'
import { claimOpening, selectAttempt, selectCaptures, updateRefundedElsewhere, updateUnanswered } from './attempts.sql.ts'
import type { CheckoutSnapshot, PaymentGateway } from './gateways/gateway.ts'
import { endAttempt, openClaimed } from './open-checkout.ts'
import { findGateway, type PaymentDeps } from './payment-deps.ts'
import { refundedElsewhere } from './payment-events.ts'
import { later, nextLookAtAttempt, OPENING_PATIENCE_MS } from './payment-schedule.ts'
import { sourceOf } from './record-capture.ts'
import { selectRefunds } from './refunds.sql.ts'
import { settleSnapshot, withLockedAttempt } from './settle-attempt.ts'

export async function runAttemptJob(
  deps: PaymentDeps,
  { resellerId, key }: { readonly resellerId: string; readonly key: string },
  signal: AbortSignal,
): Promise<JobOutcome> {
  const attempt = await selectAttempt(deps.database.tenantPool(resellerId), { resellerId, attemptId: key })
  if (attempt === undefined) return 'done'
  try {
    const after = await reconcileAttempt(deps, attempt, signal)
    const next = after === undefined ? undefined : nextLookAtAttempt(after, deps.now())
    return next === undefined ? 'done' : { againAt: next }
  } catch (error) {
    if (signal.aborted) throw error
    await updateUnanswered(deps.database.tenantPool(resellerId), attempt, deps.now())
    if (isLive(attempt.status) || nextLookAtAttempt(attempt, deps.now()) !== undefined) throw error
    deps.log.warn({ err: error, attemptId: attempt.attemptId }, 'a payment that is long over is asked after no more')
    return 'done'
  }
}

/** As it is then; absent where nobody can be asked any more. Throws what kept the gateway from being asked. */
export async function reconcileAttempt(deps: PaymentDeps, attempt: Attempt, signal: AbortSignal): Promise<Attempt | undefined> {
  if (attempt.status === 'created') return await seeToOpening(deps, attempt, signal)
  const gateway = await findGateway(deps, attempt)
  if (gateway === undefined) return undefined
  if (isLive(attempt.status) && !(await isStillDue(deps, attempt))) return await endAttempt(deps, attempt, signal)
  const refundsBefore = await refundsOf(deps, attempt)
  const found = await findCheckout(gateway, attempt, signal)
  if (found === undefined) return undefined
  const snapshot = await takeAuthorised(deps, gateway, attempt, found, signal)
  const settled = await settleSnapshot(deps, attempt, snapshot)
  await bookRefundsElsewhere(deps, settled, snapshot, refundsBefore)
  return settled
}

/** Absent of one that the gateway never had. One that is over here and open there is ended: another may have taken its place. */
async function findCheckout(gateway: PaymentGateway, attempt: Attempt, signal: AbortSignal): Promise<CheckoutSnapshot | undefined> {
  const { gatewayRef, attemptId, createdAt, abandonedAt } = attempt
  if (gatewayRef === undefined && abandonedAt === undefined) return undefined
  const found =
    gatewayRef === undefined ? await gateway.findAttempt(attemptId, createdAt, signal) : await gateway.fetchState(gatewayRef, signal)
  return found?.state === 'pending' && !isLive(attempt.status) ? await gateway.expireCheckout(found.gatewayRef, signal) : found
}

async function seeToOpening(deps: PaymentDeps, attempt: Attempt, signal: AbortSignal): Promise<Attempt> {
  const isTooLate = attempt.expiresAt <= later(deps.now(), OPENING_PATIENCE_MS)
  if (isTooLate || !(await isStillDue(deps, attempt))) return await endAttempt(deps, attempt, signal)
  // Somebody is at it: it is looked at again.
  if (!(await claimOpening(deps.database.tenantPool(attempt.resellerId), attempt, OPENING_PATIENCE_MS))) return attempt
  return await openClaimed(deps, attempt, signal)
}

/** Whether the invoice still wants exactly this. If not, nobody may begin to pay it. */
async function isStillDue({ database }: PaymentDeps, attempt: Attempt): Promise<boolean> {
  const invoice = await selectInvoice(database.tenantPool(attempt.resellerId), attempt)
  return invoice !== undefined && openMinor(invoice) === attempt.amountMinor
}

/** Money that is promised and not taken goes back by itself in days. It is taken where the invoice takes it, and left alone elsewhere. */
async function takeAuthorised(
  deps: PaymentDeps,
  gateway: PaymentGateway,
  attempt: Attempt,
  snapshot: CheckoutSnapshot,
  signal: AbortSignal,
): Promise<CheckoutSnapshot> {
  const authorised = snapshot.payments.filter(({ status, currency }) => status === 'authorised' && currency === attempt.currency)
  const invoice = authorised.length === 0 ? undefined : await selectInvoice(deps.database.tenantPool(attempt.resellerId), attempt)
  const wanted = authorised.find(({ amountMinor }) => invoice !== undefined && amountMinor === openMinor(invoice))
  if (wanted === undefined) return snapshot
  await gateway.capture(wanted, signal)
  return await gateway.fetchState(snapshot.gatewayRef, signal)
}

async function refundsOf({ database }: PaymentDeps, { resellerId, attemptId }: Attempt): Promise<Refund[]> {
  return await selectRefunds(database.tenantPool(resellerId), resellerId, [attemptId])
}

/**
 * Refunds that somebody made at the gateway's own dashboard: what was given back by the gateway of a payment, less our own. It is not known while one
 * of ours is on its way; then it is found at the next look.
 */
async function bookRefundsElsewhere(
  deps: PaymentDeps,
  key: Attempt,
  { payments }: CheckoutSnapshot,
  refundsBefore: readonly Refund[],
): Promise<void> {
  await withLockedAttempt(deps, key, async ({ db, invoice, attempt, at }) => {
    const refunds = await selectRefunds(db, attempt.resellerId, [attempt.attemptId])
    const hasMoved = JSON.stringify(refunds) !== JSON.stringify(refundsBefore)
    if (hasMoved || refunds.some(({ status }) => status === 'created')) return
    let current = invoice
    for (const capture of await selectCaptures(db, attempt.resellerId, [attempt.attemptId])) {
      const reported = payments.find(({ paymentRef }) => paymentRef === capture.paymentRef)
      const changeMinor =
        reported === undefined ? 0 : reported.refundedMinor - refundedHereMinor(capture, refunds) - capture.refundedElsewhereMinor
      const elsewhereMinor = capture.refundedElsewhereMinor + changeMinor
      if (changeMinor === 0 || elsewhereMinor < 0) continue
      const source = sourceOf(attempt, `${capture.paymentRef}/${newId('elsewhere')}`)
      const money = { amountMinor: Math.abs(changeMinor), currency: capture.currency, source, gateway: attempt.gateway, at }
      const isReturned = changeMinor < 0
      const apply = isReturned ? applyReturnedRefund : applyRefund
      current = (await apply(db, current, money, systemAuthor(attempt.resellerId, at))).invoice
      await updateRefundedElsewhere(db, { ...capture, refundedElsewhereMinor: elsewhereMinor })
      await writeEvents(db, [refundedElsewhere(attempt, { ...money, isReturned }, at)])
    }
  })
}

function refundedHereMinor(capture: Capture, refunds: readonly Refund[]): number {
  const counted = refunds.filter((each) => each.paymentRef === capture.paymentRef && countsAsRefunded(each))
  return counted.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}
