// Goal: work that is completed begins the life of its part anew in the next prediction of the real engine, and of no other part.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRealEngine } from '../predictions/engine/test-real-engine.ts'
import { START_MS } from '../predictions/test-bench.ts'
import { openTestDatabase } from '../test-support.ts'
import { DAY_MS, openWorkshop } from './test-workshop.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const engineUrl = await startRealEngine({ after })

type Predictions = { predictions: { id: string; component: string; rul_days: number }[] }

test('completing resets the remaining life of its component, by distance and by time, and of no other', async (t) => {
  const { bench, api, plan, complete } = await openWorkshop(t, database, { engineUrl })
  const vehicleId = await bench.addVehicle({ year: 2018 })
  const drive = async (odometerKm: number) => {
    bench.clock.nowMs += 60_000
    await bench.report(vehicleId, {
      signals: { engineSpeedRpm: 2000, vehicleSpeedKmh: 60, coolantTempC: 90, batteryVoltageV: 14.1, odometerKm },
    })
    assert.equal(await bench.score(), 1)
  }
  const lives = async () => {
    const { predictions } = (await api.get<Predictions>(`/predictions?vehicleId=${vehicleId}`)).body
    return Object.fromEntries(predictions.map(({ component, rul_days }) => [component, rul_days]))
  }
  await drive(150_000)
  const worn = await lives()
  for (const component of ['brakes', 'battery']) {
    const { body } = await plan({ vehicleId, component })
    bench.clock.nowMs += 60_000
    assert.equal((await complete(body.id, { condition_found: 'worn' })).status, 200)
  }
  bench.clock.nowMs += 60_000
  assert.equal(await bench.score(), 1)
  const fresh = await lives()
  assert.ok(Number(fresh['brakes']) > 1.5 * Number(worn['brakes']), JSON.stringify({ worn, fresh }))
  assert.ok(Number(fresh['battery']) > 1.3 * Number(worn['battery']), JSON.stringify({ worn, fresh }))
  const others = ({ brakes: _brakes, battery: _battery, ...rest }: Record<string, number>) => rest
  assert.deepEqual(others(fresh), others(worn))

  bench.clock.nowMs += 30 * DAY_MS
  await drive(160_000)
  const used = await lives()
  assert.ok(Number(used['brakes']) < Number(fresh['brakes']), JSON.stringify({ fresh, used }))
})

test('a record that is removed gives the part its age back', async (t) => {
  const { bench, api, done } = await openWorkshop(t, database, { engineUrl })
  const vehicleId = await bench.addVehicle({ year: 2018 })
  await bench.report(vehicleId, { signals: { engineSpeedRpm: 2000, vehicleSpeedKmh: 60, coolantTempC: 90, odometerKm: 150_000 } })
  const score = async () => {
    bench.clock.nowMs += 60_000
    assert.equal(await bench.score(), 1)
    const { predictions } = (await api.get<Predictions>(`/predictions?vehicleId=${vehicleId}`)).body
    return predictions.find(({ component }) => component === 'brakes')?.rul_days
  }
  const worn = await score()
  const { body } = await done({ vehicleId })
  const fresh = await score()
  await api.delete(`/maintenance/${body.id}`)
  assert.equal(await score(), worn)
  assert.notEqual(fresh, worn)
})
