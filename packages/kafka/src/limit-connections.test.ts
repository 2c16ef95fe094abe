import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Broker, ConnectionPool } from '@platformatic/kafka'
import { limitConnections } from './limit-connections.ts'

test('a cluster leads to a hundred brokers at most, and those that are connected already are not counted again', async () => {
  const brokers = new Set<string>()
  const refused: string[] = []
  const pool = {
    on: () => undefined,
    has: ({ host }: Broker) => brokers.has(host),
    get: async ({ host }: Broker) => void brokers.add(host),
    [Symbol.iterator]: () => brokers.values(),
  } as unknown as ConnectionPool
  limitConnections(pool, (error) => refused.push(error.message))
  const connect = (nth: number) => pool.get({ host: `broker-${nth}.example.com`, port: 9092 })
  for (let nth = 0; nth < 100; nth++) await connect(nth)
  await assert.rejects(async () => connect(100), { message: 'the cluster leads to more than 100 brokers', canRetry: false })
  await connect(5)
  assert.deepEqual([brokers.size, refused.length], [100, 1])
})
