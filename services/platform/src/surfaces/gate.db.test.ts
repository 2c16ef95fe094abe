// Goal: who gets in, who does not, and with which answer. Method: both surfaces over a real database, entered by inject.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { newKeyText } from '../keys/key-text.ts'
import { createKey, revokeKey } from '../keys/keys.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertResellerWithKey, openTestApi, openTestDatabaseAndApi } from './test-api.ts'

const things: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async (request) => ({ reseller: request.caller.resellerId }))
  app.post('/things', { config: { scope: 'devices:write' } }, async () => ({ ok: true }))
}

let now = new Date('2026-03-01T12:00:00.000Z')
const { database, app, access } = await openTestDatabaseAndApi({ after }, { external: [things], platform: [things], now: () => now })
const surfaces = ['/api/external', '/api/v1'] as const
const full = await insertResellerWithKey(database, 'full')

async function get(url: string, headers: Record<string, string>) {
  return app.inject({ method: 'GET', url, headers })
}

/** A refusal without what differs from one request to the next. */
function refusal(response: { body: string }) {
  const body = JSON.parse(response.body)
  delete body.error.request_id
  return body
}

test('a key works in either header, and in both when they agree, on both surfaces', async () => {
  for (const surface of surfaces) {
    for (const headers of [
      { 'x-api-key': full.apiKey },
      { authorization: `Bearer ${full.apiKey}` },
      { authorization: `bearer ${full.apiKey}`, 'x-api-key': full.apiKey },
    ]) {
      const response = await get(`${surface}/things`, headers)
      assert.equal(response.statusCode, 200, response.body)
      assert.deepEqual(response.json(), { reseller: 'full' })
      assert.match(String(response.headers['x-request-id']), /^[\w-]+$/)
    }
  }
})

test('two credentials that differ are refused even when both are valid', async () => {
  const { apiKey: second } = await createKey(database, 'full', { name: 'second', scopes: ['*'] }, now)
  for (const surface of surfaces) {
    for (const authorization of [`Bearer ${second}`, 'Basic dXNlcjpwYXNz', 'Bearer']) {
      const response = await get(`${surface}/things`, { 'x-api-key': full.apiKey, authorization })
      assert.equal(response.statusCode, 401, authorization)
    }
  }
})

test('missing, garbled, unknown, revoked and expired keys get one and the same answer', async () => {
  const { apiKey: revoked, key } = await createKey(database, 'full', { name: 'revoked', scopes: ['*'] }, now)
  await revokeKey(database, 'full', { keyId: key.keyId }, now)
  const { apiKey: expired } = await createKey(database, 'full', { name: 'short', scopes: ['*'], expiresAt: new Date(+now + 1000) }, now)
  const ended = new Date(+now + 1000)
  const { apiKey } = full
  for (const surface of surfaces) {
    assert.equal((await get(`${surface}/things`, { 'x-api-key': expired })).statusCode, 200, 'not yet expired')
    const before = now
    now = ended
    const presented = ['garbage', newKeyText(), `${apiKey.slice(0, -1)}_`, apiKey.toLowerCase(), `${apiKey}, ${apiKey}`, revoked, expired]
    const answers: Awaited<ReturnType<typeof get>>[] = []
    for (const text of presented) answers.push(await get(`${surface}/things`, { 'x-api-key': text }))
    now = before
    for (const answer of answers) {
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
      assert.deepEqual(refusal(answer), refusal(answers[0] ?? answer))
    }
    assert.equal(answers[0]?.json().error.code, 'invalid_api_key')
  }
})

