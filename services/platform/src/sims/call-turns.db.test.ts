// Goal: no credential is used more often than its operator allows, however many processes of ours use it, and one that dies does not keep the others
// from it. Method: real processes over one database, and the emulated operator, which notes when calls come and how many are under way.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, afterEach, describe, test } from 'node:test'
import { startEmulator } from '@roadworthy/operator-emulator/start-emulator'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/db'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { createCallTurns } from './call-turns.ts'
import { deleteOldCallsAcrossResellers } from './operator-calls.sql.ts'
import { ExchangeError } from './operators/exchange.ts'
import type { CallProcessTask } from './test-call-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-call-process.ts')
const { database, ownerUrl } = await openTestDatabase({ after })
const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)
const signal = new AbortController().signal
const limits = { maxPerSecond: 5, maxConcurrent: 1 }
const CALLS = '*devices*'

/** Until when the call that is under way is, by the clock of the database. */
async function leaseOf(): Promise<number> {
  const { rows } = await database.systemPool.query<{ until_s: number }>(
    'select value::float8 as until_s from operator_calls, jsonb_each(under_way) order by used_at desc limit 1',
  )
  return rows[0]?.until_s ?? assert.fail('no call is under way')
}

function turnsOf({ leaseMs = 10_000, errors = [] }: { leaseMs?: number; errors?: unknown[] } = {}) {
  return createCallTurns({ database, secretKey: TEST_SECRET_KEY, leaseMs, onError: (error) => errors.push(error) })
}

describe('processes of their own', async () => {
  const emulator = await startEmulator({ sims: 0 })
  after(() => emulator.stop())
  await emulator.patch({ enforce_limits: true })
  afterEach(() => emulator.clearFaults())

  /** Calls begin when it says so. */
  async function startCalls(given: Partial<CallProcessTask>) {
    const task = { urls: { app, system }, emulatorUrl: emulator.url, callCount: 12, atOnce: 3, leaseMs: 10_000, ...given }
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const lines: string[] = []
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    after(() => child.kill('SIGKILL'))
    await Promise.race([once(reader, 'line'), ended])
    return { child, lines, ended }
  }

  test('never make more than one call at a time, and never more than five a second', async () => {
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

  test('that are killed in a call give up their turn with their lease', async () => {
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
})

test('a call that takes longer than a lease keeps its turn', async () => {
  const turns = turnsOf({ leaseMs: 300 })
  const first = await turns.take('slow', limits, signal)
  const order: string[] = []
  const second = turns.take('slow', limits, signal).then(() => order.push('second'))
  const begunUntilS = await leaseOf()
  while ((await leaseOf()) < begunUntilS + 0.9) await new Promise((resolve) => setImmediate(resolve))
  order.push('first ends')
  assert.equal(first.lost.aborted, false)
  await first.end()
  await second
  assert.deepEqual(order, ['first ends', 'second'])
})

test('a turn that is another’s by now is lost, and its call is stopped', async () => {
  const turns = turnsOf({ leaseMs: 300 })
  const turn = await turns.take('lost', limits, signal)
  await database.systemPool.query(`update operator_calls set under_way = '{}'`)
  if (!turn.lost.aborted) await once(turn.lost, 'abort')
  await turn.end()
})

test('who stops waiting gets no turn, and a database that is away gives none', async () => {
  const errors: unknown[] = []
  const turns = turnsOf({ errors })
  const first = await turns.take('busy', limits, signal)
  const stopping = new AbortController()
  const waiting = turns.take('busy', limits, stopping.signal)
  stopping.abort()
  await assert.rejects(waiting, (error) => error instanceof ExchangeError && !error.hasLeft)
  await first.end()
  assert.equal(errors.length, 0)

  const away = openDatabase({ app, system }, { appConnections: 1, systemConnections: 1, onError: () => undefined })
  const others = createCallTurns({ database: away, secretKey: TEST_SECRET_KEY, onError: (error) => errors.push(error) })
  const held = await others.take('away', limits, signal)
  await away.close()
  await held.end()
  assert.equal(errors.length, 1, 'it is free when its lease is over')
  await assert.rejects(others.take('away', limits, signal), (error) => error instanceof ExchangeError && error.kind === 'unsent')
})

test('limits are by credential, and what is stored does not show it', async () => {
  const turns = turnsOf()
  await Promise.all(['one', 'other'].map((credential) => turns.take(credential, limits, signal)))
  const { rows } = await database.systemPool.query<{ text: string }>('select json_agg(c)::text as text from operator_calls c')
  assert.ok(!rows[0]?.text.includes(Buffer.from('one').toString('hex')))
  const countRows = async () => (await database.systemPool.query('select from operator_calls')).rowCount
  const dayMs = 86_400_000
  await deleteOldCallsAcrossResellers(database.systemPool, new Date(Date.now() - dayMs))
  assert.notEqual(await countRows(), 0)
  await deleteOldCallsAcrossResellers(database.systemPool, new Date(Date.now() + dayMs))
  assert.equal(await countRows(), 0, 'credentials that nobody uses are forgotten')
})
