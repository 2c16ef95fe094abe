// One membership in a consumer group: from joining to the first thing that breaks it.

import type { MessagesStream } from '@platformatic/kafka'
import { MAX_STREAM_FETCH_BYTES } from '@roadworthy/contracts/stream/stream-message'
import {
  createCommit,
  createProducer,
  guardClient,
  type KafkaConnection,
  type KafkaMessage,
  type Outgoing,
  requireTopic,
  sendAll,
  toClientOptions,
  toMemberOptions,
  watchLag,
} from '@roadworthy/kafka/kafka-client'
import { paceFetches } from '@roadworthy/kafka/pace-fetches'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { OffsetsPlace } from '../../../streams/offsets.sql.ts'
import { type BeginningDeps, StoredOffsetsConsumer } from './stored-offsets-consumer.ts'

const FETCHED = { maxFetchBytes: MAX_STREAM_FETCH_BYTES, maxWaitingMessages: 2_000 }
/** Messages of transactions that were given up are not read. */
const READ_COMMITTED = 1

/** Those of an operation multiply by those of the operations within it, and a session that failed is begun again anyway. */
const FEW_RETRIES = { retries: 2, retryDelay: 300, strict: false }

export type StreamSession = {
  readonly stream: MessagesStream<Buffer, Buffer, Buffer, Buffer>
  /** Where the offsets of the topic, as it is now, are kept. */
  readonly place: OffsetsPlace
  /** False once the topic was made anew under its name: the client then reads on there, at the offsets of the one before. */
  readonly isSameTopic: () => boolean
  readonly send: (messages: Outgoing[]) => Promise<void>
  /** Rejects when the topic is not there. */
  readonly requireTopic: (topic: string) => Promise<void>
  /** Commits to Kafka, for those who look at its lag. Nothing begins there that the database knows of. */
  readonly commit: (messages: readonly KafkaMessage[]) => Promise<void>
  readonly partitions: () => readonly number[]
  readonly close: () => Promise<void>
}

export type SessionDeps = BeginningDeps & {
  readonly connection: KafkaConnection
  readonly groupId: string
  readonly log: Logger
  readonly onLag: (messageCount: number) => void
}

/** Joins the group and begins to fetch. Rejects, and leaves nothing open, when the broker or the topic is not there. */
export async function openStreamSession(deps: SessionDeps): Promise<StreamSession> {
  const { connection, topic, log } = deps
  const producer = createProducer(connection)
  const consumer = new StoredOffsetsConsumer(
    {
      ...toClientOptions(connection),
      ...FEW_RETRIES,
      ...toMemberOptions(deps.groupId, FETCHED),
      isolationLevel: READ_COMMITTED,
    },
    deps,
  )
  guardClient(consumer, connection)
  paceFetches(consumer)
  // An `error` event without a listener ends the process. What it reports also ends the stream, which is where it is dealt with.
  consumer.on('error', (err: unknown) => log.warn({ err }, 'a Kafka consumer reports an error'))
  producer.on('error', (err: unknown) => log.warn({ err }, 'a Kafka producer reports an error'))
  const close = async () => {
    await Promise.all([consumer.close(true), producer.close()])
  }
  try {
    await requireTopic(consumer, topic)
    const stream = await consumer.consume({ topics: [topic], mode: 'committed', fallbackMode: 'earliest', autocommit: false })
    guardClient(stream, connection)
    // Its reader gets the error; until there is one, an error without a listener would end the process.
    stream.on('error', () => undefined)
    const place = await consumer.topicPlace()
    const topicId = consumer.currentMetadata?.topics.get(topic)?.id
    stream.on('offsets', () => {
      consumer.noteMovedOffsets(stream.offsetsToFetch).catch((error: Error) => stream.destroy(error))
    })
    watchLag(consumer, topic, deps.onLag)
    const partitionCount = (await consumer.metadata({ topics: [topic] })).topics.get(topic)?.partitionsCount
    consumer.on('consumer:lag', (lags) => {
      const count = lags.get(topic)?.length
      // The client does not look: without joining anew, nobody would read those that were added.
      if (count !== partitionCount)
        stream.destroy(new Error(`the topic has ${count} partitions, and had ${partitionCount}; the group is joined anew`))
    })
    const partitions = () => consumer.assignments?.flatMap((each) => each.partitions) ?? []
    return {
      stream,
      place,
      // While the client asks anew, nothing is known, and nothing is read on either.
      isSameTopic: () => [undefined, topicId].includes(consumer.currentMetadata?.topics.get(topic)?.id),
      partitions,
      close,
      send: (messages) => sendAll(producer, messages),
      requireTopic: (name) => requireTopic(producer, name),
      commit: createCommit(consumer),
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}
