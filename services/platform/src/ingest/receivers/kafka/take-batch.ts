// What is done with messages, in this order: store the readings with the offsets; or, where something was refused, store what can be, set the
// rest aside, and only then move the offsets. So a message is never lost, and one that comes again is known already.

import { sendDeadLetter, toDeadLetter } from '@roadworthy/kafka/dead-letter'
import type { KafkaMessage, Outgoing } from '@roadworthy/kafka/kafka-client'
import type { Poison } from '@roadworthy/kafka/read-message'
import { parseTraceparent } from '@roadworthy/service-kit/telemetry/trace-context'
import type { OffsetsPlace, StreamProgress } from '../../../streams/offsets.sql.ts'
import type { DecodedRecord } from './decode-record.ts'
import { type PackedBatch, packBatch, type StreamOutcome } from './packed-batch.ts'

export type Received = { readonly message: KafkaMessage; readonly decoded: DecodedRecord }

export type Taken = { readonly storedCount: number; readonly duplicateCount: number; readonly setAside: readonly Poison[] }

/** As `Ingest`, by a batch that can cross threads. */
export type StreamIngest = (batch: PackedBatch, progress: readonly StreamProgress[] | undefined) => Promise<readonly StreamOutcome[]>

export type TakeDeps = {
  readonly ingest: StreamIngest
  readonly place: OffsetsPlace
  readonly deadLetterTopic: string
  readonly send: (messages: Outgoing[]) => Promise<void>
  readonly storeProgress: (progress: readonly StreamProgress[]) => Promise<void>
  /** Runs until it succeeds; rejects only when reading is given up, and then nothing of this batch may be taken for settled. */
  readonly insist: <T>(what: string, run: () => Promise<T>) => Promise<T>
  readonly now: () => Date
  /** Whether there are traces that messages may be part of. */
  readonly isTraced?: boolean
}

export async function takeBatch(deps: TakeDeps, batch: readonly Received[]): Promise<Taken> {
  const { insist, place } = deps
  const progress = progressOf(place, batch)
  const readable = batch.flatMap(({ decoded }) => ('texts' in decoded ? [decoded] : []))
  const packed = packBatch(readable, deps.isTraced === true ? traceparentsOf(batch) : [])
  const withBatch = readable.length === batch.length ? progress : undefined
  const outcomes = readable.length === 0 ? [] : await insist('readings cannot be stored', () => deps.ingest(packed, withBatch))
  const poisoned = poisonedAmong(batch, outcomes)
  if (poisoned.length > 0) {
    for (const { message, poison } of poisoned) {
      const letter = toDeadLetter(message, poison, { topic: deps.deadLetterTopic, nowMs: deps.now().getTime() })
      await insist(`messages cannot be set aside in "${deps.deadLetterTopic}"`, () => sendDeadLetter(deps.send, letter))
    }
    await insist('offsets cannot be stored', () => deps.storeProgress(progress))
  }
  return {
    storedCount: outcomes.filter(({ status }) => status === 'stored').length,
    duplicateCount: outcomes.filter(({ status }) => status === 'duplicate').length,
    setAside: poisoned.map(({ poison }) => poison),
  }
}

/** Of one batch, that many at most. */
const MAX_TRACEPARENTS = 32

function traceparentsOf(batch: readonly Received[]): string[] {
  const found: string[] = []
  for (const { message } of batch) {
    for (const [name, content] of message.headers) {
      if (name.toString().toLowerCase() !== 'traceparent') continue
      const text = content?.toString()
      if (parseTraceparent(text)?.isSampled === true) found.push(text)
    }
    if (found.length >= MAX_TRACEPARENTS) break
  }
  return found.slice(0, MAX_TRACEPARENTS)
}

/** For each partition, what comes after the last of its messages. */
function progressOf(place: OffsetsPlace, batch: readonly Received[]): StreamProgress[] {
  const next = new Map<number, bigint>()
  for (const { message } of batch) {
    const { partition, offset } = message
    if (offset >= (next.get(partition) ?? 0n)) next.set(partition, offset + 1n)
  }
  return [...next].map(([partition, nextOffset]) => ({ ...place, partition, nextOffset }))
}

type Poisoned = { readonly message: KafkaMessage; readonly poison: Poison }

/** Messages that could not be read, and those of which a record was refused, with the first reason. */
function poisonedAmong(batch: readonly Received[], outcomes: readonly StreamOutcome[]): Poisoned[] {
  let from = 0
  return batch.flatMap(({ message, decoded }): Poisoned[] => {
    if ('poison' in decoded) return [{ message, poison: decoded.poison }]
    const own = outcomes.slice(from, from + decoded.texts.length)
    from += decoded.texts.length
    const index = own.findIndex(({ status }) => status === 'refused')
    const refused = own[index]
    if (refused?.status !== 'refused') return []
    const { code, message: text } = refused.problem
    return [{ message, poison: { code, reason: own.length === 1 ? text : `Record ${index} of ${own.length}: ${text}` } }]
  })
}
