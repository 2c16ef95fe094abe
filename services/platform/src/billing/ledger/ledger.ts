// Books what changes the ledger, once by its source.

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { insertEntry, insertPostings, selectLedgerFaultsAcrossResellers } from './ledger.sql.ts'
import type { Entry, Posting } from './ledger-entry.ts'

const MAX_SOURCE_LENGTH = 300

/**
 * Books an entry within the transaction of its cause. The same `kind` and `source` are booked once a book: false means that it was there already, and
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
