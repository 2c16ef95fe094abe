// Goal: what one stream has stored at a time is bounded, by records and by bytes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatheredBatch } from './gathered-batch.ts'
import type { Received } from './take-batch.ts'

const readable = (recordCount: number, byteCount: number): Received => ({
  message: { value: Buffer.alloc(byteCount) } as unknown as Received['message'],
  decoded: { texts: Array.from({ length: recordCount }, () => '{}'), receivedAtMs: 0 },
})
const poison = (byteCount: number): Received => ({ ...readable(0, byteCount), decoded: { poison: { code: 'invalid_json', reason: '' } } })

/** How many of a kind fill it. */
function countUntilFull(received: Received): number {
  const batch = new GatheredBatch()
  while (!batch.isFull) batch.add(received)
  return batch.received.length
}

test('a batch is full with a thousand records, or with 4 MiB, whether they can be read or not', () => {
  assert.equal(countUntilFull(readable(1, 230)), 1_000)
  assert.equal(countUntilFull(readable(100, 9_000)), 10)
  assert.equal(countUntilFull(poison(10)), 1_000)
  assert.equal(countUntilFull(readable(1, 64 * 1024)), 64)
  assert.equal(countUntilFull(poison(1024 * 1024)), 4)
})
