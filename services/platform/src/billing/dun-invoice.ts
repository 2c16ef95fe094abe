// What happens to an invoice that is not paid, by the days of its zone: reminders, `overdue`, and for the operator's the standing of the reseller. Each
// is done once: it is stored before anything is sent, by whichever process holds the invoice.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, systemAuthor, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import type { Notices } from '../people/post.ts'
import { selectUserByEmail } from '../people/users.sql.ts'
import { NO_CHOICE, type Wording, wordingOf } from '../words/wording.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import { amountDueMinor } from './invoice.ts'
import { invoiceEvent } from './invoice-events.ts'
import { invoiceOfJob, scheduleHoldReview } from './invoice-jobs.ts'
import { requireStateAfter } from './invoice-states.ts'
import { lockInvoice, updateInvoiceState } from './invoices.sql.ts'
import { toMajorText } from './rating/money.ts'
import type { BillingSettings } from './settings/billing-settings.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import { followOverdue } from './standing.ts'
import { civilDateOf, overdueFrom, type StoredInvoice, startOfDayAfterDue } from './stored-invoice.ts'

export type DunningDeps = { readonly database: Database; readonly notices: Notices }

/** `place` among the days that are set, from 1. The day, counted from the due date, stays what it is when others are set. */
type Reminder = { readonly place: number; readonly day: number }

type Step = {
  readonly invoice: StoredInvoice
  /** To be mailed. */
  readonly reminder: Reminder | undefined
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
  const reminderDays = settings?.reminderDays ?? []
  const times = reminderDays.map((days) => startOfDayAfterDue({ ...locked, dueAt: locked.dueAt ?? at }, days))
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
  const reminder = isReminding ? { place: passedCount, day: reminderDays[passedCount - 1] ?? 0 } : undefined
  return { invoice, reminder, nextAt }
}

/** When standing follows. */
function suspensionOf(invoice: StoredInvoice, settings: BillingSettings | undefined): Date[] {
  const { dueAt, issuerId, timeZone } = invoice
  if (issuerId !== OPERATOR_BOOK || dueAt === undefined || settings?.suspendAfterDays === undefined) return []
  return [startOfDayAfterDue({ dueAt, timeZone }, settings.suspendAfterDays + 1)]
}

/**
 * One that the mail server may take another time is tried again with the job; one that it refuses for good counts as not mailed, and is not. A process that is killed between storing and sending sends
 * none: a customer that is reminded once too little is better off than one that is reminded twice.
 */
async function remind({ database, notices }: DunningDeps, invoice: StoredInvoice, reminder: Reminder, author: Author): Promise<void> {
  const email = invoice.recipient.email
  const wording = await wordingOfRecipient(database, invoice)
  const mailed =
    email === undefined
      ? undefined
      : await notices.notify({
          email,
          resellerId: invoice.resellerId,
          subClientId: invoice.subClientId,
          // The brand is that of the recipient: who is to be paid is the issuer.
          senderName: invoice.issuer.name,
          messageId: `${invoice.invoiceId}.${reminder.day}`,
          write: (_brand, baseUrl) => reminderText(invoice, baseUrl, author.at, wording),
        })
  const isLost = notices.isMailing && mailed?.outcome === 'not_now'
  await database.tenant(tenantsOf(invoice), async (db) => {
    if (isLost) {
      const locked = await lockInvoice(db, invoice)
      if (locked !== undefined)
        await updateInvoiceState(db, { ...locked, remindedCount: Math.min(locked.remindedCount, reminder.place - 1) }, author.at)
      return
    }
    await writeAudit(db, author, {
      action: 'invoice.reminded',
      objectId: invoice.invoiceId,
      subClientId: invoice.subClientId,
      after: {
        reminder: reminder.place,
        mailed: mailed?.outcome === 'sent',
        ...(mailed?.outcome === 'refused' ? { reason: mailed.reason } : {}),
      },
    })
  })
  if (isLost) throw new Error(`the mail server did not take reminder ${reminder.place} of ${invoice.invoiceId}`)
}

/** An invoice has no language. Where its recipient is a person of the reseller, that is who reads the reminder. */
async function wordingOfRecipient(database: Database, { resellerId, recipient: { email } }: StoredInvoice): Promise<Wording> {
  const db = database.tenantPool(resellerId)
  const person = email === undefined ? undefined : await selectUserByEmail(db, resellerId, email.toLowerCase())
  return await wordingOf(person ?? NO_CHOICE)
}

function reminderText(
  invoice: StoredInvoice,
  baseUrl: string,
  at: Date,
  { say, day: dayText, month: monthText, amount: amountText }: Wording,
): { subject: string; text: string } {
  const { number = '', issuer, dueAt } = invoice
  const amount = amountText(toMajorText(amountDueMinor(invoice), invoice.currency), invoice.currency)
  const day = dueAt === undefined ? '' : dayText(civilDateOf(dueAt, invoice.timeZone))
  const isOverdue = dueAt !== undefined && at >= (overdueFrom(invoice) ?? at)
  const named = { number, issuer: issuer.name, month: monthText(invoice.month), day }
  return {
    subject: say(isOverdue ? 'reminder.overdue_subject' : 'reminder.due_subject', { number, sender: issuer.name }),
    text: [
      say(isOverdue ? 'reminder.overdue' : 'reminder.due', named),
      say('reminder.amount', { amount }),
      `${say('reminder.see')}\n\n${baseUrl}/invoices/${invoice.invoiceId}`,
      `${say('reminder.paid')}\n`,
    ].join('\n\n'),
  }
}
