// Goal: what shows whether the models still fit is counted for its owner alone. Method: a scored fleet of two sub-clients, of which one vehicle
// runs hot, and incidents that are closed in different ways.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ModelDrift } from '@roadworthy/contracts/platform-v1/models'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { driftPlatformRoutes } from './drift.routes.platform-v1.ts'
import { START_MS } from './test-bench.ts'
import { judgedFleet } from './test-judged-fleet.ts'
import { startTestSurface, type TestCaller } from './test-surface.ts'

const HOUR_MS = 3_600_000
const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

async function open(t: CleanUp) {
  const { bench } = await judgedFleet(t, database)
  const surface = await startTestSurface(t, platformSurface, [driftPlatformRoutes({ database, now: bench.deps.now })])
  const read = async (caller: Partial<TestCaller> = {}) => {
    const { status, body } = await surface.as({ resellerId: bench.resellerId, ...caller }).get<ModelDrift>('/models/drift')
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const change = (set: string) => database.systemPool.query(`update ${set} where reseller_id = $1`, [bench.resellerId])
  const close = (by: string, reason: string, atMs: number) =>
    change(
      `incidents set status = 'resolved', resolved_at = to_timestamp(${atMs / 1000}), resolved_by = '${by}', resolution_reason = '${reason}'`,
    )
  return { bench, read, change, close }
}

test('vehicles unlike normal are counted, and those of them that nothing else in their readings explains', async (t) => {
  const { bench, read, change } = await open(t)
  const { falseAlarms, ...fit } = await read()
  assert.deepEqual(fit, { judged: 2, unusual: 1, unexplained: 0, unjudgeable: 0, confidence: 0.8 })
  assert.deepEqual(
    falseAlarms.map(({ closed }) => closed),
    [0, 0],
  )
  await change(`alerts set type = 'unusual_reading'`)
  assert.equal((await read()).unexplained, 1, 'the incident of the unusual reading itself explains nothing')
  await change(`alerts set type = 'coolant_overheat'`)
  assert.equal((await read()).unexplained, 0)
  await change(`alerts set status = 'resolved', resolved_at = now(), resolved_by = 'engine'`)
  await change(`vehicle_health set result = jsonb_set(result, '{predictions,anomalyBasis}', '[]')`)
  const { unexplained, unjudgeable } = await read()
  assert.deepEqual([unexplained, unjudgeable], [1, 2])
  assert.equal((await read({ subClientPin: 'south' })).judged, 1)
  assert.deepEqual([(await read({ subClientPin: 'south' })).unusual, (await read({ subClientPin: 'north' })).unusual], [0, 1])
  await change(`vehicles set status = 'retired'`)
  assert.equal((await read()).judged, 0, 'retired vehicles do not count')
  await change(`vehicles set status = 'active'`)
  bench.clock.nowMs += 25 * HOUR_MS
  assert.deepEqual([(await read()).judged, (await read()).confidence], [0, null])
})

test('false alarms are counted among the incidents that people closed, in two periods', async (t) => {
  const { bench, read, close } = await open(t)
  const counts = async (caller: Partial<TestCaller> = {}) =>
    (await read(caller)).falseAlarms.map((period) => [period.closed, period.falseAlarms])
  const before = bench.clock.nowMs
  bench.clock.nowMs += HOUR_MS
  await close('user', 'false_alarm', before)
  assert.deepEqual(await counts(), [
    [1, 1],
    [0, 0],
  ])
  assert.deepEqual((await counts({ subClientPin: 'south' }))[0], [0, 0])
  assert.deepEqual((await counts({ resellerId: 'stranger' }))[0], [0, 0])
  await close('user', 'work_done', before)
  assert.deepEqual((await counts())[0], [1, 0])
  await close('user', 'false_alarm', before - 40 * 24 * HOUR_MS)
  assert.deepEqual(await counts(), [
    [0, 0],
    [1, 1],
  ])
  await close('engine', 'other', before)
  assert.deepEqual((await counts())[0], [0, 0])
})
