// What the test of a connection asks of the cluster. It joins no group and moves no offset.

import { Consumer, ListOffsetTimestamps } from '@platformatic/kafka'
import { BrokerDataError } from '@roadworthy/kafka/client-limits'
import {
  type BytesConsumer,
  guardClient,
  type KafkaConnection,
  type KafkaMessage,
  requireTopic,
  toClientOptions,
} from '@roadworthy/kafka/kafka-client'
import { explainKafkaError, hasApiId } from '@roadworthy/kafka/kafka-error'
import { StepError } from './step-error.ts'
import { deadLetterTopicOf, type StreamConnection } from './stream-connection.ts'

const CONNECT_MS = 5_000
const REQUEST_MS = 8_000
const FETCH_WAIT_MS = 1_000
const MAX_FETCH_BYTES = 1024 * 1024
/** What stands before the end of a partition may be a mark of a transaction, or compacted away. */
const LOOK_BACK = 10n
const MAX_PARTITIONS = 50
/** Of a batch that holds marks of transactions, no messages. */
const CONTROL_BATCH = 0x20

export type SampleMessage = Pick<KafkaMessage, 'key' | 'value' | 'headers' | 'timestamp'>
export type FoundMessage = SampleMessage & { readonly partition: number; readonly offset: bigint }

/** Each throws a `StepError`, or what the client throws. */
export type ClusterProbe = {
  signIn(): Promise<string>
  findTopics(): Promise<string>
  newestMessage(): Promise<FoundMessage | undefined>
  close(): Promise<void>
}

export function createClusterProbe(kafka: KafkaConnection, { topic, groupId, sasl, tls }: StreamConnection): ClusterProbe {
  const limits = { connectTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, retries: 1, retryDelay: 300, strict: false }
  const consumer: BytesConsumer = new Consumer({ ...toClientOptions(kafka), ...limits, groupId, autocommit: false })
  const refused = Promise.withResolvers<never>()
  // Reported by the step that is under way, if one is.
  refused.promise.catch(() => undefined)
  guardClient(consumer, { ...kafka, onRefused: refused.reject })
  /** After an answer that was refused the client may never come back, and has lost the reason. */
  const orRefused = <T>(asking: Promise<T>) => Promise.race([refused.promise, asking])
  const findTopics = async () => {
    await mustHave(consumer, topic, 'Create it, or give another as "topic".')
    await mustHave(
      consumer,
      deadLetterTopicOf(topic),
      'Create it: messages that cannot be taken are set aside there, and the first of them stops the reading until there is one.',
    )
    await connectToAll(consumer)
    await mustMayRead(consumer, topic, groupId)
    const partitions = (await consumer.metadata({ topics: [topic] })).topics.get(topic)?.partitionsCount ?? 0
    return `"${topic}" has ${count(partitions, 'partition')}; "${deadLetterTopicOf(topic)}" is there, and the group "${groupId}" may read.`
  }
  // What it reports also fails the call that is under way.
  consumer.on('error', () => undefined)
  return {
    signIn: async () => {
      try {
        const { brokers } = await orRefused(consumer.metadata({ topics: [] }))
        return `The cluster has ${count(brokers.size, 'broker')}.`
      } catch (error) {
        throw new StepError(explainSignIn(error, sasl?.mechanism, tls !== undefined))
      }
    },
    findTopics: () => orRefused(findTopics()),
    newestMessage: () => orRefused(findNewest(consumer, topic)),
    close: async () => {
      await consumer.close(true).catch(() => undefined)
    },
  }
}

const count = (howMany: number, what: string) => `${howMany} ${what}${howMany === 1 ? '' : 's'}`

function explainSignIn(error: unknown, mechanism: string | undefined, hasTls: boolean): string {
  const reason = explainKafkaError(error)
  if (/requires TLS/i.test(reason)) return 'The broker speaks TLS on this port. Give "tls": {}, or the port for plain text.'
  if (error instanceof BrokerDataError) return `${reason}.`
  if (mechanism === undefined) {
    const certificate = hasTls ? ', or a certificate ("tls.certificate")' : ''
    return `The broker ends the connection: ${reason}. It may want a sign-in ("sasl")${certificate}.`
  }
  if (/mechanism/i.test(reason)) return `The broker does not take ${mechanism}: ${reason}. Give the "sasl.mechanism" that it takes.`
  return `The broker does not let this user in: ${reason}. Check "sasl.username", "sasl.password" and "sasl.mechanism" (${mechanism}).`
}

