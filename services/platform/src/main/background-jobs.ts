// The work that is done once, whatever the number of processes: each kind with who does it.

import { resolveTxt } from '@roadworthy/service-kit/network/resolve-txt'
import { adoptionJob } from '../alerts/adopt-alerts.ts'
import { billingJobs } from '../billing/billing-jobs.ts'
import { hostProofJob } from '../brands/prove-hosts.ts'
import { assignmentJob } from '../incidents/end-assignments.ts'
import type { JobKind } from '../jobs/job.ts'
import { type JobWorker, startJobWorker } from '../jobs/job-worker.ts'
import { defaultPlans } from '../limits/plans.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import { scheduleReviewJob } from '../maintenance/review-schedules.ts'
import { sealingJob } from '../metering/seal-usage.ts'
import { createAcknowledgeLinks } from '../notifications/acknowledgements/acknowledge-link.ts'
import { notificationJobs } from '../notifications/notify-of-incident.ts'
import { paymentJobKinds } from '../payments/payment-job-kinds.ts'
import { type PresenceRounds, presenceJob } from '../presence/presence-rounds.ts'
import { actionJobs } from '../sims/actions/run-action.ts'
import { anomalyAlertJobKind } from '../sims/anomalies/raise-anomaly-alerts.ts'
import { followJobs } from '../sims/follow-devices.ts'
import { simHoldJobs } from '../sims/holds/hold-sims.ts'
import { simDateJobs } from '../sims/sim-dates.ts'
import { scheduledSyncJobKind } from '../sims/sync/begin-sync.ts'
import { syncJobKind } from '../sims/sync/run-sync.ts'
import { housekeepingJobs, housekeepingOf } from './database/housekeeping.ts'
import type { PlatformOptions, SharedParts } from './shared-parts.ts'

export function startJobs(options: PlatformOptions, shared: SharedParts, presence: PresenceRounds): JobWorker {
  const { database } = shared
  const kinds = [...jobKinds(options, shared), ...periodicKinds(options, shared, presence)]
  return startJobWorker({ database, now: database.now, random: Math.random, log: options.log }, kinds)
}

function jobKinds({ now, secretKey }: PlatformOptions, shared: SharedParts): JobKind[] {
  const { database, notices, exits, operators, payments } = shared
  const sims = { database, operators: operators.operators, now }
  const billing = billingJobs({ database, notices, now: database.now })
  const syncing = [syncJobKind(sims), scheduledSyncJobKind(sims), anomalyAlertJobKind(sims)]
  return [
    ...followJobs(sims),
    ...actionJobs(sims),
    ...simDateJobs(sims),
    ...simHoldJobs(sims),
    ...syncing,
    ...billing,
    ...notificationJobs({ database, notices, exits, loadAdviceBases, links: createAcknowledgeLinks(secretKey), now: database.now }),
    ...paymentJobKinds(payments),
  ]
}

/** Work of the installation that is due again and again. */
function periodicKinds(options: PlatformOptions, { database, metrics }: SharedParts, presence: PresenceRounds): JobKind[] {
  const { now, log } = options
  const onFailure = (err: unknown, resellerId: string) =>
    log.error({ err, resellerId }, 'usage of a reseller waits to be sealed; it is tried again')
  return [
    presenceJob(presence, database.now),
    sealingJob({ database, plans: defaultPlans, now, onFailure }),
    scheduleReviewJob({ database, now, log }),
    adoptionJob({ database, now }),
    assignmentJob(database),
    hostProofJob({ database, resolveTxt, now: database.now }),
    housekeepingJobs({ ...housekeepingOf(options, database), countFailure: metrics.countHousekeepingFailure }),
  ]
}
