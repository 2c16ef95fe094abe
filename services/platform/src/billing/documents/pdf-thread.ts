// The thread of render-pdf.ts. What is thrown here ends it, and is thrown there.

import { parentPort } from 'node:worker_threads'
import { drawInvoice } from './draw-invoice.ts'
import type { PrintedInvoice, PrintMessage } from './printed-part.ts'

const lines: PrintedInvoice['lines'][number][] = []

parentPort?.on('message', async (message: PrintMessage) => {
  if ('lines' in message) return void lines.push(...message.lines)
  parentPort?.postMessage(await drawInvoice({ ...message.job, invoice: { ...message.invoice, lines: lines.splice(0) } }))
})
