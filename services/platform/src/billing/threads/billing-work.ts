// What is done in the thread of in-billing-thread.ts, and what comes back.

import type { RatedInvoice } from '../rating/rate-invoice.ts'
import type { RatedSim, RatingInput } from '../rating/rating-input.ts'
import type { StoredInvoice } from '../stored-invoice.ts'

/** SIMs in parts, and at last what they are rated with. */
export type RatingPart =
  | { readonly task: 'sims'; readonly sims: readonly RatedSim[] }
  | { readonly task: 'rate'; readonly input: Omit<RatingInput, 'sims'> }

/** Lines in parts, and after those of a document what they are the lines of; at last what is to be made of it. */
export type StatementPart =
  | { readonly task: 'lines'; readonly text: string }
  | { readonly task: 'document'; readonly invoice: StoredInvoice }
  /** With one document. */
  | { readonly task: 'statement'; readonly packed: Uint8Array; readonly publicKey: string }
  /** With the documents of `creditStatementContent`. */
  | { readonly task: 'credit-statement'; readonly packed: Uint8Array; readonly publicKey: string }

export type BillingMessage = RatingPart | StatementPart

export type RatedTotals = Omit<RatedInvoice, 'lines'>
export type RatedMonth = {
  readonly totals: RatedTotals
  /** From `linePartsOf`; none: there is nothing to bill. */
  readonly lineParts: readonly string[]
  /** The input, from `packInput`. */
  readonly packed: Uint8Array
}
export type WrittenStatement = { readonly bytes: Uint8Array<ArrayBuffer> }
export type BillingAnswer = RatedMonth | WrittenStatement
