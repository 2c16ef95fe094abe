// Goal: who listens to events learns of every change of a score that matters, and of no other (spec §6.1 and its gaps).

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event } from '@roadworthy/contracts/webhooks/events'
import { relayEvents } from '../../events/relay.ts'
import { openTestDatabase } from '../../test-support.ts'
import { type FakeInput, fakePrediction } from '../engine/test-engine.ts'
import { type Bench, START_MS, startBench } from '../test-bench.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))

/** Scores the vehicle with what it reports; answers the events that this made. */
async function publishedOf(bench: Bench, vehicleId: string, coolantTempC: number): Promise<Event[]> {
  await bench.report(vehicleId, { signals: { coolantTempC } })
  assert.equal(await bench.score(), 1, bench.logged.join())
  bench.clock.nowMs += 60_000
  const published: Event[] = []
  const keep = async (_db: unknown, events: readonly { body: string }[]) => {
    for (const { body } of events) published.push(JSON.parse(body))
  }
  await relayEvents({ database, recorders: [keep], now: bench.deps.now })
  return published
}

const typesOf = (events: readonly Event[]) => events.map(({ event }) => event).sort()

/** The answer of the engine at the edge, but for the remaining life of the brakes. */
function answerOf(inputs: readonly FakeInput[], brakesDays: number) {
  const predictions = inputs.map((input) => {
    const answer = fakePrediction(input)
    const { predictions: known } = answer as { predictions: Record<string, unknown> }
    return { ...answer, predictions: { ...known, remainingUsefulLife: { brakes: brakesDays }, remainingUsefulLifeInterval: {} } }
  })
  return { count: inputs.length, processingTimeMs: 1, predictions }
}

test('the first score publishes its predictions and alerts; what does not change is not published again', async (t) => {
  const bench = await startBench(t, database)
  await bench.addSubClient('north')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  const first = await publishedOf(bench, vehicleId, 120)
  assert.ok(typesOf(first).includes('alert.created'))
  assert.ok(typesOf(first).includes('prediction.created'))
  assert.ok(!typesOf(first).includes('vehicle.health.changed'), 'nothing was there before that could have changed')
  for (const { sub_client_id, data, timestamp } of first) {
    assert.deepEqual([sub_client_id, data['vehicleId'], timestamp], ['north', vehicleId, new Date(START_MS).toISOString()])
  }
  const alert = first.find(({ event }) => event === 'alert.created')?.data
  assert.deepEqual([alert?.['severity'], alert?.['message']], ['critical', 'Coolant 120 °C is above 105 °C'])
  const prediction = first.find(({ event }) => event === 'prediction.created')?.data
  assert.match(String(prediction?.['id']), /^prd-/)
  assert.match(JSON.stringify(prediction?.['interval']), /^\[[\d.]+,[\d.]+\]$/)
  assert.deepEqual(await publishedOf(bench, vehicleId, 120), [])
})

test('health is published on a change of status or of five points since it was last published', async (t) => {
  const bench = await startBench(t, database)
  const vehicleId = await bench.addVehicle()
  const scores = [90, 87, 84, 83, 74, 71, 69]
  const published: unknown[] = []
  for (const healthScore of scores) {
    // The engine at the edge takes three points off for each degree above 90 °C.
    for (const { event, data } of await publishedOf(bench, vehicleId, 90 + (100 - healthScore) / 3)) {
      if (event === 'vehicle.health.changed')
        published.push([
          Number(data['previousScore']).toFixed(),
          Number(data['healthScore']).toFixed(),
          data['previousStatus'],
          data['healthStatus'],
        ])
    }
  }
  assert.deepEqual(published, [
    ['90', '84', 'healthy', 'healthy'],
    ['84', '74', 'healthy', 'healthy'],
    ['74', '69', 'healthy', 'warning'],
  ])
})

test('a prediction is published when its remaining life has moved by more than a fifth since it was last published', async (t) => {
  const bench = await startBench(t, database)
  const vehicleId = await bench.addVehicle()
  const published: unknown[] = []
  for (const days of [100, 85, 80, 79, 64, 63, 100]) {
    bench.engine.fault = (inputs) => ({ status: 200, body: JSON.stringify(answerOf(inputs, days)) })
    for (const { event, data } of await publishedOf(bench, vehicleId, 90))
      if (event === 'prediction.created') published.push(data['rul_days'])
  }
  assert.deepEqual(published, [100, 79, 63, 100])
})
