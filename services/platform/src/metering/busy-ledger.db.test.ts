// Goal: sealing gets on whatever is waiting: more open keys than a round takes, a reseller whose statements fail, a chain that takes long to add
// up, a process that dies between two pieces. Method: entries put in by the thousand, small pieces, rounds called by hand. 50,000 sub-clients
// are in test/faults/busy-ledger.long.test.ts.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { defaultPlans } from '../limits/plans.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { type SealingLimits, sealUsage } from './seal-usage.ts'
import { takeTurnAcrossResellers } from './sealing.sql.ts'
import { selectDeviceLimitsAcrossResellers } from './thresholds.sql.ts'

const { database } = await openTestDatabase({ after })
const pool = database.systemPool
const now = new Date('2026-11-10T06:05:00.000Z')
const OPEN = '2026-11-10T06:00Z'
const CLOSED = '2026-11-10T05:30Z'
const small: SealingLimits = { resellersPerRound: 50, rowsPerPiece: 50, piecesPerTurn: 2 }
const failures: string[] = []
const seal = (limits = small) =>
  sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: (_error, resellerId) => failures.push(resellerId), limits })

/** As many sub-clients, each with as many entries of a reading. */
const receive = (resellerId: string, bucket: string, subClientCount: number, entryCount = 1) =>
  pool.query(
    `insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count)
     select $1, 's' || s, 'points_ingested', $2, 1 from generate_series(1, $4::int) e, generate_series(1, $3::int) s`,
    [resellerId, bucket, subClientCount, entryCount],
  )

const count = async (text: string, values: readonly unknown[]) => (await pool.query<{ n: number }>(text, values)).rows[0]?.n
const entriesOf = (resellerId: string) => count('select count(*)::int as n from usage_entries where reseller_id = $1', [resellerId])
const linesOf = (resellerId: string) => count('select count(*)::int as n from usage_lines where reseller_id = $1', [resellerId])
const readingsOf = (resellerId: string) =>
  count(
    `select coalesce(sum(count), 0)::int as n from (select count from usage_entries where reseller_id = $1
                                       union all select count from usage_lines where reseller_id = $1) u`,
    [resellerId],
  )

/** Rounds until nothing is left; more than that would be a loop that gets nowhere. */
async function sealAll(maxRounds: number): Promise<number> {
  for (let round = 1; round <= maxRounds; round++) if (!(await seal())) return round
  return assert.fail(`after ${maxRounds} rounds there was still something to do`)
}

beforeEach(async () => {
  failures.length = 0
  for (const table of ['usage_entries', 'usage_days', 'usage_months']) await pool.query(`delete from ${table}`)
})

test('more open keys than a round looks at neither stop the folding nor keep other resellers from being sealed', async () => {
  await insertReseller(database, 'crowd')
  await insertReseller(database, 'modest')
  // What stands at the front is folded already and stays open: each alone in its key, and more of them than a piece or a round takes.
  await receive('crowd', OPEN, 1_000)
  await sealAll(20)
  await receive('crowd', OPEN, 3, 40)
  await receive('crowd', CLOSED, 5)
  await receive('modest', CLOSED, 1)
  await sealAll(10)
  assert.equal(await entriesOf('crowd'), 1_000, 'each key is one entry')
  assert.deepEqual([await linesOf('crowd'), await linesOf('modest')], [5, 1])
  assert.equal(await readingsOf('crowd'), 1_000 + 3 * 40 + 5)
})

test('a reseller with a backlog and one with a single entry are served in the same round', async () => {
  await insertReseller(database, 'backlog')
  await insertReseller(database, 'waiting')
  await receive('backlog', CLOSED, 100, 20)
  await receive('waiting', CLOSED, 1)
  assert.equal(await seal(), true)
  assert.equal(await linesOf('waiting'), 1)
  await sealAll(60)
  assert.deepEqual([await entriesOf('backlog'), await readingsOf('backlog')], [0, 2_000])
})

