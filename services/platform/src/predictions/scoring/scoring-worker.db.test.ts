// Goal: the rounds of scoring go on by themselves, whatever is away meanwhile, and report what they wait for.
// Method: as in scoring.db.test.ts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase } from '../../test-support.ts'
import { START_MS, benchSettings as settings, startBench } from '../test-bench.ts'
import { startScoringWorker } from './scoring-worker.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool

test('the worker reports that the engine is away, catches up by itself, and stops promptly', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  b.engine.fault = () => ({ status: 503 })
  const worker = startScoringWorker({ ...b.deps, random: () => 0 }, settings, { idleMs: 5, firstRetryMs: 5 })
  t.after(() => worker.stop())
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  await until(async () => !(await worker.checkReadiness()).ok)
  assert.deepEqual(await b.due(), [vehicleId])
  b.engine.fault = () => ({ status: 401 })
  await until(async () => /refuses ENGINE_KEY/.test((await worker.checkReadiness()).detail))
  b.engine.fault = undefined
  await until(async () => (await b.due()).length === 0)
  await until(async () => (await worker.checkReadiness()).ok)
  await worker.stop()
  const lost = new Error('connect ECONNREFUSED 10.1.2.3:6432')
  Object.assign(lost, { code: 'ECONNREFUSED' })
  const fail = () => Promise.reject(lost)
  const cutOff = { ...b.deps, database: { ...b.deps.database, system: fail, systemPool: { query: fail }, now: fail }, random: () => 0 }
  const other = startScoringWorker(cutOff, settings, { idleMs: 5, firstRetryMs: 5 })
  t.after(() => other.stop())
  await until(async () => !(await other.checkReadiness()).ok)
  // Anybody may read it. The engine has a second to answer that it is there, which it may miss on a machine with much to do.
  await until(async () => (await other.checkReadiness()).detail === 'the database does not answer; vehicles wait to be scored')
  Object.assign(lost, { code: '25006' })
  await until(async () => (await other.checkReadiness()).detail === 'the database cannot write; vehicles wait to be scored')
  await b.engine.stop()
  assert.match((await other.checkReadiness()).detail, /engine is away/)
  await other.stop()
})

test('while three devices report without pause, two workers run and the engine fails every third time, the last word is scored', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 12 }, () => b.addVehicle()))
  let requests = 0
  b.engine.fault = () => (++requests % 3 === 0 ? 'hang up' : undefined)
  const deps = { ...b.deps, now: () => new Date(), random: () => 0 }
  const often = { intervalMs: 1, claimLimit: 5, batchSize: 3 }
  const workers = [1, 2].map(() => startScoringWorker(deps, often, { idleMs: 1, firstRetryMs: 1 }))
  t.after(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  const lastWord = new Map<string, number>()
  await Promise.all(
    [0, 1, 2].map(async (device) => {
      // For as long as it takes the two to meet: how often they do is the machine's business.
      for (let step = 0; step < 60 || (requests <= 20 && step < 2_000); step++) {
        const vehicleId = vehicles[(step * 7 + device * 4) % vehicles.length] ?? ''
        const coolantTempC = 90 + ((step * 13 + device * 5) % 30)
        const recordedAtMs = START_MS + step * 10 + device
        await b.report(vehicleId, { recordedAtMs, signals: { coolantTempC } })
        if (recordedAtMs >= (lastWord.get(vehicleId) ?? 0)) lastWord.set(vehicleId, recordedAtMs)
      }
    }),
  )
  await until(async () => (await b.due()).length === 0)
  await Promise.all(workers.map((worker) => worker.stop()))
  const { rows } = await pool.query<{ vehicle_id: string; at: string; coolant: number; health_score: number }>(
    `select l.vehicle_id, h.result ->> 'timestamp' as at, (l.signals -> 'coolantTempC' ->> 0)::float8 as coolant, h.health_score
       from latest_states l join vehicle_health h on h.vehicle_id = l.vehicle_id where l.reseller_id = $1`,
    [b.resellerId],
  )
  assert.equal(rows.length, lastWord.size)
  for (const row of rows) {
    assert.equal(row.at, new Date(lastWord.get(row.vehicle_id) ?? 0).toISOString())
    assert.equal(row.health_score, 100 - 3 * (row.coolant - 90))
  }
  assert.ok(requests > 20, `${requests} requests are too few to have met`)
})

/** Polls for at most two minutes. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail('did not come about in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
