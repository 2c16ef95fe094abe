// Goal: a call that brings readings is counted once, whatever becomes of them, and in their transaction where they are stored. Method: the real routes, gate
// and pipeline; what is counted is read from the ledger.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDirectory } from '../../../devices/directory.ts'
import { insertUsageAcrossResellers } from '../../../limits/usage.sql.ts'
import { UsageMeter } from '../../../limits/usage.ts'
import { telemetryPlatformRoutes } from '../../../readings/telemetry.routes.platform-v1.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../../../surfaces/test-api.ts'
import { onOnePostgres, openTestDatabase } from '../../../test-support.ts'
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
  onUnstorable: () => undefined,
})
const { app } = await openTestApi(cleanUp, database, {
  external: [telemetryExternalRoutes({ ingest, database, now })],
  platform: [telemetryPlatformRoutes({ ingest, toWarnings: warningsOfOne })],
})
const post = async (path: string, payload: object | string, headers = {}) => {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `/api/external${path}`,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
    payload,
  })
  return statusCode
}
const countedCalls = async (meter = 'api_calls_external') => {
  const { rows } = await database.systemPool.query<{ n: number }>(
    'select coalesce(sum(count), 0)::int as n from usage_entries where meter = $1',
    [meter],
  )
  return rows[0]?.n ?? 0
}

test('every call is counted once: of readings that are new, known, refused one by one, refused together, or never looked at', async () => {
  const reading = { vehicle_id: 'van', rpm: 900, timestamp: new Date().toISOString() }
  for (const [path, payload, status, headers] of [
    ['/telemetry', reading, 200, {}],
    ['/telemetry', reading, 200, {}],
    ['/telemetry', { ...reading, rpm: 'fast' }, 400, {}],
    ['/telemetry', { rpm: 1 }, 400, {}],
    ['/telemetry', '{"rpm":', 400, {}],
    ['/telemetry', 'rpm=1', 415, { 'content-type': 'text/csv' }],
    ['/telemetry/batch', { records: [{ ...reading, rpm: 901 }, { rpm: 1 }] }, 200, {}],
    ['/telemetry/batch', { records: [{ rpm: 1 }] }, 400, {}],
    ['/telemetry/batch', { records: [] }, 400, {}],
    ['/telemetry/batch?a=1', { records: [] }, 400, {}],
    ['/telemetry', { ...reading, rpm: 905 }, 200, { 'idempotency-key': 'again' }],
    ['/telemetry', { ...reading, rpm: 905 }, 200, { 'idempotency-key': 'again' }],
  ] as const) {
    const before = await countedCalls()
    assert.equal(await post(path, payload, headers), status, `${path} ${JSON.stringify(payload)}`)
    assert.equal(await countedCalls(), before + 1, `${path} ${JSON.stringify(payload)}`)
  }
  const before = await countedCalls('api_calls_platform')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/telemetry',
    headers: { 'x-api-key': apiKey },
    payload: { vehicleId: 'van', engine_speed: 906 },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(await countedCalls('api_calls_platform'), before + 1)
})

test(
  'many calls at once share the transaction of their readings, and each is in it',
  onOnePostgres('calls are counted beside the shards'),
  async () => {
    const before = await countedCalls()
    const since = new Date()
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        post('/telemetry', { vehicle_id: `van-${n % 7}`, rpm: 1_000 + n, timestamp: since.toISOString() }),
      ),
    )
    assert.deepEqual([...new Set(statuses)], [200])
    assert.equal((await countedCalls()) - before, 60)
    const { rows } = await database.systemPool.query<{ calls: number; readings: number }>(
      `select (select coalesce(sum(count), 0)::int from usage_entries e where e.meter = 'api_calls_external' and e.xmin = r.xmin) as calls, count(*)::int as readings
       from readings r where r.recorded_at = $1 group by r.xmin`,
      [since],
    )
    assert.equal(
      rows.reduce((sum, { readings }) => sum + readings, 0),
      60,
    )
    for (const { calls, readings } of rows) assert.equal(calls, readings)
  },
)

test('what a group counts is what its calls were, by reseller, sub-client, surface and quarter-hour', async () => {
  const clock = { now: new Date('2026-11-20T12:14:59.999Z') }
  const meter = new UsageMeter(database, () => clock.now)
  const call = meter.callToCount('acme', 'north', 'api_calls_external')
  clock.now = new Date('2026-11-20T12:15:00.000Z')
  const later = meter.callToCount('acme', 'north', 'api_calls_external')
  await Promise.all([call.write(), later.write()])
  await insertUsageAcrossResellers(database.systemPool, [call.count])
  const { rows } = await database.systemPool.query(
    `select bucket, sum(count)::int as n from usage_entries where sub_client_id = 'north' group by bucket order by bucket`,
  )
  assert.deepEqual(rows, [
    { bucket: new Date('2026-11-20T12:00:00.000Z'), n: 2 },
    { bucket: new Date('2026-11-20T12:15:00.000Z'), n: 1 },
  ])
})
