// For tests: a thread that reads from brokers that send garbage, so that what is left open by it ends with it.

import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { Consumer } from '@platformatic/kafka'
import { guardClient } from './kafka-client.ts'
import { paceFetches } from './pace-fetches.ts'
import { allGarbage, type Garbage } from './testing-garbage.ts'
import { startHostileBroker } from './testing-hostile-broker.ts'

const REQUEST_MS = 1_500
/** For those that the client puts up with. */
const WATCHED_MS = 2_000
/** Reads until something breaks, or for a while. */
async function readFrom({ name, options }: Garbage): Promise<void> {
  const broker = await startHostileBroker(options('telemetry'))
  const times = { requestTimeout: REQUEST_MS, connectTimeout: 1_000, timeout: 3_000, sessionTimeout: 3_000, rebalanceTimeout: 3_000 }
  const client = { clientId: 'test', bootstrapBrokers: [broker.address], retries: 0, ...times }
  const consumer = new Consumer<Buffer, Buffer, Buffer, Buffer>({ ...client, groupId: 'g', heartbeatInterval: 1_000, autocommit: false })
  consumer.on('error', () => undefined)
  const refused = Promise.withResolvers<void>()
  const connection = { clientId: 'test', bootstrapBrokers: [broker.address], onRefused: () => refused.resolve() }
  guardClient(consumer, connection)
  paceFetches(consumer)
  const read = async () => {
    const stream = await consumer.consume({ topics: ['telemetry'], mode: 'committed', fallbackMode: 'earliest' })
    guardClient(stream, connection)
    stream.on('error', () => undefined)
    for await (const { partition } of stream) if (partition !== 0) throw new Error(`${name}: partition ${partition}`)
  }
  await Promise.race([read().catch(() => undefined), refused.promise, sleep(WATCHED_MS)])
  await Promise.race([consumer.close(true).catch(() => undefined), sleep(500)])
  await broker.close()
}

const { from, to } = workerData as { from: number; to: number }
await Promise.all(allGarbage.slice(from, to).map(readFrom))
process.exit(0)
