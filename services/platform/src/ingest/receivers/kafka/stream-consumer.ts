// Reads the topic of one reseller for as long as its connection stays as it is: joins, takes batch after batch, and begins again when something
// breaks. While a batch cannot be stored nothing more is read, so that the order is kept and no more waits here than one fetch brought.

import { setTimeout as sleep } from 'node:timers/promises'
import type { KafkaConnection } from '@roadworthy/kafka/kafka-client'
import { explainKafkaError } from '@roadworthy/kafka/kafka-error'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { retryDelayMs } from '@roadworthy/service-kit/pacing/retry-delay'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { OffsetStore } from '../../../streams/offset-store.ts'
import { deadLetterTopicOf, type StreamConnection } from '../../../streams/stream-connection.ts'
import { ConsumerReport, type ReportedStatus } from './consumer-report.ts'
import { decodeRecord } from './decode-record.ts'
import { GatheredBatch } from './gathered-batch.ts'
import { openStreamSession, type StreamSession } from './stream-session.ts'
import { type StreamIngest, takeBatch } from './take-batch.ts'

/** Less than what a process has to stop in. */
const CLOSE_BOUND_MS = 1_000
/** Joining waits for the other members of the group, for 15 s at most. */
const OPEN_BOUND_MS = 60_000
/** What breaks after this long, or after something was taken, is tried again soon. A broker that only lets us in is not worth more and more attempts. */
const WELL_AFTER_MS = 60_000

export type StreamConsumerDeps = {
  readonly offsets: OffsetStore
  readonly ingest: StreamIngest
  readonly maxAheadMs: number
  readonly now: () => Date
  readonly isTraced?: boolean
  readonly random: () => number
  readonly log: Logger
  /** Called for every message that was set aside, by the code of its reason. */
  readonly countDeadLetter: (code: string) => void
}

export type StreamConsumer = {
  readonly status: () => ReportedStatus
  /** Settles what is under way, as far as that goes, and leaves the group. */
  stop(): Promise<void>
}

