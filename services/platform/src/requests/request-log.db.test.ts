// Goal: the owner of a key finds what it did and why it was refused; nobody else does, no secret is in it, and it does not grow without bound.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { RequestLogPage } from '@roadworthy/contracts/platform-v1/request-log'
import { Type } from 'typebox'
import { newKeyText } from '../keys/key-text.ts'
import { createTestUser } from '../people/test-users.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { connectAsOwner, openTestDatabase } from '../test-support.ts'
import type { LoggedCall } from './logged-call.ts'
import { deleteOldRequestsAcrossResellers, insertCallsAcrossResellers } from './request-log.sql.ts'
import { CALLS_KEPT_OF_KEY, RequestLog } from './request-log.ts'
import { requestLogPlatformRoutes } from './routes.platform-v1.ts'

const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
const requestLog = new RequestLog({ database, onError: (error) => console.error(error) })
cleanUp.after(() => requestLog.close())
const owner = { email: 'owner@acme.example', password: 'correct horse battery staple' }
const anything: FastifyPluginAsyncTypebox = async (app) => {
  const schema = {
    operationId: 'takeAnything',
    summary: 'Take anything',
    body: Type.Object({ speed: Type.Number() }),
    querystring: Type.Object({ q: Type.Optional(Type.String()) }),
  }
  app.post('/anything', { config: { scope: 'telemetry:write' }, schema }, async () => ({}))
}
const { app } = await openTestApi(cleanUp, database, {
  external: [anything],
  platform: [requestLogPlatformRoutes({ database })],
  simBilling: [anything],
  requestLog,
})
const acme = await insertResellerWithKey(database, 'acme')
const rival = await insertResellerWithKey(database, 'rival')

beforeEach(async () => {
  await requestLog.flush()
  await database.systemPool.query('delete from request_log')
})

async function listed(query = '', apiKey = acme.apiKey): Promise<RequestLogPage['requests']> {
  await requestLog.flush()
  const answer = await app.inject({ url: `/api/v1/request-log${query}`, headers: { 'x-api-key': apiKey } })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<RequestLogPage>().requests.filter(({ path }) => path !== '/api/v1/request-log')
}

const send = (url: string, apiKey: string, payload: object = { speed: 60 }, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, headers: { 'x-api-key': apiKey, ...headers }, payload })

async function makeKey(name: string, scopes: readonly string[], subClientId?: string) {
  const payload = { name, scopes, ...(subClientId === undefined ? {} : { subClientId }) }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/api-keys', headers: { 'x-api-key': acme.apiKey }, payload })
  assert.equal(answer.statusCode, 200, answer.body)
  const { secret, apiKey } = answer.json<{ secret: string; apiKey: { id: string } }>()
  return { apiKey: secret, keyId: apiKey.id }
}

/** Calls are ordered by the millisecond they came in; two in the same one have no order. */
async function nextMillisecond(): Promise<void> {
  const nowMs = Date.now()
  while (Date.now() === nowMs) await new Promise((resolve) => setImmediate(resolve))
}

test('a call is listed with its answer and duration, a refusal with its reason, on each surface', async () => {
  await send('/api/external/anything', acme.apiKey, { speed: 60 }, { 'x-request-id': 'mine-1', 'user-agent': 'tracker/1.0' })
  await nextMillisecond()
  await send('/api/sim-billing/anything', acme.apiKey, {})
  await nextMillisecond()
  await app.inject({ url: '/api/v1/nothing', headers: { authorization: `Bearer ${acme.apiKey}` } })
  const [nowhere, refused, done] = await listed()
  assert.partialDeepStrictEqual(done, {
    ...{ keyId: acme.keyId, surface: 'external', method: 'POST', path: '/api/external/anything', query: null, status: 200 },
    ...{ requestId: 'mine-1', error: null, address: '127.0.0.1', userAgent: 'tracker/1.0', subClientId: null },
  })
  assert.ok(Number.isInteger(done?.durationMs))
  assert.partialDeepStrictEqual(refused, {
    ...{ surface: 'sim-billing', status: 400, error: { code: 'invalid_request', message: '"speed" is required.' } },
  })
  assert.partialDeepStrictEqual(nowhere, {
    keyId: acme.keyId,
    status: 404,
    error: { code: 'not_found', message: 'There is nothing at GET /api/v1/nothing.' },
  })
})

test('a flush ends when all that was noted before it is written, by whichever flush', async (t) => {
  const holder = await connectAsOwner(t, ownerUrl)
  await holder.query('begin')
  await holder.query('lock table request_log in exclusive mode')
  // From here on nothing is written, by the timer of the log either.
  await send('/api/external/anything', acme.apiKey)
  const ended: string[] = []
  const flushes = ['first', 'second'].map((name) => requestLog.flush().then(() => ended.push(name)))
  await holder.query('select 1')
  assert.deepEqual(ended, [])
  await holder.query('commit')
  await Promise.all(flushes)
  const { rows } = await database.systemPool.query('select 1 from request_log')
  assert.equal(rows.length, 1)
})

