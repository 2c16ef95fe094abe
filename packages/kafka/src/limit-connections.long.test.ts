// Goal: nothing that a broker sends ends the process. Method: every kind of garbage, each by a server of its own, to a consumer with the limits, in a
// thread that ends with whatever the client throws outside of any call.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { allGarbage } from './testing-garbage.ts'

/** At a time. */
const GROUP = 20

test('no garbage of any kind ends the process', { timeout: 900_000 }, async () => {
  assert.ok(allGarbage.length >= 20)
  for (let from = 0; from < allGarbage.length; from += GROUP) {
    const resourceLimits = { maxOldGenerationSizeMb: 512 }
    const thread = new Worker(new URL('./testing-garbage-reader.ts', import.meta.url), {
      workerData: { from, to: from + GROUP },
      resourceLimits,
    })
    // Rejects with what the thread threw.
    const [code] = await once(thread, 'exit')
    assert.equal(code, 0)
  }
})
