import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { JobId } from '../jobs/job.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { askForHoldReview } from '../sims/holds/sim-hold-jobs.ts'
import type { Invoice } from './invoice.ts'

export const DUNNING_JOB = 'billing-dunning'
export const OPENING_JOB = 'billing-opening'

type About = Pick<Invoice, 'issuerId' | 'resellerId' | 'invoiceId'>

/** Looks at the invoice at that time, and from then on as long as it is not paid. */
export async function scheduleDunning(db: Db, invoice: About, at: Date): Promise<void> {
  await upsertJob(db, invoiceJob(DUNNING_JOB, invoice), at)
}

/** Opens a draft at that time. */
export async function scheduleOpening(db: Db, invoice: About, at: Date): Promise<void> {
  await upsertJob(db, invoiceJob(OPENING_JOB, invoice), at)
}

/** What holds the SIMs of its sub-client may be another one now. */
export async function scheduleHoldReview(
  db: Db,
  { issuerId, resellerId, subClientId }: Pick<Invoice, 'issuerId' | 'resellerId' | 'subClientId'>,
  at: Date,
): Promise<void> {
  if (issuerId === resellerId && subClientId !== undefined) await askForHoldReview(db, resellerId, subClientId, at)
}

function invoiceJob(kind: string, { issuerId, resellerId, invoiceId }: About): JobId {
  return { resellerId: issuerId, kind, key: invoiceJobKey({ resellerId, invoiceId }) }
}

export function invoiceJobKey({ resellerId, invoiceId }: Pick<Invoice, 'resellerId' | 'invoiceId'>): string {
  return `${resellerId}/${invoiceId}`
}

export function invoiceOfJob({ key }: Pick<JobId, 'key'>): { readonly resellerId: string; readonly invoiceId: string } {
  const [resellerId = '', invoiceId = ''] = key.split('/')
  return { resellerId, invoiceId }
}
