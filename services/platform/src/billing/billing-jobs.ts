import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { JobKind } from '../jobs/job.ts'
import type { Notices } from '../people/post.ts'
import { openDueDraft } from './change-invoice.ts'
import { draftDueMonths, MONTHS_JOB } from './draft-month.ts'
import { dunInvoice } from './dun-invoice.ts'
import { DUNNING_JOB, OPENING_JOB } from './invoice-jobs.ts'

export type BillingJobsDeps = {
  readonly database: Database
  readonly notices: Notices
  /** The database's clock, or a test's. */
  readonly now: () => Promise<Date>
}

/** Drafting months, opening drafts, and what follows when nobody pays. */
export function billingJobs({ database, notices, now }: BillingJobsDeps): JobKind[] {
  return [
    {
      kind: MONTHS_JOB,
      run: async ({ resellerId }) => await draftDueMonths(database, resellerId, await now()),
      concurrency: 2,
      perReseller: 1,
    },
    { kind: OPENING_JOB, run: async (job) => await openDueDraft(database, job, await now()), concurrency: 4, perReseller: 4 },
    { kind: DUNNING_JOB, run: async (job) => await dunInvoice({ database, notices }, job, await now()), concurrency: 4, perReseller: 4 },
  ]
}
