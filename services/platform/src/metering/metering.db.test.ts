// Goal: what was counted is sealed once, in order, into chains that anybody can recompute; months close and stay closed; thresholds are published
// once. Method: entries put in as ingest and the gate put them in, a clock that is set, and rounds of the sealer called by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { UsageStatement } from '@roadworthy/contracts/platform-v1/usage'
import { systemAuthor } from '../audit/audit.ts'
import { createKey } from '../keys/keys.ts'
import { defaultPlans } from '../limits/plans.ts'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { usageExternalRoutes } from './routes.external.ts'
import { usagePlatformRoutes } from './routes.platform-v1.ts'
import { sealUsage } from './seal-usage.ts'
import { verifyStatement } from './statement.ts'
import { createStatementKey } from './statement-key.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
let now = new Date('2026-11-10T06:00:00.000Z')
const statementKey = createStatementKey(TEST_SECRET_KEY)
const deps = { database, now: () => now, statementKey }
const { app } = await openTestApi(cleanUp, database, {
  external: [usageExternalRoutes(deps)],
  platform: [usagePlatformRoutes(deps)],
  // The calls of these tests are counted too, whenever they are written: in a year that nothing here looks at.
  now: () => new Date('2025-01-05T00:00:00.000Z'),
})
const seal = () => sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: assert.fail })

type Counted = [subClientId: string, meter: string, bucket: string, count: number]

const count = (resellerId: string, ...counted: Counted[]) =>
  insertUsageAcrossResellers(
    database.systemPool,
    counted.map(([subClientId, meter, bucket, times]) => ({ resellerId, subClientId, meter, bucket: new Date(bucket), count: times })),
  )

async function makeReseller(slug: string, subClients: readonly string[] = [], more: { plan?: string } = {}): Promise<string> {
  const { apiKey } = await insertResellerWithKey(database, slug, more)
  for (const id of subClients) {
    await database.tenant(slug, (db) =>
      db.query('insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, $2)', [slug, id]),
    )
  }
  return apiKey
}

async function get(apiKey: string, url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'GET', url, headers: { 'x-api-key': apiKey, ...headers } })
  return { status: answer.statusCode, body: answer.json(), text: answer.body, headers: answer.headers }
}

const text = async (apiKey: string, url: string, headers: Record<string, string> = {}) =>
  await app.inject({ method: 'GET', url, headers: { 'x-api-key': apiKey, ...headers } })

async function linesOf(resellerId: string): Promise<string[]> {
  const { rows } = await database.systemPool.query<{ line: string }>(
    `select concat_ws(' ', nullif(sub_client_id, ''), seq, to_char(bucket at time zone 'UTC', 'MM-DD HH24:MI'), meter, count) as line
       from usage_lines where reseller_id = $1 order by sub_client_id, seq`,
    [resellerId],
  )
  return rows.map(({ line }) => line)
}

test('a quarter-hour is sealed a minute after its end, as one line for each meter; what comes later is another line', async () => {
  now = new Date('2026-11-10T06:00:00.000Z')
  await makeReseller('sealed')
  await count('sealed', ['a', 'points_ingested', '2026-11-10T05:45Z', 3], ['a', 'points_ingested', '2026-11-10T05:45Z', 4])
  await count('sealed', ['a', 'predictions', '2026-11-10T05:45Z', 1], ['', 'points_ingested', '2026-11-10T05:30Z', 9])
  await count('sealed', ['a', 'points_ingested', '2026-11-10T06:00Z', 1])
  now = new Date('2026-11-10T06:00:59.999Z')
  await seal()
  assert.deepEqual(await linesOf('sealed'), ['1 11-10 05:30 points_ingested 9'])
  now = new Date('2026-11-10T06:01:00.000Z')
  await seal()
  await count('sealed', ['a', 'points_ingested', '2026-11-10T05:45Z', 2])
  await seal()
  await seal()
  const expected = [
    '1 11-10 05:30 points_ingested 9',
    'a 1 11-10 05:45 points_ingested 7',
    'a 2 11-10 05:45 predictions 1',
    'a 3 11-10 05:45 points_ingested 2',
  ]
  assert.deepEqual(await linesOf('sealed'), expected)
  const { rows } = await database.systemPool.query("select count from usage_entries where reseller_id = 'sealed'")
  assert.deepEqual(rows, [{ count: '1' }])
})

