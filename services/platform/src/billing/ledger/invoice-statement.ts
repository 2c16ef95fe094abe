// Everything an invoice or a credit note was made from, with a signature over all of it, so that it can be made again from the file without the service.

import assert from 'node:assert/strict'
import { InvoiceStatement } from '@roadworthy/contracts/sim-billing/invoices'
import { canonicalJson, canonicalParts } from '@roadworthy/service-kit/text/canonical-json'
import { Value } from 'typebox/value'
import { isSignedBy, readPublicKey, type StatementKey } from '../../metering/statement-key.ts'
import type { CreditInput } from '../credit-input.ts'
import { hideOthers } from '../hide-others.ts'
import type { Invoice, InvoiceHead, InvoiceLine } from '../invoice.ts'
import type { KeptLine } from '../invoice-lines.sql.ts'
import type { RatingInput } from '../rating/rating-input.ts'
import { recomputeCreditNote } from '../rating/recompute-credit-note.ts'
import { recomputeInvoice, type StatedInvoice } from '../rating/recompute-invoice.ts'

type Unsigned = Omit<InvoiceStatement, 'signature'>

/** The same text as long as the invoice is what it is: what moves in its life (status, payments) is no part of it. Names of other customers are not in it. */
export function buildInvoiceStatement({ lines, ...invoice }: Invoice, input: RatingInput, key: StatementKey): InvoiceStatement {
  const content = statementContent(invoice, lines, input, key.publicKey)
  return { ...content, signature: key.sign(canonicalJson(content)) }
}

/** What is signed. `lines` may be as they are stored. */
export function statementContent(
  invoice: InvoiceHead,
  lines: readonly (InvoiceLine | KeptLine)[],
  input: RatingInput,
  publicKey: string,
): Unsigned {
  return { statement: 'roadworthy-invoice-1', invoice: statedInvoice({ invoice, lines }), input: { ...hideOthers(input) }, publicKey }
}

export type Document = { readonly invoice: InvoiceHead; readonly lines: readonly (InvoiceLine | KeptLine)[] }

/** Of a credit note: `documents` are the invoice that it corrects, the notes of `input.earlier` in their order, and the note itself. */
export function creditStatementContent(documents: readonly Document[], input: CreditInput, publicKey: string): Unsigned {
  const [corrected, ...notes] = documents.map(statedInvoice)
  const note = notes.pop()
  assert(corrected !== undefined && note !== undefined, 'a credit note corrects an invoice')
  return { statement: 'roadworthy-credit-note-1', invoice: note, input: { ...input, corrected, earlier: notes }, publicKey }
}

function statedInvoice({ invoice, lines }: Document): Record<string, unknown> {
  const head = plain({
    invoiceId: invoice.invoiceId,
    number: invoice.number,
    ...(invoice.kind === 'credit_note' ? { kind: invoice.kind, corrects: invoice.corrects } : {}),
    issuerId: invoice.issuerId,
    resellerId: invoice.resellerId,
    subClientId: invoice.subClientId,
    issuer: invoice.issuer,
    recipient: invoice.recipient,
    month: invoice.month,
    timeZone: invoice.timeZone,
    from: invoice.from,
    until: invoice.until,
    currency: invoice.currency,
    taxes: invoice.taxes,
    subtotalMinor: invoice.subtotalMinor,
    taxMinor: invoice.taxMinor,
    totalMinor: invoice.totalMinor,
    draftedAt: invoice.draftedAt,
    openedAt: invoice.openedAt,
    dueAt: invoice.dueAt,
  })
  return { ...head, lines: lines.map(plain) }
}

/** Levels down to a single line, and to a single SIM of the input. */
const STATEMENT_DEPTH = 3

/** The canonical JSON of a content, in which a long list is never one string. */
export function statementParts(content: Unsigned): Iterable<string> {
  return canonicalParts(content, STATEMENT_DEPTH)
}

/** As JSON has it: instants as text, nothing that is absent. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>
}

export type InvoiceVerification = {
  readonly isValid: boolean
  /** What is wrong, the first of it first; empty when nothing is. */
  readonly findings: readonly string[]
  /** From 1. */
  readonly firstDifferingLine: number | undefined
  /** Whether the key was given, so that it is known whose signature it is. */
  readonly isKeyGiven: boolean
  /** Where it has the form of one. Its content is true only where it is valid. */
  readonly statement: InvoiceStatement | undefined
}

/** Rates the month again, or makes the credit note again, and compares every line. `publicKey`: by which it must be signed; else by the one it names itself. */
export function verifyInvoiceStatement(document: unknown, publicKey: string | undefined): InvoiceVerification {
  const isKeyGiven = publicKey !== undefined
  if (!Value.Check(InvoiceStatement, document) || !Array.isArray(document.invoice['lines']) || !Array.isArray(document.invoice['taxes'])) {
    const findings = ['It is not the statement of an invoice.']
    return { isValid: false, findings, firstDifferingLine: undefined, isKeyGiven, statement: undefined }
  }
  const recompute = document.statement === 'roadworthy-credit-note-1' ? recomputeCreditNote : recomputeInvoice
  const recomputation = recompute(document.input, document.invoice as unknown as StatedInvoice)
  const findings = [...recomputation.findings, ...checkSignature(document, publicKey)]
  const { firstDifferingLine } = recomputation
  return { isValid: findings.length === 0, findings, firstDifferingLine, isKeyGiven, statement: document }
}

function checkSignature({ signature, ...content }: InvoiceStatement, publicKey: string | undefined): string[] {
  const key = readPublicKey(publicKey ?? content.publicKey)
  if (key === undefined) return ['There is no Ed25519 public key to check the signature by.']
  const derText = key.export({ type: 'spki', format: 'der' }).toString('base64')
  if (isSignedBy(derText, canonicalJson(content), signature)) return []
  return [`The signature is not that of ${publicKey === undefined ? 'the key in the statement' : 'the key given'} over this content.`]
}
