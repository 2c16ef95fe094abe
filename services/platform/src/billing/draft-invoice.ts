import type { Database } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import { type Author, writeAudit } from '../access/audit.ts'
import type { BillingCustomer, BillingSettings } from './billing-settings.ts'
import type { RatedTotals } from './billing-work.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import { gatherRatingInput, type MonthToBill } from './gather-rating-input.ts'
import { rateInThread } from './in-billing-thread.ts'
import { scheduleOpening } from './invoice-jobs.ts'
import { insertInvoice, insertInvoiceInput } from './invoices.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

/**
 * Rates a month of a customer and stores the draft, with what it was made from and the job that opens it, in one transaction. Undefined: there is nothing
 * to bill (no invoice is made of a month without lines), or an invoice of the month is there already. Throws a `Problem` where a price is missing.
 */
export async function draftInvoice(
  database: Database,
  settings: BillingSettings,
  customer: BillingCustomer,
  month: MonthToBill,
  author: Author,
): Promise<StoredInvoice | undefined> {
  const { totals, lineParts, packed } = await rateInThread(gatherRatingInput(database, settings, customer, month))
  if (lineParts.length === 0) return undefined
  const draft = toDraft(settings, customer, month, totals, author.at)
  return await database.tenant(tenantsOf(draft), async (db) => {
    if (!(await insertInvoice(db, draft, lineParts))) return undefined
    await insertInvoiceInput(db, draft, packed)
    await scheduleOpening(db, draft, draft.opensAt ?? author.at)
    await writeAudit(db, author, {
      action: 'invoice.drafted',
      objectId: draft.invoiceId,
      subClientId: draft.subClientId,
      after: { month: draft.month, total_minor: draft.totalMinor, currency: draft.currency },
    })
    return draft
  })
}

function toDraft(settings: BillingSettings, customer: BillingCustomer, month: MonthToBill, rated: RatedTotals, at: Date): StoredInvoice {
  const isOperators = settings.bookId === OPERATOR_BOOK
  return {
    ...rated,
    invoiceId: newId('inv'),
    kind: 'invoice',
    number: undefined,
    corrects: undefined,
    status: 'draft',
    issuerId: settings.bookId,
    resellerId: isOperators ? customer.customerId : settings.bookId,
    subClientId: isOperators ? undefined : customer.customerId,
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
  }
}
