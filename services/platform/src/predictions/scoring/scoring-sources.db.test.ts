// Goal: a vehicle is scored by what was reported of it, whichever device reported it and whatever else that device reports for. Method: as scoring.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { sourceOfNamed } from '../../readings/source-id.ts'
import { openTestDatabase } from '../../test-support.ts'
import { never, START_MS, benchSettings as settings, startBench } from '../test-bench.ts'
import { scoreDueVehicles } from './score-due-vehicles.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))

test('a device that moves to another vehicle takes neither odometer nor lamps with it', async (t) => {
  const b = await startBench(t, database)
  const [truck, car] = [await b.addVehicle(), await b.addVehicle()]
  const about = { sourceId: newId('dev') }
  await b.report(truck, { signals: { odometerKm: 800_000 }, attributes: { lamps: { redStopLamp: true }, dtcCodes: ['P0217'] } }, about)
  b.clock.nowMs += 60_000
  await b.report(car, { signals: { coolantTempC: 90 } }, about)
  await b.report(truck, { recordedAtMs: b.clock.nowMs - 30_000, signals: { odometerKm: 800_001 } }, about)
  assert.equal(await b.score(), 2)
  const at = new Date(b.clock.nowMs).toISOString()
  assert.deepEqual(
    b.engine.seen.find(({ vehicleId }) => vehicleId === car),
    { vehicleId: car, timestamp: at, coolant: 90, history: [] },
  )
  const ofTruck = b.engine.seen.find(({ vehicleId }) => vehicleId === truck)
  assert.deepEqual([ofTruck?.['obdDistance'], ofTruck?.['dtc_codes']], [800_001, ['P0217']])
})

test('nothing goes with a device from one vehicle to the next through a time in which it was in none', async (t) => {
  const b = await startBench(t, database)
  const [truck, car] = [await b.addVehicle(), await b.addVehicle()]
  const about = { sourceId: newId('dev') }
  await b.report(truck, { signals: { odometerKm: 800_000 }, attributes: { dtcCodes: ['P0217'] } }, about)
  await b.report(undefined, { recordedAtMs: START_MS + 1000, signals: { batteryVoltageV: 13 } }, about)
  await b.report(car, { recordedAtMs: START_MS + 2000, signals: { coolantTempC: 90 } }, about)
  assert.equal(await b.score(), 2)
  assert.deepEqual(
    b.engine.seen.find(({ vehicleId }) => vehicleId === car),
    { vehicleId: car, timestamp: new Date(START_MS + 2000).toISOString(), coolant: 90, history: [] },
  )
})

test('every vehicle a gateway reports for is scored by what was reported of it, in every round', async (t) => {
  const b = await startBench(t, database)
  const vehicles = await Promise.all(Array.from({ length: 5 }, () => b.addVehicle()))
  const gateway = newId('dev')
  for (let round = 0; round < 3; round++) {
    for (const [index, vehicleId] of vehicles.entries()) {
      await b.report(vehicleId, { signals: { coolantTempC: 80 + index } }, { sourceId: sourceOfNamed(gateway, vehicleId) })
    }
    b.engine.seen.length = 0
    assert.equal(await b.score(), 5)
    assert.deepEqual(
      new Map(b.engine.seen.map((input) => [input.vehicleId, input['coolant']])),
      new Map(vehicles.map((vehicleId, index) => [vehicleId, 80 + index])),
    )
    assert.deepEqual(await b.due(), [])
    b.clock.nowMs += settings.intervalMs
  }
  await b.letTimePass()
  // Written by one transaction, as a batch is.
  await database.systemPool.query('update latest_states set due = true where reseller_id = $1', [b.resellerId])
  assert.equal((await scoreDueVehicles(b.deps, { ...settings, claimLimit: 2 }, never)).scored, 2)
  assert.equal((await b.due()).length, 3)
})

test('what only its sender understands is not read of earlier readings, and one that is mostly that gives its signals alone', async (t) => {
  const b = await startBench(t, database)
  const vehicleId = await b.addVehicle()
  const say = (secondsAgo: number, extra: object) =>
    b.report(vehicleId, {
      ...{ recordedAtMs: START_MS - secondsAgo * 1000, signals: { coolantTempC: 90 } },
      attributes: { dtcCodes: ['P0128'], extra: { note: extra } },
    })
  await say(3, { small: true })
  await say(2, { noise: randomBytes(4096).toString('base64') })
  await say(1, {})
  assert.equal(await b.score(), 1)
  const history = b.engine.seen.find((asked) => asked.vehicleId === vehicleId)?.history
  assert.deepEqual(
    history?.map((earlier) => [earlier['coolant'], earlier['dtc_codes']]),
    [
      [90, ['P0128']],
      [90, undefined],
    ],
  )
})