test('a reseller whose statements fail is logged, and the others are sealed', async () => {
  await insertReseller(database, 'broken')
  await insertReseller(database, 'sound')
  await receive('broken', CLOSED, 3)
  await receive('sound', CLOSED, 3)
  // A chain that states that its line 1 is still to come, though it is there.
  await pool.query(
    `insert into usage_lines (reseller_id, sub_client_id, seq, bucket, meter, count, hash) values ('broken', 's2', 1, $1, 'predictions', 1, '')`,
    [CLOSED],
  )
  await seal()
  assert.deepEqual(failures, ['broken'])
  assert.deepEqual([await linesOf('sound'), await readingsOf('broken')], [3, 4])
})

test('a statement that takes too long costs its reseller the turn; a database that is away ends the round', async () => {
  await insertReseller(database, 'slow')
  await insertReseller(database, 'quick')
  const failingFor = (resellerId: string, code: string): typeof database => ({
    ...database,
    system: (run) =>
      database.system((db) =>
        run({
          query: (statement, values = []) => {
            const isFolding = String(statement).includes('with raw as') && values[0] === resellerId
            return isFolding ? Promise.reject(Object.assign(new Error('failed'), { code })) : db.query(statement, values)
          },
        }),
      ),
  })
  const sealWith = (failing: typeof database) =>
    sealUsage({ database: failing, plans: defaultPlans, now: () => now, onFailure: (_error, id) => failures.push(id), limits: small })
  for (const resellerId of ['slow', 'quick']) await receive(resellerId, CLOSED, 1)
  await sealWith(failingFor('slow', '57014'))
  assert.deepEqual([failures, await linesOf('slow'), await linesOf('quick')], [['slow'], 0, 1])
  await assert.rejects(sealWith(failingFor('slow', '57P01')), { code: '57P01' })
  await sealAll(5)
  assert.equal(await linesOf('slow'), 1)
})

test('a month with more waiting than a turn takes is not closed before all of it is sealed into it', async () => {
  await insertReseller(database, 'late-month')
  await receive('late-month', '2026-10-31T12:00Z', 1, 300)
  await sealAll(10)
  const inOctober = `select coalesce(sum(count), 0)::int as n from usage_lines where reseller_id = $1 and bucket < '2026-10-31T18:30Z'`
  assert.equal(await count(inOctober, ['late-month']), 300)
})

test('a turn is one process’s until its transaction ends, and nobody’s while a process of the release before seals', async () => {
  await insertReseller(database, 'turned')
  await database.system(async (db) => {
    assert.ok(await takeTurnAcrossResellers(db, 'turned'))
    assert.equal(await database.system((other) => takeTurnAcrossResellers(other, 'turned')), undefined)
  })
  await receive('turned', CLOSED, 1)
  await database.system(async (db) => {
    await db.query('select pg_advisory_xact_lock(7305512243)')
    await seal()
    assert.deepEqual([await linesOf('turned'), failures], [0, []])
  })
  await sealAll(5)
  assert.equal(await linesOf('turned'), 1)
})

test('a process that dies between two pieces loses and repeats nothing', async () => {
  await insertReseller(database, 'killed')
  await receive('killed', CLOSED, 40, 5)
  let left = 0
  const dying: typeof database = {
    ...database,
    system: async (run) => {
      if (left-- <= 0) throw new Error('killed')
      return await database.system(run)
    },
  }
  for (let transactions = 0; transactions <= 8; transactions++) {
    left = transactions
    const onFailure = () => undefined
    await sealUsage({ database: dying, plans: defaultPlans, now: () => now, onFailure, limits: small }).catch(() => undefined)
    assert.equal(await readingsOf('killed'), 200)
  }
  await sealAll(20)
  assert.deepEqual([await entriesOf('killed'), await readingsOf('killed')], [0, 200])
})

test('with more resellers than a round looks at, each has its turn, and one that is not done has one in each round', async () => {
  for (let nth = 0; nth < 6; nth++) {
    await insertReseller(database, `many-${nth}`)
    await receive(`many-${nth}`, CLOSED, 1)
  }
  await receive('many-5', CLOSED, 100, 10)
  const few = { ...small, resellersPerRound: 2 }
  const resellerCount = (await count('select count(*)::int as n from resellers', [])) ?? 0
  for (let round = 0; round < resellerCount / 2; round++) await seal(few)
  for (let nth = 0; nth < 6; nth++) assert.notEqual(await linesOf(`many-${nth}`), 0, `many-${nth}`)
  let rounds = 1
  while (await seal(few)) rounds++
  assert.ok(rounds <= 25, `${rounds} rounds`)
  assert.equal(await entriesOf('many-5'), 0)
})

