// The lines of invoices, some hundreds in a row: listing, opening, settling and reminding read none of them, and a reader has a part at a time.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { InvoiceLine } from './invoice.ts'
import type { StoredInvoice, WholeInvoice } from './stored-invoice.ts'

type Rating = Pick<StoredInvoice, 'resellerId' | 'invoiceId' | 'revision'>
/** JSON has instants as text, and leaves out what is absent. */
export type KeptLine = Omit<InvoiceLine, 'from' | 'until'> & { readonly from: string; readonly until: string }

/** A part of so many is read, and written as JSON, in a few milliseconds. */
const LINES_PER_PART = 500

/** JSON of the lines, as they are stored. */
export function linePartsOf(lines: readonly InvoiceLine[]): string[] {
  const parts: string[] = []
  for (let first = 0; first < lines.length; first += LINES_PER_PART) parts.push(JSON.stringify(lines.slice(first, first + LINES_PER_PART)))
  return parts
}

export async function insertInvoiceLines(db: Db, { resellerId, invoiceId, revision }: Rating, parts: readonly string[]): Promise<void> {
  for (const [nth, lines] of parts.entries()) {
    await db.query('insert into invoice_lines (reseller_id, invoice_id, revision, part, lines) values ($1, $2, $3, $4, $5)', [
      ...[resellerId, invoiceId, revision, nth, lines],
    ])
  }
}

/** How many parts there are to read. */
export async function countLineParts(db: Db, { resellerId, invoiceId, revision }: Rating): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from invoice_lines where reseller_id = $1 and invoice_id = $2 and revision = $3',
    [resellerId, invoiceId, revision],
  )
  return rows[0]?.count ?? 0
}

/** One part after the other, as the JSON that is stored. The content of a revision never changes, so each may be read by a statement of its own. */
export async function* selectLineTexts(db: Db, { resellerId, invoiceId, revision }: Rating): AsyncGenerator<string, void> {
  for (let nth = 0; ; nth++) {
    const { rows } = await db.query<{ lines: string }>(
      'select lines::text as lines from invoice_lines where reseller_id = $1 and invoice_id = $2 and revision = $3 and part = $4',
      [resellerId, invoiceId, revision, nth],
    )
    if (rows[0] === undefined) return
    yield rows[0].lines
  }
}

export async function* selectLineParts(db: Db, invoice: Rating): AsyncGenerator<InvoiceLine[], void> {
  for await (const text of selectLineTexts(db, invoice)) yield linesOfText(text)
}

export async function selectWholeInvoice(db: Db, invoice: StoredInvoice): Promise<WholeInvoice> {
  const lines: InvoiceLine[] = []
  for await (const part of selectLineParts(db, invoice)) lines.push(...part)
  return { ...invoice, lines }
}

function linesOfText(text: string): InvoiceLine[] {
  return keptLinesOfText(text).map((line) => ({ ...line, from: new Date(line.from), until: new Date(line.until) }))
}

export function keptLinesOfText(text: string): KeptLine[] {
  return JSON.parse(text) as KeptLine[]
}
