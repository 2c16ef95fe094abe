// Goal: everything that becomes due is scored, once per interval, whatever fails meanwhile; and what is stored follows from what was read.
// Method: a real PostgreSQL, readings written by ingest's own statements, an engine at the edge that fails on demand, a clock held by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import { newId } from '@roadworthy/service-kit/text/ids'
import { connectAsOwner, openTestDatabase } from '../../test-support.ts'
import { never, START_MS, benchSettings as settings, startBench } from '../test-bench.ts'
import { LEASE_MS, SET_ASIDE_MS, scoreDueVehicles } from './score-due-vehicles.ts'

const { database, ownerUrl } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool

const alertsOf = async (vehicleId: string) => {
  const { rows } = await pool.query(
    'select status, severity, occurrences, resolved_by, message from alerts where vehicle_id = $1 order by opened_at, alert_id',
    [vehicleId],
  )
  return rows
}
const healthOf = async (vehicleId: string) => {
  const { rows } = await pool.query('select * from vehicle_health where vehicle_id = $1', [vehicleId])
  return rows[0]
}
const historyOf = async (vehicleId: string) => {
  const { rows } = await pool.query<{ health_score: number }>(
    'select health_score from health_history where vehicle_id = $1 order by scored_at',
    [vehicleId],
  )
  return rows.map((row) => row.health_score)
}

test('a reading leads to health, history, predictions and an alert; nothing is due after it', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 110 } })
  assert.equal(await b.score(), 1)

  const health = await healthOf(vehicleId)
  assert.deepEqual([health?.['health_score'], health?.['health_status'], health?.['risk_level']], [40, 'warning', 'high'])
  assert.deepEqual(await historyOf(vehicleId), [40])
  const { rows } = await pool.query(
    'select component, issue, rul_days, rul_p10_days, severity from predictions where vehicle_id = $1 order by 1',
    [vehicleId],
  )
  assert.deepEqual(rows, [
    { component: 'brakes', issue: 'Brakes: expected wear', rul_days: 120, rul_p10_days: 60, severity: 'low' },
    { component: 'cooling', issue: 'Coolant overheating', rul_days: 5, rul_p10_days: 1, severity: 'high' },
  ])
  assert.deepEqual(await alertsOf(vehicleId), [
    { status: 'open', severity: 'high', occurrences: 1, resolved_by: null, message: 'Coolant 110 °C is above 105 °C' },
  ])
  assert.deepEqual(await b.due(), [])
  assert.equal(await b.score(), 0)
})

test('a vehicle is scored at most once an interval, and the reading that came meanwhile is not forgotten', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  assert.equal(await b.score(), 1)
  b.clock.nowMs += 5_000
  await b.report(vehicleId, { signals: { coolantTempC: 95 } })
  assert.equal(await b.score(), 0)
  assert.deepEqual(await b.due(), [vehicleId])
  b.clock.nowMs += 5_000
  assert.equal(await b.score(), 1)
  assert.equal(b.engine.seen.at(-1)?.coolant, 95)
})

test('a reading committed while the engine thinks leaves the vehicle due; also one older than the latest', async (t) => {
  for (const recordedAgoMs of [0, 60_000]) {
    const b = await startBench(t, database)
    const vehicleId = await b.addVehicle()
    await b.report(vehicleId, { signals: { coolantTempC: 90 } })
    b.engine.beforeAnswer = async () => {
      b.engine.beforeAnswer = undefined
      await b.report(vehicleId, { recordedAtMs: b.clock.nowMs - recordedAgoMs, signals: { batteryVoltageV: 11 } })
    }
    assert.equal(await b.score(), 1)
    assert.deepEqual(await b.due(), [vehicleId])
    b.clock.nowMs += settings.intervalMs
    assert.equal(await b.score(), 1)
    assert.deepEqual(await b.due(), [])
  }
})

test('scoring never waits for a source that ingest is writing: it stays due', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  await database.tenant(b.resellerId, async (db) => {
    await db.query('select 1 from latest_states where source_id = $1 for update', [vehicleId])
    assert.equal(await b.score(), 1)
  })
  assert.deepEqual(await b.due(), [vehicleId])
})

test('two workers at once score every vehicle exactly once', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 40 }, () => b.addVehicle()))
  for (const vehicleId of vehicles) await b.report(vehicleId, { signals: { coolantTempC: 110 } })
  const few = { ...settings, claimLimit: 8, batchSize: 4 }
  const drain = async () => {
    let scored = 0
    for (let round = 0; round < 20; round++) scored += (await scoreDueVehicles(b.deps, few, never)).scored
    return scored
  }
  const [first, second] = await Promise.all([drain(), drain()])
  assert.equal(first + second, vehicles.length)
  assert.deepEqual(b.engine.seen.map(({ vehicleId }) => vehicleId).sort(), [...vehicles].sort())
  for (const vehicleId of vehicles) assert.equal((await alertsOf(vehicleId)).length, 1)
})

