// Corrections of what was issued: a credit note of its own number, never an edit.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Author, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import { customerOf } from './book.ts'
import { discardDraft } from './change-invoice.ts'
import { MAX_PARTIAL_NOTES } from './credit-input.ts'
import { beginCrediting, type CreditRequest } from './credit-note.ts'
import { creditedEvent, invoiceEvent } from './invoice-events.ts'
import { scheduleHoldReview } from './invoice-jobs.ts'
import { linePartsOf, selectLineParts } from './invoice-lines.sql.ts'
import { requireStateAfter } from './invoice-states.ts'
import { insertInvoice, insertInvoiceInput, selectCreditNotes, updateInvoiceState } from './invoices.sql.ts'
import { bookEntry } from './ledger/ledger.ts'
import { bookInvoiced, takeInvoiceNumber } from './open-invoice.ts'
import { packInput } from './rating/packed-input.ts'
import { followPayment, storeSettled } from './settle-invoice.ts'
import { restoreStanding } from './standing.ts'
import type { StoredInvoice } from './stored-invoice.ts'

/** Money that belongs to no invoice any more, and is to be given back to the payer of the invoice. */
export type Surplus = { readonly invoice: StoredInvoice; readonly amountMinor: number; readonly currency: string }

export type CreditDeps = {
  /** Called in the transaction that made it unapplied. */
  readonly refundSurplus: (db: Db, surplus: Surplus, author: Author) => Promise<void>
  /** Called in the transaction after which less is due: an open checkout that asks for more has to end before somebody pays there. */
  readonly endCheckout: (db: Db, invoice: StoredInvoice, author: Author) => Promise<void>
}

export type Credit = { readonly creditNote: StoredInvoice; readonly invoice: StoredInvoice; readonly unappliedMinor: number }

/**
 * Issues a credit note on an invoice that is locked and was issued. It reduces what is due; what had been paid beyond what is left becomes unapplied, and
 * `refundSurplus` is called with it. An invoice of which nothing is left to pay is `paid`.
 */
export async function correctInvoice(
  { refundSurplus, endCheckout }: CreditDeps,
  db: Db,
  invoice: StoredInvoice,
  asked: CreditRequest,
  author: Author,
): Promise<Credit> {
  if (invoice.kind !== 'invoice' || invoice.number === undefined || invoice.status === 'void') {
    throw new Problem('invalid_transition', 'Only an invoice that was issued and is not void is corrected by a credit note.', {
      details: { status: invoice.status, kind: invoice.kind },
    })
  }
  const creditNote = await issueCreditNote(db, invoice, asked, author)
  await writeAudit(db, author, {
    action: 'credit_note.created',
    objectId: creditNote.invoiceId,
    subClientId: invoice.subClientId,
    after: {
      ...{ number: creditNote.number, corrects: invoice.number, reason: asked.reason },
      ...{ total_minor: creditNote.totalMinor, currency: creditNote.currency },
    },
  })
  const dueMinor = invoice.totalMinor - invoice.paidMinor - invoice.creditedMinor
  const unappliedMinor = Math.max(0, creditNote.totalMinor - dueMinor)
  await bookSurplus(db, invoice, creditNote, unappliedMinor, author.at)
  const credited = {
    ...invoice,
    creditedMinor: invoice.creditedMinor + creditNote.totalMinor,
    paidMinor: invoice.paidMinor - unappliedMinor,
  }
  await writeEvents(db, [creditedEvent(creditNote, credited, unappliedMinor, author.at)])
  const after = await storeSettled(db, invoice, credited, author.at)
  await followPayment(db, invoice, after, author)
  await endCheckout(db, after, author)
  if (unappliedMinor > 0) await refundSurplus(db, { invoice: after, amountMinor: unappliedMinor, currency: after.currency }, author)
  return { creditNote, invoice: after, unappliedMinor }
}

