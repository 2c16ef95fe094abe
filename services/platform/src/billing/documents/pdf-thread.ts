// The thread of render-pdf.ts. What is thrown here ends it, and is thrown there.

import { parentPort } from 'node:worker_threads'
import { drawInvoice } from './draw-invoice.ts'
import type { PrintJob } from './printed-part.ts'

parentPort?.on('message', async (job: PrintJob) => {
  parentPort?.postMessage(await drawInvoice(job))
})
