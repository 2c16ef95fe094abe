// Goal: a person gets in with a password and stays in for as long as promised, and nobody else does. Method: the Platform surface over a real
// database, entered by inject, with a clock held by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { systemAuthor } from '../audit/audit.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertResellerWithKey, openTestDatabaseAndApi } from '../surfaces/test-api.ts'
import { hashPassword } from './password.ts'
import { deleteExpiredSessionsAcrossResellers } from './sessions.sql.ts'
import { createTestUser } from './test-users.ts'
import { upsertOwner } from './users.sql.ts'

const HOUR_MS = 3_600_000
const PASSWORD = 'correct horse battery'

const things: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async ({ caller }) => ({ reseller: caller.resellerId, by: caller.keyId }))
  app.post('/things', { config: { scope: 'devices:write' } }, async () => ({ ok: true }))
  app.post('/judgements', { config: { scope: 'predict' } }, async () => ({ ok: true }))
  app.post('/secrets', { config: { scope: '*' } }, async () => ({ ok: true }))
}

let now = new Date('2026-03-01T12:00:00.000Z')
const { database, app } = await openTestDatabaseAndApi({ after }, { external: [things], platform: [things], now: () => now })
const { apiKey } = await insertResellerWithKey(database, 'acme', { perMinute: 1 })
const owner = await createTestUser(database, { resellerId: 'acme', email: 'Owner@Acme.example', password: PASSWORD }, now)

function call(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string> = {}, payload?: object) {
  const options: InjectOptions = { method, url: `/api/v1${path}`, headers, remoteAddress: '203.0.113.7' }
  return app.inject(payload === undefined ? options : { ...options, payload })
}

function signIn(email: string, password: string, headers: Record<string, string> = {}) {
  return call('POST', '/session', headers, { email, password })
}

function cookieOf(response: LightMyRequestResponse): string {
  const [cookie] = response.cookies
  assert.ok(cookie, response.body)
  return `${cookie.name}=${cookie.value}`
}

/** A refusal without what differs from one request to the next. */
function refusal(response: { body: string }) {
  const body = JSON.parse(response.body)
  delete body.error.request_id
  return body
}

async function statusWith(cookie: string, method: 'GET' | 'POST' = 'GET', path = '/things', headers = {}): Promise<number> {
  return (await call(method, path, { cookie, ...headers })).statusCode
}

test('who signs in is let in on the Platform API as a key with full access would be, and on no other surface', async () => {
  const response = await signIn(' owner@acme.EXAMPLE ', PASSWORD)
  assert.equal(response.statusCode, 200, response.body)
  assert.deepEqual(response.json().session, {
    userId: owner.userId,
    email: 'owner@acme.example',
    role: 'owner',
    subClientId: null,
    viewAs: null,
    language: null,
    units: null,
    resellerSlug: 'acme',
    resellerName: 'acme',
    timeZone: 'Asia/Kolkata',
    expiresAt: new Date(now.getTime() + 12 * HOUR_MS).toISOString(),
  })
  const [cookie] = response.cookies as unknown as Record<string, unknown>[]
  assert.deepEqual([cookie?.['httpOnly'], cookie?.['sameSite'], cookie?.['path'], cookie?.['secure']], [true, 'Strict', '/', undefined])
  const session = cookieOf(response)
  assert.deepEqual((await call('GET', '/things', { cookie: session })).json(), { reseller: 'acme', by: owner.userId })
  assert.equal(await statusWith(session, 'POST', '/secrets'), 200)
  assert.equal((await app.inject({ url: '/api/external/things', headers: { cookie: session } })).statusCode, 401)
  assert.deepEqual((await call('GET', '/session', { cookie: session })).json(), response.json())
  assert.deepEqual((await call('GET', '/session')).json(), { session: null })
})

test('an unknown address and a wrong password get one and the same answer', async () => {
  const wrong = await signIn('owner@acme.example', 'not the password')
  const unknown = await signIn('nobody@acme.example', PASSWORD)
  for (const response of [wrong, unknown]) {
    assert.equal(response.statusCode, 401)
    assert.equal(response.headers['set-cookie'], undefined)
  }
  assert.deepEqual(refusal(unknown), refusal(wrong))
})