test('nobody can change or remove a line, not even the service', async () => {
  for (const run of [database.system, (work: Parameters<typeof database.system>[0]) => database.tenant('sealed', work)]) {
    await assert.rejects(
      run((db) => db.query('update usage_lines set count = 1')),
      /permission denied/,
    )
    await assert.rejects(
      run((db) => db.query('delete from usage_lines')),
      /permission denied/,
    )
    await assert.rejects(
      run((db) => db.query('update usage_entries set count = 1')),
      /permission denied/,
    )
  }
})

test('a report counts what is sealed and what is not, in days and months of the reseller’s zone, with or without one sub-client', async () => {
  now = new Date('2026-11-10T06:30:00.000Z')
  const apiKey = await makeReseller('reported', ['a', 'b'])
  await updateReseller(database, 'reported', { timeZone: 'Asia/Kathmandu' }, systemAuthor('reported', new Date()))
  // The day begins at 18:15 UTC.
  await count('reported', ['a', 'points_ingested', '2026-10-31T18:00Z', 1], ['a', 'points_ingested', '2026-10-31T18:15Z', 2])
  await count('reported', ['b', 'points_ingested', '2026-11-01T18:00Z', 4], ['', 'api_calls_external', '2026-11-01T18:15Z', 8])
  await count('reported', ['', 'api_calls_platform', '2026-11-01T18:15Z', 16], ['a', 'active_devices', '2026-11-01T18:15Z', 1])
  await count('reported', ['a', 'active_device_days', '2026-11-01T18:15Z', 1], ['a', 'active_device_days', '2026-11-02T18:15Z', 1])
  await seal()
  await count('reported', ['a', 'points_ingested', '2026-11-10T06:15Z', 32])
  const { body } = await get(apiKey, '/api/external/usage?from=2026-10-01&to=2026-12-01')
  assert.deepEqual(
    body.rows.map((row: Record<string, unknown>) => Object.values(row).join(' ')),
    [
      '2026-10-31 points_ingested 1 a',
      '2026-11-01 points_ingested 2 a',
      '2026-11-01 points_ingested 4 b',
      '2026-11-02 api_calls 24 ',
      '2026-11-02 active_devices 1 a',
      '2026-11-03 active_devices 1 a',
      '2026-11-10 points_ingested 32 a',
    ],
  )
  assert.deepEqual(body.totals, { points_ingested: 39, api_calls: 24, predictions: 0, active_devices: 2 })
  assert.deepEqual([body.total, body.time_zone, body.from], [7, 'Asia/Kathmandu', '2026-09-30T18:15:00.000Z'])
  const platform = (await get(apiKey, '/api/v1/usage?from=2026-10&to=2026-12&granularity=month&subClientId=a')).body
  assert.deepEqual(platform.rows, [
    { period: '2026-10', meter: 'points_ingested', count: 1, subClientId: 'a' },
    { period: '2026-11', meter: 'active_devices', count: 1, subClientId: 'a' },
    { period: '2026-11', meter: 'points_ingested', count: 34, subClientId: 'a' },
  ])
  const elapsed = (Date.parse('2026-11-10T06:30Z') - Date.parse('2026-10-31T18:15Z')) / (30 * 86_400_000)
  assert.deepEqual(platform.projected, {
    period: '2026-11',
    elapsedPercent: Math.round(elapsed * 10_000) / 100,
    used: { points_ingested: 34, api_calls: 0, predictions: 0, active_devices: 1 },
    totals: { points_ingested: Math.round(34 / elapsed), api_calls: 0, predictions: 0, active_devices: 1 },
  })
  const hourly = (await get(apiKey, '/api/external/usage?granularity=hour&from=2026-11-10&to=2026-11-11')).body
  assert.deepEqual(hourly.rows, [{ period: '2026-11-10T12:00+05:45', meter: 'points_ingested', count: 32, sub_client_id: 'a' }])
})

