// Goal: the ledger contains exactly what happened. Method: the stream of test-independent-count.ts, small; a million events of it are in
// independent-count.long.test.ts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase } from '../test-support.ts'
import { sendAndCompare } from './test-independent-count.ts'

test('readings and calls are counted as by an independent counter: duplicates, late ones, reassigned devices, ends of periods, clock changes', async () => {
  const { database } = await openTestDatabase({ after }, new Date('2026-11-15T00:00:00Z'))
  const { counter } = await sendAndCompare(database, { eventCount: 20_000, seed: 7 })
  assert.ok(counter.eventCount >= 20_000)
})
