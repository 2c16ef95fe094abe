// The ledger in double entry. Debits are positive, credits negative, and the postings of an entry sum to zero in each currency. Entries are only
// added: what was wrong is booked back. Accounts:
//
//   receivable  by customer: what is still to be paid of opened invoices
//   revenue, tax             what was invoiced, less what was credited
//   cash                     what the gateways took in, less what they gave back
//   unapplied   by customer: money that belongs to no invoice; it is owed to the customer
//   disputed    by customer: money that a gateway holds back because of a dispute

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import { insertEntry, insertPostings, selectLedgerFaultsAcrossResellers } from './ledger.sql.ts'

export type EntryKind = 'invoice_opened' | 'credit_note' | 'payment' | 'refund' | 'refund_returned' | 'dispute' | 'surplus'
export type Account = 'receivable' | 'revenue' | 'tax' | 'cash' | 'unapplied' | 'disputed'

export type Posting = {
  readonly account: Account
  /** '' where the account is not kept by customer. */
  readonly customerId: string
  readonly currency: string
  /** Debit positive, credit negative. */
  readonly amountMinor: number
}

export type Entry = {
  readonly bookId: string
  readonly kind: EntryKind
  /** Within the kind, what makes it happen once: an invoice's id, `stripe/pi_123`. At most 300 characters are kept of it. */
  readonly source: string
  readonly at: Date
  readonly invoiceId: string | undefined
  readonly postings: readonly Posting[]
}

const MAX_SOURCE_LENGTH = 300

/**
 * Books an entry within the transaction of its cause. The same `kind` and `source` are booked once a book: false says that it was there already, and
 * nothing changed. Postings of nothing are left out; an entry of none is not booked. Throws where the postings do not sum to zero, which is a bug.
 */
export async function bookEntry(db: Db, entry: Entry): Promise<boolean> {
  const postings = entry.postings.filter(({ amountMinor }) => amountMinor !== 0)
  assertBalanced(postings)
  assert.ok(entry.source.length > 0 && entry.source.length <= MAX_SOURCE_LENGTH, 'a ledger entry has a source')
  if (postings.length === 0) return false
  const entryId = newId('led')
  if (!(await insertEntry(db, { ...entry, entryId }))) return false
  await insertPostings(db, entry.bookId, entryId, postings)
  return true
}

function assertBalanced(postings: readonly Posting[]): void {
  const sums = new Map<string, number>()
  for (const { currency, amountMinor } of postings) {
    assert.ok(Number.isSafeInteger(amountMinor), `${amountMinor} is no amount`)
    sums.set(currency, (sums.get(currency) ?? 0) + amountMinor)
  }
  for (const [currency, sum] of sums) assert.equal(sum, 0, `the postings in ${currency} sum to ${sum}`)
}

/**
 * Throws unless the postings of every entry and book sum to zero in each currency, and what the ledger has as receivable of each invoice is its total
 * less what was paid and credited. Reads everything; for tests and for investigations.
 */
export async function assertLedgerBalances(systemDb: Db): Promise<void> {
  assert.deepEqual(await selectLedgerFaultsAcrossResellers(systemDb), [])
}