test('a key that did not come, or not as it should, is distinguished from a wrong one, with how to send it', async () => {
  const accepted = ['X-API-Key: <key>', 'Authorization: Bearer <key>']
  const table: readonly [headers: Record<string, string>, details: object][] = [
    [{}, { reason: 'missing', accepted }],
    [{ 'x-api-key': '' }, { reason: 'missing', accepted }],
    [{ authorization: 'Bearer' }, { reason: 'missing', accepted }],
    [{ authorization: 'Bearer ' }, { reason: 'missing', accepted }],
    [{ authorization: '' }, { reason: 'missing', accepted }],
    [{ authorization: full.apiKey }, { reason: 'scheme', accepted }],
    [{ authorization: 'Basic eDp5' }, { reason: 'scheme', accepted }],
    [
      { 'x-api-key': full.apiKey, authorization: `Bearer ${newKeyText()}` },
      { reason: 'two_keys', accepted },
    ],
    [
      { 'x-api-key': full.apiKey, authorization: 'Basic eDp5' },
      { reason: 'scheme', accepted },
    ],
    [{ authorization: `Bearer ${newKeyText()}` }, { reason: 'not_valid' }],
    [{ 'x-api-key': newKeyText() }, { reason: 'not_valid' }],
    // Cookies count on the Platform API only.
    [{ cookie: `rw_session=${'x'.repeat(43)}` }, { reason: 'missing', accepted }],
  ]
  for (const [headers, details] of table) {
    const answer = await get('/api/external/things', headers)
    assert.equal(answer.statusCode, 401, JSON.stringify(headers))
    assert.deepEqual(answer.json().error.details, details, JSON.stringify(headers))
    const isHelped = /X-API-Key: <key> or Authorization: Bearer <key>/.test(answer.json().error.message)
    assert.equal(isHelped, ['missing', 'scheme'].includes((details as { reason: string }).reason), answer.body)
  }
})

test('a key with a wrong checksum is refused without a question to the database', async (t) => {
  let reads = 0
  const systemPool: Db = {
    query: (statement, values) => {
      reads++
      return database.systemPool.query(statement, values)
    },
  }
  const counted = await openTestApi(t, { ...database, systemPool }, { external: [things] })
  const good = newKeyText()
  const bad = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')
  for (const [key, expected] of [
    [bad, 0],
    [good, 1],
  ] as const) {
    reads = 0
    const response = await counted.app.inject({ method: 'GET', url: '/api/external/things', headers: { 'x-api-key': key } })
    assert.equal(response.statusCode, 401)
    assert.equal(reads, expected)
  }
})

test('unknown paths and methods are refused as such in the words of their surface, with or without a key', async () => {
  for (const headers of [{}, { 'x-api-key': full.apiKey }]) {
    const external = await get('/api/external/nothing', headers)
    assert.equal(external.statusCode, 404)
    assert.equal(external.json().success, false)
    assert.equal(external.json().error.code, 'not_found')
    const platform = await get('/api/v1/nothing/here', headers)
    assert.equal(platform.statusCode, 404)
    assert.deepEqual(Object.keys(platform.json()), ['error'])
    const method = await app.inject({ method: 'DELETE', url: '/api/external/things', headers })
    assert.equal(method.statusCode, 405)
    assert.equal(method.headers.allow?.includes('GET'), true)
  }
})

test('health needs no key and names version and scopes', async () => {
  const response = await get('/api/external/health', { 'x-api-key': 'whatever' })
  assert.equal(response.statusCode, 200)
  assert.equal(response.json().version, '2.0.0')
  assert.equal(response.json().scopes.includes('telemetry:write'), true)
})

test('only an active or trialing subscription gets in, and a change acts at once', async () => {
  const { apiKey } = await insertResellerWithKey(database, 'standing')
  for (const [subscription, status] of [
    ['active', 200],
    ['past_due', 403],
    ['trialing', 200],
    ['canceled', 403],
  ] as const) {
    await updateReseller(database, 'standing', { subscription }, systemAuthor('standing', new Date()))
    access.forgetReseller('standing')
    for (const surface of surfaces) {
      const response = await get(`${surface}/things`, { 'x-api-key': apiKey })
      assert.equal(response.statusCode, status, `${subscription} ${response.body}`)
      if (status === 200) continue
      assert.equal(response.json().error.code, 'subscription_required')
      assert.equal(response.json().error.action_required, 'subscribe')
    }
  }
})

