// Goal: points past their time go from a fleet of any size: what one statement reads is bounded, and no vehicle is left out between two of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOwnerSession } from '../cluster/owner-session.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { beginDeletingByKey, deletePastHealthAcrossResellers, selectVehicleSpansAcrossResellers } from './health-retention.sql.ts'

const AT = new Date('2026-06-01T00:00:00Z')
const SCORED_AT = new Date('2026-03-01T00:00:00Z')
const FLEETS = { acme: ['veh-1', 'veh-2', 'veh-3'], rival: ['veh-1', 'veh-2'], third: ['veh-9'] }

async function start(t: Parameters<typeof openTestDatabase>[0]) {
  const { database, ownerUrl } = await openTestDatabase(t)
  for (const [resellerId, vehicleIds] of Object.entries(FLEETS)) {
    await insertReseller(database, resellerId)
    for (const vehicleId of vehicleIds) {
      const key = [resellerId, vehicleId]
      await database.systemPool.query('insert into vehicles (reseller_id, vehicle_id) values ($1, $2)', key)
      await database.systemPool.query(
        `insert into health_history (reseller_id, vehicle_id, scored_at, health_score, health_status) values ($1, $2, $3, 90, 'healthy')`,
        [...key, SCORED_AT],
      )
    }
  }
  // With what it knows then, PostgreSQL would read the partition from end to end, as it would a large one.
  await withOwnerSession(ownerUrl, (db) => db.query('analyze health_history, vehicles'))
  const clear = (vehicles: Parameters<typeof deletePastHealthAcrossResellers>[1]['vehicles'], presetDays = 30) =>
    database.system(async (db) => {
      await beginDeletingByKey(db)
      const terms = [{ resellerId: 'third', subClientId: '', days: null }]
      const count = await deletePastHealthAcrossResellers(db, { terms, presetDays, at: AT, from: undefined, to: AT, vehicles }, 100)
      const { rows } = await db.query(
        `select coalesce(sum(seq_tup_read), 0)::int as n from pg_stat_xact_user_tables where relname like 'health_history%'`,
      )
      assert.deepEqual(rows, [{ n: 0 }], 'what is of other spans is not read')
      return count
    })
  return { database, clear }
}

test('every vehicle is in one span, however many there are to a span', async (t) => {
  const { database } = await start(t)
  for (const [count, ends] of [
    [1, ['veh-1', 'veh-2', 'veh-3', 'veh-1', 'veh-2', 'veh-9', undefined]],
    [2, ['veh-2', 'veh-1', 'veh-9', undefined]],
    [4, ['veh-1', undefined]],
    [7, [undefined]],
  ] as const) {
    const spans = await selectVehicleSpansAcrossResellers(database.systemPool, count)
    assert.deepEqual(
      spans.map(({ last }) => last?.vehicleId),
      ends,
    )
    assert.deepEqual(
      spans.map(({ after }) => after),
      [undefined, ...spans.map(({ last }) => last)].slice(0, -1),
    )
  }
})

test('each span loses its own points, those of nobody who keeps them, and all spans together all of them', async (t) => {
  const { database, clear } = await start(t)
  const spans = await selectVehicleSpansAcrossResellers(database.systemPool, 2)
  const counts: number[] = []
  for (const span of spans) counts.push(await clear(span))
  assert.deepEqual(counts, [2, 2, 1, 0])
  const { rows } = await database.systemPool.query('select reseller_id, vehicle_id from health_history')
  assert.deepEqual(rows, [{ reseller_id: 'third', vehicle_id: 'veh-9' }])
})

test('of a vehicle that is gone, points go with those of the vehicles around it', async (t) => {
  const { database, clear } = await start(t)
  await database.systemPool.query(`delete from vehicles where reseller_id = 'rival'`)
  const spans = await selectVehicleSpansAcrossResellers(database.systemPool, 1)
  let count = 0
  for (const span of spans) count += await clear(span)
  assert.equal(count, 5)
})
