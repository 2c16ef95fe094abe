// Goal: who sends a field that is stored and not used finds it in the answer. Method: the real routes and pipeline.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDirectory } from '../../../devices/directory.ts'
import { telemetryPlatformRoutes } from '../../../readings/telemetry.routes.platform-v1.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../../../surfaces/test-api.ts'
import { openTestDatabase } from '../../../test-support.ts'
import { defaultGroupCommitLimits } from '../../group-commit.ts'
import { createIngestPipeline } from '../../pipeline.ts'
import { unlimited } from '../../reading-quota.ts'
import { warningsOfOne } from '../../wire-warnings.ts'
import { telemetryExternalRoutes } from './rest-receiver.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = () => new Date()
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { ingest } = createIngestPipeline({
  database,
  directory: createDirectory({ database, now, onFleetChanged: () => undefined }),
  now,
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: unlimited,
  limits: defaultGroupCommitLimits,
  onUnstorable: (error) => console.error(error),
})
const { app } = await openTestApi(cleanUp, database, {
  external: [telemetryExternalRoutes({ ingest, database, now })],
  platform: [telemetryPlatformRoutes({ ingest, toWarnings: warningsOfOne })],
})
type Warnings = { field: string; reason: string }[] | undefined
const post = async (url: string, payload: object) => {
  const response = await app.inject({ method: 'POST', url, headers: { 'x-api-key': apiKey }, payload })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ warnings: Warnings; results: { warnings: Warnings }[] }>()
}
const coolant = 'unknown, kept in extra; the closest known name is "coolant_temp"'

test('a single reading’s answer names them on both surfaces, and has no such field where there is nothing to warn of', async () => {
  const bad = { rpm: 99_999, coolnt_temp: 92 }
  assert.deepEqual((await post('/api/external/telemetry', { vehicle_id: 'van', ...bad })).warnings, [
    { field: 'coolnt_temp', reason: coolant },
    { field: 'rpm', reason: 'implausible' },
  ])
  assert.equal('warnings' in (await post('/api/external/telemetry', { vehicle_id: 'van', rpm: 900 })), false)
  assert.deepEqual((await post('/api/v1/telemetry', { vehicleId: 'van', engine_speed: 99_999, coolnt_temp: 1 })).warnings, [
    { field: 'coolnt_temp', reason: coolant },
    { field: 'engine_speed', reason: 'implausible' },
  ])
  assert.equal('warnings' in (await post('/api/v1/telemetry', { vehicleId: 'van', engine_speed: 900 })), false)
})

test('a vehicle is named by up to 128 characters on both surfaces, of which an emoji is one', async () => {
  const name = '\u{1F69A}'.repeat(128)
  await post('/api/external/telemetry', { vehicle_id: name, rpm: 900 })
  await post('/api/v1/telemetry', { vehicleId: name, engine_speed: 900 })
})

test('a batch has them by result, a hundred in all', async () => {
  const { results } = await post('/api/external/telemetry/batch', {
    records: [{ vehicle_id: 'van', rpm: 901 }, { vehicle_id: 'van', coolnt_temp: 3 }, { rpm: 1 }],
  })
  assert.deepEqual(
    results.map(({ warnings }) => warnings),
    [undefined, [{ field: 'coolnt_temp', reason: coolant }], undefined],
  )
  const junk = (n: number) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`junk_${n}_${i}`, n]))
  const hostile = await post('/api/external/telemetry/batch', {
    records: Array.from({ length: 100 }, (_, n) => ({ vehicle_id: 'van', ...junk(n) })),
  })
  const received = hostile.results.flatMap(({ warnings }) => warnings ?? [])
  assert.equal(received.filter(({ field }) => field !== '*').length <= 100, true)
  assert.equal(
    hostile.results.every(({ warnings }) => (warnings?.length ?? 0) >= 1),
    true,
  )
})

// Dropped without a word, `sub_client_id` there would let readings go to no sub-client.
test('a field beside the list of a batch is refused by its name, and nothing of the batch is stored', async () => {
  const record = { vehicle_id: 'van', rpm: 902, latitude: 1, longitude: 2 }
  for (const [path, list] of [
    ['telemetry', 'records'],
    ['track', 'points'],
  ] as const) {
    const payload = { [list]: [record], sub_client_id: 'north' }
    const response = await app.inject({ method: 'POST', url: `/api/external/${path}/batch`, headers: { 'x-api-key': apiKey }, payload })
    assert.equal(response.statusCode, 400, response.body)
    const { error } = response.json<{ error: { code: string; message: string; details: object } }>()
    assert.deepEqual([error.code, error.details], ['invalid_request', { in: 'body', field: 'sub_client_id' }])
    assert.equal(error.message, `"sub_client_id" is not known here; known are ${list}.`)
  }
  assert.deepEqual((await database.systemPool.query("select from readings where signals::text like '%902%'")).rows, [])
})
