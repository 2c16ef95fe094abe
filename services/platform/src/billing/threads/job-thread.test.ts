import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createJobThread } from './job-thread.ts'

test('a thread goes on with the next job, unless the one before left much memory behind', async () => {
  const url = new URL('./test-job-thread-worker.ts', import.meta.url)
  const thread = createJobThread(url, { maxHeapMb: 512, maxJobMs: 60_000, maxWaiting: 5, name: 'tests' })
  const run = (heapMb: number) => thread.run<{ threadId: number; arrays: number }>(() => [{ heapMb }])
  const first = await run(1)
  const second = await run(1)
  assert.deepEqual(second, { threadId: first.threadId, arrays: 2 })
  const [large, next] = await Promise.all([run(150), run(1)])
  assert.equal(large.threadId, first.threadId)
  assert.deepEqual([next.threadId === first.threadId, next.arrays], [false, 1])
})

test('a thread that fails between two jobs ends, and nothing else does', async () => {
  const url = new URL('./test-job-thread-worker.ts', import.meta.url)
  const thread = createJobThread(url, { maxHeapMb: 512, maxJobMs: 60_000, maxWaiting: 5, name: 'tests' })
  const first = await thread.run<{ threadId: number }>(() => [{ heapMb: 1, failAfterMs: 20 }])
  await sleep(300)
  const next = await thread.run<{ threadId: number }>(() => [{ heapMb: 1 }])
  assert.notEqual(next.threadId, first.threadId)
})
