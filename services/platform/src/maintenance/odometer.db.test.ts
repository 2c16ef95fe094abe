// Goal: the odometer is kept forward from what is scored, gives the daily use, and goes back by a logged correction only.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { START_MS } from '../predictions/test-bench.ts'
import { errorOf } from '../predictions/test-surface.ts'
import { selectSourcesOfVehicle } from '../readings/vehicle-sources.sql.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { recordUseAcrossResellers } from './record-use.ts'
import { DAY_MS, openWorkshop } from './test-workshop.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

type Odometer = {
  odometer_km: number | null
  engine_hours: number | null
  use: { km_per_day: number | null; engine_hours_per_day: number | null; days: number }
}

test('it follows the readings forward, and parked days count in the daily use', async (t) => {
  const { bench, api, driveDaily } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const read = async () => (await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body
  assert.deepEqual([(await read()).odometer_km, (await read()).use], [null, { km_per_day: null, engine_hours_per_day: null, days: 0 }])
  await driveDaily(vehicleId, [80_000, 80_100, 79_000, 80_200, 8_000_000, 80_300])
  assert.deepEqual([(await read()).odometer_km, (await read()).use.km_per_day], [80_300, null])
  bench.clock.nowMs += 5 * DAY_MS
  assert.deepEqual((await read()).use, { km_per_day: 30, engine_hours_per_day: null, days: 10 })
})

test('predictions go on from what is kept where the vehicle reports less, as after another instrument cluster', async (t) => {
  const { bench, driveDaily } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const asked = () => bench.engine.seen.at(-1) as { obdDistance?: number; history: { obdDistance?: number }[] }
  await driveDaily(vehicleId, [401_000, 401_050])
  assert.equal(asked().obdDistance, 401_050)
  await driveDaily(vehicleId, [20, 70])
  assert.equal(asked().obdDistance, 401_050)
  assert.ok(
    asked().history.every(({ obdDistance = 401_000 }) => obdDistance >= 401_000),
    JSON.stringify(asked().history),
  )
  await driveDaily(vehicleId, [401_100])
  assert.equal(asked().obdDistance, 401_100)
})

test('hours add up from the run time of each start', async (t) => {
  const { bench, api } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  for (let trip = 0; trip < 10; trip++) {
    for (const engineRunTimeS of [600, 4_200, 7_800]) {
      bench.clock.nowMs += 3_600_000
      await bench.report(vehicleId, { signals: { engineRunTimeS } })
      await bench.score()
    }
    bench.clock.nowMs += 21 * 3_600_000
  }
  const { body } = await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)
  assert.ok(Math.abs(Number(body.engine_hours) - (10 * 7_800) / 3_600) < 0.01, String(body.engine_hours))
  assert.equal(body.use.engine_hours_per_day, 2.2)
})

