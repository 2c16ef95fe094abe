// The work that is done once, whatever the number of processes: each kind with who does it.

import type { JobKind } from '../jobs/job.ts'
import { type JobWorker, startJobWorker } from '../jobs/job-worker.ts'
import type { Parts, PlatformOptions } from './compose.ts'

export function startJobs({ log }: PlatformOptions, { database }: Parts): JobWorker {
  return startJobWorker({ database, now: database.now, random: Math.random, log }, jobKinds())
}

function jobKinds(): JobKind[] {
  return []
}
