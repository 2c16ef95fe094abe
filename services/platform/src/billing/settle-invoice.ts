// What money does to an invoice. Every function here is called within a transaction on the rows of `tenantsOf(invoice)`, with an invoice that
// `lockInvoice` has just returned, and books, changes the invoice, publishes and audits in that transaction. Each is booked once by its `source`;
// a repeat changes nothing and returns what the first one did. No money is dropped: what an invoice does not take is `unapplied`, and is to be
// given back by the caller.

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import { customerOf } from './book.ts'
import { invoiceEvent } from './invoice-events.ts'
import { scheduleDunning, scheduleHoldReview } from './invoice-jobs.ts'
import { requireStateAfter } from './invoice-states.ts'
import { updateInvoiceState } from './invoices.sql.ts'
import { selectInvoiceBalances, selectPostings } from './ledger/ledger.sql.ts'
import { bookEntry } from './ledger/ledger.ts'
import type { EntryKind, Posting } from './ledger/ledger-entry.ts'
import { toMajorText } from './rating/money.ts'
import { restoreStanding } from './standing.ts'
import { overdueFrom, type StoredInvoice } from './stored-invoice.ts'

export type Money = {
  readonly amountMinor: number
  /** ISO 4217. What is not in the currency of the invoice is never applied to it. */
  readonly currency: string
  /** The gateway's id of the payment, refund or dispute, with the connection's before it; `recorded/pay-…` of what no gateway took. Unique within the book. */
  readonly source: string
  /** By what it came, for people. */
  readonly gateway: string
  readonly at: Date
  /** In the audit log, where it is not as for money at a gateway. */
  readonly audit?: { readonly action: `${string}.${string}`; readonly details: Readonly<Record<string, unknown>> }
  /** When the invoice was paid, where it is by this and that was before `at`. */
  readonly paidAt?: Date
}

export type Settlement = {
  /** As it is now. */
  readonly invoice: StoredInvoice
  /** What of this money went to (or, of a refund, came from) the invoice. */
  readonly appliedMinor: number
  /** What of it belongs to no invoice. Of a payment it is to be refunded. */
  readonly unappliedMinor: number
  /** It had been booked before; nothing changed. */
  readonly isRepeat: boolean
}

/**
 * Money that was captured. What is still due is paid by it, and the invoice is `paid` when nothing is left; the rest, and everything on an invoice that
 * is paid or void or a draft, is unapplied.
 */
export async function applyPayment(db: Db, invoice: StoredInvoice, money: Money, author: Author): Promise<Settlement> {
  return await move(db, invoice, { kind: 'payment', money, cashMinor: money.amountMinor, disputedMinor: 0 }, author)
}

/** Money that went back to the customer: what was unapplied of this invoice first, then what had paid it, which is due again. */
export async function applyRefund(db: Db, invoice: StoredInvoice, money: Money, author: Author): Promise<Settlement> {
  return await move(db, invoice, { kind: 'refund', money, cashMinor: -money.amountMinor, disputedMinor: 0 }, author)
}

/** A refund that was booked, and that the customer's bank returned. It counts as a payment does. `source` is that of the refund. */
export async function applyReturnedRefund(db: Db, invoice: StoredInvoice, money: Money, author: Author): Promise<Settlement> {
  return await move(db, invoice, { kind: 'refund_returned', money, cashMinor: money.amountMinor, disputedMinor: 0 }, author)
}

/**
 * What a dispute is at present, not how it changed: repeats and states that were skipped do no harm. `amountMinor` is what the gateway holds back or
 * has taken for good. While `isLost` is false the invoice stays as it is; when it is true, the money is the customer's again, as with a refund.
 */
export async function applyDispute(
  db: Db,
  invoice: StoredInvoice,
  { isLost, ...money }: Money & { readonly isLost: boolean },
  author: Author,
): Promise<Settlement> {
  const prefix = `${money.source}#`
  const balances = await selectInvoiceBalances(db, invoice.issuerId, invoice.invoiceId, { kind: 'dispute', sourcePrefix: prefix })
  const had = (account: string) => balances.find((each) => each.account === account && each.currency === money.currency)?.amountMinor ?? 0
  const cashMinor = -money.amountMinor - had('cash')
  const disputedMinor = (isLost ? 0 : money.amountMinor) - had('disputed')
  if (cashMinor === 0 && disputedMinor === 0) return { invoice, appliedMinor: 0, unappliedMinor: 0, isRepeat: true }
  const place = Math.max(0, ...balances.map(({ entryCount }) => entryCount)) + 1
  return await move(db, invoice, { kind: 'dispute', money: { ...money, source: `${prefix}${place}` }, cashMinor, disputedMinor }, author)
}

type Movement = {
  readonly kind: EntryKind
  readonly money: Money
  /** Into our cash, or negative out of it. */
  readonly cashMinor: number
  /** Into what is disputed, or negative out of it. */
  readonly disputedMinor: number
}

