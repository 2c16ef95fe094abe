// Goal: who is scored next is decided by who waits longest, in turns between resellers, by the database's clock; and no vehicle can keep others
// from their turn. Method: as scoring.db.test.ts; how long vehicles have waited is set in the rows. 500,000 are in test/faults/scoring-backlog.long.test.ts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { createReading } from '../../readings/reading.ts'
import { insertReseller, openTestDatabase, storeReadings } from '../../test-support.ts'
import { type Bench, never, START_MS, benchSettings as settings, startBench } from '../test-bench.ts'
import { claimVehicles } from './claim-vehicles.ts'
import { lockClaimsAcrossResellers, releaseVehiclesAcrossResellers, renewClaimsAcrossResellers, voidClaim } from './claims.sql.ts'
import { scoreDueVehicles } from './score-due-vehicles.ts'
import { startScoringWorker } from './scoring-worker.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool

/** Vehicles that have been due for so many seconds, of a reseller. Ingest marks them as due, and since when is set. */
async function makeDue(resellerId: string, waitedS: readonly number[], prefix: string = newId('veh')): Promise<string[]> {
  const ids = waitedS.map((_, nth) => `${prefix}-${nth}`)
  await pool.query('insert into vehicles (reseller_id, vehicle_id) select $1, * from unnest($2::text[])', [resellerId, ids])
  const content = { recordedAtMs: START_MS, position: undefined, signals: { coolantTempC: 90 }, attributes: {}, implausible: [] }
  const about = { kind: 'telemetry', resellerId, deviceId: undefined, subClientId: undefined, receivedAtMs: START_MS } as const
  const readings = ids.map((vehicleId) => createReading(content, { ...about, sourceId: `${resellerId}${vehicleId}`, vehicleId }))
  await storeReadings(database, readings)
  const nowMs = (await database.now()).getTime()
  await pool.query(
    `update latest_states l set score_after = w.at from unnest($1::text[], $2::timestamptz[]) w (source_id, at) where l.source_id = w.source_id`,
    [readings.map(({ sourceId }) => sourceId), waitedS.map((s) => new Date(nowMs - s * 1000))],
  )
  return ids
}

const round = async (b: Bench, claimLimit: number, from?: string) => {
  b.engine.seen.length = 0
  const { after: next } = await scoreDueVehicles(b.deps, { ...settings, claimLimit }, never, from)
  return { seen: b.engine.seen.map(({ vehicleId }) => vehicleId), next }
}

