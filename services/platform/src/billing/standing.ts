// The standing of a reseller follows what it owes the operator of the installation, and nothing else.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { dayFrom } from '@roadworthy/service-kit/time/zoned-time'
import type { Author } from '../audit/audit.ts'
import { changeStanding } from '../resellers/resellers.ts'
import { OPERATOR_BOOK } from './book.ts'
import { countOverdue } from './invoices.sql.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

/** Whether unpaid bills of the operator have been due for longer than its settings allow, at `at`. */
async function isSuspendable(db: Db, invoice: StoredInvoice, at: Date): Promise<boolean> {
  const settings = await selectBillingSettings(db, OPERATOR_BOOK)
  if (settings?.suspendAfterDays === undefined) return false
  const dueBefore = dayFrom(invoice.timeZone, at, -settings.suspendAfterDays)
  return (await countOverdue(db, invoice.resellerId, OPERATOR_BOOK, dueBefore)) > 0
}

/** `past_due`, where an invoice of the operator has been overdue for too long. */
export async function followOverdue(db: Db, invoice: StoredInvoice, author: Author): Promise<void> {
  if (invoice.issuerId !== OPERATOR_BOOK || !(await isSuspendable(db, invoice, author.at))) return
  await changeStanding(db, invoice.resellerId, { from: ['active', 'trialing'], to: 'past_due' }, author)
}

/** `active` again, when the last such invoice is paid. A standing that somebody set to something else stays. */
export async function restoreStanding(db: Db, invoice: StoredInvoice, author: Author): Promise<void> {
  if (invoice.issuerId !== OPERATOR_BOOK || (await isSuspendable(db, invoice, author.at))) return
  await changeStanding(db, invoice.resellerId, { from: ['past_due'], to: 'active' }, author)
}
