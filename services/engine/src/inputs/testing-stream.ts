// What the tests of the stream input share: topics of their own, and everything that came out of a topic.
import type { TestContext } from 'node:test'
import { Admin, compatibilityPartitioner, Producer } from '@platformatic/kafka'

const MAX_INPUT_BYTES = 4 * 1024 * 1024
const MAX_OUTPUT_BYTES = 1024 * 1024

type Sent = { key: string; value: string | Buffer; headers?: Record<string, string> }

/** Topics of its own for each test; the engine of that test knows them by its environment. */
export async function createTopics(t: TestContext, brokers: string, partitions = 4, maxOutputBytes = MAX_OUTPUT_BYTES) {
  const name = `t${process.hrtime.bigint().toString(36)}`
  const topics = { input: `${name}.in`, output: `${name}.out`, deadLetter: `${name}.in.dlq` }
  const admin = new Admin({ clientId: 'test-admin', bootstrapBrokers: [brokers], retries: 10, retryDelay: 300 })
  const upTo = (maxBytes: number) => [{ name: 'max.message.bytes', value: String(maxBytes) }]
  // Only the first takes more than a broker does by default.
  await admin.createTopics({ topics: [topics.input], partitions, replicas: 1, configs: upTo(MAX_INPUT_BYTES) })
  await admin.createTopics({ topics: [topics.output], partitions, replicas: 1, configs: upTo(maxOutputBytes) })
  await admin.createTopics({ topics: [topics.deadLetter], partitions, replicas: 1 })
  await admin.close()
  const env = {
    ENGINE_INPUT: 'stream',
    ENGINE_KAFKA_BROKERS: brokers,
    ENGINE_KAFKA_TOPIC: topics.input,
    ENGINE_KAFKA_OUTPUT_TOPIC: topics.output,
    ENGINE_KAFKA_GROUP_ID: name,
  }
  const producer = new Producer<Buffer, Buffer, Buffer, Buffer>({
    clientId: 'test-producer',
    bootstrapBrokers: [brokers],
    acks: -1,
    partitioner: compatibilityPartitioner,
    retries: 10,
    retryDelay: 300,
  })
  t.after(() => producer.close(true))
  const send = async (messages: readonly Sent[]) => {
    await producer.send({
      messages: messages.map(({ key, value, headers = {} }) => ({
        topic: topics.input,
        key: Buffer.from(key),
        value: Buffer.from(value as string),
        headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
      })),
    })
  }
  return { topics, env, send, sendReadings: (readings: readonly { vehicleId: string }[]) => send(readings.map(toMessage)) }
}

function toMessage(reading: { vehicleId: string }): Sent {
  return { key: reading.vehicleId, value: JSON.stringify(reading) }
}