/** Until the engine has been asked about a vehicle. */
async function firstSeen(b: Bench): Promise<void> {
  const deadlineMs = performance.now() + 120_000
  while (b.engine.seen.length === 0 && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('those that have waited longest are scored first', async (t) => {
  const b = await startBench(t, database)
  await makeDue(b.resellerId, [10, 300, 20, 500, 30], 'veh-wait')
  assert.deepEqual((await round(b, 2)).seen.sort(), ['veh-wait-1', 'veh-wait-3'])
  assert.deepEqual((await round(b, 2)).seen.sort(), ['veh-wait-2', 'veh-wait-4'])
})

test('one whose interval is not over waits, however much room the claim of its reseller has', async (t) => {
  const b = await startBench(t, database)
  await makeDue(b.resellerId, [10, -60, 20, -3_600], 'veh-early')
  assert.deepEqual((await round(b, 10)).seen.sort(), ['veh-early-0', 'veh-early-2'])
})

test('a reseller with a backlog delays nobody: each claim is shared, and what the others leave is its own', async (t) => {
  const b = await startBench(t, database)
  const hour = 3_600
  await makeDue(b.resellerId, Array(60).fill(hour), 'veh-flood')
  const [small, tiny] = [`a-${newId('x').slice(2, 10)}`, `z-${newId('x').slice(2, 10)}`]
  for (const slug of [small, tiny]) await insertReseller(database, slug)
  await makeDue(small, [1, 1, 1], 'veh-small')
  await makeDue(tiny, [1], 'veh-tiny')
  const { seen } = await round(b, 20)
  assert.equal(seen.length, 20)
  assert.deepEqual(seen.filter((id) => !id.startsWith('veh-flood')).sort(), ['veh-small-0', 'veh-small-1', 'veh-small-2', 'veh-tiny-0'])
})

test('with more resellers than a claim is divided among, the next claim goes on after them, and all are served', async (t) => {
  const b = await startBench(t, database)
  const slugs = Array.from({ length: 45 }, (_, nth) => `many-${String(nth).padStart(2, '0')}`)
  for (const slug of slugs) {
    await insertReseller(database, slug)
    await makeDue(slug, [1], `veh-${slug}`)
  }
  const seen: string[] = []
  let from = ''
  for (let claim = 0; claim < 3; claim++) {
    const claimed = await round(b, 30, from)
    seen.push(...claimed.seen)
    from = claimed.next
  }
  assert.deepEqual(seen.sort(), slugs.map((slug) => `veh-${slug}-0`).sort())
  assert.equal(from, '', 'the next claim begins again')
})

test('resellers with a backlog each do not keep those behind them from a turn, nor does any number of which nothing may be scored yet', async (t) => {
  const b = await startBench(t, database)
  await pool.query('update latest_states set due = false')
  const slugsOf = (prefix: string, count: number) => Array.from({ length: count }, (_, nth) => `${prefix}-${String(nth).padStart(3, '0')}`)
  const busy = slugsOf('busy', 25)
  for (const slug of busy) {
    await insertReseller(database, slug)
    await makeDue(slug, Array(10).fill(1), `veh-${slug}`)
  }
  const first = await round(b, 20)
  const second = await round(b, 20, first.next)
  const served = new Set([...first.seen, ...second.seen].map((id) => id.slice('veh-'.length, -2)))
  assert.deepEqual([...served].sort(), busy)

  await pool.query('update latest_states set due = false')
  // More than a claim looks at, of which each takes it a statement.
  for (const slug of slugsOf('early', 60)) {
    await insertReseller(database, slug)
    await makeDue(slug, Array(32).fill(-3_600))
  }
  await insertReseller(database, 'late-in-the-row')
  await makeDue('late-in-the-row', [1], 'veh-late')
  const looked = await round(b, 20)
  assert.deepEqual([looked.seen, looked.next], [[], 'early-049'])
  b.engine.seen.length = 0
  const worker = startScoringWorker({ ...b.deps, random: Math.random }, settings, { idleMs: 10 })
  await firstSeen(b)
  await worker.stop()
  assert.deepEqual(
    b.engine.seen.map(({ vehicleId }) => vehicleId),
    ['veh-late-0'],
  )
})

test('a claim that was voided, or taken over when its lease was over, holds nothing and lengthens nobody’s', async (t) => {
  const b = await startBench(t, database)
  await pool.query('update latest_states set due = false')
  const [vehicleId = ''] = await makeDue(b.resellerId, [1])
  const vehicle = { resellerId: b.resellerId, vehicleId }
  const claim = (claimId: string) => claimVehicles(database, { claimId, after: '', leaseMs: 60_000, limit: 10 })
  const isHeldBy = async (claimId: string) =>
    (await database.system((db) => lockClaimsAcrossResellers(db, claimId, [vehicle]))).length === 1
  const heldUntil = async () => (await pool.query('select held_until from scoring_claims where vehicle_id = $1', [vehicleId])).rows[0]
  assert.deepEqual((await claim('clm-first')).vehicles, [vehicle])
  assert.deepEqual([await isHeldBy('clm-first'), (await claim('clm-second')).vehicles], [true, []])
  await database.tenant(b.resellerId, (db) => voidClaim(db, vehicle))
  assert.equal(await isHeldBy('clm-first'), false)
  assert.deepEqual((await claim('clm-second')).vehicles, [vehicle])
  const before = await heldUntil()
  await renewClaimsAcrossResellers(pool, 'clm-first', [vehicle], 3_600_000)
  await releaseVehiclesAcrossResellers(pool, 'clm-first', [vehicle], 0)
  assert.deepEqual([await isHeldBy('clm-second'), await heldUntil()], [true, before])
})

test('vehicles that the engine refuses go behind the others, however many they are', async (t) => {
  const b = await startBench(t, database)
  await makeDue(b.resellerId, Array(30).fill(1_000), 'refuse-this')
  await makeDue(b.resellerId, Array(5).fill(10), 'veh-good')
  for (let claim = 0; claim < 4; claim++) await round(b, 10)
  const { rows } = await pool.query<{ id: string }>(
    'select vehicle_id as id from latest_states where reseller_id = $1 and score_after <= now() and due',
    [b.resellerId],
  )
  assert.deepEqual(rows, [], 'nothing waits at the front')
  assert.equal((await b.due()).length, 30, 'what was refused stays due')
})

test('a reading that came while the vehicle was scored waits for its interval behind the others', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  b.engine.beforeAnswer = async () => {
    b.engine.beforeAnswer = undefined
    await b.report(vehicleId, { recordedAtMs: START_MS + 1, signals: { coolantTempC: 91 } })
  }
  assert.equal(await b.score(), 1)
  const { rows } = await pool.query<{ due: boolean; wait_s: number }>(
    'select due, extract(epoch from score_after - now())::int as wait_s from latest_states where vehicle_id = $1',
    [vehicleId],
  )
  assert.equal(rows[0]?.due, true)
  assert.ok((rows[0]?.wait_s ?? 0) > 0)
})

test('a clock of the process that is an hour off takes nobody’s claim and scores nobody twice', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 110 } })
  const ahead = { ...b.deps, now: () => new Date(START_MS + 3_600_000) }
  const stolen: number[] = []
  b.engine.beforeAnswer = async () => {
    b.engine.beforeAnswer = undefined
    stolen.push((await scoreDueVehicles(ahead, settings, never)).claimed)
  }
  assert.equal(await b.score(), 1)
  await b.report(vehicleId, { signals: { coolantTempC: 111 } })
  stolen.push((await scoreDueVehicles(ahead, settings, never)).claimed)
  assert.deepEqual(stolen, [0, 0])
})