/** Begins to connect and returns at once; it goes on trying for as long as it takes. */
export function startStreamConsumer(deps: StreamConsumerDeps, connection: StreamConnection, kafka: KafkaConnection): StreamConsumer {
  const log = deps.log.child({ resellerId: connection.resellerId, topic: connection.topic, group: connection.groupId })
  const stopping = new AbortController()
  const { signal } = stopping
  const report = new ConsumerReport(newId('con'), deps.now)
  const reading = { ...deps, connection, kafka, log, signal, report }
  let session: StreamSession | undefined

  const run = async () => {
    for (let failureCount = 0; !signal.aborted; ) {
      let wellFromMs = Number.POSITIVE_INFINITY
      const onConnected = (opened: StreamSession) => {
        session = opened
        wellFromMs = performance.now() + WELL_AFTER_MS
      }
      const onTaken = () => {
        wellFromMs = 0
      }
      try {
        await readOnce({ ...reading, onTaken }, onConnected)
      } catch (error) {
        if (signal.aborted) break
        if (performance.now() >= wellFromMs) failureCount = 0
        const delayMs = retryDelayMs(++failureCount, deps.random)
        const reason = explainKafkaError(error)
        report.setState('failed', `${reason}.`)
        log.error({ retryInMs: delayMs }, `a stream cannot be read: ${reason}. It is tried again`)
        session = undefined
        await sleep(delayMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  const ended = run()

  return {
    status: () => report.status(session?.partitions() ?? []),
    stop: async () => {
      stopping.abort()
      // Ends the reading; what has been read and is being stored goes on to its end.
      void session?.stream.close()
      await ended
    },
  }
}

/** One membership, from joining to what breaks it or to the stop. Leaves nothing open. */
async function readOnce(reading: Reading, onConnected: (session: StreamSession) => void): Promise<void> {
  const { connection, report, log } = reading
  const ending = new AbortController()
  const refused = Promise.withResolvers<never>()
  // What is refused may come when nobody waits for it any more.
  refused.promise.catch(() => undefined)
  const signal = AbortSignal.any([reading.signal, ending.signal])
  const attempt = { ...reading, signal, kafka: { ...reading.kafka, onRefused: refused.reject } }
  const opening = openSession(attempt)
  let session: StreamSession | undefined
  let readingOn: Promise<void> | undefined
  try {
    // After an answer that was refused the client may never come back.
    session = await Promise.race([opening, refused.promise, failAfter(OPEN_BOUND_MS, signal)])
    if (signal.aborted) return
    onConnected(session)
    report.setState('running', await Promise.race([doubtsAbout(session, connection), refused.promise]))
    log.info({ partitions: session.partitions() }, 'a stream is connected')
    readingOn = readStream(session, attempt)
    await Promise.race([readingOn, refused.promise])
  } finally {
    ending.abort()
    if (session === undefined) void opening.then(closeInTime, () => undefined)
    else await closeInTime(session)
    // What is being stored goes on to its end: whoever reads next must not overtake it.
    await readingOn?.catch(() => undefined)
  }
}

async function failAfter(boundMs: number, signal: AbortSignal): Promise<never> {
  await sleep(boundMs, undefined, { signal, ref: false }).catch(() => undefined)
  throw new Error(`the broker did not let us begin to read within ${boundMs / 1000} s`)
}

/** Leaving a group takes a broker that answers; one that does not finds out by itself, when the session is over. */
async function closeInTime(session: StreamSession | undefined): Promise<void> {
  const closing = session?.close().catch(() => undefined)
  session?.stream.destroy()
  await Promise.race([closing, sleep(CLOSE_BOUND_MS, undefined, { ref: false })])
}

type Reading = StreamConsumerDeps & {
  readonly connection: StreamConnection
  readonly kafka: KafkaConnection
  readonly signal: AbortSignal
  readonly report: ConsumerReport
  /** Called after each batch that is settled. */
  readonly onTaken: () => void
}

function openSession({ offsets, connection, kafka, log, report }: Reading): Promise<StreamSession> {
  const { resellerId, topic, groupId, startAt } = connection
  return openStreamSession({
    offsets,
    connection: kafka,
    topic,
    groupId,
    startAt,
    log,
    place: (topicId) => ({ resellerId, groupId, topicId }),
    onLag: (messageCount) => report.setLag(messageCount),
    onLost: (lost) => log.error({ lost }, report.setLost(lost)),
  })
}

/** What one who is connected should know all the same. */
async function doubtsAbout(session: StreamSession, { topic }: StreamConnection): Promise<string | undefined> {
  const deadLetterTopic = deadLetterTopicOf(topic)
  try {
    await session.requireTopic(deadLetterTopic)
    return undefined
  } catch (error) {
    return `Messages that cannot be taken could not be set aside: ${explainKafkaError(error)}. The first of them stops the reading until there is a topic "${deadLetterTopic}".`
  }
}

/** Resolves when it is stopped; rejects when the stream breaks off. Reads nothing while it works: the stream then stops fetching. */
async function readStream(session: StreamSession, reading: Reading): Promise<void> {
  const { maxAheadMs, now, signal } = reading
  let batch = new GatheredBatch()
  for await (const message of session.stream) {
    if (signal.aborted) return
    const decoded = decodeRecord(message, { nowMs: now().getTime(), maxAheadMs })
    batch.add({ message, decoded })
    if (!batch.isFull && session.stream.readableLength > 0) continue
    if (!session.isSameTopic()) throw new Error('the topic was deleted and made again; it is begun anew')
    const messages = batch.received.map((each) => each.message)
    const taken = await takeBatch(takeDeps(session, reading), batch.received)
    reading.report.count(taken, message)
    reading.onTaken()
    for (const { code } of taken.setAside) reading.countDeadLetter(code)
    await session.commit(messages).catch((err: unknown) => {
      // Nothing begins there that the database knows of; the next commit covers it.
      reading.log.warn({ err }, 'the progress of a stream could not be committed to Kafka')
    })
    batch = new GatheredBatch()
  }
  if (!signal.aborted) throw new Error('the broker ended the stream')
}

function takeDeps(session: StreamSession, reading: Reading) {
  const { offsets, ingest, connection, now, isTraced = false } = reading
  return {
    ingest,
    now,
    isTraced,
    place: session.place,
    send: session.send,
    deadLetterTopic: deadLetterTopicOf(connection.topic),
    storeProgress: offsets.store,
    insist: <T>(what: string, run: () => Promise<T>) => insist(what, run, reading),
  }
}

/** Tries until it succeeds. Whatever the reason: what is not settled is not passed by. Gives up only with the reading. */
async function insist<T>(what: string, run: () => Promise<T>, { signal, log, random, report }: Reading): Promise<T> {
  for (let failureCount = 1; ; failureCount++) {
    try {
      const result = await run()
      if (failureCount > 1) report.setState('running')
      return result
    } catch (err) {
      if (signal.aborted) throw err
      const retryAfterS = err instanceof Problem ? err.retryAfterS : undefined
      const delayMs = retryAfterS === undefined ? retryDelayMs(failureCount, random) : retryAfterS * 1000
      report.setState('waiting', `${what}: ${explainKafkaError(err)}. Nothing more is read until they can.`)
      log.error({ err, retryInMs: delayMs }, `${what}; nothing more of this stream is read until they can`)
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
