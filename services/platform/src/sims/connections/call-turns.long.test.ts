// Goal: no credential is used more often than its operator allows, however many processes of ours use it, and one that dies does not keep the others
// from it. Method: real processes over one database, and the emulated operator, which notes when calls come and how many are under way.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, afterEach, test } from 'node:test'
import { startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { openTestDatabase, TEST_SECRET_KEY } from '../../test-support.ts'
import type { CallProcessTask } from './test-call-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-call-process.ts')
const { database, ownerUrl } = await openTestDatabase({ after })
const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)
const CALLS = '*devices*'

const emulator = await startEmulator({ sims: 0 })
after(() => emulator.stop())
await emulator.patch({ enforce_limits: true })
afterEach(() => emulator.clearFaults())

/** Calls begin at its signal. */
async function startCalls(given: Partial<CallProcessTask>) {
  const task = { urls: { app, system }, emulatorUrl: emulator.url, callCount: 12, atOnce: 3, leaseMs: 10_000, ...given }
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Not its exit: the lines that it printed last may be on their way then.
  const ended = once(child, 'close')
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  after(() => child.kill('SIGKILL'))
  await Promise.race([once(reader, 'line'), ended])
  return { child, lines, ended }
}

test('processes never make more than one call at a time, and never more than five a second', async () => {
  // Long enough that two calls of processes that do not know of each other meet.
  await emulator.fault({ kind: 'slow', path: CALLS, ms: 30, count: 1_000 })
  const processes = await Promise.all([startCalls({}), startCalls({})])
  for (const { ended, lines } of processes) {
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual(lines, ['begun', 'ended'], 'no call was refused')
  }
  const { count, mostAtOnce, timesMs } = (await emulator.state()).calls
  assert.equal(count, 24)
  assert.equal(mostAtOnce, 1)
  for (const [nth, ms] of timesMs.entries()) {
    const sixth = timesMs[nth + 5]
    assert.ok(sixth === undefined || sixth - ms >= 1_000, `six calls within ${(sixth ?? 0) - ms} ms`)
  }
})

test('processes that are killed in a call give up their turn with their lease', async () => {
  const leaseMs = 2_000
  await emulator.fault({ kind: 'timeout_before', path: CALLS, count: 1 })
  const before = (await emulator.state()).calls.count
  const killed = await startCalls({ callCount: 1, leaseMs })
  while ((await emulator.state()).calls.count === before) await new Promise((resolve) => setImmediate(resolve))
  killed.child.kill('SIGKILL')
  await killed.ended
  const { rows } = await database.systemPool.query<{ left_s: number }>(
    `select (value::float8 - extract(epoch from clock_timestamp()))::float8 as left_s from operator_calls, jsonb_each(under_way)`,
  )
  assert.equal(rows.length, 1, 'its turn is taken still')
  assert.ok((rows[0]?.left_s ?? 99) <= leaseMs / 1_000, 'and for no longer than its lease')
  const other = await startCalls({ callCount: 1, atOnce: 1, leaseMs })
  assert.deepEqual(await other.ended, [0, null])
  assert.deepEqual(other.lines, ['begun', 'ended'])
})
