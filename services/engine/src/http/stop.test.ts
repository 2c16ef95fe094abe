// Goal: what was taken on is answered, also where it takes as long as a queue of the largest batches. Method: a model that takes its time, over a socket.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onlyKnowledge } from '../models/knowledge-models.ts'
import { startEngine, startWithLinear } from './testing-engine.ts'

/** Longer than an HTTP server of ours waits that answers in milliseconds. */
const ANSWER_MS = 2_500

test('a close waits for an answer that takes seconds', { timeout: 300_000 }, async (t) => {
  const { models } = await startWithLinear(t)
  const [linear] = models.current().learned.values()
  assert.ok(linear)
  const begun = Promise.withResolvers<void>()
  const scoreRows = async (rows: readonly ArrayLike<number>[]) => {
    begun.resolve()
    await sleep(ANSWER_MS)
    return rows.map(() => [1])
  }
  const slow = { ...onlyKnowledge.current(), learned: new Map([['linear', { ...linear, backend: { ...linear.backend, scoreRows } }]]) }
  const { app } = await startEngine(t, { models: { current: () => slow } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const answered = fetch(`${url}/v2/models/linear/infer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inputs: [{ name: 'features', shape: [1, 2], datatype: 'FP64', data: [1, 2] }] }),
  })
  await begun.promise
  await app.close()
  assert.equal((await answered).status, 200)
})
