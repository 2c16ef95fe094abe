// The work that is done once, whatever the number of processes: each kind with who does it.

import { billingJobs } from '../billing/billing-jobs.ts'
import type { JobKind } from '../jobs/job.ts'
import { type JobWorker, startJobWorker } from '../jobs/job-worker.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import { createAcknowledgeLinks } from '../notifications/acknowledge-link.ts'
import { notificationJobs } from '../notifications/notify-of-incident.ts'
import { paymentJobKinds } from '../payments/payment-job-kinds.ts'
import { followJobs } from '../sims/follow-devices.ts'
import { simHoldJobs } from '../sims/hold-sims.ts'
import { actionJobs } from '../sims/run-action.ts'
import { simDateJobs } from '../sims/sim-dates.ts'
import { scheduledSyncJobKind } from '../sims/sync/begin-sync.ts'
import { syncJobKind } from '../sims/sync/run-sync.ts'
import { anomalyAlertJobKind } from '../sims/tell-anomalies.ts'
import type { Parts, PlatformOptions } from './compose.ts'

export function startJobs(options: PlatformOptions, parts: Parts): JobWorker {
  const { database } = parts
  return startJobWorker({ database, now: database.now, random: Math.random, log: options.log }, jobKinds(options, parts))
}

function jobKinds({ now, secretKey }: PlatformOptions, { database, notices, exits, operators: { operators }, payments }: Parts): JobKind[] {
  const sims = { database, operators, now }
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
