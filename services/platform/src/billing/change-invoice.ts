// What people and jobs do with an invoice, each in one transaction.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, systemAuthor, writeAudit } from '../audit/audit.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import { tenantsOf } from './book.ts'
import type { Invoice } from './invoice.ts'
import { invoiceOfJob } from './invoice-jobs.ts'
import { requireStateAfter } from './invoice-states.ts'
import { lockInvoice, updateInvoiceState } from './invoices.sql.ts'
import { openInvoice } from './open-invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'

export type InvoiceRef = Pick<Invoice, 'issuerId' | 'resellerId' | 'invoiceId'>

/** Runs with the invoice locked. `not_found` where it is not there, or in another book. */
export async function withInvoice<T>(database: Database, ref: InvoiceRef, run: (db: Db, invoice: StoredInvoice) => Promise<T>): Promise<T> {
  return await database.tenant(tenantsOf(ref), async (db) => {
    const invoice = await lockInvoice(db, ref)
    if (invoice === undefined || invoice.issuerId !== ref.issuerId) throw noSuchInvoice()
    return await run(db, invoice)
  })
}

export function noSuchInvoice(): Problem {
  return new Problem('not_found', 'There is no such invoice.')
}

/** Opens a draft whose grace is over. */
export async function openDueDraft(database: Database, job: Pick<JobId, 'resellerId' | 'key'>, at: Date): Promise<JobOutcome> {
  const issuerId = job.resellerId
  const ref = { issuerId, ...invoiceOfJob(job) }
  return await database.tenant(tenantsOf(ref), async (db) => {
    const draft = await lockInvoice(db, ref)
    if (draft?.status !== 'draft') return 'done'
    if (draft.opensAt !== undefined && draft.opensAt > at) return { againAt: draft.opensAt }
    await openInvoice(db, draft, systemAuthor(issuerId, at))
    return 'done'
  })
}

/** A draft that is discarded takes no number, and the month can be drafted again. */
export async function discardDraft(db: Db, draft: StoredInvoice, author: Author): Promise<StoredInvoice> {
  const discarded: StoredInvoice = { ...draft, status: requireStateAfter(draft.status, 'discard'), voidedAt: author.at }
  await updateInvoiceState(db, discarded, author.at)
  await writeAudit(db, author, {
    action: 'invoice.discarded',
    objectId: draft.invoiceId,
    subClientId: draft.subClientId,
    before: { status: draft.status },
    after: { status: discarded.status },
  })
  return discarded
}
