// Goal: the order in which a batch is settled loses nothing, wherever it is broken off. Method: every step is written down, and made to fail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KafkaMessage } from '@roadworthy/kafka/kafka-client'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { StreamOutcome } from './packed-batch.ts'
import { type Received, type StreamIngest, type TakeDeps, takeBatch } from './take-batch.ts'

const place = { resellerId: 'acme', groupId: 'g', topicId: 't' }
const stored: StreamOutcome = { status: 'stored' }
const refused: StreamOutcome = { status: 'refused', problem: new Problem('device_not_found', 'There is no such device.') }

function message(partition: number, offset: number): KafkaMessage {
  return { partition, offset: BigInt(offset), topic: 'telemetry', headers: new Map(), value: Buffer.from('v') } as unknown as KafkaMessage
}
const readable = (partition: number, offset: number, recordCount = 1): Received => ({
  message: message(partition, offset),
  decoded: { texts: Array.from({ length: recordCount }, () => '{}'), receivedAtMs: 0 },
})
const poison = (partition: number, offset: number): Received => ({
  message: message(partition, offset),
  decoded: { poison: { code: 'invalid_json', reason: 'It is no JSON.' } },
})

/** What is done, in its order. `failing` fails as often as its value, and is then tried again. */
function watch(outcomes: readonly StreamOutcome[], failing: Partial<Record<'ingest' | 'send' | 'progress', number>> = {}) {
  const steps: string[] = []
  const left = { ingest: 0, send: 0, progress: 0, ...failing }
  const step = (what: keyof typeof left, told: string) => {
    if (left[what]-- > 0) {
      steps.push(`${what} fails`)
      throw new Error(what)
    }
    steps.push(told)
  }
  const nexts = (progress: readonly { partition: number; nextOffset: bigint }[]) =>
    progress.map(({ partition, nextOffset }) => `${partition}:${nextOffset}`).join(' ')
  const ingest: StreamIngest = async ({ receivedAtMs: { length } }, progress) => {
    step('ingest', `ingest ${length}${progress === undefined ? '' : ` with ${nexts(progress)}`}`)
    return outcomes.slice(0, length)
  }
  const deps: TakeDeps = {
    ingest,
    place,
    deadLetterTopic: 'telemetry.dlq',
    send: async ([letter]) => {
      const headers = new Map([...(letter?.headers ?? [])].map(([name, text]) => [name.toString(), text.toString()]))
      step(
        'send',
        `set aside ${headers.get('dead-letter-partition')}:${headers.get('dead-letter-offset')} ${headers.get('dead-letter-reason')}`,
      )
    },
    storeProgress: async (progress) => step('progress', `progress ${nexts(progress)}`),
    insist: async (_what, run) => {
      for (;;) {
        try {
          return await run()
        } catch (error) {
          if (left.ingest > 5) throw error
        }
      }
    },
    now: () => new Date(0),
  }
  return { steps, deps }
}

test('what is all taken is stored with how far it goes, and that is all', async () => {
  const { steps, deps } = watch([stored, stored, { status: 'duplicate' }])
  const taken = await takeBatch(deps, [readable(0, 7), readable(1, 3), readable(0, 8)])
  assert.deepEqual(steps, ['ingest 3 with 0:9 1:4'])
  assert.deepEqual(taken, { storedCount: 2, duplicateCount: 1, setAside: [] })
})

test('offsets move after what cannot be read is set aside', async () => {
  const { steps, deps } = watch([stored])
  await takeBatch(deps, [poison(0, 1), readable(0, 2)])
  assert.deepEqual(steps, ['ingest 1', 'set aside 0:1 It is no JSON.', 'progress 0:3'])
  const only = watch([])
  await takeBatch(only.deps, [poison(0, 1)])
  assert.deepEqual(only.steps, ['set aside 0:1 It is no JSON.', 'progress 0:2'], 'nothing is ingested where there is nothing')
})

test('what ingest refuses is set aside by its message, with the place of the record in an array', async () => {
  const { steps, deps } = watch([stored, stored, refused, stored, refused])
  const taken = await takeBatch(deps, [readable(0, 1), readable(0, 2, 3), readable(0, 3)])
  assert.deepEqual(steps, [
    'ingest 5 with 0:4',
    'set aside 0:2 Record 1 of 3: There is no such device.',
    'set aside 0:3 There is no such device.',
    'progress 0:4',
  ])
  assert.deepEqual([taken.storedCount, taken.setAside.length], [3, 2])
})

test('each step is repeated until it succeeds, and none is passed over', async () => {
  const { steps, deps } = watch([stored], { ingest: 2, send: 1, progress: 1 })
  await takeBatch(deps, [readable(0, 1), poison(0, 2)])
  assert.deepEqual(steps, [
    ...['ingest fails', 'ingest fails', 'ingest 1', 'send fails'],
    ...['set aside 0:2 It is no JSON.', 'progress fails', 'progress 0:3'],
  ])
})

test('a batch that is given up has moved nothing', async () => {
  const { steps, deps } = watch([stored], { ingest: 100 })
  await assert.rejects(takeBatch(deps, [readable(0, 1), poison(0, 2)]), /ingest/)
  assert.deepEqual(steps, ['ingest fails'])
})

test('what messages name as their traces goes with the batch, as far as it is that, and where there are traces', async () => {
  const traceparent = (nth: number, flags = '01') => `00-${String(nth).padStart(32, 'a')}-${'b'.repeat(16)}-${flags}`
  const batch = (headers: readonly [string, string][]) =>
    headers.map(([name, text], nth) => {
      const one = readable(0, nth)
      return { ...one, message: { ...one.message, headers: new Map([[Buffer.from(name), Buffer.from(text)]]) } as KafkaMessage }
    })
  const named = async (received: readonly Received[], isTraced: boolean) => {
    const { deps } = watch(received.map(() => stored))
    let traceparents: readonly string[] | undefined
    const ingest: StreamIngest = async (packed, progress) => {
      traceparents = packed.traceparents
      return await deps.ingest(packed, progress)
    }
    await takeBatch({ ...deps, ingest, isTraced }, received)
    return traceparents
  }
  const mixed = batch([
    ['traceparent', traceparent(1)],
    ['Traceparent', traceparent(2)],
    ['traceparent', traceparent(3, '00')],
    ['traceparent', 'x'.repeat(100_000)],
    ['other', traceparent(4)],
  ])
  assert.deepEqual(await named(mixed, true), [traceparent(1), traceparent(2)])
  assert.deepEqual(await named(mixed, false), [])
  assert.equal((await named(batch(Array.from({ length: 100 }, (_, nth) => ['traceparent', traceparent(nth)])), true))?.length, 32)
})