test('a report pages, and comes as CSV and NDJSON whole', async () => {
  const apiKey = await makeReseller('exported', ['-1', 'b'])
  await count('exported', ['-1', 'points_ingested', '2026-11-02T00:00Z', 1], ['b', 'points_ingested', '2026-11-02T00:00Z', 2])
  await count('exported', ['', 'predictions', '2026-11-03T00:00Z', 3])
  const url = '/api/external/usage?from=2026-11-01&to=2026-11-05'
  const seen: number[] = []
  let after = ''
  for (let page = 0; page < 3; page++) {
    const { body } = await get(apiKey, `${url}&limit=1${after}`)
    assert.deepEqual([body.total, body.totals.points_ingested, body.rows.length, body.pagination.hasNextPage], [3, 3, 1, page < 2])
    seen.push(body.rows[0].count)
    after = `&after=${body.pagination.endCursor}`
  }
  assert.deepEqual(seen, [1, 2, 3])
  const csv =
    "period,sub_client_id,meter,count\r\n2026-11-02,'-1,points_ingested,1\r\n2026-11-02,b,points_ingested,2\r\n2026-11-03,,predictions,3\r\n"
  const asked = await text(apiKey, `${url}&format=csv&limit=1`)
  assert.deepEqual([asked.headers['content-type'], asked.body], ['text/csv; charset=utf-8', csv])
  assert.equal((await text(apiKey, url, { accept: 'text/csv' })).body, csv)
  const ndjson = await text(apiKey, url.replace('external', 'v1'), { accept: 'application/x-ndjson' })
  assert.equal(ndjson.headers['content-type'], 'application/x-ndjson; charset=utf-8')
  assert.deepEqual(JSON.parse(ndjson.body.split('\n')[2] ?? ''), {
    period: '2026-11-03',
    subClientId: null,
    meter: 'predictions',
    count: 3,
  })
})

test('what cannot be reported is refused by the name of the parameter', async () => {
  const apiKey = await makeReseller('refused')
  for (const [query, field] of [
    ['from=2026-02-30', 'from'],
    ['from=2026-11-05&to=2026-11-05', 'to'],
    ['from=0001-01-01&to=9999-01-01', 'from'],
    ['from=2024-01-01&to=2026-01-01', 'from'],
    ['granularity=hour&from=2026-10-01&to=2026-11-10', 'from'],
    ['granularity=month&from=2026-11-05', 'from'],
    ['granularity=week', 'granularity'],
    ['format=xml', 'format'],
    ['after=nonsense', 'after'],
  ] as const) {
    const { status, body } = await get(apiKey, `/api/external/usage?${query}`)
    assert.deepEqual([status, body.error?.details?.field], [400, field], query)
  }
  assert.equal((await get(apiKey, '/api/v1/usage/statements?month=2027-01')).body.error.details.field, 'month')
})

test('a pinned key sees its own sub-client only', async () => {
  await makeReseller('pinned', ['own', 'other'])
  await count('pinned', ['own', 'predictions', '2026-11-02T00:00Z', 1], ['other', 'predictions', '2026-11-02T00:00Z', 2])
  const { apiKey } = await createKey(database, 'pinned', { name: 'p', scopes: ['billing:read'], subClientId: 'own' }, now)
  const counts = async (query: string) =>
    (await get(apiKey, `/api/v1/usage?from=2026-11-01&${query}`)).body.rows
      .filter(({ meter }: { meter: string }) => meter === 'predictions')
      .map((row: { count: number }) => row.count)
  assert.deepEqual([await counts(''), await counts('subClientId=own'), await counts('subClientId=other')], [[1], [1], []])
  const statement = async (query: string) => await get(apiKey, `/api/v1/usage/statements?month=2026-11${query}`)
  assert.equal((await statement('')).body.subClientId, 'own')
  const [other, nobody] = [await statement('&subClientId=other'), await statement('&subClientId=nobody')]
  assert.deepEqual([other.status, other.body.error.message], [404, nobody.body.error.message])
})

