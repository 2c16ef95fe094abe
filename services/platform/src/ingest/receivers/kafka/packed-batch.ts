// How a batch of records crosses from a reader's thread to the process that stores it, and what became of each on the way back. The records are one
// JSON text: parsing it costs less than cloning as many objects. The thread has parsed each record before, within its own memory, and has
// refused what is beyond the limits.

import { Problem, type ProblemCode } from '@roadworthy/service-kit/http/problem'
import type { BriefOutcome, Inbound } from '../../inbound.ts'
import type { ReadableRecord } from './decode-record.ts'

export type PackedBatch = {
  /** An array of the records. */
  readonly recordsJson: string
  /** Of each record. */
  readonly receivedAtMs: readonly number[]
  /** What senders gave as the header `traceparent`; none where there are no traces. */
  readonly traceparents?: readonly string[]
}

/** The records that are named here were not stored anew; all the others were. */
export type PackedOutcomes = {
  readonly duplicates: readonly number[]
  readonly refused: readonly { readonly index: number; readonly code: ProblemCode; readonly message: string }[]
}

/** What became of a record, as far as a reader needs it. */
export type StreamOutcome =
  | { readonly status: 'stored' | 'duplicate' }
  | { readonly status: 'refused'; readonly problem: Pick<Problem, 'code' | 'message'> }

export function packBatch(readable: readonly ReadableRecord[], traceparents: readonly string[] = []): PackedBatch {
  // Each text was parsed alone, so that none of them can end the array or begin another record.
  const texts = readable.flatMap((each) => each.texts)
  const receivedAtMs = readable.flatMap((each) => each.texts.map(() => each.receivedAtMs))
  return { recordsJson: `[${texts.join(',')}]`, receivedAtMs, traceparents }
}

/** Throws when it is no batch, which a sound thread never sends. */
export function unpackBatch({ recordsJson, receivedAtMs }: PackedBatch, resellerId: string): Inbound[] {
  const records: unknown = JSON.parse(recordsJson)
  if (!Array.isArray(records) || records.length !== receivedAtMs.length)
    throw new Error('a thread sends a batch that does not hold together')
  return records.map((record: unknown, index) => {
    return { resellerId, kind: 'telemetry', record, receiver: 'stream', receivedAt: new Date(receivedAtMs[index] ?? Number.NaN) }
  })
}

export function packOutcomes(outcomes: readonly BriefOutcome[]): PackedOutcomes {
  const duplicates: number[] = []
  const refused: PackedOutcomes['refused'][number][] = []
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'duplicate') duplicates.push(index)
    else if (outcome.status === 'refused') refused.push({ index, code: outcome.problem.code, message: outcome.problem.message })
  }
  return { duplicates, refused }
}

const STORED: StreamOutcome = { status: 'stored' }
const DUPLICATE: StreamOutcome = { status: 'duplicate' }

/** One outcome for each record of the batch. */
export function unpackOutcomes({ duplicates, refused }: PackedOutcomes, recordCount: number): StreamOutcome[] {
  const outcomes = Array.from({ length: recordCount }, () => STORED)
  for (const index of duplicates) outcomes[index] = DUPLICATE
  for (const { index, code, message } of refused) outcomes[index] = { status: 'refused', problem: new Problem(code, message) }
  return outcomes
}