async function issueCreditNote(db: Db, invoice: StoredInvoice, asked: CreditRequest, author: Author): Promise<StoredInvoice> {
  const { at } = author
  const earlier = await selectCreditNotes(db, invoice)
  if (asked.parts !== undefined && earlier.length >= MAX_PARTIAL_NOTES) {
    const message = `The invoice has ${earlier.length} credit notes, the most there may be on parts of it: credit everything that is left, without lines.`
    throw new Problem('quota_exceeded', message, { details: { field: 'lines', quota: MAX_PARTIAL_NOTES } })
  }
  const { totals, lineParts } = await creditLines(db, invoice, earlier, asked)
  const creditNote: StoredInvoice = {
    ...invoice,
    ...totals,
    invoiceId: newId('inv'),
    kind: 'credit_note',
    corrects: { invoiceId: invoice.invoiceId, number: invoice.number ?? '' },
    status: 'paid',
    number: await takeInvoiceNumber(db, invoice.issuerId),
    paidMinor: 0,
    creditedMinor: 0,
    draftedAt: at,
    opensAt: undefined,
    openedAt: at,
    dueAt: undefined,
    paidAt: undefined,
    voidedAt: undefined,
    remindedCount: 0,
    revision: 1,
  }
  await insertInvoice(db, creditNote, lineParts)
  const input = {
    reason: asked.reason,
    parts: asked.parts?.map((part) => ({ ...part })) ?? null,
    earlier: earlier.map(({ invoiceId }) => invoiceId),
  }
  await insertInvoiceInput(db, creditNote, await packInput({ input: 'roadworthy-credit-1', ...input }))
  await bookInvoiced(db, creditNote, { kind: 'credit_note', invoiceId: invoice.invoiceId, sign: -1, at })
  return creditNote
}

/** A part of the lines at a time: an invoice may have hundreds of thousands. */
async function creditLines(db: Db, invoice: StoredInvoice, earlier: readonly StoredInvoice[], asked: CreditRequest) {
  const crediting = beginCrediting(invoice, asked)
  for (const note of earlier) for await (const lines of selectLineParts(db, note)) crediting.countEarlier(lines)
  const lineParts: string[] = []
  for await (const lines of selectLineParts(db, invoice)) lineParts.push(...linePartsOf(crediting.credit(lines)))
  return { totals: crediting.finish(earlier), lineParts }
}

/** From what is receivable of the invoice, where it would be negative, to what is unapplied. */
async function bookSurplus(db: Db, invoice: StoredInvoice, creditNote: StoredInvoice, surplusMinor: number, at: Date): Promise<void> {
  const customerId = customerOf(invoice)
  await bookEntry(db, {
    bookId: invoice.issuerId,
    kind: 'surplus',
    source: creditNote.invoiceId,
    at,
    invoiceId: invoice.invoiceId,
    postings: [
      { account: 'receivable', customerId, currency: invoice.currency, amountMinor: surplusMinor },
      { account: 'unapplied', customerId, currency: invoice.currency, amountMinor: -surplusMinor },
    ],
  })
}

/**
 * Discards a draft. An invoice that was issued, and of which nothing is paid, keeps its number and is cancelled by a credit note over everything that
 * is left, if anything is; the month can be drafted again. One that is void is returned as it is.
 */
export async function voidInvoice(
  { endCheckout }: Pick<CreditDeps, 'endCheckout'>,
  db: Db,
  invoice: StoredInvoice,
  reason: string | undefined,
  author: Author,
): Promise<StoredInvoice> {
  if (invoice.status === 'void') return invoice
  if (invoice.kind === 'credit_note') throw new Problem('invalid_transition', 'A credit note is final: it cannot be voided.')
  if (invoice.status === 'draft') return await discardDraft(db, invoice, author)
  const isSettledWithoutMoney = invoice.status === 'paid' && invoice.paidMinor === 0
  const status = requireStateAfter(invoice.status, isSettledWithoutMoney ? 'void_settled' : 'void')
  if (invoice.paidMinor > 0) {
    throw new Problem('conflict', 'Something of this invoice is paid: correct it by a credit note.', {
      details: { paid_minor: invoice.paidMinor },
    })
  }
  const asked = { reason: reason ?? 'Voided', parts: undefined }
  const creditNote = isSettledWithoutMoney ? undefined : await issueCreditNote(db, invoice, asked, author)
  const creditedMinor = invoice.creditedMinor + (creditNote?.totalMinor ?? 0)
  const voided: StoredInvoice = { ...invoice, status, creditedMinor, paidAt: undefined, voidedAt: author.at }
  await updateInvoiceState(db, voided, author.at)
  const credited = creditNote === undefined ? [] : [creditedEvent(creditNote, voided, 0, author.at)]
  await writeEvents(db, [...credited, invoiceEvent('invoice.voided', voided, author.at)])
  await writeAudit(db, author, {
    action: 'invoice.voided',
    objectId: invoice.invoiceId,
    subClientId: invoice.subClientId,
    before: { status: invoice.status },
    after: { status, credit_note: creditNote?.number },
  })
  await endCheckout(db, voided, author)
  await restoreStanding(db, voided, author)
  await scheduleHoldReview(db, voided, author.at)
  return voided
}