async function statementOf(apiKey: string, query: string): Promise<UsageStatement> {
  const { status, body } = await get(apiKey, `/api/v1/usage/statements?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('a month closes a day after its end; its statement stays what it was, and what comes later is billed as used now', async () => {
  now = new Date('2026-10-20T00:00:00.000Z')
  const apiKey = await makeReseller('closing', ['a'])
  await count('closing', ['a', 'points_ingested', '2026-10-19T23:00Z', 5], ['a', 'points_ingested', '2026-10-31T18:15Z', 6])
  now = new Date('2026-10-31T19:00:00.000Z')
  await seal()
  const draft = await statementOf(apiKey, 'month=2026-10&subClientId=a')
  assert.deepEqual([draft.status, draft.totals.points_ingested], ['draft', 11])
  // Received before the end of the month, committed after it.
  await count('closing', ['a', 'points_ingested', '2026-10-31T18:15Z', 7], ['a', 'points_ingested', '2026-10-31T18:30Z', 1])
  now = new Date('2026-11-01T18:29:59.000Z')
  await seal()
  assert.equal((await statementOf(apiKey, 'month=2026-10&subClientId=a')).status, 'draft')
  now = new Date('2026-11-01T18:30:00.000Z')
  await seal()
  const final = await statementOf(apiKey, 'month=2026-10&subClientId=a')
  assert.deepEqual([final.status, final.totals.points_ingested], ['final', 18])
  await count('closing', ['a', 'points_ingested', '2026-10-31T18:15Z', 100])
  now = new Date('2026-11-01T19:00:00.000Z')
  await seal()
  await updateReseller(database, 'closing', { timeZone: 'America/New_York' }, systemAuthor('closing', new Date()))
  assert.deepEqual(await statementOf(apiKey, 'month=2026-10&subClientId=a'), final)
  const next = await statementOf(apiKey, 'month=2026-11&subClientId=a')
  assert.deepEqual([next.totals.points_ingested, next.from, next.to], [101, final.to, '2026-12-01T05:00:00.000Z'])
  for (const each of [draft, final, next]) assert.deepEqual(verifyStatement(each, statementKey.publicKey).findings, [])
  assert.equal(next.previousHash, final.lines.at(-1)?.hash, 'the chain goes on')
})

test('a sealer that was down closes the months it missed after it has sealed them', async () => {
  now = new Date('2026-08-10T00:00:00.000Z')
  const apiKey = await makeReseller('late-sealer')
  await count('late-sealer', ['', 'points_ingested', '2026-08-01T00:00Z', 1])
  await seal()
  await count('late-sealer', ['', 'points_ingested', '2026-08-20T00:00Z', 2], ['', 'points_ingested', '2026-09-20T00:00Z', 4])
  now = new Date('2026-11-20T00:00:00.000Z')
  assert.equal((await statementOf(apiKey, 'month=2026-08')).status, 'draft')
  await seal()
  for (const [month, points] of [
    ['2026-08', 3],
    ['2026-09', 4],
    ['2026-10', 0],
  ] as const) {
    const { status, totals } = await statementOf(apiKey, `month=${month}`)
    assert.deepEqual([status, totals.points_ingested], ['final', points])
  }
})

test('a statement that anybody changed names the first line that differs, or what else is wrong', async () => {
  now = new Date('2026-11-10T06:00:00.000Z')
  const apiKey = await makeReseller('forged', ['a'])
  for (const bucket of ['2026-10-31T18:30Z', '2026-11-01T00:00Z', '2026-11-02T00:00Z', '2026-11-03T00:00Z']) {
    await count('forged', ['a', 'points_ingested', bucket, 10])
  }
  await seal()
  const good = await statementOf(apiKey, 'month=2026-11&subClientId=a')
  assert.deepEqual(verifyStatement(good, undefined), {
    ...{ isValid: true, findings: [], firstDifferingLine: undefined, isKeyGiven: false },
    statement: good,
  })
  const changed = (change: (statement: UsageStatement) => void) => {
    const copy = structuredClone(good)
    change(copy)
    return verifyStatement(copy, statementKey.publicKey)
  }
  const placeOf = (change: (statement: UsageStatement) => void) => changed(change).firstDifferingLine?.place
  const line = (statement: UsageStatement, index: number) => statement.lines[index] ?? assert.fail()
  assert.equal(
    placeOf((s) => void Object.assign(line(s, 2), { count: 11 })),
    3,
  )
  assert.equal(
    placeOf((s) => void Object.assign(line(s, 1), { bucket: '2026-11-01T00:15:00.000Z' })),
    2,
  )
  assert.equal(
    placeOf((s) => void Object.assign(line(s, 3), { meter: 'predictions' })),
    4,
  )
  assert.equal(
    placeOf((s) => void s.lines.splice(1, 1)),
    2,
  )
  assert.equal(
    placeOf((s) => void s.lines.reverse()),
    1,
  )
  assert.equal(
    placeOf((s) => void Object.assign(s, { subClientId: null })),
    1,
  )
  assert.equal(
    placeOf((s) => void Object.assign(s, { previousHash: 'f'.repeat(64) })),
    1,
  )
  const findings = (change: (statement: UsageStatement) => void) => changed(change).findings.join(' ')
  assert.match(
    findings((s) => void Object.assign(s.totals, { points_ingested: 39 })),
    /add up to 40 points_ingested; the statement has 39/,
  )
  assert.match(
    findings((s) => void s.lines.pop()),
    /signature is not that of the key given/,
  )
  assert.match(
    findings((s) => void Object.assign(s, { month: '2026-10' })),
    /signature/,
  )
  const stranger = createStatementKey('another secret key of 32 characters!')
  assert.match(verifyStatement(good, stranger.publicKey).findings.join(), /not that of the key given/)
  assert.match(verifyStatement(good, 'no key').findings.join(), /no Ed25519 public key/)
  for (const other of [null, [], {}, { ...good, lines: 'none' }])
    assert.match(verifyStatement(other, undefined).findings.join(), /not a statement/)
  assert.equal((await get(apiKey, '/api/v1/usage/statement-key')).body.publicKey, statementKey.publicKey)
})

async function thresholdsOf(resellerId: string): Promise<string[]> {
  const { rows } = await database.systemPool.query<{ line: string }>(
    `select concat_ws(' ', sub_client_id, data ->> 'meter', data ->> 'period', data ->> 'thresholdPercent', data ->> 'used', data ->> 'limit') as line
       from event_outbox where reseller_id = $1 and type = 'usage.threshold' order by outbox_id`,
    [resellerId],
  )
  return rows.map(({ line }) => line)
}

test('80 and 100 % of a plan’s quota and of a sub-client’s limits are published once a month each', async () => {
  now = new Date('2026-11-10T06:00:00.000Z')
  await makeReseller('watched', ['a'], { plan: 'starter' })
  await database.tenant('watched', (db) =>
    db.query(
      `update sub_clients set max_readings_per_month = 100, max_predictions_per_month = 5, max_devices = 1 where reseller_id = 'watched'`,
    ),
  )
  // What another reseller used is none of it, sealed or not.
  await makeReseller('beside', ['a'], { plan: 'starter' })
  for (const bucket of ['2026-11-10T05:00Z', '2026-11-10T06:00Z']) {
    await count('beside', ['a', 'points_ingested', bucket, 10], ['', 'api_calls_platform', bucket, 30_000])
  }
  await count('watched', ['a', 'points_ingested', '2026-11-10T05:00Z', 79], ['', 'api_calls_platform', '2026-11-10T05:00Z', 79_999])
  await count('watched', ['a', 'points_ingested', '2026-10-10T05:00Z', 90])
  await seal()
  assert.deepEqual(await thresholdsOf('watched'), [])
  await count('watched', ['a', 'points_ingested', '2026-11-10T06:00Z', 1], ['', 'api_calls_platform', '2026-11-10T06:00Z', 1])
  await seal()
  await seal()
  const at80 = ['api_calls_platform 2026-11 80 80000 100000', 'a points_ingested 2026-11 80 80 100']
  assert.deepEqual(await thresholdsOf('watched'), at80)
  await count('watched', ['a', 'points_ingested', '2026-11-10T06:00Z', 20], ['a', 'predictions', '2026-11-10T06:00Z', 10_000])
  await seal()
  const at100 = [
    'predictions 2026-11 80 10000 10000',
    'predictions 2026-11 100 10000 10000',
    'a points_ingested 2026-11 100 100 100',
    'a predictions 2026-11 80 10000 5',
    'a predictions 2026-11 100 10000 5',
  ]
  assert.deepEqual(await thresholdsOf('watched'), [...at80, ...at100])
  await database.tenant('watched', (db) =>
    db.query(
      `insert into devices (reseller_id, device_id, device_type, connection_method, status, sub_client_id)
       values ('watched', 'dev-watched0000000000000', 'other', 'http', 'active', 'a'),
              ('watched', 'dev-watched0000000000001', 'other', 'http', 'decommissioned', 'a')`,
    ),
  )
  now = new Date('2026-12-01T00:00:00.000Z')
  await seal()
  const devices = ['a devices 2026-12 80 1 1', 'a devices 2026-12 100 1 1']
  assert.deepEqual(await thresholdsOf('watched'), [...at80, ...at100, ...devices])
  await count('watched', ['a', 'points_ingested', '2026-12-01T00:00Z', 80])
  await seal()
  assert.deepEqual((await thresholdsOf('watched')).at(-1), 'a points_ingested 2026-12 80 80 100')
})

test('calls that are refused at the gate, for their scope too, are not used', async () => {
  await makeReseller('scoped')
  const { apiKey } = await createKey(database, 'scoped', { name: 'p', scopes: ['devices:read'] }, now)
  assert.equal((await get(apiKey, '/api/external/usage')).status, 403)
  const { rows } = await database.systemPool.query("select 1 from usage_entries where reseller_id = 'scoped'")
  assert.equal(rows.length, 0)
})
