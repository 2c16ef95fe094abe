// The Kafka client, set up the way the stream input needs it, and the rules of what is committed when.
import { Consumer, type MessagesStream } from '@platformatic/kafka'
import {
  createCommit,
  createProducer,
  guardClient,
  type KafkaConnection,
  type KafkaMessage,
  type Outgoing,
  QUICK_RETRIES,
  requireTopic,
  sendAll,
  toClientOptions,
  toMemberOptions,
  watchLag,
} from '@roadworthy/kafka/kafka-client'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { KafkaTopics } from './input-settings.ts'

const FETCHED = { maxFetchBytes: 2 * 1024 * 1024, maxWaitingMessages: 1000 }

export type KafkaSession = {
  readonly stream: MessagesStream<Buffer, Buffer, Buffer, Buffer>
  readonly send: (messages: Outgoing[]) => Promise<void>
  /** Commits that everything up to these messages is answered. Commits of a session never go back. */
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
    ...toMemberOptions(topics.groupId, FETCHED),
  })
  guardClient(consumer, connection)
  // An `error` event without a listener ends the process. What it reports also ends the stream, which is where it is dealt with.
  consumer.on('error', (err: unknown) => hooks.log.warn({ err }, 'the Kafka consumer reports an error'))
  producer.on('error', (err: unknown) => hooks.log.warn({ err }, 'the Kafka producer reports an error'))
  const close = async () => {
    await consumer.close(true)
    await producer.close()
  }
  try {
    for (const topic of new Set([topics.input, topics.output, topics.deadLetter])) await requireTopic(producer, topic)
    const stream = await consumer.consume({ topics: [topics.input], mode: 'committed', fallbackMode: topics.startAt, autocommit: false })
    guardClient(stream, connection)
    watchLag(consumer, topics.input, hooks.onLag)
    return { stream, close, send: (messages) => sendAll(producer, messages), commit: createCommit(consumer) }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}
