// For tests: everything that came out of a topic.
import type { TestContext } from 'node:test'
import { Consumer } from '@platformatic/kafka'

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
