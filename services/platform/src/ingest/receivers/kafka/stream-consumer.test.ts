// Goal: a broker sets no pace. However fast it answers with what is of no use, it is asked a few times a second and joined more and more rarely. Method:
// brokers of tests that answer at once; what is counted is requests and announced pauses.

import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { type HostileOptions, record, recordBatch, startHostileBroker } from '@roadworthy/kafka/testing-hostile-broker'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import type { StreamProgress } from '../../../streams/offsets.sql.ts'
import { startStreamConsumer } from './stream-consumer.ts'

const TOPIC = 'telemetry'
const AT = new Date('2026-11-20T12:00:00.000Z')
/** It is half a second between two fetches that bring nothing, and three between two heartbeats: six. Without a pace there are thousands. */
const MAX_FETCHES_PER_HEARTBEAT = 50

/** Resolves with the next pause that is announced. */
type NextPause = () => Promise<number>

async function startReader(t: TestContext, options: Omit<HostileOptions, 'topic'>, onStored = () => {}): Promise<NextPause> {
  const broker = await startHostileBroker({ topic: TOPIC, ...options })
  t.after(() => broker.close())
  const sink = new PassThrough({ objectMode: true })
  const next = new Map<number, bigint>()
  const store = async (progress: readonly StreamProgress[] = []) => {
    for (const { partition, nextOffset } of progress) next.set(partition, nextOffset)
  }
  const consumer = startStreamConsumer(
    {
      ingest: async ({ receivedAtMs }, progress) => {
        await store(progress)
        onStored()
        return receivedAtMs.map(() => ({ status: 'stored' }))
      },
      offsets: {
        select: async () => new Map(next),
        insertUnlessThere: async (_place, found) => {
          for (const [partition, offset] of found) next.set(partition, offset)
        },
        updateLost: async () => undefined,
        store,
      },
      ...{
        maxAheadMs: 60_000,
        now: () => new Date(),
        random: () => 0.5,
        log: createLogger('error', sink),
        countDeadLetter: () => undefined,
      },
    },
    {
      ...{ resellerId: 'acme', brokers: [broker.address], topic: TOPIC, groupId: 'g', enabled: true, startAt: 'earliest' },
      ...{ tls: undefined, sasl: undefined, revision: 'rev-1', createdAt: AT, updatedAt: AT },
    },
    { clientId: 'test', bootstrapBrokers: [broker.address] },
  )
  t.after(() => consumer.stop())
  const lines = sink.iterator() as AsyncIterator<string>
  const nextPauseMs = async (): Promise<number> => {
    const { retryInMs } = JSON.parse((await lines.next()).value) as { retryInMs?: number }
    return retryInMs ?? (await nextPauseMs())
  }
  return nextPauseMs
}

for (const [what, records] of [
  ['nothing', () => Buffer.alloc(0)],
  ['the same message again and again', () => recordBatch(record('{"vehicle_id":"truck-1","speed":5}'))],
] as const)
  test(`a broker that answers every fetch at once, with ${what}, is asked a few times a second`, async (t) => {
    const fetchCounts: number[] = []
    let fetchCount = 0
    const beaten = Promise.withResolvers<void>()
    await startReader(t, {
      records,
      answer: ({ api }) => {
        if (api === 'fetch') fetchCount++
        // Until it goes on asking: on a machine with much to do two heartbeats may follow one another.
        if (api === 'heartbeat' && fetchCounts.push(fetchCount) > 1 && fetchCount > (fetchCounts[0] ?? 0)) beaten.resolve()
        return undefined
      },
    })
    await beaten.promise
    const perHeartbeat = (fetchCount - (fetchCounts[0] ?? 0)) / (fetchCounts.length - 1)
    assert.ok(perHeartbeat <= MAX_FETCHES_PER_HEARTBEAT, `${perHeartbeat} fetches between two heartbeats`)
  })

const unreadable = (firstOffset = 0n) => recordBatch(Buffer.alloc(64), { compression: 'lz4', firstOffset })

test('a broker that lets us in and then sends what cannot be read is joined after longer and longer pauses', async (t) => {
  const nextPauseMs = await startReader(t, { records: () => unreadable() })
  assert.deepEqual([await nextPauseMs(), await nextPauseMs()], [1_000, 2_000])
})

test('what breaks after something was taken is tried again soon', async (t) => {
  let storedCount = 0
  let readableCount = 0
  const good = () => recordBatch(record('{"vehicle_id":"truck-1","speed":5}'), { firstOffset: BigInt(storedCount) })
  const options: Omit<HostileOptions, 'topic'> = {
    records: () => (storedCount < readableCount ? good() : unreadable(BigInt(storedCount))),
    // One message for each membership.
    answer: ({ api }) => {
      if (api === 'joinGroup') readableCount = storedCount + 1
      return undefined
    },
  }
  const nextPauseMs = await startReader(t, options, () => {
    storedCount++
  })
  assert.deepEqual([await nextPauseMs(), await nextPauseMs()], [1_000, 1_000])
  assert.ok(storedCount >= 2)
})
