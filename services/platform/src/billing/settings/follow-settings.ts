// Invoices that are not paid go by the settings as they are now, and not by those of the day on which they were opened.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { upsertJobs } from '../../jobs/jobs.sql.ts'
import { DUNNING_JOB, invoiceJobKey } from '../invoice-jobs.ts'
import { selectUnpaidRecipientsAcrossResellers, updateRemindedCounts } from '../unpaid-invoices.sql.ts'
import type { BillingSettings } from './billing-settings.ts'

type Days = Pick<BillingSettings, 'reminderDays' | 'suspendAfterDays'>

/** Whose rows `followDays` works on, beside those of the book. None, where nothing of it changes. */
export async function recipientsToFollow(database: Database, bookId: string, changes: Partial<Days>): Promise<string[]> {
  const isAsked = 'reminderDays' in changes || 'suspendAfterDays' in changes
  return isAsked ? await selectUnpaidRecipientsAcrossResellers(database.systemPool, bookId) : []
}

/**
 * Has every invoice that is not paid looked at again. Of the reminders that went out as many count as the days that are set now have up to the last of them.
 * Within the transaction of the change, before it locks the row of the settings: opening or correcting an invoice locks the invoice first.
 */
export async function followDays(db: Db, bookId: string, before: Days, after: Days, at: Date): Promise<void> {
  if (JSON.stringify(before.reminderDays) === JSON.stringify(after.reminderDays) && before.suspendAfterDays === after.suspendAfterDays)
    return
  const unpaid = await updateRemindedCounts(db, bookId, before.reminderDays, after.reminderDays)
  await upsertJobs(db, { resellerId: bookId, kind: DUNNING_JOB }, unpaid.map(invoiceJobKey), at)
}
