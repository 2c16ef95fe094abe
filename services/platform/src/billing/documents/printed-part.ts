// What a PDF is made from. A reseller may have hundreds of thousands of lines, of which only so many are copied to another thread.

import type { Invoice, InvoiceHead, InvoiceLine } from '../invoice.ts'

/** Some 200 pages. The e-invoice and the CSV have every line. */
export const MAX_PRINTED_LINES = 5_000

export type PrintedInvoice = InvoiceHead & {
  readonly lines: readonly Omit<InvoiceLine, 'sources'>[]
  /** The lines that are not printed one by one. */
  readonly further: { readonly count: number; readonly amountMinor: number }
}

export type DocumentBrand = {
  /** Absent: the issuer's name stands in its place. */
  readonly name?: string | undefined
  /** `#rrggbb`. */
  readonly colour?: string | undefined
  /** The image as it was uploaded: PNG, JPEG or WebP is drawn, and where it is anything else the name stands in its place. */
  readonly logo?: Uint8Array | undefined
}

/** What the caller gives. */
export type InvoiceDocument = { readonly invoice: Invoice; readonly brand: DocumentBrand; readonly locale?: string | undefined }

/** The same, with lines that are still to be read; once more where it is drawn once more. */
export type DocumentInParts = Omit<InvoiceDocument, 'invoice'> & {
  readonly invoice: InvoiceHead
  readonly lineParts: () => AsyncIterable<readonly InvoiceLine[]> | Iterable<readonly InvoiceLine[]>
}

/** What the thread gets: the lines in parts, and at last whose they are. */
export type PrintMessage =
  | { readonly lines: PrintedInvoice['lines'] }
  | { readonly job: Omit<InvoiceDocument, 'invoice'>; readonly invoice: Omit<PrintedInvoice, 'lines'> }
export type PrintJob = Omit<InvoiceDocument, 'invoice'> & { readonly invoice: PrintedInvoice }

export async function* printMessages({ invoice, lineParts, ...job }: DocumentInParts): AsyncGenerator<PrintMessage, void> {
  let lineCount = 0
  const further = { count: 0, amountMinor: 0 }
  for await (const part of lineParts()) {
    const { lines, rest } = splitPart(part, MAX_PRINTED_LINES - lineCount)
    lineCount += lines.length
    further.count += rest.count
    further.amountMinor += rest.amountMinor
    if (lines.length > 0) yield { lines }
  }
  yield { job, invoice: { ...invoice, further } }
}

export function printedPartOf({ lines: all, ...invoice }: Invoice): PrintedInvoice {
  const { lines, rest } = splitPart(all, MAX_PRINTED_LINES)
  return { ...invoice, lines, further: rest }
}

function splitPart(
  part: readonly InvoiceLine[],
  printedCount: number,
): { lines: PrintedInvoice['lines']; rest: PrintedInvoice['further'] } {
  const rest = part.slice(printedCount)
  return {
    lines: part.slice(0, printedCount).map(({ sources: _, ...line }) => line),
    rest: { count: rest.length, amountMinor: rest.reduce((sum, { amountMinor }) => sum + amountMinor, 0) },
  }
}
