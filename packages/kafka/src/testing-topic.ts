// For tests: topics of their own, and everything that came out of one.
import type { TestContext } from 'node:test'
import { Admin, Consumer, compatibilityPartitioner, Producer } from '@platformatic/kafka'

const PARTITIONS = 4

export type Received = { key: string; value: string; headers: Record<string, string> }

/** Everything that is and will be in the topic, in order of its arrival here. */
export async function collectTopic(t: TestContext, brokers: string, topic: string): Promise<Received[]> {
  const consumer = new Consumer<Buffer, Buffer, Buffer, Buffer>({
    clientId: 'test-consumer',
    groupId: `test-${process.hrtime.bigint()}`,
    bootstrapBrokers: [brokers],
    retries: 100,
    retryDelay: 300,
  })
  const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false, maxWaitTime: 200 })
  const received: Received[] = []
  stream.on('data', ({ key, value, headers }) => {
    const texts = Object.fromEntries([...headers].map(([name, text]) => [name.toString(), text.toString()]))
    received.push({ key: key?.toString() ?? '', value: value?.toString() ?? '', headers: texts })
  })
  stream.on('error', () => undefined)
  consumer.on('error', () => undefined)
  t.after(() => consumer.close(true))
  return received
}

export type StreamMessage = {
  readonly key?: string
  readonly value: string | object
  readonly headers?: Readonly<Record<string, string>>
  readonly timestampMs?: number
}

export type TestTopic = {
  readonly name: string
  readonly admin: Admin
  /** Rejects when the broker does not take them in time. */
  send(messages: readonly StreamMessage[]): Promise<void>
}

export async function createTopic(t: TestContext, address: string, options: { hasDeadLetters?: boolean } = {}): Promise<TestTopic> {
  const name = `t${process.hrtime.bigint().toString(36)}`
  const client = { bootstrapBrokers: [address], retries: 20, retryDelay: 300 }
  const admin = new Admin({ clientId: 'test-admin', ...client })
  const producer = new Producer<Buffer, Buffer, Buffer, Buffer>({
    clientId: 'test-producer',
    ...client,
    acks: -1,
    partitioner: compatibilityPartitioner,
  })
  t.after(async () => {
    await producer.close(true)
    await admin.close()
  })
  await admin.createTopics({ topics: [name], partitions: PARTITIONS, replicas: 1 })
  if (options.hasDeadLetters !== false) await admin.createTopics({ topics: [`${name}.dlq`], partitions: 1, replicas: 1 })
  const send = async (messages: readonly StreamMessage[]) => {
    await producer.send({
      messages: messages.map(({ key, value, headers = {}, timestampMs }) => ({
        topic: name,
        ...(key === undefined ? {} : { key: Buffer.from(key) }),
        value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
        headers: new Map(Object.entries(headers).map(([header, text]) => [Buffer.from(header), Buffer.from(text)])),
        ...(timestampMs === undefined ? {} : { timestamp: BigInt(timestampMs) }),
      })),
    })
  }
  return { name, admin, send }
}
