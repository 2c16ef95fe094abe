// What a PDF is made from. A reseller may have hundreds of thousands of lines, of which only so many are copied to another thread.

import type { Invoice, InvoiceLine } from '../invoice.ts'

/** Some 200 pages. The e-invoice and the CSV have every line. */
export const MAX_PRINTED_LINES = 5_000

export type PrintedInvoice = Omit<Invoice, 'lines'> & {
  readonly lines: readonly Omit<InvoiceLine, 'sources'>[]
  /** The lines that are not printed one by one. */
  readonly further: { readonly count: number; readonly amountMinor: number }
}

export type DocumentBrand = {
  readonly name: string
  /** `#rrggbb`. */
  readonly colour?: string | undefined
  /** The image as it was uploaded: PNG or JPEG is drawn, and where it is anything else the name stands in its place. */
  readonly logo?: Uint8Array | undefined
}

/** What the caller gives. */
export type InvoiceDocument = { readonly invoice: Invoice; readonly brand: DocumentBrand; readonly locale?: string | undefined }

/** What the thread gets. */
export type PrintJob = Omit<InvoiceDocument, 'invoice'> & { readonly invoice: PrintedInvoice }

export function printedPartOf(invoice: Invoice): PrintedInvoice {
  const further = invoice.lines.slice(MAX_PRINTED_LINES)
  return {
    ...invoice,
    lines: invoice.lines.slice(0, MAX_PRINTED_LINES).map(({ sources: _, ...line }) => line),
    further: { count: further.length, amountMinor: further.reduce((sum, { amountMinor }) => sum + amountMinor, 0) },
  }
}
