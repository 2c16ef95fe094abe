// Opening: a draft becomes an invoice. Its number, due date and ledger entry are written in one transaction, in which it also takes its number, so
// that numbers have no gaps whatever is killed.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { dayFrom } from '@roadworthy/service-kit/time/zoned-time'
import { type Author, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import { customerOf } from './book.ts'
import { selectBillingCustomer } from './customers.sql.ts'
import { invoiceEvent } from './invoice-events.ts'
import { scheduleDunning } from './invoice-jobs.ts'
import { requireStateAfter } from './invoice-states.ts'
import { updateInvoiceState } from './invoices.sql.ts'
import { bookEntry } from './ledger/ledger.ts'
import { selectBillingSettings, takeNextNumber } from './settings/settings.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

/** At least so many digits, filled with zeros. */
const NUMBER_DIGITS = 6

/**
 * Within a transaction on `tenantsOf(invoice)`, with an invoice that is locked. One of nothing is paid as soon as it is open. One that is open is
 * returned as it is.
 */
export async function openInvoice(db: Db, invoice: StoredInvoice, author: Author): Promise<StoredInvoice> {
  if (invoice.status === 'open') return invoice
  if (invoice.kind === 'credit_note')
    throw new Problem('invalid_transition', 'A credit note was issued when it was made: it cannot be opened.')
  const { at } = author
  const status = requireStateAfter(invoice.status, invoice.totalMinor === 0 ? 'open_settled' : 'open')
  const number = await takeInvoiceNumber(db, invoice.issuerId)
  const opened: StoredInvoice = {
    ...invoice,
    status,
    number,
    openedAt: at,
    dueAt: dayFrom(invoice.timeZone, at, await termsDays(db, invoice)),
    paidAt: status === 'paid' ? at : undefined,
  }
  await updateInvoiceState(db, opened, at)
  await bookInvoiced(db, opened, { kind: 'invoice_opened', invoiceId: invoice.invoiceId, sign: 1, at })
  await writeEvents(db, [
    invoiceEvent('invoice.opened', opened, at),
    ...(status === 'paid' ? [invoiceEvent('invoice.paid', opened, at)] : []),
  ])
  await writeAudit(db, author, {
    action: 'invoice.opened',
    objectId: invoice.invoiceId,
    subClientId: invoice.subClientId,
    before: { status: invoice.status, number: null },
    after: { status, number, total_minor: invoice.totalMinor, currency: invoice.currency },
  })
  if (status === 'open') await scheduleDunning(db, opened, at)
  return opened
}

/** The next of the book, within the transaction that uses it. */
export async function takeInvoiceNumber(db: Db, bookId: string): Promise<string> {
  const settings = await selectBillingSettings(db, bookId)
  if (settings === undefined) throw new Problem('conflict', 'Billing is not set up: there is no issuer.')
  return `${settings.numberPrefix}${String(await takeNextNumber(db, bookId)).padStart(NUMBER_DIGITS, '0')}`
}

/** What is invoiced is owed to us (`sign` 1), or with a credit note not any more (-1). */
export async function bookInvoiced(
  db: Db,
  document: StoredInvoice,
  how: { readonly kind: 'invoice_opened' | 'credit_note'; readonly invoiceId: string; readonly sign: 1 | -1; readonly at: Date },
): Promise<void> {
  const { currency, subtotalMinor, taxMinor, totalMinor } = document
  await bookEntry(db, {
    bookId: document.issuerId,
    kind: how.kind,
    source: document.invoiceId,
    at: how.at,
    invoiceId: how.invoiceId,
    postings: [
      { account: 'receivable', customerId: customerOf(document), currency, amountMinor: how.sign * totalMinor },
      { account: 'revenue', customerId: '', currency, amountMinor: -how.sign * subtotalMinor },
      { account: 'tax', customerId: '', currency, amountMinor: -how.sign * taxMinor },
    ],
  })
}

async function termsDays(db: Db, invoice: StoredInvoice): Promise<number> {
  const customer = await selectBillingCustomer(db, invoice.issuerId, customerOf(invoice))
  if (customer?.paymentTermsDays !== undefined) return customer.paymentTermsDays
  return (await selectBillingSettings(db, invoice.issuerId))?.paymentTermsDays ?? 0
}
