// Goal: who waits for its own call has waited for all before it, and one that fails stops no other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './in-turn.ts'

test('calls run one after another, and one that fails is followed by the next', async () => {
  const seen: string[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const run = inTurn(async () => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    seen.push(`began ${ends.length}`)
    await end.promise
  })
  const first = run()
  const second = run().then(() => seen.push('second ended'))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(seen, ['began 1'])
  ends[0]?.reject(new Error('the disk is full'))
  await assert.rejects(first, /the disk is full/)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(seen, ['began 1', 'began 2'])
  ends[1]?.resolve()
  await second
  assert.deepEqual(seen, ['began 1', 'began 2', 'second ended'])
})