test('a worker that dies gives its vehicles back when its lease ends; one that was only slow then stores nothing', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 110 } })
  const takenOver: number[] = []
  b.engine.beforeAnswer = async () => {
    b.engine.beforeAnswer = undefined
    assert.equal(await b.score(), 0)
    b.clock.nowMs += LEASE_MS
    takenOver.push(await b.score())
  }
  assert.equal(await b.score(), 0)
  assert.deepEqual(takenOver, [1])
  const [alert] = await alertsOf(vehicleId)
  assert.equal(alert?.['occurrences'], 1)
})

test('while the engine is away vehicles stay due, and are scored when it is back', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 25 }, () => b.addVehicle()))
  for (const vehicleId of vehicles) await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  const asked: number[] = []
  b.engine.fault = (inputs) => (asked.push(inputs.length) > 1 ? { status: 503 } : undefined)
  await assert.rejects(b.score(), { code: 'unavailable' })
  // On a cluster a batch has vehicles of one node only, of which there may be fewer.
  const [scoredCount = 0] = asked
  assert.ok(scoredCount === 10 || (isTestCluster() && scoredCount > 0 && scoredCount < 10), String(scoredCount))
  assert.equal((await b.due()).length, 25 - scoredCount)
  b.engine.fault = undefined
  assert.equal(await b.score(), 25 - scoredCount)
  assert.deepEqual(await b.due(), [])
})

test('while a proxy refuses the key vehicles stay due: they are asked about once, and none is set aside', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 12 }, () => b.addVehicle()))
  for (const vehicleId of vehicles) await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  b.engine.fault = () => ({ status: 401 })
  await assert.rejects(b.score(), /ENGINE_KEY/)
  assert.deepEqual([b.engine.requestCount, b.logged], [1, []])
  b.engine.fault = undefined
  assert.equal(await b.score(), 12)
})

test('a vehicle that breaks the engine is set aside alone, stays due and is tried again', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 9 }, () => b.addVehicle()))
  const poison = await b.addVehicle({ vehicleId: 'veh-poison' })
  const refused = await b.addVehicle({ vehicleId: 'refuse-this' })
  for (const vehicleId of [...vehicles, poison, refused]) await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  b.engine.fault = (inputs) => (inputs.some(({ vehicleId }) => vehicleId === poison) ? { status: 500 } : undefined)
  assert.equal(await b.score(), 9)
  assert.deepEqual(await b.due(), [refused, poison])
  assert.equal(b.logged.length, 2)
  assert.equal(await b.score(), 0)
  b.engine.fault = undefined
  b.clock.nowMs += SET_ASIDE_MS
  assert.equal(await b.score(), 1)
  assert.deepEqual(await b.due(), [refused])
})

test('a vehicle whose statements run into the time limit is set aside alone; the others are scored', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 5 }, () => b.addVehicle()))
  const reportAll = async () => {
    for (const vehicleId of vehicles) await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  }
  await reportAll()
  assert.equal(await b.score(), 5)
  b.clock.nowMs += settings.intervalMs
  await reportAll()
  const stuck = vehicles[3] ?? ''
  // The one statement that waits for its row, with a limit below that on a lock. A busy machine may take longer than that over any other statement.
  const limited = (db: Db): Db => ({
    query: async (statement, values) => {
      const isStuck = String(statement).includes('insert into vehicle_health ') && JSON.stringify(values).includes(stuck)
      if (isStuck) await db.query(`set local statement_timeout = '1s'`)
      return await db.query(statement, values)
    },
  })
  const system: typeof database.system = (use) => database.system((db) => use(limited(db)))
  // Held in a session that is not ended while it has nothing to do.
  const holder = await connectAsOwner(t, ownerUrl)
  await holder.query('begin')
  const { rowCount } = await holder.query('select 1 from vehicle_health where vehicle_id = $1 for update', [stuck])
  assert.equal(rowCount, 1)
  await b.letTimePass()
  const round = await scoreDueVehicles({ ...b.deps, database: { ...database, system } }, settings, never)
  assert.equal(round.scored, 4)
  await holder.query('rollback')
  assert.deepEqual(await b.due(), [stuck])
  b.clock.nowMs += SET_ASIDE_MS
  assert.equal(await b.score(), 1)
})

test('the engine gets the newest earlier readings of this vehicle only, oldest first, at most 120', async (t) => {
  const b = await startBench(t, database)
  const [vehicleId, other] = [await b.addVehicle(), await b.addVehicle()]
  const device = newId('dev')
  await b.report(other, { recordedAtMs: START_MS - 200_000, signals: { coolantTempC: 40 } }, { sourceId: device })
  for (let i = 130; i >= 0; i--) {
    await b.report(vehicleId, { recordedAtMs: START_MS - i * 1000, signals: { coolantTempC: 80 + i / 100 } }, { sourceId: device })
  }
  await b.report(vehicleId, { recordedAtMs: START_MS - 500, signals: {}, position: { latitude: 1, longitude: 2 } }, { sourceId: device })
  assert.equal(await b.score(), 2)
  const input = b.engine.seen.find((asked) => asked.vehicleId === vehicleId)
  const times = input?.history?.map((reading) => reading['timestamp'])
  assert.equal(times?.length, 120)
  assert.equal(times?.[0], new Date(START_MS - 120_000).toISOString())
  assert.equal(times?.at(-1), new Date(START_MS - 1000).toISOString())
  assert.equal(input?.coolant, 80)
})

