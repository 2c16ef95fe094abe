// PDFs of invoices, drawn one after the other in a thread of their own: a thousand lines take some 0.3 s, which no request should wait for that
// asks for something else (measured on a virtual machine of 2 cores, in a thread that has drawn before; 3 lines: 30 ms, 5,000 lines: 1.2 s).

import { Worker } from 'node:worker_threads'
import { Problem } from '@roadworthy/service-kit/problem'
import { type InvoiceDocument, type PrintJob, printedPartOf } from './printed-part.ts'

/** Two typefaces and 5,000 lines need some 150 MB. */
const MAX_HEAP_MB = 512
/** Assumption: 30 times what the longest invoice takes here is enough for a machine that is busy. */
const MAX_DRAW_MS = 60_000
/** Each holds an invoice in memory, and the last one has to be drawn before its caller gives up. */
const MAX_WAITING = 50
const RETRY_AFTER_S = 5
/** After that long without an invoice the thread's memory is given back. */
const IDLE_MS = 30_000

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let waitingCount = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * The invoice or credit note as a PDF on A4, in whatever state it is: a draft, or what is void, says so. The same arguments give the same bytes,
 * in the same version of Node.js. A logo that cannot be drawn is left out.
 */
export async function renderInvoicePdf(document: InvoiceDocument): Promise<Uint8Array> {
  if (waitingCount >= MAX_WAITING) {
    throw new Problem('overloaded', 'Too many documents are being made at this moment.', { retryAfterS: RETRY_AFTER_S })
  }
  waitingCount++
  const job: PrintJob = { ...document, invoice: printedPartOf(document.invoice) }
  const drawn = last.then(() => drawWithOrWithoutLogo(job))
  last = drawn.catch(() => undefined)
  try {
    return await drawn
  } finally {
    waitingCount--
  }
}

/** Images are checked before they are drawn. What gets past that ends the thread at worst. */
async function drawWithOrWithoutLogo(job: PrintJob): Promise<Uint8Array> {
  try {
    return await draw(job)
  } catch (error) {
    if (job.brand.logo === undefined) throw error
    return await draw({ ...job, brand: { ...job.brand, logo: undefined } })
  }
}

async function draw(job: PrintJob): Promise<Uint8Array> {
  clearTimeout(idle)
  const worker =
    thread ?? new Worker(new URL('./pdf-thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } })
  thread = worker
  worker.ref()
  const outcome = Promise.withResolvers<Uint8Array>()
  // The end of the thread also comes after a job that could not be sent, when nobody waits for it.
  outcome.promise.catch(() => undefined)
  const onExit = () => outcome.reject(new Error('the thread that draws invoices ended'))
  const bound = setTimeout(() => outcome.reject(new Error('drawing an invoice took too long')), MAX_DRAW_MS)
  worker.once('message', outcome.resolve).once('error', outcome.reject).once('exit', onExit)
  try {
    worker.postMessage(job)
    const bytes = await outcome.promise
    idle = setTimeout(endThread, IDLE_MS).unref()
    return bytes
  } catch (error) {
    await endThread()
    throw error
  } finally {
    clearTimeout(bound)
    worker.off('message', outcome.resolve).off('error', outcome.reject).off('exit', onExit)
    worker.unref()
  }
}

async function endThread(): Promise<void> {
  const ended = thread
  thread = undefined
  // An error of a thread that is being ended is nobody's.
  ended?.on('error', () => undefined)
  await ended?.terminate()
}