test('a key without the scope is refused with the one it lacks', async () => {
  const { apiKey } = await createKey(database, 'full', { name: 'reader', scopes: ['devices:read'] }, now)
  for (const surface of surfaces) {
    assert.equal((await get(`${surface}/things`, { 'x-api-key': apiKey })).statusCode, 200)
    const response = await app.inject({ method: 'POST', url: `${surface}/things`, headers: { 'x-api-key': apiKey } })
    assert.equal(response.statusCode, 403)
    assert.equal(response.json().error.code, 'missing_scope')
    assert.deepEqual(response.json().error.details, { required_scope: 'devices:write' })
  }
})

test('a key pinned to a suspended or deactivated sub-client reads and does not write', async () => {
  await database.tenant('full', (db) =>
    db.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('full', 'acme', 'Acme'), ('full', 'other', 'Other')"),
  )
  const { apiKey } = await createKey(database, 'full', { name: 'acme', scopes: ['*'], subClientId: 'acme' }, now)
  for (const [status, writes] of [
    ['active', 200],
    ['suspended', 403],
    ['deactivated', 403],
    ['active', 200],
  ] as const) {
    await database.tenant('full', (db) =>
      db.query("update sub_clients set status = $1 where reseller_id = 'full' and sub_client_id = 'acme'", [status]),
    )
    access.forgetReseller('full')
    assert.equal((await get('/api/external/things', { 'x-api-key': apiKey })).statusCode, 200)
    const response = await app.inject({ method: 'POST', url: '/api/external/things', headers: { 'x-api-key': apiKey } })
    assert.equal(response.statusCode, writes, response.body)
    if (writes === 403) assert.equal(response.json().error.code, 'sub_client_suspended')
  }
})

test('use of a key is noted, and not again within a minute', async () => {
  const { apiKey, key } = await createKey(database, 'full', { name: 'used', scopes: ['*'] }, now)
  const lastUsedAt = async () => {
    await access.flush()
    const { rows } = await database.systemPool.query<{ at: Date | null }>('select last_used_at as at from api_keys where key_id = $1', [
      key.keyId,
    ])
    return rows[0]?.at?.toISOString()
  }
  assert.equal(await lastUsedAt(), undefined)
  const start = now
  for (const [afterMs, expectedMs] of [
    [0, 0],
    [59_999, 0],
    [60_000, 60_000],
  ] as const) {
    now = new Date(+start + afterMs)
    assert.equal((await get('/api/v1/things', { authorization: `Bearer ${apiKey}` })).statusCode, 200)
    assert.equal(await lastUsedAt(), new Date(+start + expectedMs).toISOString())
  }
  now = start
})

test('an address with too many bad keys gets 429 in place of 401, and a good key from there still gets in', async (t) => {
  const own = await openTestDatabaseAndApi(t, { external: [things], now: () => now, authFailuresPerMinute: 3 })
  const { apiKey } = await insertResellerWithKey(own.database, 'neighbour')
  const from = (remoteAddress: string, key: string) =>
    own.app.inject({ method: 'GET', url: '/api/external/things', headers: { 'x-api-key': key }, remoteAddress })
  const start = now
  for (const expected of [401, 401, 401, 429]) assert.equal((await from('203.0.113.7', 'bad')).statusCode, expected)
  const refused = await from('203.0.113.7', 'bad')
  assert.equal(refused.json().error.code, 'rate_limit_exceeded')
  assert.equal((await from('203.0.113.7', apiKey)).statusCode, 200)
  assert.equal((await from('203.0.113.8', 'bad')).statusCode, 401)
  for (let i = 0; i < 10; i++) assert.equal((await from('127.0.0.1', 'bad')).statusCode, 401)
  now = new Date(+start + Number(refused.headers['retry-after']) * 1000)
  assert.equal((await from('203.0.113.7', 'bad')).statusCode, 401)
  now = start
})
