// PDFs of invoices, drawn one after the other in a thread of their own: a thousand lines take some 0.3 s, which no request should wait for that
// asks for something else (measured on a virtual machine of 2 cores, in a thread that has drawn before; 3 lines: 30 ms, 5,000 lines: 1.2 s).

import { Problem } from '@roadworthy/service-kit/http/problem'
import { createJobThread } from '../threads/job-thread.ts'
import { type DocumentInParts, type InvoiceDocument, printMessages } from './printed-part.ts'

/** Two typefaces and 5,000 lines need some 150 MB. */
const MAX_HEAP_MB = 512
/** Assumption: 30 times what the longest invoice takes here is enough for a machine that is busy. */
const MAX_DRAW_MS = 60_000
/** The last one has to be drawn before its caller gives up. */
const MAX_WAITING = 50

const thread = createJobThread(new URL('./pdf-thread.ts', import.meta.url), {
  maxHeapMb: MAX_HEAP_MB,
  maxJobMs: MAX_DRAW_MS,
  maxWaiting: MAX_WAITING,
  name: 'documents',
})

/**
 * The invoice or credit note as a PDF on A4, in whatever state it is: a draft, or what is void, is marked so. The same arguments give the same bytes,
 * in the same version of Node.js. A logo that cannot be drawn is left out.
 */
export async function printInvoice(document: DocumentInParts): Promise<Uint8Array> {
  try {
    return await draw(document)
  } catch (error) {
    // Images are checked before they are drawn. What gets past that ends the thread at worst.
    if (document.brand.logo === undefined || error instanceof Problem) throw error
    return await draw({ ...document, brand: { ...document.brand, logo: undefined } })
  }
}

/** The same of an invoice with its lines. */
export async function renderInvoicePdf({ invoice: { lines, ...invoice }, ...document }: InvoiceDocument): Promise<Uint8Array> {
  return await printInvoice({ ...document, invoice, lineParts: () => [lines] })
}

/** Lines are read when it is this document's turn, so that those that wait need no memory. */
async function draw(document: DocumentInParts): Promise<Uint8Array> {
  return await thread.run<Uint8Array>(() => printMessages(document))
}
