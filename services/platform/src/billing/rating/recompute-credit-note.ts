// The offline check of a credit note: makes it again of what is stated beside it. That the corrected invoice is right itself is the matter of its own
// statement.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { Value } from 'typebox/value'
import { linesOfStatement, StatedCreditInput, taxesOfStatement } from '../credit-input.ts'
import { creditInvoice } from '../credit-note.ts'
import type { RatedInvoice } from './rate-invoice.ts'
import { compareWithRated, type Recomputation, refusedInput, type StatedInvoice, wrongForm } from './recompute-invoice.ts'

/** What a credit note has from its invoice. */
const sharedFields = [
  'issuerId',
  'resellerId',
  'subClientId',
  'issuer',
  'recipient',
  'month',
  'timeZone',
  'from',
  'until',
  'currency',
] as const

export function recomputeCreditNote(input: unknown, creditNote: StatedInvoice): Recomputation {
  if (!Value.Check(StatedCreditInput, input)) return wrongForm(StatedCreditInput, input)
  const { corrected, earlier, reason, parts } = input
  const stranger = earlier.find((note) => correctedBy(note) !== corrected.invoiceId)
  if (stranger !== undefined) return refusedInput(`The credit note ${stranger.number} corrects another invoice than ${corrected.number}.`)
  let rated: RatedInvoice
  try {
    rated = creditInvoice(
      { ...corrected, kind: 'invoice', status: 'open', lines: linesOfStatement(corrected.lines), taxes: taxesOfStatement(corrected.taxes) },
      earlier.map((note) => ({ ...note, lines: linesOfStatement(note.lines), taxes: taxesOfStatement(note.taxes) })),
      { reason, parts: parts ?? undefined },
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return refusedInput(error.message)
  }
  const shared = Object.fromEntries(sharedFields.map((field) => [field, (corrected as Readonly<Record<string, unknown>>)[field]]))
  const head = { ...shared, kind: 'credit_note', corrects: { invoiceId: corrected.invoiceId, number: corrected.number } }
  return compareWithRated('The credit note', rated, creditNote, head, creditNote)
}

function correctedBy(note: object): unknown {
  const corrects = 'corrects' in note ? note.corrects : undefined
  return typeof corrects === 'object' && corrects !== null && 'invoiceId' in corrects ? corrects.invoiceId : undefined
}
