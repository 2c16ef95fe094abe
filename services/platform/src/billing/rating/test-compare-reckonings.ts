import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { hideOthers } from '../hide-others.ts'
import type { InvoiceLine } from '../invoice.ts'
import { bookOf, CUSTOMERS, type CurrencyBook, ratingInputOf } from '../test-billing-book.ts'
import { rateInvoice } from './rate-invoice.ts'
import { RatingInput } from './rating-input.ts'
import { reckon } from './test-independent-reckoner.ts'

/** Kinds of lines that must have come up with an amount, or nothing was compared. */
const KINDS = [
  'sim_rental',
  'sim_custody',
  'sim_activation',
  'data_overage',
  'pooled_data_overage',
  'readings',
  'predictions',
  'device_days',
  'subscription',
]

/** Bills books to all of their customers in both ways until so many months of a SIM have been compared. */
export function compareBooks({ firstSeed, simMonths }: { firstSeed: number; simMonths: number }): void {
  const charged = new Map<string, number>()
  let compared = 0
  for (let seed = firstSeed; compared < simMonths; seed++) {
    const book = bookOf(seed)
    for (const customer of CUSTOMERS) {
      for (const { kind, amountMinor } of compareBook(seed, book, customer)) {
        if (amountMinor > 0) charged.set(kind, (charged.get(kind) ?? 0) + 1)
      }
    }
    compared += book.lives.length
  }
  for (const kind of KINDS) assert.ok((charged.get(kind) ?? 0) > simMonths / 200, `few lines of ${kind}: ${charged.get(kind) ?? 0}`)
}

function compareBook(seed: number, book: CurrencyBook, customer: (typeof CUSTOMERS)[number]): readonly InvoiceLine[] {
  const input = ratingInputOf(book, customer)
  if (!Value.Check(RatingInput, input)) assert.fail(`seed ${seed}: ${JSON.stringify(Value.Errors(RatingInput, input)[0])}`)
  const rated = rateInvoice(input)
  const reckoned = reckon(book, customer)
  const about = `seed ${seed}, ${customer}, ${book.month} in ${book.zone}, ${book.currency}`
  const lines = rated.lines.map(({ kind, sim, planId, amountMinor }) => `${kind} ${sim?.simId ?? '-'} ${planId ?? '-'}: ${amountMinor}`)
  assert.deepEqual(lines.sort(), reckoned.lines.map(({ what, amount }) => `${what}: ${amount}`).sort(), about)
  assert.deepEqual(
    [rated.subtotalMinor, ...rated.taxes.map(({ amountMinor }) => amountMinor), rated.totalMinor].map(BigInt),
    [reckoned.net, ...reckoned.taxes, reckoned.gross],
    about,
  )
  // What is stored and handed out comes to the same.
  assert.deepEqual(rateInvoice(hideOthers(input)), rated, about)
  return rated.lines
}
