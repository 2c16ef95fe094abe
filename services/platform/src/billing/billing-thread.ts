// The thread of in-billing-thread.ts. SIMs and lines come in parts, and the last message says what is to be made of them.

import { parentPort } from 'node:worker_threads'
import { canonicalJson } from '@roadworthy/service-kit/canonical-json'
import { Problem } from '@roadworthy/service-kit/problem'
import type { BillingAnswer, BillingMessage } from './billing-work.ts'
import { renderInvoiceUbl } from './documents/render-ubl.ts'
import { linePartsOf, linesOfText } from './invoice-lines.sql.ts'
import { statementContent } from './invoice-statement.ts'
import { packInput, unpackInput } from './packed-input.ts'
import { rateInvoice } from './rate-invoice.ts'
import type { RatedSim, RatingInput } from './rating-input.ts'

const sims: RatedSim[] = []
const lineTexts: string[] = []

parentPort?.on('message', async (message: BillingMessage) => {
  if (message.task === 'sims') return void sims.push(...message.sims)
  if (message.task === 'lines') return void lineTexts.push(message.text)
  try {
    parentPort?.postMessage(await answerTo(message))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message: text, details } = error
    parentPort?.postMessage({ problem: { code, message: text, details } })
  }
})

async function answerTo(message: Exclude<BillingMessage, { task: 'sims' | 'lines' }>): Promise<BillingAnswer> {
  const [ratedSims, texts] = [sims.splice(0), lineTexts.splice(0)]
  switch (message.task) {
    case 'rate': {
      const input: RatingInput = { ...message.input, sims: ratedSims }
      const { lines, ...totals } = rateInvoice(input)
      return { totals, lineParts: linePartsOf(lines), packed: await packInput(input) }
    }
    case 'e-invoice':
      return { text: renderInvoiceUbl({ ...message.invoice, lines: texts.flatMap(linesOfText) }) }
    case 'statement': {
      const invoice = { ...message.invoice, lines: texts.flatMap(linesOfText) }
      return { text: canonicalJson(statementContent(invoice, await unpackInput(message.packed), message.publicKey)) }
    }
  }
}
