// For tests: a reader that does what a broker might bring a reader to.

import { packBatch } from './packed-batch.ts'
import { openThreadCalls } from './thread-calls.ts'

/** By the topic of its connection. */
const deeds: Readonly<Record<string, () => unknown>> = {
  'throws an error': () => void setTimeout(() => assertNever('Out of\u0000 bounds.'), 10),
  'rejects a promise': () => void Promise.reject(new Error('a promise that nobody waits for')),
  'goes on for ever': () => {
    for (;;);
  },
  'takes all the heap': () => {
    const taken: number[][] = []
    for (;;) taken.push(Array.from({ length: 10_000 }, () => Math.random()))
  },
  'takes all the buffers': () => {
    const taken: Buffer[] = []
    setInterval(() => taken.push(Buffer.alloc(64 * 1024 * 1024, 1)), 50)
  },
  'ends by itself': () => process.exit(3),
  'names another reseller': async () => {
    const place = { resellerId: 'victim', groupId: 'g', topicId: 't' }
    const batch = { ...packBatch([{ texts: ['{}'], receivedAtMs: 0 }]), resellerId: 'victim', senderDeviceId: 'dev-victim', kind: 'track' }
    await calls.call('ingest', batch, [{ ...place, partition: 0, nextOffset: 5n }])
    await calls.call('storeOffsets', [{ ...place, partition: 1, nextOffset: 5n }])
    await calls.call('insertOffsets', place, new Map([[2, 5n]]))
    await calls.call('updateLostOffset', place, { partition: 1, from: 5n, to: 9n })
    await calls.call('toString')
  },
  'does nothing': () => undefined,
  'sends traced messages': () => {
    const traceparents = ['no traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`]
    void calls.call('ingest', packBatch([{ texts: ['{}'], receivedAtMs: 0 }], traceparents), undefined)
  },
  'sends misspelt fields': () => {
    const batch = packBatch([{ texts: ['{"coolnt_temp":92}', '{"coolnt_temp":93,"sped":61}'], receivedAtMs: 0 }])
    void calls.call('ingest', batch, undefined).then(() => calls.send({ kind: 'beat', externalBytes: 0, content: reported }))
  },
}

function assertNever(message: string): never {
  throw new Error(message)
}

const reported = { status: { consumerId: 'con-1', state: 'running' }, deadLetterCodes: [] }
const { workerData } = await import('node:worker_threads')
const calls = openThreadCalls(() => undefined)
const { topic } = (workerData as { connection: { topic: string } }).connection
deeds[topic]?.()
await calls.stopAsked
process.exit(0)
