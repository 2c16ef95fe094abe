// Goal: a reseller with 50,000 sub-clients is sealed, and in its own time: another one is served in each round, no statement runs into the five
// seconds it may take, and a change of the time zone is worked off the same way. Method: entries as ingest puts them in, the sealer's own limits.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../../services/platform/src/audit/audit.ts'
import { defaultPlans } from '../../services/platform/src/limits/plans.ts'
import { sealUsage } from '../../services/platform/src/metering/seal-usage.ts'
import { updateReseller } from '../../services/platform/src/resellers/resellers.ts'
import { insertReseller, openTestDatabase } from '../../services/platform/src/test-support.ts'

const SUB_CLIENTS = 50_000
const METERS = ['points_ingested', 'api_calls_external', 'predictions']
/** Fifteen times what its entries take at 20,000 a turn. */
const MAX_ROUNDS = 200

test('50,000 sub-clients in one quarter-hour are folded, sealed and added up by days, a round at a time', async (t) => {
  const { database } = await openTestDatabase({ after })
  const pool = database.systemPool
  await insertReseller(database, 'huge')
  await insertReseller(database, 'modest')
  let now = new Date('2026-11-10T06:05:00.000Z')
  const receive = (resellerId: string, subClientCount: number, bucket: string) =>
    pool.query(
      `insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count)
       select $1, 's' || s, m, $2, 1 from generate_series(1, $3::int) s, unnest($4::text[]) m`,
      [resellerId, bucket, subClientCount, METERS],
    )
  const count = async (text: string) => (await pool.query<{ n: number }>(text)).rows[0]?.n
  const seal = async () => Boolean(await sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: assert.fail }))
  const sealAll = async (what: string) => {
    const startMs = performance.now()
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      if (await seal()) continue
      t.diagnostic(`${what}: ${round} rounds, ${Math.round((performance.now() - startMs) / 1000)} s`)
      return
    }
    assert.fail(`${what}: after ${MAX_ROUNDS} rounds there was still something to do`)
  }

  await receive('huge', SUB_CLIENTS, '2026-11-10T06:00Z')
  await receive('modest', 1, '2026-11-10T05:30Z')
  await seal()
  assert.equal(await count(`select count(*)::int as n from usage_lines where reseller_id = 'modest'`), METERS.length)
  await sealAll('folding 150,000 entries')
  await receive('huge', SUB_CLIENTS, '2026-11-10T06:00Z')
  await sealAll('folding as many again')
  assert.equal(await count(`select count(*)::int as n from usage_entries where reseller_id = 'huge'`), SUB_CLIENTS * METERS.length)

  now = new Date('2026-11-10T06:16:00.000Z')
  await sealAll('sealing 150,000 lines')
  assert.equal(await count('select count(*)::int as n from usage_entries'), 0)
  const lines = await count(`select count(*)::int as n from usage_lines where reseller_id = 'huge' and count = 2`)
  assert.equal(lines, SUB_CLIENTS * METERS.length)

  await updateReseller(database, 'huge', { timeZone: 'America/New_York' }, systemAuthor('huge', now))
  await receive('modest', 1, '2026-11-10T06:00Z')
  await seal()
  assert.equal(await count(`select count(*)::int as n from usage_lines where reseller_id = 'modest'`), 2 * METERS.length)
  await sealAll('adding up 50,000 chains by other days')
  const atHome = `select sum(count)::int as n from usage_days where reseller_id = 'huge' and starts_at = '2026-11-10T05:00Z'`
  assert.equal(await count(atHome), 2 * SUB_CLIENTS * METERS.length)
})
