// An invoice as JSON, CSV and XML, written part by part as its lines are stored: what is in memory of it at any time does not depend on how long it is.

import type { Parts } from '@roadworthy/service-kit/http/send-in-parts'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { createDocumentSlots } from './document-slots.ts'
import { CSV_HEADER, csvRowsOf } from './documents/render-csv.ts'
import { ublBeginning, ublEnd, ublLines } from './documents/render-ubl.ts'
import { countLineParts, selectLineParts } from './invoice-lines.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import { toWireLine } from './wire-invoice.ts'

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

/** `answer`: a body whose last member is the head of the invoice; its lines become the last member of that. */
export function jsonInParts(db: Db, invoice: StoredInvoice, answer: object): Parts {
  return inSlot(db, invoice, async function* () {
    // Two objects end here.
    let before = `${JSON.stringify(answer).slice(0, -2)},"lines":[`
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
