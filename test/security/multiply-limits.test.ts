// Goal: whoever is limited gets no further by taking a person's cookie into a program, by signing in again and again, or by making many keys.
// Method: the real gate over a real database, with a clock that stands still.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createUser } from '@roadworthy/platform/people/users'
import { insertResellerWithKey, lastFirst, openTestApi, type TestApiOptions } from '@roadworthy/platform/surfaces/test-api'
import { openTestDatabase } from '@roadworthy/platform/test-support'

const PASSWORD = 'correct horse battery'
const PERSON_PER_MINUTE = 1_200
const RESELLER_PER_MINUTE = 12_000
const FROM_PAGE = { 'sec-fetch-site': 'same-origin' }

const things: NonNullable<TestApiOptions['external']>[number] = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async () => ({ ok: true }))
}

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = new Date()
const { app, access } = await openTestApi(cleanUp, database, { external: [things], platform: [things], now: () => now })
const { apiKey: unlimited } = await insertResellerWithKey(database, 'acme')

const statusOf = async (url: string, headers: Record<string, string>) => (await app.inject({ method: 'GET', url, headers })).statusCode

async function signIn(email: string): Promise<{ cookie: string }> {
  const answer = await app.inject({ method: 'POST', url: '/api/v1/session', payload: { email, password: PASSWORD } })
  const [cookie] = answer.cookies
  assert.ok(cookie, answer.body)
  return { cookie: `${cookie.name}=${cookie.value}` }
}

function makeKey(body: object) {
  const payload = { name: 'made', scopes: ['devices:read'], ...body }
  return app.inject({ method: 'POST', url: '/api/v1/api-keys', headers: { 'x-api-key': unlimited }, payload })
}

async function newLimitedKey(): Promise<{ 'x-api-key': string }> {
  const made = await makeKey({ perMinute: 60, perDay: 5_000 })
  assert.equal(made.statusCode, 200, made.body)
  return { 'x-api-key': made.json().secret }
}

async function callsCounted(): Promise<number> {
  await access.flush()
  const { rows } = await database.systemPool.query<{ count: number }>(
    `select coalesce(sum(count), 0)::int as count from usage_entries where reseller_id = 'acme' and meter = 'api_calls_platform'`,
  )
  return rows[0]?.count ?? 0
}

test('a person is limited over all their sessions, whatever sends the cookie', async () => {
  await createUser(database, { resellerId: 'acme', email: 'busy@acme.example', password: PASSWORD }, now)
  const sessions = [await signIn('busy@acme.example'), await signIn('busy@acme.example')]
  for (let i = 0; i < PERSON_PER_MINUTE; i++) {
    assert.equal(await statusOf('/api/v1/things', { ...sessions[i % 2], ...(i % 3 === 0 ? FROM_PAGE : {}) }), 200)
  }
  for (const session of sessions) {
    const refused = await app.inject({ method: 'GET', url: '/api/v1/things', headers: { ...session, ...FROM_PAGE } })
    assert.equal(refused.statusCode, 429)
    assert.match(refused.json().error.message, /More than 1200 requests in 60 seconds of this person/)
    assert.ok(Number(refused.headers['retry-after']) > 0)
  }
  await createUser(database, { resellerId: 'acme', email: 'other@acme.example', password: PASSWORD }, now)
  assert.equal(await statusOf('/api/v1/things', await signIn('other@acme.example')), 200)
})

test('a cookie in a program is a call of the API; one in a page of the dashboard is not', async () => {
  await createUser(database, { resellerId: 'acme', email: 'counted@acme.example', password: PASSWORD }, now)
  const session = await signIn('counted@acme.example')
  const before = await callsCounted()
  assert.equal(await statusOf('/api/v1/things', { ...session, ...FROM_PAGE }), 200)
  // Over plain http a browser sends no Sec-Fetch-Site, but the address of the page.
  assert.equal(await statusOf('/api/v1/things', { ...session, host: 'fleet.lan:8080', referer: 'http://fleet.lan:8080/alerts' }), 200)
  assert.equal(await callsCounted(), before)
  assert.equal(await statusOf('/api/v1/things', session), 200)
  assert.equal(await statusOf('/api/v1/things', { ...session, referer: 'https://elsewhere.example/' }), 200)
  assert.equal(await callsCounted(), before + 2)
})

