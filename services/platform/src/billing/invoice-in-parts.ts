// An invoice as JSON, CSV and XML, written part by part as its lines are stored: what is in memory of it at any time does not depend on how long it is.

import type { InvoicePayment } from '@roadworthy/contracts/sim-billing/invoices'
import type { Db } from '@roadworthy/service-kit/db'
import type { Parts } from '@roadworthy/service-kit/send-in-parts'
import { createDocumentSlots } from './document-slots.ts'
import { CSV_HEADER, csvRowsOf } from './documents/render-csv.ts'
import { ublBeginning, ublEnd, ublLines } from './documents/render-ubl.ts'
import { countLineParts, selectLineParts } from './invoice-lines.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import { toWireHead, toWireLine } from './wire-invoice.ts'

/** Each has a part or two in memory, some 2 MB. Assumption: nobody needs more than a few long documents at once. */
const slots = createDocumentSlots({ most: 64, mostOfReseller: 8, name: 'long invoices' })

/** `write`: given how many parts of lines there are. An invoice of one part, as nearly all are, takes no slot. */
async function* inSlot(db: Db, invoice: StoredInvoice, write: (partCount: number) => Parts): Parts {
  const partCount = await countLineParts(db, invoice)
  const giveBack = partCount > 1 ? slots.take(invoice.resellerId) : undefined
  try {
    yield* write(partCount)
  } finally {
    giveBack?.()
  }
}

type Beside = { readonly creditNotes: readonly StoredInvoice[]; readonly payments: readonly InvoicePayment[] }

/** The body of the answer that an invoice is. */
export function jsonInParts(db: Db, invoice: StoredInvoice, beside: Beside): Parts {
  return inSlot(db, invoice, async function* () {
    const head = JSON.stringify({ success: true, invoice: toWireHead(invoice, beside) })
    // Two objects end here, and the lines are the last member of the inner one.
    let before = `${head.slice(0, -2)},"lines":[`
    for await (const lines of selectLineParts(db, invoice)) {
      yield before + JSON.stringify(lines.map(toWireLine)).slice(1, -1)
      before = ','
    }
    yield `${before === ',' ? '' : before}]}}`
  })
}

export function csvInParts(db: Db, invoice: StoredInvoice): Parts {
  return inSlot(db, invoice, async function* () {
    yield CSV_HEADER
    for await (const lines of selectLineParts(db, invoice)) yield csvRowsOf(invoice, lines)
  })
}

/** Throws before its first part what `ublBeginning` refuses. */
export function ublInParts(db: Db, invoice: StoredInvoice): Parts {
  return inSlot(db, invoice, async function* (partCount) {
    yield ublBeginning(invoice, partCount > 0)
    for await (const lines of selectLineParts(db, invoice)) yield ublLines(invoice, lines)
    yield ublEnd(invoice)
  })
}