test('hours of starts that are reported together, and of the last minutes of a start, are counted', async (t) => {
  const { bench, api } = await openWorkshop(t, database)
  const hoursOf = async (vehicleId: string) => (await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body.engine_hours
  const runOf =
    (vehicleId: string, sourceId = vehicleId) =>
    async (runTimesS: readonly number[]) => {
      const beganMs = bench.clock.nowMs
      for (const engineRunTimeS of runTimesS) {
        const recordedAtMs = beganMs + engineRunTimeS * 1000
        await bench.report(vehicleId, { recordedAtMs, signals: { engineRunTimeS } }, { sourceId })
      }
      bench.clock.nowMs = beganMs + Math.max(...runTimesS) * 1000 + 3_600_000
    }
  const vehicleId = await bench.addVehicle()
  const run = runOf(vehicleId)
  await run([60, 3_600])
  await bench.score()
  // Out of reach for three starts, of which the second is longer than the one before, and the third than both.
  await run([60, 1_800])
  await run([60, 5_400])
  await run([60, 7_200])
  await bench.score()
  assert.equal(await hoursOf(vehicleId), 5)
  // Scored before it is switched off: a step that is too small to be kept by itself.
  await run([3_600])
  await bench.score()
  const lastMinutes = await bench.addVehicle()
  const drive = runOf(lastMinutes)
  for (let start = 0; start < 5; start++) {
    const beganMs = bench.clock.nowMs
    await drive([3_600])
    await bench.score()
    bench.clock.nowMs = beganMs
    await drive([3_720])
    await bench.score()
  }
  await drive([60])
  await bench.score()
  assert.ok(Math.abs(Number(await hoursOf(lastMinutes)) - (5 * 3_720 + 60) / 3_600) < 0.01, String(await hoursOf(lastMinutes)))

  // Another device in the same vehicle, which counts differently, is not mixed in.
  const twice = await bench.addVehicle()
  const beganMs = bench.clock.nowMs
  await runOf(twice)([3_600])
  await bench.score()
  const runs = [
    { sourceId: 'second', headStartMs: 7 * 60_000, runTimesS: [2_400, 300] },
    { sourceId: twice, headStartMs: 0, runTimesS: [1_800, 600] },
  ]
  for (const { sourceId, headStartMs, runTimesS } of runs) {
    bench.clock.nowMs = beganMs + 2 * 3_600_000 - headStartMs
    for (const runTimeS of runTimesS) await runOf(twice, sourceId)([60, runTimeS])
  }
  await bench.score()
  assert.ok(Math.abs(Number(await hoursOf(twice)) - 6_000 / 3_600) < 0.01, String(await hoursOf(twice)))
})

test('a correction of the hours alone, or of the odometer, made while a score is being stored is what stays', async (t) => {
  const { bench, api, done } = await openWorkshop(t, database)
  for (const asked of [{ engine_hours: 4_000 }, { odometer_km: 50_000 }, { engine_hours: 4_000, odometer_km: 50_000 }]) {
    const vehicleId = await bench.addVehicle()
    const drive = async (odometerKm: number, engineRunTimeS: number) => {
      bench.clock.nowMs += DAY_MS
      await bench.report(vehicleId, { signals: { odometerKm, engineRunTimeS } })
    }
    await drive(80_000, 3_600)
    await bench.score()
    await drive(80_100, 7_200)
    const sourceIds = await selectSourcesOfVehicle(database.systemPool, bench.resellerId, vehicleId)
    const sources = sourceIds.map((sourceId) => ({ sourceId, vehicleId, version: '' }))
    const vehicle = { resellerId: bench.resellerId, vehicleId, sources }
    // Between what the score reads of the meters and what it writes.
    const correctBetween = (db: Db): Db => ({
      query: async (statement, values) => {
        const read = await db.query(statement, values)
        if (String(statement).includes('left join vehicle_meters')) {
          assert.equal((await api.post(`/vehicles/${vehicleId}/odometer`, { ...asked, reason: 'Read from the dashboard' })).status, 200)
        }
        return read as never
      },
    })
    await database.system((db) => recordUseAcrossResellers(correctBetween(db), [vehicle]))
    const { odometer_km: km, engine_hours: hours } = (await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body
    assert.equal(asked.engine_hours ?? hours, hours)
    assert.equal(asked.odometer_km ?? km, km)
    await bench.score()
    const after = (await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body
    assert.deepEqual(
      [asked.engine_hours ?? after.engine_hours, asked.odometer_km ?? after.odometer_km],
      [after.engine_hours, after.odometer_km],
    )
    const completedAt = new Date(bench.clock.nowMs).toISOString()
    bench.clock.nowMs += 3_600_000
    const { body } = await done({ vehicleId, completedAt })
    assert.equal(body.odometer_km, after.odometer_km, 'what the score had read is not kept beside the correction')
  }
})

test('a correction is logged, sets it back, and what the vehicle reports counts on from there, also for the engine', async (t) => {
  const { bench, api, driveDaily } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle({ externalRef: 'truck-1' })
  await driveDaily(vehicleId, [184_000])
  // Another instrument cluster, which begins at 12 km.
  await driveDaily(vehicleId, [12])
  const corrected = await api.post<Odometer>('/vehicles/truck-1/odometer', { odometer_km: 184_050, reason: 'Instrument cluster replaced' })
  assert.deepEqual([corrected.status, corrected.body.odometer_km], [200, 184_050], JSON.stringify(corrected.body))
  bench.clock.nowMs += 60_000
  assert.equal(await bench.score(), 1, 'scored again with the corrected odometer')
  assert.equal(bench.engine.seen.at(-1)?.['obdDistance'], 184_050)
  await driveDaily(vehicleId, [112])
  assert.equal((await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body.odometer_km, 184_150)
  assert.equal(bench.engine.seen.at(-1)?.['obdDistance'], 184_150)
  await api.post(`/vehicles/${vehicleId}/odometer`, { odometer_km: 90_000, engine_hours: 4_000, reason: 'Typing error' })
  type Log = { total: number; corrections: { reason: string; formerOdometer_km: number; odometer_km: number; correctedBy: string }[] }
  const { body } = await api.get<Log>(`/vehicles/${vehicleId}/odometer/corrections`)
  assert.deepEqual(
    body.corrections.map((each) => [each.reason, each.formerOdometer_km, each.odometer_km, each.correctedBy]),
    [
      ['Typing error', 184_150, 90_000, 'key-test'],
      ['Instrument cluster replaced', 184_000, 184_050, 'key-test'],
    ],
  )
  assert.equal(body.total, 2)
  const { use } = (await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body
  assert.equal(use.km_per_day, null)
  bench.clock.nowMs += 8 * DAY_MS
  const later = (await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)).body
  assert.equal(later.use.km_per_day, 10, 'a correction is no driving')
})

test('the last reading before a correction counts as corrected for work that is reported later', async (t) => {
  const { bench, api, done, driveDaily } = await openWorkshop(t, database)
  const hour = 3_600_000
  const correctAfter = async (waitMs: number) => {
    const vehicleId = await bench.addVehicle()
    await driveDaily(vehicleId, [184_000])
    bench.clock.nowMs += waitMs
    const { status } = await api.post(`/vehicles/${vehicleId}/odometer`, { odometer_km: 10, reason: 'New instrument cluster' })
    assert.equal(status, 200)
    const completedAt = new Date(bench.clock.nowMs + hour).toISOString()
    await driveDaily(vehicleId, [184_100])
    return { vehicleId, completedAt }
  }
  // Read before the correction, at the same instant, and by a clock that is ahead.
  for (const waitMs of [hour, 0, -1_000]) {
    const work = await correctAfter(waitMs)
    const unread = await done(work)
    const km = unread.body.odometer_km ?? -1
    assert.ok(unread.status === 200 && km >= 10 && km <= 110, `${waitMs}: ${JSON.stringify(unread.body)}`)
    assert.equal((await done({ ...work, odometer_km: 12 })).status, 200)
  }
})

test('a vehicle that reports no odometer has the one that people read at the work', async (t) => {
  const { bench, api, done } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await done({ vehicleId, odometer_km: 40_000 })
  bench.clock.nowMs += 30 * DAY_MS
  await done({ vehicleId, odometer_km: 43_000 })
  const { body } = await api.get<Odometer>(`/vehicles/${vehicleId}/odometer`)
  assert.deepEqual([body.odometer_km, body.use.km_per_day], [43_000, 100])
})

test('a correction needs a reason and a value, and a vehicle of one’s own', async (t) => {
  const { bench, api, as } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  const fieldOf = async (body: object) => {
    const answer = await api.post(`/vehicles/${vehicleId}/odometer`, body)
    assert.equal(answer.status, 400)
    return (errorOf(answer)['details'] as { field: string }).field
  }
  assert.equal(await fieldOf({ reason: 'x' }), 'odometer_km')
  assert.equal(await fieldOf({ odometer_km: 1 }), 'reason')
  assert.equal(await fieldOf({ odometer_km: -1, reason: 'x' }), 'odometer_km')
  assert.equal(await fieldOf({ odometer_km: 1, reason: ' ' }), 'reason')
  for (const outsider of [as({ resellerId: 'stranger' }), as({ subClientPin: 'south' })]) {
    for (const answer of [
      await outsider.get(`/vehicles/${vehicleId}/odometer`),
      await outsider.get(`/vehicles/${vehicleId}/odometer/corrections`),
      await outsider.post(`/vehicles/${vehicleId}/odometer`, { odometer_km: 1, reason: 'x' }),
    ]) {
      assert.equal(answer.status, 404)
    }
  }
})
