// The way out for an attempt whose gateway gives no answer any more, because an account was closed or its credentials are refused: it would keep its
// invoice from being paid in another way for ever. What comes of it later all the same is booked as any late payment is.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Attempt } from './attempt.ts'
import { isLive } from './attempt-states.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { later, nextLookAtAttempt, scheduleAttempt } from './payment-schedule.ts'
import { reconcileAttempt } from './reconcile-attempt.ts'
import { moveAttempt, withLockedAttempt } from './settle-attempt.ts'

/** Longer than an outage of a gateway, and than anybody takes to correct credentials. Assumption. */
const UNANSWERED_FOR_MS = 24 * 3_600_000
const ASKING_MS = 25_000

/** The attempt that was given up. Throws `conflict` or `invalid_transition` where the gateway has, or may have, the word. */
export async function abandonPayment(deps: PaymentDeps, key: Attempt, reason: string, author: Author): Promise<Attempt> {
  refuseUnlessUnanswered(key, deps.now())
  await askOnceMore(deps, key)
  return await withLockedAttempt(deps, key, async (locked) => {
    const { db, attempt, at } = locked
    // Where the gateway has just answered, it is not unanswered any more.
    refuseUnlessUnanswered(attempt, at)
    const abandoned = await moveAttempt(locked, 'failed', { failure: `Abandoned: ${reason}`, abandonedAt: at })
    await scheduleAttempt(db, abandoned, nextLookAtAttempt(abandoned, at) ?? at)
    await writeAudit(db, author, {
      action: 'payment.abandoned',
      objectId: attempt.attemptId,
      subClientId: attempt.subClientId === '' ? undefined : attempt.subClientId,
      before: { status: attempt.status, unanswered_since: attempt.unansweredSince?.toISOString() ?? null },
      after: { status: abandoned.status, reason },
    })
    return abandoned
  })
}

function refuseUnlessUnanswered({ status, unansweredSince }: Attempt, at: Date): void {
  if (!isLive(status)) {
    const message = `This payment is ${status}: only one that may still be paid can be abandoned.`
    throw new Problem('invalid_transition', message, { details: { status } })
  }
  const from = unansweredSince === undefined ? undefined : later(unansweredSince, UNANSWERED_FOR_MS)
  if (from !== undefined && from <= at) return
  const message =
    from === undefined
      ? 'The gateway answers about this payment, so that it ends when the gateway confirms it.'
      : 'The gateway may answer yet: a payment can be abandoned when there has been no answer for 24 hours.'
  const details = { status, unanswered_since: unansweredSince?.toISOString() ?? null, possible_from: from?.toISOString() ?? null }
  throw new Problem('conflict', message, { details })
}

async function askOnceMore(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  try {
    await reconcileAttempt(deps, attempt, AbortSignal.timeout(ASKING_MS))
  } catch (error) {
    deps.log.warn({ err: error, attemptId: attempt.attemptId }, 'the gateway gives no answer about a payment that is to be abandoned')
  }
}