test('two processes at once seal each entry once', async () => {
  for (let nth = 0; nth < 6; nth++) {
    await insertReseller(database, `shared-${nth}`)
    await receive(`shared-${nth}`, CLOSED, 30, 10)
  }
  for (let round = 0; round < 20; round++) await Promise.all([seal(), seal()])
  await sealAll(5)
  for (let nth = 0; nth < 6; nth++) assert.equal(await readingsOf(`shared-${nth}`), 300)
  assert.deepEqual(failures, [])
})

test('a long chain is added up by days in pieces, while others are sealed, and reports lose nothing of what comes meanwhile', async () => {
  await insertReseller(database, 'long')
  await insertReseller(database, 'brief')
  for (let day = 1; day <= 9; day++) await receive('long', `2026-11-0${day}T12:00Z`, 50)
  await sealAll(30)
  await updateReseller(database, 'long', { timeZone: 'America/New_York' }, systemAuthor('long', now))
  await receive('brief', CLOSED, 1)
  await receive('long', CLOSED, 50)
  assert.equal(await seal({ ...small, rowsPerPiece: 5 }), true)
  assert.equal(await linesOf('brief'), 1)
  await sealAll(200)
  const zones = await pool.query(`select distinct days_zone from usage_chains where reseller_id = 'long'`)
  assert.deepEqual(zones.rows, [{ days_zone: 'America/New_York' }])
  const days = await pool.query(
    `select to_char(starts_at at time zone 'UTC', 'DD HH24:MI') as day, sum(count)::int as n
       from usage_days where reseller_id = 'long' group by 1 order by 1`,
  )
  const expected = Array.from({ length: 9 }, (_, day) => ({ day: `0${day + 1} 05:00`, n: 50 }))
  // New York goes back to winter time on the first.
  assert.deepEqual(days.rows, [{ ...expected[0], day: '01 04:00' }, ...expected.slice(1), { day: '10 05:00', n: 50 }].sort(byDay))
})

test('a chain that was by the days of a zone the reseller left and came back to is whole', async () => {
  await insertReseller(database, 'returning')
  const move = (timeZone: string) => updateReseller(database, 'returning', { timeZone }, systemAuthor('returning', now))
  await receive('returning', '2026-11-09T12:00Z', 4)
  await sealAll(5)
  await move('Europe/Berlin')
  await receive('returning', CLOSED, 4)
  // One piece of one row: nearly all chains are as they were.
  await seal({ resellersPerRound: 1_000, rowsPerPiece: 4, piecesPerTurn: 1 })
  await move('Asia/Kolkata')
  await sealAll(20)
  const wrong = await pool.query(
    `select c.sub_client_id from usage_chains c
      where reseller_id = 'returning' and (days_zone <> 'Asia/Kolkata' or
            (select sum(count) from usage_days d where d.reseller_id = c.reseller_id and d.sub_client_id = c.sub_client_id)
              is distinct from (select sum(count) from usage_lines l where l.reseller_id = c.reseller_id and l.sub_client_id = c.sub_client_id))`,
  )
  assert.deepEqual(wrong.rows, [])
})

function byDay(a: { day?: string }, b: { day?: string }): number {
  return (a.day ?? '').localeCompare(b.day ?? '')
}

test('the sub-clients with a limit on devices are looked at some at a time, round and round', async () => {
  await insertReseller(database, 'limited')
  await pool.query(
    `insert into sub_clients (reseller_id, sub_client_id, name, max_devices) select 'limited', id, id, 1 from unnest('{a,b,c}'::text[]) id`,
  )
  const seen: string[][] = []
  for (let turn = 0; turn < 3; turn++) {
    await database.system(async (db) => {
      const { devicesAfter = '' } = (await takeTurnAcrossResellers(db, 'limited')) ?? {}
      seen.push((await selectDeviceLimitsAcrossResellers(db, 'limited', devicesAfter, 2)).map(({ subClientId }) => subClientId))
    })
  }
  assert.deepEqual(seen, [['a', 'b'], ['c'], ['a', 'b']])
})
