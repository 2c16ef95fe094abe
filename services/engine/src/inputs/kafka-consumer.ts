// The Kafka client, set up the way the stream input needs it, and the rules of what is committed when.
import { Consumer, compatibilityPartitioner, type Message, type MessagesStream, Producer } from '@platformatic/kafka'
import type { Logger } from '@roadworthy/service-kit/log'
import type { KafkaConnection, KafkaTopics } from './input-settings.ts'
import { toTlsOptions } from './input-tls.ts'

export type KafkaMessage = Message<Buffer, Buffer, Buffer, Buffer>
export type Outgoing = { topic: string; key?: Buffer; value?: Buffer; headers?: Map<Buffer, Buffer> }

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
const LAG_EVERY_MS = 5000
/** A topic that has just been made has no leader for a moment, a broker that has just started no coordinator. */
const QUICK_RETRIES = 5
const QUICK_RETRY_MS = 400

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
  const base = { ...toClientOptions(connection), retries: QUICK_RETRIES, retryDelay: QUICK_RETRY_MS, strict: false }
  const producer = new Producer<Buffer, Buffer, Buffer, Buffer>({ ...base, acks: -1, partitioner: compatibilityPartitioner })
  const consumer = new Consumer<Buffer, Buffer, Buffer, Buffer>({
    ...base,
    groupId: topics.groupId,
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
    return { stream, close, send: (messages) => send(producer, messages), commit: createCommit(consumer) }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

/** The client copies what it is given, and would leave behind what is not enumerable. */
function toClientOptions({ tls, sasl, ...rest }: KafkaConnection) {
  const signIn = sasl === undefined ? {} : { sasl: { ...sasl, password: sasl.password } }
  return { ...rest, ...signIn, ...(tls === undefined ? {} : { tls: toTlsOptions(tls) }) }
}

/** Asked one by one: the broker's answer does not say which of several topics it does not know. */
async function requireTopic(producer: Producer<Buffer, Buffer, Buffer, Buffer>, topic: string): Promise<void> {
  try {
    await producer.metadata({ topics: [topic] })
  } catch (error) {
    if (!/unknown topic/i.test((error as Error).message)) throw error
    // Without its cause, which says less.
    throw new Error(`the broker has no topic "${topic}". Create it, or name another`)
  }
}

async function send(producer: Producer<Buffer, Buffer, Buffer, Buffer>, messages: Outgoing[]): Promise<void> {
  if (messages.length > 0) await producer.send({ messages })
}

function createCommit(consumer: Consumer<Buffer, Buffer, Buffer, Buffer>): KafkaSession['commit'] {
  // After a rebalance messages that were fetched before it come again; answering the first of them must not undo the commit of the last.
  const committed = new Map<number, bigint>()
  return async (messages) => {
    const held = new Set(consumer.assignments?.flatMap(({ partitions }) => partitions))
    const last = new Map<number, KafkaMessage>()
    for (const message of messages) {
      const { partition, offset } = message
      const known = last.get(partition)?.offset ?? committed.get(partition) ?? -1n
      // What another member holds is its to commit: it began where the group had committed, and answers what it finds there.
      if (held.has(partition) && offset > known) last.set(partition, message)
    }
    if (last.size === 0) return
    const offsets = [...last.values()].map(({ topic, partition, offset, leaderEpoch }) => ({
      topic,
      partition,
      offset: offset + 1n,
      leaderEpoch,
    }))
    await consumer.commit({ offsets })
    for (const { partition, offset } of last.values()) committed.set(partition, offset)
  }
}

function watchLag(consumer: Consumer<Buffer, Buffer, Buffer, Buffer>, topic: string, onLag: (messageCount: number) => void): void {
  consumer.on('consumer:lag', (lags) => {
    let total = 0n
    // -1 is a partition that another member holds.
    for (const partitions of lags.values()) for (const lag of partitions) if (lag > 0n) total += lag
    onLag(Number(total))
  })
  consumer.startLagMonitoring({ topics: [topic] }, LAG_EVERY_MS)
}
