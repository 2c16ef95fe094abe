// Rating a month, and writing the statement of an invoice, in a thread of its own: for 10,000 SIMs each would hold the event loop for a second or more, in
// a process that also takes readings.

import { Problem, type ProblemCode } from '@roadworthy/service-kit/http/problem'
import type { BillingAnswer, RatedMonth, RatingPart, StatementPart, WrittenStatement } from './billing-work.ts'
import { createJobThread, type JobThread } from './job-thread.ts'

/** What a month of so many SIMs takes is in docs/operations.md; an input of 256 MB is the most that is stored. */
const MAX_HEAP_MB = 2_048
/** Assumption: ten times what 10,000 SIMs take here. */
const MAX_JOB_MS = 120_000
const MAX_WAITING = 50

type Refused = { readonly problem: { readonly code: ProblemCode; readonly message: string; readonly details: Problem['details'] } }

const url = new URL('./billing-thread.ts', import.meta.url)
const limits = { maxHeapMb: MAX_HEAP_MB, maxJobMs: MAX_JOB_MS, maxWaiting: MAX_WAITING }
const rating = createJobThread(url, { ...limits, name: 'drafts' })
/** Another one, so that a request for a statement does not wait until a month is read and rated. */
const writing = createJobThread(url, { ...limits, name: 'statements' })

/** Throws what `rateInvoice` throws. */
export async function rateInThread(parts: AsyncIterable<RatingPart>): Promise<RatedMonth> {
  return await run<RatedMonth>(rating, parts)
}

/** What is signed of a statement, in canonical JSON. */
export async function writeStatementInThread(parts: AsyncIterable<StatementPart>): Promise<Uint8Array> {
  return (await run<WrittenStatement>(writing, parts)).bytes
}

async function run<T extends BillingAnswer>(thread: JobThread, parts: AsyncIterable<RatingPart | StatementPart>): Promise<T> {
  const answer = await thread.run<T | Refused>(() => parts)
  if (!('problem' in answer)) return answer
  const { code, message, details } = answer.problem
  throw new Problem(code, message, details === undefined ? {} : { details })
}