async function mustHave(consumer: BytesConsumer, topic: string, advice: string): Promise<void> {
  try {
    await requireTopic(consumer, topic)
  } catch (error) {
    if (/no topic/.test((error as Error).message))
      throw new StepError(`The broker has no topic "${topic}", or hides it from this user. ${advice}`)
    if (!hasApiId(error, 'TOPIC_AUTHORIZATION_FAILED')) throw error
    throw new StepError(`This user may not see the topic "${topic}" (TOPIC_AUTHORIZATION_FAILED). Allow it to describe and read it.`)
  }
}

/** The brokers that are given only report where the others are. */
async function connectToAll(consumer: BytesConsumer): Promise<void> {
  try {
    await consumer.connectToBrokers()
  } catch (error) {
    throw new StepError(
      `The cluster names brokers that cannot be connected to: ${explainKafkaError(error)}. Check their "advertised.listeners".`,
    )
  }
}

async function mustMayRead(consumer: BytesConsumer, topic: string, groupId: string): Promise<void> {
  try {
    await consumer.listCommittedOffsets({ topics: [{ topic, partitions: [0] }] })
  } catch (error) {
    if (!hasApiId(error, 'GROUP_AUTHORIZATION_FAILED')) throw error
    throw new StepError(
      `This user may not read as the group "${groupId}" (GROUP_AUTHORIZATION_FAILED). Allow it, or give another as "groupId".`,
    )
  }
}

/** By the time that Kafka has for it. */
async function findNewest(consumer: BytesConsumer, topic: string): Promise<FoundMessage | undefined> {
  consumer.topics.track(topic)
  const earliest = (await consumer.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.EARLIEST })).get(topic) ?? []
  const latest = (await consumer.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.LATEST })).get(topic) ?? []
  const { topics } = await consumer.metadata({ topics: [topic] })
  const { id: topicId = topic, partitions = [] } = topics.get(topic) ?? {}
  let newest: FoundMessage | undefined
  for (const [partition, end] of latest.slice(0, MAX_PARTITIONS).entries()) {
    const first = earliest[partition] ?? 0n
    const node = partitions[partition]?.leader
    if (end <= first || node === undefined) continue
    const fetchOffset = end - first > LOOK_BACK ? end - LOOK_BACK : first
    const asked = { partition, fetchOffset, partitionMaxBytes: MAX_FETCH_BYTES, currentLeaderEpoch: -1, lastFetchedEpoch: -1 }
    const found = lastOf(
      await consumer.fetch({
        node,
        topics: [{ topicId, partitions: [asked] }],
        maxWaitTime: FETCH_WAIT_MS,
        minBytes: 1,
        maxBytes: MAX_FETCH_BYTES,
      }),
      partition,
    )
    if (found !== undefined && (newest === undefined || found.timestamp > newest.timestamp)) newest = found
  }
  return newest
}

function lastOf({ responses }: Awaited<ReturnType<BytesConsumer['fetch']>>, partition: number): FoundMessage | undefined {
  const batches = responses.flatMap(({ partitions }) => partitions.flatMap(({ records }) => records ?? []))
  const batch = batches.findLast(({ attributes, records }) => (attributes & CONTROL_BATCH) === 0 && records.length > 0)
  const record = batch?.records.at(-1)
  if (batch === undefined || record === undefined) return undefined
  const headers = new Map(record.headers.map(([name, content]) => [name ?? Buffer.alloc(0), content ?? Buffer.alloc(0)]))
  return {
    ...(record.key === null ? {} : { key: record.key }),
    ...(record.value === null ? {} : { value: record.value }),
    headers,
    timestamp: batch.firstTimestamp + record.timestampDelta,
    partition,
    offset: batch.firstOffset + BigInt(record.offsetDelta),
  } as FoundMessage
}
