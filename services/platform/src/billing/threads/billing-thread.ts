// The thread of in-billing-thread.ts. SIMs and lines come in parts, and the last message names what is to be made of them.

import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { CreditInput } from '../credit-input.ts'
import { keptLinesOfText, linePartsOf } from '../invoice-lines.sql.ts'
import { creditStatementContent, type Document, statementContent, statementParts } from '../ledger/invoice-statement.ts'
import { packInput, unpackInput } from '../rating/packed-input.ts'
import { rateInvoice } from '../rating/rate-invoice.ts'
import type { RatedSim, RatingInput } from '../rating/rating-input.ts'
import type { BillingAnswer, BillingMessage } from './billing-work.ts'

const sims: RatedSim[] = []
const lineTexts: string[] = []
const documents: Document[] = []

parentPort?.on('message', async (message: BillingMessage) => {
  if (message.task === 'sims') return void sims.push(...message.sims)
  if (message.task === 'lines') return void lineTexts.push(message.text)
  if (message.task === 'document') {
    return void documents.push({ invoice: message.invoice, lines: lineTexts.splice(0).flatMap(keptLinesOfText) })
  }
  try {
    const answer = await answerTo(message)
    // Handed over, not copied.
    parentPort?.postMessage(answer, 'bytes' in answer ? [answer.bytes.buffer] : [])
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message: text, details } = error
    parentPort?.postMessage({ problem: { code, message: text, details } })
  }
})

async function answerTo(message: Exclude<BillingMessage, { task: 'sims' | 'lines' | 'document' }>): Promise<BillingAnswer> {
  const [ratedSims, stated] = [sims.splice(0), documents.splice(0)]
  switch (message.task) {
    case 'rate': {
      const input: RatingInput = { ...message.input, sims: ratedSims }
      const { lines, ...totals } = rateInvoice(input)
      return { totals, lineParts: linePartsOf(lines), packed: await packInput(input) }
    }
    case 'statement': {
      const [only] = stated
      assert(only !== undefined, 'a statement is of an invoice')
      const input = await unpackInput(message.packed)
      return { bytes: bytesOf(statementParts(statementContent(only.invoice, only.lines, input, message.publicKey))) }
    }
    case 'credit-statement': {
      const input = await unpackInput<CreditInput>(message.packed)
      return { bytes: bytesOf(statementParts(creditStatementContent(stated, input, message.publicKey))) }
    }
  }
}

/** So much text is turned into bytes at once. */
const CHUNK_LENGTH = 256 * 1024

function bytesOf(parts: Iterable<string>): Uint8Array<ArrayBuffer> {
  const chunks: Buffer[] = []
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < CHUNK_LENGTH) continue
    chunks.push(Buffer.from(text))
    text = ''
  }
  chunks.push(Buffer.from(text))
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}
