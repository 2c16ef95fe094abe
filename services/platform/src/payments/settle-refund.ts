// What the jobs of refunds and disputes do: ask the gateway what became of each, and book its answer.

import { systemAuthor } from '../audit/audit.ts'
import { applyDispute, applyRefund, applyReturnedRefund } from '../billing/settle-invoice.ts'
import { writeEvents } from '../events/outbox.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import { selectJobCreatedAt } from '../jobs/jobs.sql.ts'
import { type Attempt, countsAsRefunded, type Dispute, type Refund } from './attempt.ts'
import { selectAttempt, selectAttemptOfConnectionAcrossResellers } from './attempts.sql.ts'
import { type GatewayDispute, GatewayError, type GatewayRefund, type PaymentGateway } from './gateways/gateway.ts'
import { findGateway, type PaymentDeps } from './payment-deps.ts'
import { disputeChanged, refundChanged } from './payment-events.ts'
import { DISPUTE_UNKNOWN_FOR_MS, disputeOfJob, later, nextLookAtRefund } from './payment-schedule.ts'
import { sourceOf } from './record-capture.ts'
import { selectDisputes, selectRefund, updateRefund, upsertDispute } from './refunds.sql.ts'
import { refundReleased } from './request-refund.ts'
import { withLockedAttempt } from './settle-attempt.ts'

const CONNECTION_GONE = 'The connection to the payment gateway was deleted before the refund was made.'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export async function runRefundJob(
  deps: PaymentDeps,
  { resellerId, key }: Pick<JobId, 'resellerId' | 'key'>,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const db = deps.database.tenantPool(resellerId)
  const refund = await selectRefund(db, { resellerId, refundId: key })
  const attempt = refund === undefined ? undefined : await selectAttempt(db, refund)
  if (refund === undefined || attempt === undefined) return 'done'
  const gateway = await findGateway(deps, attempt)
  // Of one that the gateway has, nothing is known any more; one that it does not have is made by nobody.
  if (gateway === undefined && refund.status !== 'created') return 'done'
  const reported = gateway === undefined ? CONNECTION_GONE : await askRefund(gateway, refund, signal)
  const after = await settleRefund(deps, attempt, refund, reported)
  const next = nextLookAtRefund(after, deps.now())
  return next === undefined ? 'done' : { againAt: next }
}

/** In words, where the gateway refuses for good. */
async function askRefund(gateway: PaymentGateway, refund: Refund, signal: AbortSignal): Promise<GatewayRefund | string> {
  if (refund.refundRef !== undefined) return await gateway.fetchRefund(refund.refundRef, signal)
  try {
    // Keys of gateways end after a day or so; what is found by our id was made, however long ago.
    return (await gateway.findRefund(refund, signal)) ?? (await gateway.refund(refund, signal))
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'rejected') return error.message
    throw error
  }
}

async function settleRefund(deps: PaymentDeps, key: Attempt, asked: Refund, reported: GatewayRefund | string): Promise<Refund> {
  if (typeof reported !== 'string' && !isAbout(asked, reported))
    throw new Error(`the gateway answers about another refund than ${asked.refundId}`)
  const settled = await withLockedAttempt(deps, key, async ({ db, invoice, attempt, at }) => {
    const before = (await selectRefund(db, asked)) ?? asked
    // Both are the last word.
    if (before.status === 'failed' || before.status === 'canceled') return before
    const after: Refund = {
      ...before,
      ...(typeof reported === 'string'
        ? { status: 'failed', failure: reported }
        : { status: reported.status, failure: reported.failure, refundRef: reported.refundRef }),
      updatedAt: at,
    }
    const isGivenBack = countsAsRefunded(after)
    const { amountMinor, currency } = before
    const source = sourceOf(attempt, `${before.paymentRef}/${before.refundId}`)
    const money = { amountMinor, currency, source, gateway: attempt.gateway, at }
    const author = systemAuthor(attempt.resellerId, at)
    if (isGivenBack && !before.isBooked) await applyRefund(db, invoice, money, author)
    if (!isGivenBack && before.isBooked) await applyReturnedRefund(db, invoice, money, author)
    await updateRefund(db, { ...after, isBooked: isGivenBack })
    if (after.status !== before.status) await writeEvents(db, [refundChanged(attempt, after, at)])
    return after
  })
  if (!countsAsRefunded(settled) && countsAsRefunded(asked)) {
    const { refundId, origin, failure } = settled
    deps.log.error(
      { refundId, origin, failure, attemptId: key.attemptId },
      'a refund failed: somebody has to give the money back in another way',
    )
  }
  return settled
}

function isAbout(refund: Refund, { refundId, paymentRef, amountMinor, currency }: GatewayRefund): boolean {
  const isOurs = refundId === undefined || refundId === refund.refundId
  return isOurs && paymentRef === refund.paymentRef && amountMinor === refund.amountMinor && currency === refund.currency
}

export async function runDisputeJob(
  deps: PaymentDeps,
  job: JobId & { readonly failureCount: number },
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { issuerId, connectionId, disputeRef } = disputeOfJob(job)
  const gateway = await findGateway(deps, { issuerId, connectionId })
  if (gateway === undefined) return 'done'
  const reported = await gateway.fetchDispute(disputeRef, signal)
  const attempt = await selectAttemptOfConnectionAcrossResellers(deps.database.systemPool, connectionId, {
    paymentRef: reported.paymentRef,
  })
  if (attempt === undefined) return await waitForPayment(deps, job, reported)
  const dispute = await settleDispute(deps, attempt, reported)
  const isOver = dispute.status !== 'open' && dispute.status !== 'under_review'
  return isOver ? 'done' : { againAt: later(deps.now(), DAY_MS) }
}

async function waitForPayment(
  { database, now, log }: PaymentDeps,
  job: JobId,
  { disputeRef, paymentRef }: GatewayDispute,
): Promise<JobOutcome> {
  const since = await selectJobCreatedAt(database.tenantPool(job.resellerId), job)
  if (since !== undefined && now().getTime() - since.getTime() < DISPUTE_UNKNOWN_FOR_MS) return { againAt: later(now(), HOUR_MS) }
  log.warn({ disputeRef, paymentRef }, 'a dispute is about no payment of ours')
  return 'done'
}

async function settleDispute(deps: PaymentDeps, key: Attempt, reported: GatewayDispute): Promise<Dispute> {
  return await withLockedAttempt(deps, key, async ({ db, invoice, attempt, at }) => {
    const { resellerId, attemptId, connectionId } = attempt
    const known = await selectDisputes(db, resellerId, [attemptId])
    const before = known.find(({ disputeRef }) => disputeRef === reported.disputeRef)
    const dispute: Dispute = { ...reported, resellerId, attemptId, connectionId, openedAt: before?.openedAt ?? at, updatedAt: at }
    await upsertDispute(db, dispute)
    const money = { amountMinor: reported.withdrawnMinor, currency: reported.currency, gateway: attempt.gateway, at }
    const isLost = reported.status === 'lost'
    const author = systemAuthor(resellerId, at)
    const settled = await applyDispute(db, invoice, { ...money, source: sourceOf(attempt, reported.disputeRef), isLost }, author)
    if (before?.status === reported.status) return dispute
    await writeEvents(db, [disputeChanged(attempt, dispute, at)])
    if (reported.status === 'won' || reported.status === 'closed') await refundReleased(db, settled.invoice, author)
    return dispute
  })
}
