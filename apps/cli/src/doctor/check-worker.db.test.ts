// Goal: an installation in which nobody does the work of the background is found, while each of its processes is ready. Method: work that is due, with and
// without somebody at it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'
import { checkWorker } from './check-worker.ts'

test('work that was due five minutes ago and has nobody at it is found, with what to start', async (t) => {
  const { database, ownerUrl } = await openTestDatabase(t)
  const check = async (dueBeforeS: number, claimedForS: number | null = null) => {
    await database.systemPool.query(
      `insert into jobs (reseller_id, kind, key, due_at, claimed_until, revision, failures, created_at)
       values ('_operator', 'housekeeping', 'a step', now() - $1 * interval '1 second', now() + $2 * interval '1 second', 0, 0, now())
           on conflict (reseller_id, kind, key) do update set due_at = excluded.due_at, claimed_until = excluded.claimed_until`,
      [dueBeforeS, claimedForS],
    )
    return await checkWorker(ownerUrl, TEST_SECRET_KEY)
  }
  assert.equal((await checkWorker(ownerUrl, TEST_SECRET_KEY)).status, 'ok', 'nothing is due')
  assert.equal((await check(240)).status, 'ok')
  const found = await check(600)
  assert.deepEqual([found.status, found.detail], ['wrong', 'work of the installation has been due for 10 minutes, and nobody does it.'])
  assert.match(found.fix ?? '', /ROLES has worker/)
  assert.equal((await check(600, 30)).status, 'ok', 'somebody is at it')
  assert.equal((await check(600, -30)).status, 'wrong', 'who was at it is gone')
  assert.equal((await checkWorker(ownerUrl, undefined)).status, 'skipped')
})
