// Goal: whoever runs the business sees who is near a limit, exactly as the limits count. Method: entries put in as ingest puts them in, some of
// them folded and sealed, a clock that is set, and the real routes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { UsageLimits, UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import { createKey } from '../keys/keys.ts'
import { defaultPlans } from '../limits/plans.ts'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { usagePlatformRoutes } from './routes.platform-v1.ts'
import { sealUsage } from './seal-usage.ts'
import { createStatementKey } from './statement-key.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = new Date('2026-11-10T06:05:00.000Z')
const { app } = await openTestApi(cleanUp, database, {
  platform: [usagePlatformRoutes({ database, now: () => now, statementKey: createStatementKey(TEST_SECRET_KEY) })],
  // The calls of these tests are counted in a year that nothing here looks at.
  now: () => new Date('2025-01-05T00:00:00.000Z'),
})

type Limits = { devices?: number; readings?: number; predictions?: number }

async function insertSubClient(resellerId: string, id: string, { devices, readings, predictions }: Limits, deviceCount = 0): Promise<void> {
  await database.tenant(resellerId, async (db) => {
    await db.query(
      `insert into sub_clients (reseller_id, sub_client_id, name, max_devices, max_readings_per_month, max_predictions_per_month)
       values ($1, $2, initcap($2), $3, $4, $5)`,
      [resellerId, id, devices ?? null, readings ?? null, predictions ?? null],
    )
    await db.query(
      `insert into devices (reseller_id, device_id, device_type, connection_method, status, sub_client_id)
       select $1, 'dev-' || $2::text || lpad(n::text, 15, '0'), 'obd_dongle', 'http', case when n = 1 then 'decommissioned' else 'active' end, $2
         from generate_series(1, $3::integer) n`,
      [resellerId, id, deviceCount],
    )
  })
}

const count = (resellerId: string, subClientId: string, meter: 'points_ingested' | 'predictions', bucket: string, times: number) =>
  insertUsageAcrossResellers(database.systemPool, [{ resellerId, subClientId, meter, bucket: new Date(bucket), count: times }])

async function get<Body>(apiKey: string, path: string): Promise<Body> {
  const answer = await app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': apiKey } })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<Body>()
}

const { apiKey } = await insertResellerWithKey(database, 'acme')
await insertSubClient('acme', 'free', {})
await insertSubClient('acme', 'north', { readings: 100, predictions: 50 })
await insertSubClient('acme', 'south', { devices: 4 }, 3)
await insertSubClient('acme', 'none', { readings: 0 })
await insertResellerWithKey(database, 'other')
await insertSubClient('other', 'north', { readings: 5 })

test('use is that of the month in UTC, whether it was sealed, folded or neither; nobody else’s counts', async () => {
  await count('acme', 'north', 'points_ingested', '2026-10-31T23:45Z', 1_000)
  await count('acme', 'north', 'points_ingested', '2026-11-01T00:00Z', 40)
  await count('acme', 'free', 'points_ingested', '2026-11-02T00:00Z', 7)
  await count('other', 'north', 'points_ingested', '2026-11-02T00:00Z', 3)
  await sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: assert.fail })
  await count('acme', 'north', 'points_ingested', '2026-11-10T06:00Z', 30)
  await sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: assert.fail })
  await count('acme', 'north', 'points_ingested', '2026-11-10T06:00Z', 11)
  await count('acme', 'north', 'predictions', '2026-11-10T06:00Z', 5)
  const { month, total, subClients } = await get<UsageLimits>(apiKey, '/usage/limits')
  assert.deepEqual(month, { from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' })
  assert.deepEqual(
    [total, subClients.map(({ id, usedPercent }) => [id, usedPercent])],
    [
      3,
      [
        ['north', 81],
        ['south', 50],
        ['none', 100],
      ],
    ],
  )
  assert.deepEqual(subClients[0], {
    ...{ id: 'north', name: 'North', usedPercent: 81 },
    devices: { limit: null, used: 0 },
    readings: { limit: 100, used: 81 },
    predictions: { limit: 50, used: 5 },
  })
  assert.deepEqual(subClients[1]?.devices, { limit: 4, used: 2 }, 'one that is decommissioned counts nothing')
})

test('it can be asked for those near a limit, for one, and page by page', async () => {
  const ids = async (query: string) => (await get<UsageLimits>(apiKey, `/usage/limits?${query}`)).subClients.map(({ id }) => id)
  assert.deepEqual(await ids('minUsedPercent=80'), ['north', 'none'])
  assert.deepEqual(await ids('minUsedPercent=82'), ['none'])
  assert.deepEqual(await ids('subClientId=south'), ['south'])
  assert.deepEqual([await ids('subClientId=free'), await ids('subClientId=nobody')], [[], []])
  const first = await get<UsageLimits>(apiKey, '/usage/limits?limit=2')
  assert.deepEqual([first.total, first.pagination.hasNextPage], [3, true])
  const second = await get<UsageLimits>(apiKey, `/usage/limits?limit=2&after=${first.pagination.endCursor}`)
  assert.deepEqual([second.total, second.subClients.map(({ id }) => id), second.pagination.hasNextPage], [3, ['none'], false])
  const behind = await get<UsageLimits>(apiKey, `/usage/limits?limit=2&after=${second.pagination.endCursor}`)
  assert.deepEqual([behind.total, behind.subClients], [3, []])
})

test('a key of one sub-client sees its own limits, and one without the scope none', async () => {
  const { apiKey: ofNorth } = await createKey(database, 'acme', { name: 'p', scopes: ['billing:read'], subClientId: 'north' }, now)
  const ids = async (query: string) => (await get<UsageLimits>(ofNorth, `/usage/limits${query}`)).subClients.map(({ id }) => id)
  assert.deepEqual([await ids(''), await ids('?subClientId=south')], [['north'], []])
  const { apiKey: weak } = await createKey(database, 'acme', { name: 'w', scopes: ['vehicles:read'] }, now)
  assert.equal((await app.inject({ url: '/api/v1/usage/limits', headers: { 'x-api-key': weak } })).statusCode, 403)
})

test('a report has every period with what all its rows add up to, though a page holds one of them', async () => {
  const report = await get<UsageReport>(apiKey, '/usage?from=2026-10-31&to=2026-11-04&limit=1')
  assert.deepEqual(
    report.periods.map(({ period, totals }) => [period, totals.points_ingested]),
    [
      ['2026-10-31', 0],
      ['2026-11-01', 1_040],
      ['2026-11-02', 7],
      ['2026-11-03', 0],
    ],
    'in Asia/Kolkata 1 November begins at 18:30 UTC',
  )
  assert.equal(report.rows.length, 1)
})