test('an alert lives: seen again, acknowledged, resolved by itself, opened anew when it comes back', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  const drive = async (coolantTempC: number) => {
    b.clock.nowMs += 30_000
    await b.report(vehicleId, { signals: { coolantTempC } })
    assert.equal(await b.score(), 1)
  }
  await drive(110)
  await drive(120)
  await pool.query(`update alerts set status = 'acknowledged', acknowledged_at = now() where vehicle_id = $1`, [vehicleId])
  await drive(110)
  const worst = { severity: 'critical', message: 'Coolant 120 °C is above 105 °C' }
  assert.deepEqual(await alertsOf(vehicleId), [{ ...worst, status: 'acknowledged', occurrences: 3, resolved_by: null }])
  await drive(90)
  await drive(90)
  assert.equal((await alertsOf(vehicleId))[0]?.['status'], 'acknowledged')
  await drive(90)
  assert.deepEqual(await alertsOf(vehicleId), [{ ...worst, status: 'resolved', occurrences: 3, resolved_by: 'engine' }])
  await drive(110)
  assert.deepEqual(
    (await alertsOf(vehicleId)).map((alert) => alert['status']),
    ['resolved', 'open'],
  )
})

test('an alert closed by a person stays closed while it goes on, and a worse one opens anew', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  const drive = async (coolantTempC: number) => {
    b.clock.nowMs += 30_000
    await b.report(vehicleId, { signals: { coolantTempC } })
    assert.equal(await b.score(), 1)
  }
  await drive(110)
  await pool.query(`update alerts set status = 'resolved', resolved_at = now(), resolved_by = 'user' where vehicle_id = $1`, [vehicleId])
  await drive(110)
  assert.deepEqual(
    (await alertsOf(vehicleId)).map((alert) => alert['status']),
    ['resolved'],
  )
  await drive(120)
  assert.deepEqual(
    (await alertsOf(vehicleId)).map((alert) => [alert['status'], alert['severity']]),
    [
      ['resolved', 'high'],
      ['open', 'critical'],
    ],
  )
})

test('history holds a point for each change of a point or of status, and one an hour', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  const steps: [minutes: number, coolantTempC: number][] = [
    [0, 90],
    [1, 90.2],
    [2, 90.4],
    [3, 90.2],
    [62, 90.2],
    [122, 90.2],
  ]
  for (const [minutes, coolantTempC] of steps) {
    b.clock.nowMs = START_MS + minutes * 60_000
    await b.report(vehicleId, { signals: { coolantTempC } })
    await b.score()
  }
  // 99.4 is not a point from 100; 98.8 is; at minutes 62 and 122 an hour has passed since the last one.
  assert.deepEqual(
    (await historyOf(vehicleId)).map((score) => Math.round(score * 10) / 10),
    [100, 98.8, 99.4, 99.4],
  )
})

test('a point of history keeps the sub-client that the vehicle belonged to then', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle({ subClientId: await b.addSubClient('north') })
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  await b.score()
  await pool.query('update vehicles set sub_client_id = null where vehicle_id = $1', [vehicleId])
  b.clock.nowMs = START_MS + 2 * 3_600_000
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  await b.score()
  const { rows } = await pool.query('select sub_client_id from health_history where vehicle_id = $1 order by scored_at', [vehicleId])
  assert.deepEqual(rows, [{ sub_client_id: 'north' }, { sub_client_id: '' }])
})

test('a prediction keeps its id while it changes, and goes when the engine no longer gives that life', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  const predictions = async () => {
    const { rows } = await pool.query<{ prediction_id: string; component: string; rul_days: number; updated_at: Date }>(
      'select prediction_id, component, rul_days, updated_at from predictions where vehicle_id = $1 order by component',
      [vehicleId],
    )
    return rows
  }
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  await b.score()
  const before = await predictions()
  b.clock.nowMs += 10_000
  await b.report(vehicleId, { signals: { coolantTempC: 110 } })
  await b.score()
  const changed = await predictions()
  assert.deepEqual(
    changed.map((row) => row.prediction_id),
    before.map((row) => row.prediction_id),
  )
  assert.deepEqual(
    changed.map((row) => [row.component, row.rul_days, row.updated_at.getTime() - START_MS]),
    [
      ['brakes', 120, 0],
      ['cooling', 5, 10_000],
    ],
  )
  await pool.query(
    `insert into predictions select reseller_id, 'prd-old', vehicle_id, 'clutch', issue, 1, 1, 1, 1, severity, created_at, updated_at
       from predictions where vehicle_id = $1 and component = 'brakes'`,
    [vehicleId],
  )
  b.clock.nowMs += 10_000
  await b.report(vehicleId, { signals: { coolantTempC: 110 } })
  await b.score()
  assert.deepEqual(
    (await predictions()).map((row) => row.component),
    ['brakes', 'cooling'],
  )
})
