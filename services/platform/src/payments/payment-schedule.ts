// When the gateway is asked what became of something, whether or not a callback reported it: soon at first, then at intervals that grow with age.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { JobId } from '../jobs/job.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import type { Attempt, Refund } from './attempt.ts'

export const ATTEMPT_JOB = 'payment-attempt'
export const REFUND_JOB = 'payment-refund'
export const DISPUTE_JOB = 'payment-dispute'
export const DISPUTE_WATCH_JOB = 'payment-dispute-watch'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Longer than opening a checkout is waited for, so that who asked for it does it in peace. */
export const OPENING_PATIENCE_MS = 30 * SECOND_MS
/** A callback comes within seconds; where none came by then, none may come. */
const FIRST_LOOK_MS = 10 * MINUTE_MS
/** Razorpay: a payment is authorised up to three days late (https://razorpay.com/docs/payments/payments/late-authorization), and two to spare. */
export const LATE_PAYMENT_MS = 5 * DAY_MS
/** Cards may be disputed 120 days after the payment, and refunds are made for half a year: https://docs.stripe.com/refunds. */
const WATCHED_MS = 180 * DAY_MS
/** A bank may return a refund days after it succeeded: Stripe states up to 30, https://docs.stripe.com/refunds#failed-refunds. */
const REFUND_WATCHED_MS = 30 * DAY_MS

/** A dispute of a payment that is not known: it is not about an invoice of ours, or the payment is known by then. */
export const DISPUTE_UNKNOWN_FOR_MS = 7 * DAY_MS
/** Gateways give days to answer a dispute: https://docs.stripe.com/disputes/responding states 7 to 21. An hour is an assumption. */
export const DISPUTES_WATCHED_EVERY_MS = HOUR_MS

/** When to ask about an attempt next; absent: nothing more can come of it that callbacks would not report. */
export function nextLookAtAttempt(attempt: Attempt, at: Date): Date | undefined {
  const { status, createdAt, expiresAt } = attempt
  if (status === 'created') return later(at, OPENING_PATIENCE_MS)
  if (status === 'pending') {
    const look = later(at, growing(createdAt, at, HOUR_MS))
    const afterExpiry = later(expiresAt, MINUTE_MS)
    return afterExpiry > at && afterExpiry < look ? afterExpiry : look
  }
  const endedAt = attempt.endedAt ?? at
  const [watchedMs, longestMs] = watchOf(attempt)
  return at.getTime() - endedAt.getTime() > watchedMs ? undefined : later(at, growing(endedAt, at, longestMs))
}

/** For how long what came of it is asked after it ended, and the longest time between two looks. */
function watchOf({ status, abandonedAt }: Attempt): [watchedMs: number, longestMs: number] {
  if (status === 'paid') return [WATCHED_MS, 30 * DAY_MS]
  // Nobody knows how it ended at the gateway, which may be back one day.
  return abandonedAt === undefined ? [LATE_PAYMENT_MS, 12 * HOUR_MS] : [WATCHED_MS, DAY_MS]
}

export function nextLookAtRefund({ status, createdAt }: Refund, at: Date): Date | undefined {
  if (status === 'failed' || status === 'canceled') return undefined
  if (status !== 'succeeded') return later(at, growing(createdAt, at, 6 * HOUR_MS))
  return at.getTime() - createdAt.getTime() > REFUND_WATCHED_MS ? undefined : later(at, growing(createdAt, at, 7 * DAY_MS))
}

/** As long again as it has lasted. */
function growing(since: Date, at: Date, longestMs: number): number {
  return Math.min(longestMs, Math.max(FIRST_LOOK_MS, at.getTime() - since.getTime()))
}

export const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

export async function scheduleAttempt(db: Db, attempt: Pick<Attempt, 'resellerId' | 'attemptId'>, at: Date): Promise<void> {
  await upsertJob(db, { resellerId: attempt.resellerId, kind: ATTEMPT_JOB, key: attempt.attemptId }, at)
}

export async function scheduleRefund(db: Db, refund: Pick<Refund, 'resellerId' | 'refundId'>, at: Date): Promise<void> {
  await upsertJob(db, { resellerId: refund.resellerId, kind: REFUND_JOB, key: refund.refundId }, at)
}

type DisputeAt = { readonly issuerId: string; readonly connectionId: string; readonly disputeRef: string }

/** Under the owner of the connection: whose payment it is about may not be known yet. */
export async function scheduleDispute(db: Db, { issuerId, connectionId, disputeRef }: DisputeAt, at: Date): Promise<void> {
  await upsertJob(db, { resellerId: issuerId, kind: DISPUTE_JOB, key: `${connectionId}/${disputeRef}` }, at)
}

/** Of disputes whose callbacks were lost; as long as the connection is there. */
export async function scheduleDisputeWatch(
  db: Db,
  { resellerId, connectionId }: { readonly resellerId: string; readonly connectionId: string },
  at: Date,
): Promise<void> {
  await upsertJob(db, { resellerId, kind: DISPUTE_WATCH_JOB, key: connectionId }, at)
}

export function disputeOfJob({ resellerId, key }: JobId): DisputeAt {
  const [connectionId = '', disputeRef = ''] = key.split('/')
  return { issuerId: resellerId, connectionId, disputeRef }
}