async function move(
  db: Db,
  invoice: StoredInvoice,
  { kind, money, cashMinor, disputedMinor }: Movement,
  author: Author,
): Promise<Settlement> {
  const { currency, source, at } = money
  assert.ok(Number.isSafeInteger(money.amountMinor) && money.amountMinor >= 0, 'an amount of money is a whole number')
  const earlier = await selectPostings(db, invoice.issuerId, kind, source)
  if (earlier !== undefined) {
    const sumOf = (account: string) =>
      Math.abs(earlier.filter((each) => each.account === account).reduce((sum, { amountMinor }) => sum + amountMinor, 0))
    return { invoice, appliedMinor: sumOf('receivable'), unappliedMinor: sumOf('unapplied'), isRepeat: true }
  }
  // What is left of both goes to the customer's accounts: positive is theirs.
  const toCustomerMinor = cashMinor + disputedMinor
  const appliedMinor = await applicableMinor(db, invoice, currency, toCustomerMinor)
  const unappliedMinor = toCustomerMinor - appliedMinor
  const customerId = customerOf(invoice)
  const postings: Posting[] = [
    { account: 'cash', customerId: '', currency, amountMinor: cashMinor },
    { account: 'disputed', customerId, currency, amountMinor: disputedMinor },
    { account: 'receivable', customerId, currency, amountMinor: -appliedMinor },
    { account: 'unapplied', customerId, currency, amountMinor: -unappliedMinor },
  ]
  await bookEntry(db, { bookId: invoice.issuerId, kind, source, at, invoiceId: invoice.invoiceId, postings })
  const changed = await storeSettled(db, invoice, { ...invoice, paidMinor: invoice.paidMinor + appliedMinor }, at, money.paidAt)
  await writeAudit(db, author, {
    action: money.audit?.action ?? `invoice.${kind}`,
    objectId: invoice.invoiceId,
    subClientId: invoice.subClientId,
    before: { paid_minor: invoice.paidMinor, status: invoice.status },
    after: {
      ...{ paid_minor: changed.paidMinor, status: changed.status, money: describe(money), unapplied_minor: unappliedMinor, currency },
      ...money.audit?.details,
    },
  })
  await followPayment(db, invoice, changed, author)
  return { invoice: changed, appliedMinor: Math.abs(appliedMinor), unappliedMinor: Math.abs(unappliedMinor), isRepeat: false }
}

function describe({ amountMinor, currency, gateway, source }: Money): string {
  return `${toMajorText(amountMinor, currency)} ${currency} by ${gateway} (${source})`
}

/** How much of it goes to the invoice. Negative: how much comes from it, after what is unapplied of it. */
async function applicableMinor(db: Db, invoice: StoredInvoice, currency: string, toCustomerMinor: number): Promise<number> {
  if (currency !== invoice.currency || toCustomerMinor === 0) return 0
  if (toCustomerMinor > 0) return Math.min(toCustomerMinor, openMinor(invoice))
  const fromUnapplied = Math.min(-toCustomerMinor, await unappliedMinorOf(db, invoice))
  const fromInvoice = Math.min(-toCustomerMinor - fromUnapplied, invoice.paidMinor)
  return fromInvoice === 0 ? 0 : -fromInvoice
}

/** What came in by an invoice and belongs to no invoice: it is to be given back. In the currency of the invoice. */
export async function unappliedMinorOf(db: Db, { issuerId, invoiceId, currency }: StoredInvoice): Promise<number> {
  const balances = await selectInvoiceBalances(db, issuerId, invoiceId, undefined)
  const unapplied = balances.find((each) => each.account === 'unapplied' && each.currency === currency)?.amountMinor ?? 0
  return Math.max(0, -unapplied)
}

/** What a payment can still pay: nothing of a draft and of what is void. */
export function openMinor({ kind, status, totalMinor, paidMinor, creditedMinor }: StoredInvoice): number {
  return kind === 'invoice' && (status === 'open' || status === 'overdue') ? totalMinor - paidMinor - creditedMinor : 0
}

/**
 * Stores an invoice whose `paidMinor` or `creditedMinor` changed, with the status that follows: `paid` when nothing is left, due again when something
 * went back. Publishes `invoice.paid`, and `invoice.overdue` of one that is due again after its due date.
 */
export async function storeSettled(db: Db, before: StoredInvoice, changed: StoredInvoice, at: Date, paidAt = at): Promise<StoredInvoice> {
  const isSettled = changed.totalMinor - changed.paidMinor - changed.creditedMinor === 0
  let after = changed
  if (isSettled && (before.status === 'open' || before.status === 'overdue')) {
    after = { ...changed, status: requireStateAfter(before.status, 'settle'), paidAt }
  } else if (!isSettled && before.status === 'paid') {
    const overdueAt = overdueFrom(before)
    const isLate = overdueAt !== undefined && at >= overdueAt
    after = { ...changed, status: requireStateAfter(before.status, isLate ? 'reopen_late' : 'reopen'), paidAt: undefined }
  }
  await updateInvoiceState(db, after, at)
  if (after.status === 'paid' && before.status !== 'paid') await writeEvents(db, [invoiceEvent('invoice.paid', after, at)])
  // Its due date has passed before, when it was paid.
  if (after.status === 'overdue' && before.status === 'paid') await writeEvents(db, [invoiceEvent('invoice.overdue', after, at)])
  return after
}

/** What follows in other tables from a status that changed. */
export async function followPayment(db: Db, before: StoredInvoice, after: StoredInvoice, author: Author): Promise<void> {
  if (after.status === before.status) return
  await scheduleHoldReview(db, after, author.at)
  if (after.status === 'paid') await restoreStanding(db, after, author)
  else await scheduleDunning(db, after, author.at)
}