test('a program with a cookie meets the quota of the plan as one with a key does', async (t) => {
  const plan = { perMinute: 60, perDay: 5_000, platformCallsPerMonth: 1, predictionsPerMonth: 1 }
  const plans = { starter: plan, professional: plan, enterprise: plan }
  await insertResellerWithKey(database, 'small', { plan: 'starter' })
  await createUser(database, { resellerId: 'small', email: 'a@small.example', password: PASSWORD }, now)
  const api = await openTestApi(t, database, { platform: [things], plans, now: () => now })
  const session = await signIn('a@small.example')
  const call = async (headers = {}) =>
    (await api.app.inject({ method: 'GET', url: '/api/v1/things', headers: { ...session, ...headers } })).statusCode
  assert.deepEqual([await call(), await call(), await call(FROM_PAGE)], [200, 403, 200])
})

test('the limited keys and the people of a reseller share a limit, however many they are; a key without a limit has none', async (t) => {
  // As many calls as there may be but one, by keys that are not here.
  await database.systemPool.query(
    `insert into rate_windows (reseller_id, key_id, recent_ms, day, day_count)
     select 'acme', 'reseller acme', array_agg($1::bigint), date '1970-01-01' + $2::int, $3 from generate_series(1, $3)
         on conflict (reseller_id, key_id) do update set recent_ms = excluded.recent_ms`,
    [now.getTime(), Math.floor(now.getTime() / 86_400_000), RESELLER_PER_MINUTE - 1],
  )
  const api = await openTestApi(t, database, { external: [things], now: () => now })
  const keys = [await newLimitedKey(), await newLimitedKey()]
  const call = (headers: Record<string, string>) => api.app.inject({ method: 'GET', url: '/api/external/things', headers })
  const answers = [await call(keys[0] ?? {}), await call(keys[1] ?? {})]
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 429],
  )
  assert.match(answers[1]?.json().error.message, /of this reseller together/)
  assert.equal((await call({ 'x-api-key': unlimited })).statusCode, 200)
  // What the reseller's limit refused is not taken from the key's.
  await api.access.flush()
  const { rows } = await database.systemPool.query<{ calls: number }>(
    `select day_count::int as calls from rate_windows where reseller_id = 'acme' and key_id in (select key_id from api_keys where per_day = 5000)`,
  )
  assert.deepEqual(rows, [{ calls: 1 }])
  // A key that was given more than all have together by default has it.
  const large = await makeKey({ perMinute: RESELLER_PER_MINUTE + 1 })
  assert.equal((await call({ 'x-api-key': large.json().secret })).statusCode, 200)
})

test('a sub-client has at most 50 keys that work and a reseller 1,000, also when two are made at once', async () => {
  await insertResellerWithKey(database, 'keys')
  await database.systemPool.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North')`)
  const insertKeys = (count: number, subClientId: string | null) =>
    database.systemPool.query(
      `insert into api_keys (reseller_id, key_id, name, key_sha256, prefix, last4, scopes, sub_client_id)
       select 'acme', 'key-' || gen_random_uuid(), 'k', sha256(gen_random_uuid()::text::bytea), 'rw_live_', '0000', '{*}', $2
         from generate_series(1, $1)`,
      [count, subClientId],
    )
  await insertKeys(49, 'north')
  const pinned = await Promise.all([makeKey({ subClientId: 'north' }), makeKey({ subClientId: 'north' })])
  assert.deepEqual(pinned.map(({ statusCode }) => statusCode).sort(), [200, 403])
  const { error } = pinned.find(({ statusCode }) => statusCode === 403)?.json() ?? {}
  assert.deepEqual([error.code, error.details], ['quota_exceeded', { quota: 50 }])

  const { rows } = await database.systemPool.query<{ count: number }>(
    `select count(*)::int as count from api_keys where reseller_id = 'acme'`,
  )
  await insertKeys(999 - (rows[0]?.count ?? 0), null)
  const all = await Promise.all([makeKey({}), makeKey({})])
  assert.deepEqual(all.map(({ statusCode }) => statusCode).sort(), [200, 403])
  // One that is revoked, or has expired, makes room.
  await database.systemPool.query(`update api_keys set revoked_at = now() where reseller_id = 'acme' and sub_client_id = 'north'`)
  assert.equal((await makeKey({ subClientId: 'north' })).statusCode, 200)
  await insertKeys(49, 'north')
  assert.equal((await makeKey({ subClientId: 'north' })).statusCode, 403)
  await database.systemPool.query(`update api_keys set expires_at = $1 where reseller_id = 'acme' and sub_client_id = 'north'`, [now])
  assert.equal((await makeKey({ subClientId: 'north' })).statusCode, 200)
})
