import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Author, writeAudit } from '../audit/audit.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import { discardDraft } from './change-invoice.ts'
import { scheduleOpening } from './invoice-jobs.ts'
import { insertInvoice, insertInvoiceInput, lockInvoice, selectInvoiceOfMonth, updateDraft } from './invoices.sql.ts'
import { gatherRatingInput, type MonthToBill } from './rating/gather-rating-input.ts'
import type { BillingCustomer, BillingSettings } from './settings/billing-settings.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import type { RatedMonth, RatedTotals } from './threads/billing-work.ts'
import { rateInThread } from './threads/in-billing-thread.ts'

/** Each try fails only where another request drafted, replaced, opened or discarded the same invoice while this one rated it. */
const MAX_TRIES = 5

/** `none`: there is nothing to bill, and no invoice is made of a month without lines. `discarded`: as `none`, of a draft that was there. */
export type Drafting =
  | { readonly outcome: 'made' | 'replaced'; readonly draft: StoredInvoice }
  | { readonly outcome: 'kept' | 'discarded' | 'none' }

/**
 * Rates a month of a customer and stores the draft, with what it was made from and the job that opens it, in one transaction. An invoice of the month that
 * is there is kept; with `isReplacing` a draft is rated anew in its place, with a new grace. Throws a `Problem` where a price is missing.
 */
export async function draftInvoice(
  database: Database,
  settings: BillingSettings,
  customer: BillingCustomer,
  month: MonthToBill,
  author: Author,
  { isReplacing }: { readonly isReplacing: boolean },
): Promise<Drafting> {
  const isOperators = settings.bookId === OPERATOR_BOOK
  const recipient = {
    issuerId: settings.bookId,
    resellerId: isOperators ? customer.customerId : settings.bookId,
    subClientId: isOperators ? undefined : customer.customerId,
  }
  for (let nth = 0; nth < MAX_TRIES; nth++) {
    const before = await selectInvoiceOfMonth(database.tenantPool(tenantsOf(recipient)), { ...recipient, month: month.label })
    if (before !== undefined && (before.status !== 'draft' || !isReplacing)) return { outcome: 'kept' }
    const rated = await rateInThread(gatherRatingInput(database, settings, customer, month))
    const draft = { ...toDraft(settings, customer, month, rated.totals, author.at), ...recipient }
    const drafting =
      before === undefined ? await storeDraft(database, draft, rated, author) : await replaceDraft(database, before, draft, rated, author)
    if (drafting !== undefined) return drafting
  }
  throw new Problem('conflict', 'The draft was changed by other requests again and again while it was rated. Try again.')
}

/** Undefined: meanwhile there is an invoice of the month. */
async function storeDraft(
  database: Database,
  draft: StoredInvoice,
  { lineParts, packed }: RatedMonth,
  author: Author,
): Promise<Drafting | undefined> {
  if (lineParts.length === 0) return { outcome: 'none' }
  return await database.tenant(tenantsOf(draft), async (db) => {
    if (!(await insertInvoice(db, draft, lineParts))) return undefined
    await insertInvoiceInput(db, draft, packed)
    await scheduleOpening(db, draft, draft.opensAt ?? author.at)
    await writeAudit(db, author, {
      action: 'invoice.drafted',
      objectId: draft.invoiceId,
      subClientId: draft.subClientId,
      after: audited(draft),
    })
    return { outcome: 'made', draft }
  })
}

/** Undefined: `before` was opened, discarded or replaced while `draft` was rated. The job that opens it finds the new grace when it looks. */
async function replaceDraft(
  database: Database,
  before: StoredInvoice,
  draft: StoredInvoice,
  { lineParts, packed }: RatedMonth,
  author: Author,
): Promise<Drafting | undefined> {
  return await database.tenant(tenantsOf(before), async (db) => {
    const locked = await lockInvoice(db, before)
    if (locked?.status !== 'draft' || locked.revision !== before.revision) return undefined
    if (lineParts.length === 0) {
      await discardDraft(db, locked, author)
      return { outcome: 'discarded' }
    }
    const replaced: StoredInvoice = { ...draft, invoiceId: locked.invoiceId, revision: locked.revision + 1 }
    await updateDraft(db, replaced, lineParts)
    await insertInvoiceInput(db, replaced, packed)
    await writeAudit(db, author, {
      action: 'invoice.replaced',
      objectId: locked.invoiceId,
      subClientId: locked.subClientId,
      before: { ...audited(locked), ...(locked.currency === replaced.currency ? { currency: undefined } : {}) },
      after: audited(replaced),
    })
    return { outcome: 'replaced', draft: replaced }
  })
}

/** A total is read by the currency beside it: it is left out before a change that keeps it, because what stays is not in the log. */
function audited({ month, totalMinor, currency, revision }: StoredInvoice) {
  return { month, total_minor: totalMinor, currency, revision }
}

type Draft = Omit<StoredInvoice, 'issuerId' | 'resellerId' | 'subClientId'>

function toDraft(settings: BillingSettings, customer: BillingCustomer, month: MonthToBill, rated: RatedTotals, at: Date): Draft {
  return {
    ...rated,
    invoiceId: newId('inv'),
    kind: 'invoice',
    number: undefined,
    corrects: undefined,
    status: 'draft',
    issuer: settings.issuer,
    recipient: customer.party,
    month: month.label,
    timeZone: month.timeZone,
    from: new Date(month.fromMs),
    until: new Date(month.untilMs),
    currency: settings.currency,
    paidMinor: 0,
    creditedMinor: 0,
    buyerReference: customer.buyerReference,
    footer: settings.footer,
    draftedAt: at,
    opensAt: new Date(at.getTime() + settings.draftGraceHours * 3_600_000),
    openedAt: undefined,
    dueAt: undefined,
    paidAt: undefined,
    voidedAt: undefined,
    remindedCount: 0,
    revision: 1,
  }
}