test('a lease is renewed for as long as the engine takes', async (t) => {
  const b = await startBench(t, database)
  await makeDue(b.resellerId, [3, 2, 1], 'veh-slow')
  const heldUntil = async () => {
    const { rows } = await pool.query<{ at: string }>('select min(held_until)::text as at from scoring_claims where reseller_id = $1', [
      b.resellerId,
    ])
    return rows[0]?.at ?? ''
  }
  const claimedByOthers: number[] = []
  b.engine.beforeAnswer = async () => {
    b.engine.beforeAnswer = undefined
    const former = await heldUntil()
    while ((await heldUntil()) === former) await new Promise((resolve) => setTimeout(resolve, 20))
    claimedByOthers.push((await scoreDueVehicles(b.deps, settings, never)).claimed)
  }
  assert.equal((await scoreDueVehicles(b.deps, { ...settings, leaseMs: 9_000, batchSize: 3 }, never)).scored, 3)
  assert.deepEqual(claimedByOthers, [0])
})

test('scoring waits while a burst of readings is committed, and no longer than it may', async (t) => {
  const b = await startBench(t, database)
  await pool.query('update latest_states set due = false')
  await makeDue(b.resellerId, [1], 'veh-burst')
  let looks = 0
  let looksBefore: number | undefined
  b.engine.fault = () => {
    looksBefore ??= looks
    return undefined
  }
  const passing = { ...b.deps, random: Math.random, takeMostQueued: () => (++looks < 4 ? 1_000 : 0) }
  const patient = startScoringWorker(passing, settings, { idleMs: 10 })
  await firstSeen(b)
  await patient.stop()
  assert.equal(looksBefore, 4)

  await pool.query('update latest_states set due = false')
  b.engine.seen.length = 0
  await makeDue(b.resellerId, [1], 'veh-endless')
  const endless = { ...b.deps, random: Math.random, takeMostQueued: () => 1_000 }
  const impatient = startScoringWorker(endless, settings, { idleMs: 10, longestYieldMs: 100 })
  await firstSeen(b)
  await impatient.stop()
  assert.equal(b.engine.seen[0]?.vehicleId, 'veh-endless-0')
})
