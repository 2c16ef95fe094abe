// The statement of an invoice: written in a thread, signed outside of the event loop, and sent in parts.

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import type { Parts } from '@roadworthy/service-kit/send-in-parts'
import type { StatementKey } from '../metering/statement-key.ts'
import type { StatementPart } from './billing-work.ts'
import { createDocumentSlots } from './document-slots.ts'
import { writeStatementInThread } from './in-billing-thread.ts'
import { countLineParts, selectLineTexts } from './invoice-lines.sql.ts'
import { selectInvoiceInput } from './invoices.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

/** The signature is over all of it, so each is whole in memory until it is sent: 25 MB for 10,000 SIMs. */
const slots = createDocumentSlots({ most: 4, mostOfReseller: 2, name: 'long statements' })
const CHUNK_BYTES = 256 * 1024

/** `onLength`: given the bytes of the whole before the first part. Refuses credit notes. */
export async function* statementInParts(db: Db, invoice: StoredInvoice, key: StatementKey, onLength: (lengthBytes: number) => void): Parts {
  if (invoice.kind === 'credit_note')
    throw new Problem('conflict', 'A credit note is made from the invoice that it corrects; ask for that one’s statement.')
  const giveBack = (await countLineParts(db, invoice)) > 1 ? slots.take(invoice.resellerId) : undefined
  try {
    // Canonical as it is signed; the signature goes before its first member.
    const content = await writeStatementInThread(partsOf(db, invoice, key.publicKey))
    const beginning = Buffer.from(`{"signature":"${await key.signAside(content)}",`)
    onLength(beginning.length + content.length - 1)
    yield beginning
    for (let at = 1; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES)
  } finally {
    giveBack?.()
  }
}

async function* partsOf(db: Db, invoice: StoredInvoice, publicKey: string): AsyncGenerator<StatementPart, void> {
  for await (const text of selectLineTexts(db, invoice)) yield { task: 'lines', text }
  const packed = await selectInvoiceInput(db, invoice)
  assert(packed !== undefined, 'an invoice is stored with what it was made from')
  yield { task: 'statement', invoice, packed, publicKey }
}
