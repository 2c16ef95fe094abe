// The Kafka client, set up the way both services use it.
import { type Consumer, compatibilityPartitioner, type Message, Producer } from '@platformatic/kafka'
import type { StreamMessage } from './read-message.ts'
import { type TlsPems, toTlsOptions } from './tls-pem.ts'

export const SASL_MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const
export type SaslMechanism = (typeof SASL_MECHANISMS)[number]

/** Kafka, `Topic.LEGAL_CHARS` and its longest name. */
export const KAFKA_TOPIC = /^(?!\.{1,2}$)[\w.-]{1,249}$/

export type KafkaConnection = {
  readonly clientId: string
  readonly bootstrapBrokers: string[]
  readonly tls?: TlsPems
  readonly tlsServerName?: boolean
  /** The password is not enumerable, as secrets are. */
  readonly sasl?: { mechanism: SaslMechanism; username: string; password: string }
}

export type KafkaMessage = Message<Buffer, Buffer, Buffer, Buffer>
export type Outgoing = { topic: string; key?: Buffer; value?: Buffer; headers?: Map<Buffer, Buffer> }
export type BytesProducer = Producer<Buffer, Buffer, Buffer, Buffer>
export type BytesConsumer = Consumer<Buffer, Buffer, Buffer, Buffer>

const MAX_PORT = 65_535
const LAG_EVERY_MS = 5000

/** A topic that has just been made has no leader for a moment, a broker that has just started no coordinator. */
export const QUICK_RETRIES = { retries: 5, retryDelay: 400, strict: false }

/** `HOST:PORT`, an IPv6 address in brackets. */
export function isBrokerAddress(text: string): boolean {
  const port = /^(?:[\w.-]+|\[[0-9a-f:]+\]):(\d{1,5})$/i.exec(text)?.[1]
  return port !== undefined && Number(port) >= 1 && Number(port) <= MAX_PORT
}

/** The client copies what it is given, and would leave behind what is not enumerable. */
export function toClientOptions({ tls, sasl, ...rest }: KafkaConnection) {
  const signIn = sasl === undefined ? {} : { sasl: { ...sasl, password: sasl.password } }
  return { ...rest, ...signIn, ...(tls === undefined ? {} : { tls: toTlsOptions(tls) }) }
}

/** Its messages are acknowledged by every replica that is in step. Keys lead to the partitions that the Java client would choose. */
export function createProducer(connection: KafkaConnection): BytesProducer {
  return new Producer({ ...toClientOptions(connection), ...QUICK_RETRIES, acks: -1, partitioner: compatibilityPartitioner })
}

/** Asked one by one: the broker's answer does not say which of several topics it does not know. */
export async function requireTopic(client: Pick<BytesProducer, 'metadata'>, topic: string): Promise<void> {
  try {
    await client.metadata({ topics: [topic] })
  } catch (error) {
    if (!/unknown topic/i.test((error as Error).message)) throw error
    // Without its cause, which says less.
    throw new Error(`the broker has no topic "${topic}". Create it, or name another`)
  }
}

export async function sendAll(producer: BytesProducer, messages: Outgoing[]): Promise<void> {
  if (messages.length > 0) await producer.send({ messages })
}

/** Of the partitions that this consumer holds, what the group has not committed yet, every few seconds. */
export function watchLag(consumer: BytesConsumer, topic: string, onLag: (messageCount: number) => void): void {
  consumer.on('consumer:lag', (lags) => {
    let total = 0n
    // -1 is a partition that another member holds.
    for (const partitions of lags.values()) for (const lag of partitions) if (lag > 0n) total += lag
    onLag(Number(total))
  })
  consumer.startLagMonitoring({ topics: [topic] }, LAG_EVERY_MS)
}

export function toStreamMessage({ value, headers, timestamp }: Pick<KafkaMessage, 'value' | 'headers' | 'timestamp'>): StreamMessage {
  const texts = new Map<string, string>()
  for (const [name, content] of headers) texts.set(name.toString().toLowerCase(), content?.toString() ?? '')
  // The record's own time is the same when the record is read again; the clock here is not.
  return { value: value ?? Buffer.alloc(0), headers: texts, receivedAtMs: Number(timestamp) }
}
