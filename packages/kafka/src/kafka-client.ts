// The Kafka client, set up the way both services use it.
import { type ConnectionPool, type Consumer, compatibilityPartitioner, type Message, Producer } from '@platformatic/kafka'
import type { SaslMechanism } from '@roadworthy/contracts/stream/sasl-mechanisms'
import type { AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { assignBySubscription } from './assign-partitions.ts'
import { guardConnections, guardedLookup } from './guarded-connections.ts'
import { limitConnections } from './limit-connections.ts'
import { type TlsPems, toTlsOptions } from './tls-pem.ts'

export type KafkaConnection = {
  readonly clientId: string
  readonly bootstrapBrokers: string[]
  readonly tls?: TlsPems
  readonly tlsServerName?: boolean
  /** The password is not enumerable, as secrets are. */
  readonly sasl?: { mechanism: SaslMechanism; username: string; password: string }
  /** Where the brokers are named by a stranger. */
  readonly guard?: AddressGuard
  /** Called when an answer of a broker is refused, with the reason: calls that fail because of it only report that the connection was closed. */
  readonly onRefused?: (error: Error) => void
}

export type KafkaMessage = Message<Buffer, Buffer, Buffer, Buffer>
export type Outgoing = { topic: string; key?: Buffer; value?: Buffer; headers?: Map<Buffer, Buffer> }
export type BytesProducer = Producer<Buffer, Buffer, Buffer, Buffer>
export type BytesConsumer = Consumer<Buffer, Buffer, Buffer, Buffer>

const LAG_EVERY_MS = 5000

/** Long enough not to spin on an idle topic, short enough that a stop does not wait. */
export const FETCH_WAIT_MS = 500
/** A group does without a member that died after this long. The least that brokers allow by default is 6 s. */
const SESSION_TIMEOUT_MS = 10_000
/** Rejoining waits for no work that is under way, so members come at once or not at all. */
const REBALANCE_TIMEOUT_MS = 15_000
const HEARTBEAT_EVERY_MS = 3000

/** A topic that has just been made has no leader for a moment, a broker that has just started no coordinator. */
export const QUICK_RETRIES = { retries: 5, retryDelay: 400, strict: false }

/** The client copies what it is given, and would leave behind what is not enumerable. */
export function toClientOptions({ tls, sasl, guard, onRefused: _, ...rest }: KafkaConnection) {
  const signIn = sasl === undefined ? {} : { sasl: { ...sasl, password: sasl.password } }
  const lookup = guard === undefined ? {} : { lookup: guardedLookup(guard) }
  return { ...rest, ...signIn, ...(tls === undefined ? {} : { tls: { ...toTlsOptions(tls), ...lookup } }) }
}

/**
 * Membership in a group that commits by its own hand. `maxFetchBytes`, what one fetch may bring, and `maxWaitingMessages` bound what waits in
 * memory: fetching stops while that is worked on.
 */
export function toMemberOptions(
  groupId: string,
  { maxFetchBytes, maxWaitingMessages }: { maxFetchBytes: number; maxWaitingMessages: number },
) {
  return {
    groupId,
    partitionAssigner: assignBySubscription,
    sessionTimeout: SESSION_TIMEOUT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_EVERY_MS,
    autocommit: false,
    maxWaitTime: FETCH_WAIT_MS,
    maxBytes: maxFetchBytes,
    maxBytesPerPartition: maxFetchBytes / 4,
    highWaterMark: maxWaitingMessages,
  }
}

/** Before a client is first used, and for the stream of a consumer before it is first read: each has a pool of its own. */
export function guardClient({ connections }: { readonly connections: ConnectionPool }, connection: KafkaConnection): void {
  limitConnections(connections, connection.onRefused)
  if (connection.guard !== undefined) guardConnections(connections, connection.guard, connection.tls !== undefined)
}

/** Its messages are acknowledged by every replica that is in step. Keys lead to the partitions that the Java client would choose. */
export function createProducer(connection: KafkaConnection): BytesProducer {
  const options = { ...toClientOptions(connection), ...QUICK_RETRIES, acks: -1, partitioner: compatibilityPartitioner }
  const producer = new Producer<Buffer, Buffer, Buffer, Buffer>(options)
  guardClient(producer, connection)
  return producer
}

/** Asked one by one: the broker's answer does not name which of several topics it does not know. */
export async function requireTopic(client: Pick<BytesProducer, 'metadata'>, topic: string): Promise<void> {
  try {
    await client.metadata({ topics: [topic] })
  } catch (error) {
    if (!/unknown topic/i.test((error as Error).message)) throw error
    // Without its cause, which is less specific.
    throw new Error(`the broker has no topic "${topic}". Create it, or name another`)
  }
}

export async function sendAll(producer: BytesProducer, messages: Outgoing[]): Promise<void> {
  if (messages.length > 0) await producer.send({ messages })
}

/** Commits to the group that everything up to these messages is settled. Committed offsets never go back. */
export function createCommit(consumer: BytesConsumer): (messages: readonly KafkaMessage[]) => Promise<void> {
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
