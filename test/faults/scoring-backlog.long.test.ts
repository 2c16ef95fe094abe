// Goal: what a claim costs does not grow with what is due. Method: PostgreSQL counts how many pages each statement of a claim read, with 2,000
// vehicles due of one reseller and with 500,000, before it has statistics of the table and with them; a claim of others comes on top.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { claimVehicles } from '../../services/platform/src/predictions/scoring/claim-vehicles.ts'
import { asOwner, makeBacklog } from '../../services/platform/src/predictions/scoring/test-backlog.ts'
import { insertReseller, openTestDatabase } from '../../services/platform/src/test-support.ts'

const CLAIMED = 500
/** A vehicle that is offered and claimed: a few pages of the index, its row, its claim looked up and written. */
const PAGES_PER_VEHICLE = 25
/** One that another has claimed: the index, its row, the claim. */
const PAGES_PER_CLAIMED = 4

const { database, ownerUrl } = await openTestDatabase({ after })
const claim = (through: Database) => claimVehicles(through, { claimId: newId('clm'), after: '', leaseMs: 60_000, limit: CLAIMED })

/** Pages that the statements of a claim read, of the cache or not. Each is explained, which carries it out. */
async function pagesOfClaim(): Promise<number> {
  let pageCount = 0
  const explaining = (db: Db): Db => ({
    query: async (statement, values) => {
      assert.equal(typeof statement, 'string')
      if (!/latest_states|scoring_claims/.test(String(statement))) return await db.query(statement, values)
      await db.query('savepoint explained')
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${statement}`,
        values,
      )
      const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
      pageCount += hit + read
      await db.query('rollback to savepoint explained')
      return await db.query(statement, values)
    },
  })
  const explained: Database = { ...database, system: (run) => database.system((db) => run(explaining(db))) }
  assert.equal((await claim(explained)).vehicles.length, CLAIMED)
  return pageCount
}

test('a claim of 500 of 500,000 due vehicles reads as many pages as one of 2,000', async (t) => {
  await insertReseller(database, 'flood')
  await insertReseller(database, 'small')
  const pageCounts: Record<string, number> = {}
  const measure = async (what: string, claimedByOthers: number) => {
    const limit = CLAIMED * PAGES_PER_VEHICLE + claimedByOthers * PAGES_PER_CLAIMED
    const pageCount = await pagesOfClaim()
    pageCounts[what] = pageCount
    assert.ok(pageCount < limit, `${what}: ${pageCount} pages; ${limit} are allowed`)
  }
  await asOwner(ownerUrl, (owner) => makeBacklog(owner, 'flood', 2_000, 'veh-a'))
  await measure('2,000 due', 0)
  await asOwner(ownerUrl, (owner) => makeBacklog(owner, 'flood', 498_000, 'veh-b'))
  await measure('500,000 due', 500)
  await asOwner(ownerUrl, (owner) => owner.query('analyze latest_states, scoring_claims, vehicles'))
  await measure('500,000 due, with statistics', 1_000)
  // What eight workers hold at once is passed over.
  for (let worker = 0; worker < 5; worker++) await claim(database)
  await measure('500,000 due, with statistics, claimed by eight workers', 4_000)
  await asOwner(ownerUrl, (owner) => makeBacklog(owner, 'small', 1, 'veh-c'))
  const { vehicles } = await claim(database)
  assert.equal(vehicles.filter(({ resellerId }) => resellerId === 'small').length, 1)
  t.diagnostic(JSON.stringify(pageCounts))
})
