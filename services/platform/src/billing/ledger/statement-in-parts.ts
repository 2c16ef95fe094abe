// The statement of an invoice: written in a thread, signed outside of the event loop, and sent in parts.

import assert from 'node:assert/strict'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Parts } from '@roadworthy/service-kit/http/send-in-parts'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { StatementKey } from '../../metering/statement-key.ts'
import type { CreditInput } from '../credit-input.ts'
import { createDocumentSlots } from '../document-slots.ts'
import { countLineParts, selectLineTexts } from '../invoice-lines.sql.ts'
import { selectCreditNotes, selectInvoice, selectInvoiceInput } from '../invoices.sql.ts'
import { unpackInput } from '../rating/packed-input.ts'
import type { StoredInvoice } from '../stored-invoice.ts'
import type { StatementPart } from '../threads/billing-work.ts'
import { writeStatementInThread } from '../threads/in-billing-thread.ts'

/** The signature is over all of it, so each is whole in memory until it is sent: 25 MB for 10,000 SIMs. */
const slots = createDocumentSlots({ most: 4, mostOfReseller: 2, name: 'long statements' })
const CHUNK_BYTES = 256 * 1024
/** With more notes than this a statement counts as long, however few lines each has. */
const MANY_NOTES = 10

/** `onLength`: given the bytes of the whole before the first part. */
export async function* statementInParts(db: Db, invoice: StoredInvoice, key: StatementKey, onLength: (lengthBytes: number) => void): Parts {
  const packed = await selectInvoiceInput(db, invoice)
  if (packed === undefined)
    throw new Problem(
      'conflict',
      'What this document was made from is not stored: it was issued before it was kept for documents of its kind.',
    )
  const documents = invoice.kind === 'credit_note' ? await documentsOfNote(db, invoice, packed) : [invoice]
  const giveBack = (await isLong(db, documents)) ? slots.take(invoice.resellerId) : undefined
  try {
    // Canonical as it is signed; the signature goes before its first member.
    const content = await writeStatementInThread(partsOf(db, documents, packed, key.publicKey))
    const beginning = Buffer.from(`{"signature":"${await key.signAside(content)}",`)
    onLength(beginning.length + content.length - 1)
    yield beginning
    for (let at = 1; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES)
  } finally {
    giveBack?.()
  }
}

/** The invoice that it corrects, the notes before it in the order in which they are named, and the note itself. */
async function documentsOfNote(db: Db, note: StoredInvoice, packed: Uint8Array): Promise<StoredInvoice[]> {
  const corrected = await selectInvoice(db, { resellerId: note.resellerId, invoiceId: note.corrects?.invoiceId ?? '' })
  assert(corrected !== undefined, 'a credit note corrects an invoice')
  const notes = new Map((await selectCreditNotes(db, corrected)).map((each) => [each.invoiceId, each]))
  const { earlier } = await unpackInput<CreditInput>(packed)
  const before = earlier.map((invoiceId) => {
    const found = notes.get(invoiceId)
    assert(found !== undefined, 'no credit note is ever deleted')
    return found
  })
  return [corrected, ...before, note]
}

/** A credit note has no more lines than the invoice that it corrects, which is the first. */
async function isLong(db: Db, [first, ...notes]: readonly StoredInvoice[]): Promise<boolean> {
  return first !== undefined && (notes.length > MANY_NOTES || (await countLineParts(db, first)) > 1)
}

async function* partsOf(
  db: Db,
  documents: readonly StoredInvoice[],
  packed: Uint8Array,
  publicKey: string,
): AsyncGenerator<StatementPart, void> {
  for (const invoice of documents) {
    for await (const text of selectLineTexts(db, invoice)) yield { task: 'lines', text }
    yield { task: 'document', invoice }
  }
  yield { task: documents.length === 1 ? 'statement' : 'credit-statement', packed, publicKey }
}
