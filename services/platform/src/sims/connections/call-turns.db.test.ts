// Goal: a turn to call an operator is held as long as the call, and by nobody without a right to it. Method: the database that all processes share.
// Several of them are in `call-turns.long.test.ts`.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { openTestDatabase, TEST_SECRET_KEY } from '../../test-support.ts'
import { ExchangeError } from '../operators/exchange.ts'
import { createCallTurns } from './call-turns.ts'
import { deleteOldCallsAcrossResellers } from './operator-calls.sql.ts'

const { database, ownerUrl } = await openTestDatabase({ after })
const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)
const signal = new AbortController().signal
const limits = { maxPerSecond: 5, maxConcurrent: 1 }

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

test('a call that takes longer than a lease keeps its turn', async () => {
  // Long enough that a process on a machine with much to do extends it in time.
  const leaseMs = 4_000
  const turns = turnsOf({ leaseMs })
  const first = await turns.take('slow', limits, signal)
  const order: string[] = []
  const second = turns.take('slow', limits, signal).then(() => order.push('second'))
  const begunUntilS = await leaseOf()
  while ((await leaseOf()) < begunUntilS + leaseMs / 1_000) await new Promise((resolve) => setImmediate(resolve))
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