test('what a revoked or expired key is refused is found under that key', async () => {
  const revoked = await makeKey('old tracker', ['telemetry:write'])
  await app.inject({ method: 'DELETE', url: `/api/v1/api-keys/${revoked.keyId}`, headers: { 'x-api-key': acme.apiKey } })
  assert.equal((await send('/api/external/anything', revoked.apiKey)).statusCode, 401)
  const expired = await makeKey('last year', ['telemetry:write'])
  await database.systemPool.query(`update api_keys set expires_at = now() - interval '1 hour' where key_id = $1`, [expired.keyId])
  assert.equal((await send('/api/external/anything', expired.apiKey)).statusCode, 401)
  for (const { keyId } of [revoked, expired]) {
    const [call, ...others] = await listed(`?keyId=${keyId}`)
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(call, {
      keyId,
      status: 401,
      error: { code: 'invalid_api_key', message: 'The API key is not valid: it is unknown, revoked or expired.' },
    })
  }
})

test('a key that is nobody’s, and a call without one, are nobody’s to see', async () => {
  await send('/api/external/anything', newKeyText())
  await app.inject({ method: 'POST', url: '/api/external/anything', payload: {} })
  await app.inject({ url: '/api/external/health' })
  await requestLog.flush()
  const { rows } = await database.systemPool.query('select 1 from request_log')
  assert.equal(rows.length, 0)
})

test('no secret is stored, wherever it was put', async () => {
  await send(`/api/external/anything?q=${acme.apiKey}`, acme.apiKey, {}, { 'user-agent': `tracker ${acme.apiKey}` })
  await app.inject({ url: `/api/external/${acme.apiKey}`, headers: { 'x-api-key': acme.apiKey } })
  await send('/api/external/anything', acme.apiKey, { [acme.apiKey]: 1, speed: acme.apiKey })
  await requestLog.flush()
  const { rows } = await database.systemPool.query<{ text: string }>('select r::text as text from request_log r')
  assert.equal(rows.length, 3)
  for (const { text } of rows) assert.ok(!text.includes(acme.apiKey.slice(10, 30)), text)
})

test('filters find the key, the kind of answer, the path, the request and the time', async () => {
  const tracker = await makeKey('tracker', ['telemetry:write'])
  await send('/api/external/anything', tracker.apiKey, { speed: 1 }, { 'x-request-id': 'found-me' })
  await nextMillisecond()
  await send('/api/external/anything', tracker.apiKey, {})
  await nextMillisecond()
  await app.inject({ url: '/api/v1/api-keys', headers: { 'x-api-key': tracker.apiKey } })
  const statuses = async (query: string) => (await listed(query)).map(({ status }) => status)
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}`), [403, 400, 200])
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}&status=refused`), [403, 400])
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}&status=2xx`), [200])
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}&status=5xx`), [])
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}&path=/api/v1`), [403])
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}&method=GET`), [403])
  assert.deepEqual(await statuses('?requestId=found-me'), [200])
  assert.deepEqual(await statuses('?path=%25'), [])
  assert.deepEqual(await statuses(`?to=${new Date(Date.now() - 60_000).toISOString()}`), [])
  assert.deepEqual(await statuses(`?keyId=${tracker.keyId}&from=${new Date(Date.now() - 60_000).toISOString()}`), [403, 400, 200])
  for (const query of ['?from=yesterday', '?status=200', '?keyId=', '?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z']) {
    const answer = await app.inject({ url: `/api/v1/request-log${query}`, headers: { 'x-api-key': acme.apiKey } })
    assert.equal(answer.statusCode, 400, query)
  }
})

test('pages follow each other without a gap', async () => {
  await insertCalls(7)
  const seen: string[] = []
  let after = ''
  for (;;) {
    const answer = await app.inject({ url: `/api/v1/request-log?limit=3&keyId=key-x${after}`, headers: { 'x-api-key': acme.apiKey } })
    const { requests, pagination } = answer.json<RequestLogPage>()
    seen.push(...requests.map(({ requestId }) => requestId))
    if (!pagination.hasNextPage) break
    after = `&after=${pagination.endCursor}`
  }
  assert.deepEqual(seen, ['call 6', 'call 5', 'call 4', 'call 3', 'call 2', 'call 1', 'call 0'])
})

