// The ledger in double entry. Debits are positive, credits negative, and the postings of an entry sum to zero in each currency. Entries are only
// added: what was wrong is booked back. Accounts:
//
//   receivable  by customer: what is still to be paid of opened invoices
//   revenue, tax             what was invoiced, less what was credited
//   cash                     what the gateways took in, less what they gave back
//   unapplied   by customer: money that belongs to no invoice; it is owed to the customer
//   disputed    by customer: money that a gateway holds back because of a dispute

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
