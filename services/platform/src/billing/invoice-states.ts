// The states of an invoice and every move between them. `docs/invoices.md` draws its diagram from this table. A credit note has no moves: it is issued
// as `paid`, because nothing is to be paid.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { InvoiceStatus } from './invoice.ts'

export type InvoiceAction =
  | 'open'
  | 'open_settled'
  | 'discard'
  | 'settle'
  | 'pass_due_date'
  | 'reopen'
  | 'reopen_late'
  | 'void'
  | 'void_settled'

type Move = { readonly from: InvoiceStatus; readonly action: InvoiceAction; readonly to: InvoiceStatus; readonly when: string }

export const invoiceMoves: readonly Move[] = [
  { from: 'draft', action: 'open', to: 'open', when: 'the grace is over, or by request' },
  { from: 'draft', action: 'open_settled', to: 'paid', when: 'as open, where the total is zero' },
  { from: 'draft', action: 'discard', to: 'void', when: 'by request' },
  { from: 'open', action: 'settle', to: 'paid', when: 'nothing is left to pay' },
  { from: 'open', action: 'pass_due_date', to: 'overdue', when: 'the due date has passed' },
  { from: 'open', action: 'void', to: 'void', when: 'by request, nothing being paid' },
  { from: 'overdue', action: 'settle', to: 'paid', when: 'nothing is left to pay' },
  { from: 'overdue', action: 'void', to: 'void', when: 'by request, nothing being paid' },
  { from: 'paid', action: 'reopen', to: 'open', when: 'money went back' },
  { from: 'paid', action: 'reopen_late', to: 'overdue', when: 'money went back after the due date' },
  { from: 'paid', action: 'void_settled', to: 'void', when: 'by request, where it came to nothing or is credited in full' },
]

/** Undefined where there is no such move. */
export function stateAfter(from: InvoiceStatus, action: InvoiceAction): InvoiceStatus | undefined {
  return invoiceMoves.find((move) => move.from === from && move.action === action)?.to
}

const words: Readonly<Record<InvoiceAction, string>> = {
  open: 'opened',
  open_settled: 'opened',
  discard: 'discarded',
  settle: 'paid',
  pass_due_date: 'overdue',
  reopen: 'due again',
  reopen_late: 'due again',
  void: 'voided',
  void_settled: 'voided',
}

/** Throws `invalid_transition` where there is no such move. */
export function requireStateAfter(from: InvoiceStatus, action: InvoiceAction): InvoiceStatus {
  const to = stateAfter(from, action)
  if (to !== undefined) return to
  const possible = [...new Set(invoiceMoves.filter((move) => move.from === from).map((move) => move.to))]
  const takes = invoiceMoves.filter((move) => move.action === action).map((move) => move.from)
  const message = `This invoice is ${from} and cannot be ${words[action]}: only one that is ${takes.join(' or ')} can.`
  throw new Problem('invalid_transition', message, { details: { status: from, action, possible } })
}