test('a reseller sees its own keys, a key of a sub-client those of the sub-client, and no key without full access anything', async () => {
  await database.tenant('acme', (db) =>
    db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North')`),
  )
  const pinned = await makeKey('north', ['*'], 'north')
  const weak = await makeKey('weak', ['telemetry:write', 'webhooks:manage'])
  await send('/api/external/anything', pinned.apiKey)
  await send('/api/external/anything', acme.apiKey)
  await send('/api/external/anything', rival.apiKey)
  const keyIds = async (apiKey: string, query = '?path=/api/external') => (await listed(query, apiKey)).map(({ keyId }) => keyId)
  assert.deepEqual((await keyIds(acme.apiKey)).sort(), [acme.keyId, pinned.keyId].sort())
  assert.deepEqual(await keyIds(rival.apiKey), [rival.keyId])
  assert.deepEqual(await keyIds(pinned.apiKey), [pinned.keyId])
  assert.deepEqual(await keyIds(rival.apiKey, `?keyId=${acme.keyId}`), [])
  const refused = await app.inject({ url: '/api/v1/request-log', headers: { 'x-api-key': weak.apiKey } })
  assert.equal(refused.statusCode, 403)
  // The second wall: the API’s role can neither read those of others nor write any.
  const { rows } = await database.tenantPool('rival').query<{ key_id: string }>('select distinct key_id from request_log')
  assert.deepEqual(rows, [{ key_id: rival.keyId }])
  await assert.rejects(database.tenantPool('rival').query('delete from request_log'), /permission denied/)
})

test('what a person does in the dashboard is no call of a key', async () => {
  await createTestUser(database, { resellerId: 'acme', ...owner }, new Date())
  const [signedIn] = (await app.inject({ method: 'POST', url: '/api/v1/session', payload: owner })).cookies
  const cookie = `${signedIn?.name}=${signedIn?.value}`
  assert.equal((await app.inject({ url: '/api/v1/api-keys', headers: { cookie } })).statusCode, 200)
  assert.deepEqual(await listed(), [])
})

test('of a key that calls all the time successes are sampled, and refusals are kept', async () => {
  for (let i = 0; i < 60; i++) await send('/api/external/anything', rival.apiKey)
  for (let i = 0; i < 60; i++) await send('/api/external/anything', rival.apiKey, {})
  const calls = await listed('?path=/api/external&limit=500', rival.apiKey)
  const kept = (isRefused: boolean) => calls.filter(({ status }) => status >= 400 === isRefused).length
  assert.ok(kept(false) >= 25 && kept(false) < 60, `${kept(false)} successes`)
  assert.equal(kept(true), 60)
  assert.ok(requestLog.leftOutCount() > 0)
})

test('of each key the newest calls are kept, and none for longer than its time', async () => {
  await insertCalls(CALLS_KEPT_OF_KEY + 20)
  await insertCalls(3, { keyId: 'key-quiet' })
  // What a process trims are the keys that it wrote for.
  const call = { ...sample, at: new Date(), status: 200, by: { resellerId: 'acme', keyId: 'key-x', subClientId: undefined } }
  requestLog.note(call)
  await requestLog.flush()
  await requestLog.trim()
  const counts = async () => {
    const { rows } = await database.systemPool.query<{ key_id: string; n: number; oldest: string }>(
      `select key_id, count(*)::int as n, (array_agg(request_id order by at, entry_id))[1] as oldest from request_log where key_id <> $1 group by 1 order by 1`,
      [acme.keyId],
    )
    return rows
  }
  assert.deepEqual(await counts(), [
    { key_id: 'key-quiet', n: 3, oldest: 'call 0' },
    { key_id: 'key-x', n: CALLS_KEPT_OF_KEY, oldest: 'call 21' },
  ])
  assert.equal(await deleteOldRequestsAcrossResellers(database.systemPool, new Date(Date.now() + 60_000), 10), 10)
  assert.equal(await deleteOldRequestsAcrossResellers(database.systemPool, new Date(Date.now() - 86_400_000), 10), 0)
})

const sample: Omit<LoggedCall, 'entryId' | 'resellerId' | 'keyId' | 'subClientId'> = {
  ...{ at: new Date(), surface: 'external', method: 'GET', path: '/api/external/vehicles', query: undefined, status: 200, durationMs: 2 },
  ...{ requestId: 'call', error: undefined, address: '127.0.0.1', userAgent: undefined },
}

async function insertCalls(count: number, { keyId = 'key-x' } = {}): Promise<void> {
  const fromMs = Date.now() - 60_000
  const calls = Array.from({ length: count }, (_, i) => ({
    ...{ ...sample, entryId: `req-${String(i).padStart(20, '0')}`, resellerId: 'acme', keyId, subClientId: undefined },
    // Three at a time in one millisecond.
    ...{ at: new Date(fromMs + Math.floor(i / 3)), requestId: `call ${i}` },
  }))
  calls.sort((a, b) => a.at.getTime() - b.at.getTime())
  await insertCallsAcrossResellers(database.systemPool, calls)
}
