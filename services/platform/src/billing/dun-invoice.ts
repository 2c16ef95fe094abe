// What happens to an invoice that is not paid, by the days of its zone: reminders, `overdue`, and for the operator's the standing of the reseller. Each
// is done once: it is stored before anything is sent, by whichever process holds the invoice.

import type { Database, Db } from '@roadworthy/service-kit/db'
import { type Author, systemAuthor, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import type { Notices } from '../people/post.ts'
import type { BillingSettings } from './billing-settings.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import { amountDueMinor } from './invoice.ts'
import { invoiceEvent } from './invoice-events.ts'
import { invoiceOfJob, scheduleHoldReview } from './invoice-jobs.ts'
import { requireStateAfter } from './invoice-states.ts'
import { lockInvoice, updateInvoiceState } from './invoices.sql.ts'
import { toMajorText } from './money.ts'
import { selectBillingSettings } from './settings.sql.ts'
import { followOverdue } from './standing.ts'
import { civilDateOf, overdueFrom, type StoredInvoice, startOfDayAfterDue } from './stored-invoice.ts'

export type DunningDeps = { readonly database: Database; readonly notices: Notices }

type Step = {
  readonly invoice: StoredInvoice
  /** To be mailed: the place of the reminder, from 1. */
  readonly reminder: number | undefined
  readonly nextAt: Date | undefined
}

/** Does what is due of an invoice at `at`, and returns when to look again. */
export async function dunInvoice(deps: DunningDeps, job: Pick<JobId, 'resellerId' | 'key'>, at: Date): Promise<JobOutcome> {
  const { database } = deps
  const author = systemAuthor(job.resellerId, at)
  const id = { issuerId: job.resellerId, ...invoiceOfJob(job) }
  const step = await database.tenant(tenantsOf(id), (db) => takeStep(db, id, author))
  if (step === undefined) return 'done'
  if (step.reminder !== undefined) await remind(deps, step.invoice, step.reminder, author)
  return step.nextAt === undefined ? 'done' : { againAt: step.nextAt }
}

async function takeStep(
  db: Db,
  id: { issuerId: string; resellerId: string; invoiceId: string },
  author: Author,
): Promise<Step | undefined> {
  const { at } = author
  const locked = await lockInvoice(db, id)
  if (locked?.dueAt === undefined || (locked.status !== 'open' && locked.status !== 'overdue')) return undefined
  const settings = await selectBillingSettings(db, id.issuerId)
  const overdueAt = overdueFrom(locked) ?? at
  const times = (settings?.reminderDays ?? []).map((days) => startOfDayAfterDue({ ...locked, dueAt: locked.dueAt ?? at }, days))
  // Of several that are due, as after a time in which nothing ran, one is enough.
  const passedCount = times.filter((time) => time <= at).length
  const isReminding = passedCount > locked.remindedCount
  const isOverdue = locked.status === 'open' && at >= overdueAt
  const invoice: StoredInvoice = {
    ...locked,
    status: isOverdue ? requireStateAfter(locked.status, 'pass_due_date') : locked.status,
    remindedCount: Math.max(passedCount, locked.remindedCount),
  }
  if (isOverdue || isReminding) await updateInvoiceState(db, invoice, at)
  if (isOverdue) {
    await scheduleHoldReview(db, invoice, at)
    await writeEvents(db, [invoiceEvent('invoice.overdue', invoice, at)])
    await writeAudit(db, author, {
      action: 'invoice.overdue',
      objectId: invoice.invoiceId,
      subClientId: invoice.subClientId,
      before: { status: locked.status },
      after: { status: invoice.status },
    })
  }
  if (invoice.status === 'overdue') await followOverdue(db, invoice, author)
  const ahead = [overdueAt, ...times, ...suspensionOf(invoice, settings)].filter((time) => time > at)
  const nextAt = ahead.length === 0 ? undefined : new Date(Math.min(...ahead.map((time) => time.getTime())))
  return { invoice, reminder: isReminding ? passedCount : undefined, nextAt }
}

/** When standing follows. */
function suspensionOf(invoice: StoredInvoice, settings: BillingSettings | undefined): Date[] {
  const { dueAt, issuerId, timeZone } = invoice
  if (issuerId !== OPERATOR_BOOK || dueAt === undefined || settings?.suspendAfterDays === undefined) return []
  return [startOfDayAfterDue({ dueAt, timeZone }, settings.suspendAfterDays + 1)]
}

/**
 * One that no mail server took is tried again with the job, and then counts as not sent. A process that is killed between storing and sending sends
 * none: a customer that is reminded once too little is better off than one that is reminded twice.
 */
async function remind({ database, notices }: DunningDeps, invoice: StoredInvoice, reminder: number, author: Author): Promise<void> {
  const email = invoice.recipient.email
  const isMailed =
    email !== undefined &&
    (await notices.notify({
      email,
      resellerId: invoice.resellerId,
      subClientId: invoice.subClientId,
      messageId: `${invoice.invoiceId}.${reminder}`,
      write: (sender, baseUrl) =>
        reminderText(invoice, invoice.issuerId === OPERATOR_BOOK ? invoice.issuer.name : sender, baseUrl, author.at),
    }))
  const isLost = email !== undefined && notices.isMailing && !isMailed
  await database.tenant(tenantsOf(invoice), async (db) => {
    if (isLost) {
      const locked = await lockInvoice(db, invoice)
      if (locked !== undefined)
        await updateInvoiceState(db, { ...locked, remindedCount: Math.min(locked.remindedCount, reminder - 1) }, author.at)
      return
    }
    await writeAudit(db, author, {
      action: 'invoice.reminded',
      objectId: invoice.invoiceId,
      subClientId: invoice.subClientId,
      after: { reminder, mailed: isMailed },
    })
  })
  if (isLost) throw new Error(`the mail server did not take reminder ${reminder} of ${invoice.invoiceId}`)
}

function reminderText(invoice: StoredInvoice, sender: string, baseUrl: string, at: Date): { subject: string; text: string } {
  const amount = `${toMajorText(amountDueMinor(invoice), invoice.currency)} ${invoice.currency}`
  const dueDate = invoice.dueAt === undefined ? '' : civilDateOf(invoice.dueAt, invoice.timeZone)
  const isOverdue = invoice.dueAt !== undefined && at >= (overdueFrom(invoice) ?? at)
  const when = isOverdue ? `was due on ${dueDate} and is not paid` : `is due on ${dueDate}`
  return {
    subject: `${isOverdue ? 'Overdue' : 'Due soon'}: invoice ${invoice.number} of ${sender}`,
    text: [
      `Invoice ${invoice.number} of ${invoice.issuer.name} for ${invoice.month} ${when}.`,
      `Still to be paid: ${amount}.`,
      `To see and pay it:\n\n${baseUrl}/invoices/${invoice.invoiceId}`,
      'If you have paid it meanwhile, you need not do anything.\n',
    ].join('\n\n'),
  }
}
