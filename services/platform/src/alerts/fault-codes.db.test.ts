// Goal: the fault codes of a vehicle are listed with what they mean, since when, and whether they still stand. Method: readings and a scripted engine
// on a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FaultCodes } from '@roadworthy/contracts/platform-v1/vehicles'
import type { Static } from 'typebox'
import { START_MS, startBench } from '../predictions/test-bench.ts'
import { startTestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { openTestDatabase } from '../test-support.ts'
import { faultCodePlatformRoutes } from './fault-codes.routes.platform-v1.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))

async function start(t: Parameters<typeof startBench>[0]) {
  const bench = await startBench(t, database)
  const surface = await startTestSurface(t, platformSurface, [faultCodePlatformRoutes({ database, now: bench.deps.now })])
  const { resellerId } = bench
  const as = (caller: object = {}) => surface.as({ resellerId, ...caller })
  const list = async (vehicleId: string, caller: object = {}) =>
    (await as(caller).get<Static<typeof FaultCodes>>(`/vehicles/${vehicleId}/fault-codes`)).body
  const report = (vehicleId: string, secondsAgo: number, dtcCodes: string[] | undefined) =>
    bench.report(vehicleId, {
      recordedAtMs: START_MS - secondsAgo * 1000,
      signals: { coolantTempC: 90 },
      attributes: dtcCodes === undefined ? {} : { dtcCodes },
    })
  return { bench, as, list, report }
}

test('a code has its words, its first and last time, and stands as long as the newest list has it', async (t) => {
  const { bench, list, report } = await start(t)
  const vehicleId = await bench.addVehicle()
  await report(vehicleId, 50, ['p0301', '110/0'])
  await report(vehicleId, 40, ['p0301'])
  await report(vehicleId, 30, undefined)
  const words = { description: 'Fault code', message: 'Fault code', urgency: 'soon', type: 'fault_code', component: 'engine' }
  const evidence = { codes: ['SPN 110 FMI 0', 'P0301'], titles: ['Coolant too hot', 'Misfire'], drivingOn: 'Stop' }
  bench.engine.reshape = (answer) => ({ ...answer, alerts: [{ ...words, severity: 'high', code: 'SPN 110 FMI 0', evidence }] })
  await bench.score()
  const { faultCodes, reportedAt } = await list(vehicleId)
  const at = (secondsAgo: number) => new Date(START_MS - secondsAgo * 1000).toISOString()
  assert.equal(reportedAt, at(40))
  assert.deepEqual(
    faultCodes.map(({ code, title, drivingOn, active, firstSeenAt, lastSeenAt, readingCount, severity }) => [
      ...[code, title, drivingOn, active, firstSeenAt, lastSeenAt, readingCount, severity],
    ]),
    [
      ['p0301', 'Misfire', null, true, at(50), at(40), 2, 'high'],
      ['110/0', 'Coolant too hot', 'Stop', false, at(50), at(50), 1, 'high'],
    ],
  )
  assert.match(faultCodes[0]?.incidentId ?? '', /^inc-/)
})

test('a vehicle that never reported codes is distinguished from one that reports none', async (t) => {
  const { bench, list, report } = await start(t)
  const [silent, sound] = [await bench.addVehicle(), await bench.addVehicle()]
  await report(silent, 10, undefined)
  await report(sound, 10, [])
  assert.deepEqual([(await list(silent)).reportedAt, (await list(silent)).faultCodes], [null, []])
  assert.notEqual((await list(sound)).reportedAt, null)
})

test('nobody else finds them, and a range that is too long is refused', async (t) => {
  const { bench, as, list, report } = await start(t)
  await bench.addSubClient('north')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  await report(vehicleId, 10, ['P0301'])
  assert.equal((await list(vehicleId)).faultCodes.length, 1)
  for (const caller of [{ subClientPin: 'south' }, { resellerId: 'stranger' }]) {
    assert.equal((await as(caller).get(`/vehicles/${vehicleId}/fault-codes`)).status, 404)
  }
  const long = new Date(START_MS - 32 * 86_400_000).toISOString()
  assert.equal((await as().get(`/vehicles/${vehicleId}/fault-codes?from=${long}`)).status, 400)
})