test('the eleventh attempt in a minute on one account from one address is turned away, right or wrong; others are not', async () => {
  now = new Date(now.getTime() + HOUR_MS)
  const { email } = await createTestUser(database, { resellerId: 'acme', email: 'busy@acme.example', password: PASSWORD }, now)
  for (let i = 0; i < 10; i++) assert.equal((await signIn(email, 'guess')).statusCode, 401)
  const refused = await signIn(email, PASSWORD)
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '6')
  assert.equal((await signIn('owner@acme.example', PASSWORD)).statusCode, 200)
  now = new Date(now.getTime() + 6_000)
  assert.equal((await signIn(email, PASSWORD)).statusCode, 200)
})

test('a session lives twelve hours after its last use and seven days in all', async () => {
  const startedMs = now.getTime()
  const used = cookieOf(await signIn('owner@acme.example', PASSWORD))
  for (let hour = 11; hour < 7 * 24; hour += 11) {
    now = new Date(startedMs + hour * HOUR_MS)
    assert.equal(await statusWith(used), 200, `after ${hour} h`)
  }
  now = new Date(startedMs + 7 * 24 * HOUR_MS - 1)
  assert.equal(await statusWith(used), 200)
  now = new Date(startedMs + 7 * 24 * HOUR_MS)
  assert.equal(await statusWith(used), 401)
  const idle = cookieOf(await signIn('owner@acme.example', PASSWORD))
  now = new Date(now.getTime() + 12 * HOUR_MS)
  assert.equal(await statusWith(idle), 401)
  assert.ok((await deleteExpiredSessionsAcrossResellers(database.systemPool, now)) >= 2)
})

test('signing out ends the session at once, and a new password ends all of them', async () => {
  const [first, second] = [cookieOf(await signIn('owner@acme.example', PASSWORD)), cookieOf(await signIn('owner@acme.example', PASSWORD))]
  const out = await call('DELETE', '/session', { cookie: first })
  assert.match(String(out.headers['set-cookie']), /^rw_session=;.*Max-Age=0/)
  assert.equal(await statusWith(first), 401)
  assert.equal((await call('DELETE', '/session', { cookie: first })).statusCode, 200)
  assert.equal(await statusWith(second), 200)
  const passwordScrypt = await hashPassword(PASSWORD)
  await database.system((db) => upsertOwner(db, 'acme', { userId: owner.userId, email: owner.email, passwordScrypt }))
  assert.equal(await statusWith(second), 401)
})

test('another site can neither change anything nor sign anybody in or out', async () => {
  const session = cookieOf(await signIn('owner@acme.example', PASSWORD))
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    assert.equal(await statusWith(session, 'POST', '/things', headers), 401)
    assert.equal((await signIn('owner@acme.example', PASSWORD, headers)).statusCode, 401)
    assert.equal((await call('DELETE', '/session', { cookie: session, ...headers })).statusCode, 401)
  }
  assert.equal(await statusWith(session, 'POST', '/things', { 'sec-fetch-site': 'same-origin' }), 200)
  assert.equal(await statusWith(session), 200)
})

test('the limits of keys do not hold back a person, and a key that is presented counts for more than the cookie', async () => {
  now = new Date(now.getTime() + HOUR_MS)
  const session = cookieOf(await signIn('owner@acme.example', PASSWORD))
  assert.equal(await statusWith(session, 'GET', '/things', { 'x-api-key': apiKey }), 200)
  assert.equal(await statusWith(session, 'GET', '/things', { 'x-api-key': apiKey }), 429)
  assert.equal(await statusWith(session, 'GET', '/things', { 'x-api-key': 'rw_live_wrong' }), 401)
  for (let i = 0; i < 5; i++) assert.equal(await statusWith(session), 200)
})

test('a member manages no keys, a viewer changes nothing, and a reseller without a subscription is refused', async () => {
  now = new Date(now.getTime() + HOUR_MS)
  for (const [role, statuses] of [
    ['member', [200, 200, 200, 403]],
    ['viewer', [200, 403, 403, 403]],
  ] as const) {
    const { email } = await createTestUser(database, { resellerId: 'acme', email: `${role}@acme.example`, password: PASSWORD, role }, now)
    const session = cookieOf(await signIn(email, PASSWORD))
    assert.deepEqual(
      [
        await statusWith(session),
        await statusWith(session, 'POST'),
        await statusWith(session, 'POST', '/judgements'),
        await statusWith(session, 'POST', '/secrets'),
      ],
      statuses,
      role,
    )
  }
  await updateReseller(database, 'acme', { subscription: 'canceled' }, systemAuthor('acme', new Date()))
  const session = cookieOf(await signIn('owner@acme.example', PASSWORD))
  assert.equal((await call('GET', '/things', { cookie: session })).json().error.code, 'subscription_required')
})
