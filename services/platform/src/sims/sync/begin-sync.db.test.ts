// Goal: a request for a synchronisation is answered with a run that exists. Method: the run that is under way ends while another one is requested.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemAuthor } from '../../audit/audit.ts'
import { lastFirst } from '../../surfaces/test-api.ts'
import { connectAsOwner, insertReseller, openTestDatabase, untilNoOutage } from '../../test-support.ts'
import { awaitSync, beginSync } from './begin-sync.ts'
import { selectSync } from './syncs.sql.ts'

const WAITS_WITHIN_MS = 120_000

const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
await insertReseller(database, 'acme')
const owner = await connectAsOwner(cleanUp, ownerUrl)
await owner.query(
  `insert into operator_connections
     (reseller_id, connection_id, operator, name, enabled, base_url, settings, secrets_sealed, revision, custody_min_days, custody_max_days,
      custody_on_expiry, termination_grace_days, sync_every_minutes, created_at, updated_at)
   values ('acme', 'opc-a', 'cisco', 'a', true, 'https://operator.example', '{}', '', '1', 0, 30, 'suspend', 0, 60, now(), now())`,
)

const begin = async () => await beginSync({ database, requestInvoices: async () => undefined }, {}, systemAuthor('acme', new Date()))

/** For the session of the owner. */
async function untilSomebodyWaits(): Promise<void> {
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
  for (let waitedMs = 0; waitedMs < WAITS_WITHIN_MS; waitedMs += 10) {
    const waiting = 'select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))'
    if ((await database.systemPool.query(waiting, [rows[0]?.pid])).rowCount !== 0) return
    await sleep(10)
  }
  assert.fail('nobody waits')
}

test('a run that is under way is the one that is answered; where it ends meanwhile, a new one is begun', async () => {
  const first = await begin()
  const second = await begin()
  assert.deepEqual([first.isAlreadyRunning, second.isAlreadyRunning, second.sync.syncId], [false, true, first.sync.syncId])
  await owner.query('begin')
  await owner.query('select from sim_syncs where sync_id = $1 for update', [first.sync.syncId])
  const asked = untilNoOutage(begin)
  await untilSomebodyWaits()
  await owner.query(`update sim_syncs set status = 'completed', finished_at = now() where sync_id = $1`, [first.sync.syncId])
  await owner.query('commit')
  const third = await asked
  assert.equal(third.isAlreadyRunning, false)
  assert.notEqual(third.sync.syncId, first.sync.syncId)
  const stored = await selectSync(database.tenantPool('acme'), 'acme', third.sync.syncId)
  assert.equal(stored?.status, 'running', 'there is such a run')
})

// It may be gone because the service stops, and connections to the database end.
test('once the caller is gone the database is not asked for the run again', async () => {
  const { sync } = await begin()
  const gone = new AbortController()
  let askedCount = 0
  const pool = database.tenantPool('acme')
  const query = async (...statement: Parameters<typeof pool.query>) => {
    askedCount++
    const answer = await pool.query(...statement)
    // In a later turn of the event loop: by then the next look is waited for.
    setImmediate(() => gone.abort())
    return answer
  }
  const counted = { ...database, tenantPool: () => ({ ...pool, query }) as typeof pool }
  assert.equal((await awaitSync(counted, sync, gone.signal))?.status, 'running')
  assert.equal(askedCount, 1)
})
