// The Kafka client, set up the way the stream input needs it, and the rules of what is committed when.
import { Consumer, type MessagesStream } from '@platformatic/kafka'
import { assignBySubscription } from '@roadworthy/message-stream/assign-partitions'
import {
  createCommit,
  createProducer,
  type KafkaConnection,
  type KafkaMessage,
  type Outgoing,
  QUICK_RETRIES,
  requireTopic,
  sendAll,
  toClientOptions,
  watchLag,
} from '@roadworthy/message-stream/kafka-client'
import type { Logger } from '@roadworthy/service-kit/log'
import type { KafkaTopics } from './input-settings.ts'

/** Long enough not to spin on an idle topic, short enough that a stop does not wait. */
const FETCH_WAIT_MS = 500
/** What one fetch may bring bounds what waits in memory: fetching stops while it is worked on. */
const MAX_FETCH_BYTES = 8 * 1024 * 1024
const MAX_WAITING_MESSAGES = 1000
/** A group does without a member that died after this long. The least that brokers allow by default is 6 s. */
const SESSION_TIMEOUT_MS = 10_000
/** Rejoining waits for no work that is under way, so members come at once or not at all. */
const REBALANCE_TIMEOUT_MS = 15_000
const HEARTBEAT_EVERY_MS = 3000

export type KafkaSession = {
  readonly stream: MessagesStream<Buffer, Buffer, Buffer, Buffer>
  readonly send: (messages: Outgoing[]) => Promise<void>
  /** Says that everything up to these messages is answered. Never goes back on what this session has said. */
  readonly commit: (messages: readonly KafkaMessage[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** Joins the group and begins to fetch from what it has committed. Rejects, and leaves nothing open, when the broker or a topic is not there. */
export async function openKafkaSession(
  connection: KafkaConnection,
  topics: KafkaTopics,
  hooks: { readonly log: Logger; readonly onLag: (messageCount: number) => void },
): Promise<KafkaSession> {
  const producer = createProducer(connection)
  const consumer = new Consumer<Buffer, Buffer, Buffer, Buffer>({
    ...toClientOptions(connection),
    ...QUICK_RETRIES,
    groupId: topics.groupId,
    partitionAssigner: assignBySubscription,
    sessionTimeout: SESSION_TIMEOUT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_EVERY_MS,
    autocommit: false,
    maxWaitTime: FETCH_WAIT_MS,
    maxBytes: MAX_FETCH_BYTES,
    maxBytesPerPartition: MAX_FETCH_BYTES / 4,
    highWaterMark: MAX_WAITING_MESSAGES,
  })
  // An `error` event without a listener ends the process. What it tells of also ends the stream, which is where it is dealt with.
  consumer.on('error', (err: unknown) => hooks.log.warn({ err }, 'the Kafka consumer reports an error'))
  producer.on('error', (err: unknown) => hooks.log.warn({ err }, 'the Kafka producer reports an error'))
  const close = async () => {
    await consumer.close(true)
    await producer.close()
  }
  try {
    for (const topic of new Set([topics.input, topics.output, topics.deadLetter])) await requireTopic(producer, topic)
    const stream = await consumer.consume({ topics: [topics.input], mode: 'committed', fallbackMode: topics.startAt, autocommit: false })
    watchLag(consumer, topics.input, hooks.onLag)
    return { stream, close, send: (messages) => sendAll(producer, messages), commit: createCommit(consumer) }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}
