// Goal: readings that arrive twice at once, in no order, are stored once and nobody waits in a ring. A gateway that repeats to another process what the first
// has not answered yet does that. Method: two real pipelines, as of two processes, held up in the middle of their readings.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { lastFirst } from '../surfaces/test-api.ts'
import { insertReseller, onOnePostgres, openTestDatabase } from '../test-support.ts'
import { openTestPipeline } from './test-pipeline.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const { database } = await openTestDatabase(lastFirst({ after }), NOW)
await insertReseller(database, 'acme')

/** What a process has for itself, with the codes of the statements that were refused. */
function createProcess() {
  const refused: string[] = []
  const noting = <T>(statement: Promise<T>) =>
    statement.catch((error: { code?: string }) => {
      refused.push(String(error.code))
      throw error
    })
  const notingDatabase: Database = {
    ...database,
    // Both wait until both do, on a busy machine for longer than a lock is waited for.
    tenantPool: (resellerIds) => ({
      query: (...statement) =>
        noting(
          database.tenant(resellerIds, async (db) => {
            await db.query(`set local lock_timeout = '120s'; set local statement_timeout = '120s'`)
            return await db.query(...statement)
          }),
        ),
    }),
  }
  const { ingest } = openTestPipeline(notingDatabase, () => NOW)
  const send = async (records: readonly object[]) => {
    const outcomes = await ingest(records.map((record) => ({ resellerId: 'acme', kind: 'telemetry', record })))
    return outcomes.map(({ status }) => status)
  }
  return { send, refused }
}

type Order = { readonly what: string; readonly middle: string; readonly recordOf: (nth: number) => object }

const ORDERS: readonly Order[] = [
  {
    what: 'of several devices',
    middle: 'dev-ring00004',
    recordOf: (nth) => ({ device_id: `dev-ring0000${nth}`, rpm: 1, timestamp: NOW }),
  },
  {
    what: 'of one device, at several times',
    middle: 'dev-ring00010',
    recordOf: (nth) => ({ device_id: 'dev-ring00010', rpm: 1, timestamp: new Date(NOW.getTime() - nth * 1000) }),
  },
  {
    what: 'of one device at one time',
    middle: 'dev-ring00020',
    recordOf: (nth) => ({ device_id: 'dev-ring00020', rpm: nth, timestamp: NOW }),
  },
]

for (const { what, middle, recordOf } of ORDERS) {
  test(
    `readings ${what} that two processes store in opposite orders are stored once, and neither is refused a statement for it`,
    onOnePostgres('locks of shards are seen on their nodes'),
    async () => {
      const records = Array.from({ length: 9 }, (_, nth) => JSON.parse(JSON.stringify(recordOf(nth))) as object)
      const [one, other] = [createProcess(), createProcess()]
      // A process that stores it anew waits for the end of this transaction, with some of the others stored and some not.
      await one.send(records.slice(4, 5))
      const answers = await database.system(async (db) => {
        await db.query('delete from readings where source_id = $1', [middle])
        const both = Promise.all([one.send(records), other.send(records.toReversed())])
        await untilWaiting(db, 2)
        return { both }
      })
      const [byOne, byOther] = await answers.both
      assert.deepEqual(
        byOne.map((status, nth) => [status, byOther[8 - nth]].sort()),
        records.map(() => ['duplicate', 'stored']),
      )
      assert.ok(!one.refused.concat(other.refused).includes('40P01'), 'a deadlock')
    },
  )
}

async function untilWaiting(db: Db, count: number): Promise<void> {
  for (const endMs = performance.now() + 120_000; performance.now() < endMs; ) {
    // Within a transaction the first look would be every look.
    await db.query('select pg_stat_clear_snapshot()')
    const { rows } = await db.query<{ count: number }>(
      'select count(distinct pid)::int from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
    )
    if ((rows[0]?.count ?? 0) >= count) return
    await sleep(5)
  }
  assert.fail(`${count} statements never waited`)
}
