import type { JobKind } from '../jobs/job.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { ATTEMPT_JOB, DISPUTE_JOB, DISPUTE_WATCH_JOB, REFUND_JOB } from './payment-schedule.ts'
import { runAttemptJob } from './reconcile-attempt.ts'
import { runDisputeJob, runRefundJob } from './settle-refund.ts'
import { runDisputeWatchJob } from './watch-disputes.ts'

/** A gateway that is slow takes one process's slots and no more; Stripe lets 100 requests a second through, Razorpay fewer. */
const SLOTS = { concurrency: 4, perReseller: 2 }

/** Asking gateways what became of payments, and making refunds. */
export function paymentJobKinds(deps: PaymentDeps): JobKind[] {
  return [
    { kind: ATTEMPT_JOB, run: (job, signal) => runAttemptJob(deps, job, signal), ...SLOTS },
    { kind: REFUND_JOB, run: (job, signal) => runRefundJob(deps, job, signal), ...SLOTS },
    { kind: DISPUTE_WATCH_JOB, run: (job, signal) => runDisputeWatchJob(deps, job, signal), ...SLOTS },
    { kind: DISPUTE_JOB, run: (job, signal) => runDisputeJob(deps, job, signal), ...SLOTS },
  ]
}
