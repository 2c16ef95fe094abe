// Goal: people come in by invitation, keep to their role, get a new password by a link that works once, and no answer reveals who has an
// account. Method: the Platform surface over a real database, entered by inject, with a clock held by hand and letters caught on their way.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { LightMyRequestResponse } from 'fastify'
import { createKey } from '../keys/keys.ts'
import { insertResellerWithKey, openTestDatabaseAndApi } from '../surfaces/test-api.ts'
import { type Letter, linkTo } from './post.ts'
import { createTestUser } from './test-users.ts'

const HOUR_MS = 3_600_000
const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'staple battery horse'

const things: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async ({ caller }) => ({ pin: caller.subClientPin ?? null }))
  app.post('/things', { config: { scope: 'devices:write' } }, async () => ({ ok: true }))
  app.post('/judgements', { config: { scope: 'predict' } }, async () => ({ ok: true }))
}

let now = new Date('2026-03-01T12:00:00.000Z')
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
let hasMailServer = false
const haveMailServer = (t: TestContext) => {
  hasMailServer = true
  t.after(() => {
    hasMailServer = false
  })
}
const letters: Letter[] = []
const { database, app, access } = await openTestDatabaseAndApi(
  { after },
  {
    platform: [things],
    now: () => now,
    post: {
      get isMailing() {
        return hasMailServer
      },
      send: async (letter) => {
        letters.push(letter)
        return { url: linkTo('https://fleet.example.com', letter), isMailed: hasMailServer }
      },
    },
  },
)
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { apiKey: rivalKey } = await insertResellerWithKey(database, 'rival')
for (const id of ['north', 'south']) {
  await database.systemPool.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', $1, $1)", [id])
}
const owner = await createTestUser(database, { resellerId: 'acme', email: 'owner@acme.example', password: PASSWORD }, now)
const ownerCookie = () => cookieOf('owner@acme.example', PASSWORD)

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

function call(method: Method, path: string, headers: Headers = {}, payload?: object): Promise<LightMyRequestResponse> {
  const options = { method, url: `/api/v1${path}`, headers, remoteAddress: '203.0.113.7' }
  return app.inject(payload === undefined ? options : { ...options, payload })
}
const asKey = (key: string) => ({ 'x-api-key': key })
const signIn = (email: string, password: string, headers: Headers = {}) => call('POST', '/session', headers, { email, password })
const sessionCookie = (response: LightMyRequestResponse) => {
  const [cookie] = response.cookies
  assert.ok(cookie, response.body)
  return { cookie: `${cookie.name}=${cookie.value}` }
}
async function cookieOf(email: string, password: string): Promise<{ cookie: string }> {
  later(60_000)
  return sessionCookie(await signIn(email, password))
}
/** An answer without what differs from one request to the next. */
function shown(response: LightMyRequestResponse): unknown {
  const text = JSON.stringify(response.json(), (key, value) => (key === 'request_id' || key === 'retry_after' ? '' : value))
  return { status: response.statusCode, body: JSON.parse(text) }
}
async function invite(body: object, headers: Headers = asKey(apiKey)) {
  const response = await call('POST', '/users', headers, body)
  assert.equal(response.statusCode, 200, response.body)
  return { ...response.json(), token: String(letters.at(-1)?.token) } as {
    user: { id: string; status: string; role: string; subClientId: string | null }
    invitation: { url: string | null; mailed: boolean; expiresAt: string }
    token: string
  }
}
async function join(email: string, role: string, more: object = {}): Promise<{ id: string; cookie: { cookie: string } }> {
  later(60_000)
  const { user, token } = await invite({ email, role, ...more })
  const accepted = await call('POST', '/session/password', {}, { token, password: PASSWORD })
  assert.equal(accepted.statusCode, 200, accepted.body)
  return { id: user.id, cookie: sessionCookie(accepted) }
}
async function storedText(): Promise<string> {
  const { rows } = await database.systemPool.query(
    'select (select json_agg(u) from users u)::text || (select json_agg(l) from user_links l)::text || (select json_agg(a) from audit_log a)::text as text',
  )
  return String(rows[0]?.['text'])
}

test('an invitation shows its link once, is kept as a hash, lets in once, and signs in who accepts it', async () => {
  const { user, invitation, token } = await invite({ email: ' Anna@Acme.example', role: 'member' })
  assert.deepEqual([user.status, user.role, user.subClientId], ['invited', 'member', null])
  assert.deepEqual([invitation.url, invitation.mailed], [`https://fleet.example.com/invitation#${token}`, false])
  assert.equal(invitation.expiresAt, new Date(now.getTime() + 7 * 24 * HOUR_MS).toISOString())
  assert.ok(!(await storedText()).includes(token))
  const refused = await signIn('anna@acme.example', PASSWORD)
  assert.deepEqual([refused.statusCode, refused.headers['www-authenticate']], [401, 'Bearer'])

  for (const [password, reason] of [
    ['too short', '10 to 200'],
    ['x'.repeat(201), '200'],
    ['anna@acme.example', 'e-mail'],
    ['ANNA@acme.example', 'e-mail'],
    ['Password123', 'first'],
    ['aaaaaaaaaaaa', 'first'],
    ['1212121212', 'first'],
  ] as const) {
    const refused = await call('POST', '/session/password', {}, { token, password })
    assert.equal(refused.statusCode, 400, password)
    assert.match(refused.json().error.message, new RegExp(reason))
  }
  const accepted = await call('POST', '/session/password', {}, { token, password: PASSWORD })
  assert.equal(accepted.json().session.email, 'anna@acme.example')
  assert.equal((await call('GET', '/things', sessionCookie(accepted))).statusCode, 200)
  assert.equal((await signIn('anna@acme.example', PASSWORD)).statusCode, 200)
  const again = await call('POST', '/session/password', {}, { token, password: NEW_PASSWORD })
  const unknown = await call('POST', '/session/password', {}, { token: 'A'.repeat(43), password: NEW_PASSWORD })
  assert.equal(again.statusCode, 404)
  assert.deepEqual(shown(again), shown(unknown))
  assert.equal((await call('GET', `/users/${user.id}`, asKey(apiKey))).json().user.status, 'active')
})

test('of two who use a link at once, one does', async () => {
  const { token } = await invite({ email: 'twice@acme.example', role: 'viewer' })
  const uses = await Promise.all([PASSWORD, NEW_PASSWORD].map((password) => call('POST', '/session/password', {}, { token, password })))
  assert.deepEqual(uses.map(({ statusCode }) => statusCode).sort(), [200, 404])
})

test('a link that is mailed is not shown to who invites, and a second invitation voids the first', async (t) => {
  haveMailServer(t)
  const first = await invite({ email: 'ben@acme.example', role: 'owner' })
  assert.deepEqual([first.invitation.url, first.invitation.mailed], [null, true])
  const second = await invite({ email: 'ben@acme.example', role: 'viewer' })
  assert.deepEqual([second.user.id, second.user.role], [first.user.id, 'viewer'])
  assert.equal((await call('POST', '/session/password', {}, { token: first.token, password: PASSWORD })).statusCode, 404)
  later(7 * 24 * HOUR_MS - 1)
  assert.equal((await call('POST', '/session/password', {}, { token: second.token, password: PASSWORD })).statusCode, 200)
  const third = await invite({ email: 'late@acme.example', role: 'viewer' })
  later(7 * 24 * HOUR_MS)
  assert.equal((await call('POST', '/session/password', {}, { token: third.token, password: PASSWORD })).statusCode, 404)
  assert.equal((await call('POST', '/users', asKey(apiKey), { email: 'ben@acme.example', role: 'viewer' })).statusCode, 409)
})

test('inviting an address reveals nothing of accounts elsewhere; accepting for one that signs in elsewhere does nothing', async () => {
  const known = await call('POST', '/users', asKey(rivalKey), { email: 'owner@acme.example', role: 'owner' })
  const token = String(letters.at(-1)?.token)
  const unknown = await call('POST', '/users', asKey(rivalKey), { email: 'fresh@rival.example', role: 'owner' })
  assert.deepEqual(Object.keys(known.json().user), Object.keys(unknown.json().user))
  assert.equal(known.statusCode, unknown.statusCode)
  assert.equal((await call('POST', '/session/password', {}, { token, password: NEW_PASSWORD })).statusCode, 409)
  assert.equal((await signIn('owner@acme.example', NEW_PASSWORD)).statusCode, 401)
  assert.equal((await signIn('owner@acme.example', PASSWORD)).json().session.resellerSlug, 'acme')
})

test('each role may do its own: an owner everything, a member all but people, viewers nothing but look', async () => {
  const writes = [
    ['GET', '/things'],
    ['POST', '/things'],
    ['POST', '/judgements'],
    ['GET', '/users'],
    ['GET', '/audit'],
    ['GET', '/api-keys'],
  ] as const
  for (const [role, more, statuses] of [
    ['owner', {}, [200, 200, 200, 200, 200, 200]],
    ['member', {}, [200, 200, 200, 403, 403, 403]],
    ['viewer', {}, [200, 403, 403, 403, 403, 403]],
    ['sub_client_viewer', { subClientId: 'north' }, [200, 403, 403, 403, 403, 403]],
  ] as const) {
    const { cookie } = await join(`${role}.person@acme.example`, role, more)
    const answers = []
    for (const [method, path] of writes) answers.push((await call(method, path, cookie)).statusCode)
    assert.deepEqual(answers, statuses, role)
    const expectedPin = role === 'sub_client_viewer' ? 'north' : null
    assert.equal((await call('GET', '/things', cookie)).json().pin, expectedPin)
    assert.equal((await call('GET', '/session', cookie)).json().session.subClientId, expectedPin)
  }
})

test('a role and its sub-client belong together', async () => {
  for (const [body, status] of [
    [{ email: 'a@acme.example', role: 'sub_client_viewer' }, 400],
    [{ email: 'a@acme.example', role: 'sub_client_viewer', subClientId: 'nowhere' }, 404],
    [{ email: 'a@acme.example', role: 'viewer', subClientId: 'north' }, 400],
    [{ email: 'a@acme.example', role: 'admin' }, 400],
    [{ email: 'a@acme.example,b@evil.example', role: 'viewer' }, 400],
    [{ email: 'Anna <a@acme.example>', role: 'viewer' }, 400],
    [{ email: 'a@acme.example\r\nBcc: b@evil.example', role: 'viewer' }, 400],
    [{ email: `${'a'.repeat(251)}@b.c`, role: 'viewer' }, 400],
  ] as const) {
    assert.equal((await call('POST', '/users', asKey(apiKey), body)).statusCode, status, JSON.stringify(body))
  }
  const { id } = await join('mover@acme.example', 'sub_client_viewer', { subClientId: 'north' })
  const change = async (body: object) => (await call('PATCH', `/users/${id}`, asKey(apiKey), body)).statusCode
  assert.equal(await change({ subClientId: null }), 400)
  assert.equal(await change({ subClientId: 'south' }), 200)
  assert.equal(await change({ role: 'viewer' }), 200)
  assert.equal((await call('GET', `/users/${id}`, asKey(apiKey))).json().user.subClientId, null)
  assert.equal(await change({ role: 'sub_client_viewer' }), 400)
  assert.equal(await change({}), 400)
})

test('a change of role, and being shut out, act on the next request', async () => {
  const { id, cookie } = await join('cara@acme.example', 'member')
  assert.equal((await call('POST', '/things', cookie)).statusCode, 200)
  await call('PATCH', `/users/${id}`, asKey(apiKey), { role: 'viewer' })
  assert.equal((await call('POST', '/judgements', cookie)).json().error.details.required_scope, 'predict')
  await call('POST', '/session/password-reset', {}, { email: 'cara@acme.example' })
  await settled()
  const token = String(letters.at(-1)?.token)
  await call('PATCH', `/users/${id}`, asKey(apiKey), { status: 'deactivated' })
  assert.equal((await call('GET', '/things', cookie)).statusCode, 401)
  const shutOut = await signIn('cara@acme.example', PASSWORD)
  const wrong = await signIn('nobody@acme.example', PASSWORD)
  assert.deepEqual(shown(shutOut), shown(wrong))
  assert.equal((await call('POST', '/session/password', {}, { token, password: NEW_PASSWORD })).statusCode, 404)
  await call('PATCH', `/users/${id}`, asKey(apiKey), { status: 'active' })
  assert.equal((await signIn('cara@acme.example', PASSWORD)).statusCode, 200)
  assert.equal((await call('DELETE', `/users/${id}`, asKey(apiKey))).statusCode, 200)
  assert.equal((await signIn('cara@acme.example', PASSWORD)).statusCode, 401)
  assert.equal((await call('DELETE', `/users/${id}`, asKey(apiKey))).statusCode, 404)
})

test('the last owner neither goes nor loses the role, also when two take it from each other at once', async () => {
  const { apiKey: key } = await insertResellerWithKey(database, 'pair')
  const [first, second] = [
    await createTestUser(database, { resellerId: 'pair', email: 'one@pair.example', password: PASSWORD }, now),
    await createTestUser(database, { resellerId: 'pair', email: 'two@pair.example', password: PASSWORD }, now),
  ]
  await invite({ email: 'three@pair.example', role: 'owner' }, asKey(key))
  const demoted = await Promise.all([first, second].map(({ userId }) => call('PATCH', `/users/${userId}`, asKey(key), { role: 'viewer' })))
  assert.deepEqual(demoted.map(({ statusCode }) => statusCode).sort(), [200, 409])
  const last = demoted[0]?.statusCode === 200 ? second : first
  assert.equal((await call('PATCH', `/users/${last.userId}`, asKey(key), { status: 'deactivated' })).statusCode, 409)
  assert.equal((await call('DELETE', `/users/${last.userId}`, asKey(key))).statusCode, 409)
  assert.equal((await call('PATCH', `/users/${last.userId}`, asKey(key), { role: 'owner' })).statusCode, 200)
  assert.equal((await call('GET', `/users/${last.userId}`, asKey(key))).json().user.role, 'owner')
})

test('asking for a new password is answered alike for everybody, and its link works once and for an hour', async (t) => {
  haveMailServer(t)
  later(HOUR_MS)
  const { cookie } = await join('dora@acme.example', 'viewer')
  const lettersBefore = letters.length
  const known = await call('POST', '/session/password-reset', {}, { email: ' Dora@acme.example' })
  const unknown = await call('POST', '/session/password-reset', {}, { email: 'nobody@acme.example' })
  const invited = await call('POST', '/session/password-reset', {}, { email: 'late@acme.example' })
  assert.equal(known.statusCode, 200)
  for (const other of [unknown, invited]) assert.deepEqual(shown(other), shown(known))
  await settled()
  assert.deepEqual(
    letters.slice(lettersBefore).map(({ kind, email }) => [kind, email]),
    [['password_reset', 'dora@acme.example']],
  )
  const letter = letters.at(-1) ?? assert.fail('no letter was sent')
  later(HOUR_MS - 60_000)
  const reset = await call('POST', '/session/password', {}, { token: letter.token, password: NEW_PASSWORD })
  assert.equal(reset.statusCode, 200)
  assert.equal((await call('GET', '/things', cookie)).statusCode, 401)
  assert.equal((await call('GET', '/things', sessionCookie(reset))).statusCode, 200)
  assert.equal((await signIn('dora@acme.example', PASSWORD)).statusCode, 401)
  assert.equal((await signIn('dora@acme.example', NEW_PASSWORD)).statusCode, 200)

  await call('POST', '/session/password-reset', {}, { email: 'dora@acme.example' })
  await settled()
  later(HOUR_MS)
  const late = await call('POST', '/session/password', {}, { token: String(letters.at(-1)?.token), password: PASSWORD })
  assert.equal(late.statusCode, 404)
})

test('no more than three links an hour are sent for one account, and five asked for a minute from one address, known or not', async (t) => {
  haveMailServer(t)
  for (const email of ['owner@acme.example', 'nobody.at.all@acme.example']) {
    later(HOUR_MS)
    const before = letters.length
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await call('POST', '/session/password-reset', {}, { email })).statusCode)
    await settled()
    assert.deepEqual(statuses, [200, 200, 200, 429], email)
    assert.equal(letters.length - before, email.startsWith('owner') ? 3 : 0)
  }
  later(60_000)
  for (let i = 0; i < 5; i++) {
    assert.equal((await call('POST', '/session/password-reset', {}, { email: `someone${i}@acme.example` })).statusCode, 200)
  }
  assert.equal((await call('POST', '/session/password-reset', {}, { email: 'someone5@acme.example' })).statusCode, 429)
})

test('a new password of one’s own takes the old one, ends other sessions, and carries this one over to another cookie', async () => {
  const { cookie } = await join('eva@acme.example', 'viewer')
  const other = await cookieOf('eva@acme.example', PASSWORD)
  const change = (current: string, next: string) => call('PUT', '/session/password', cookie, { current, next })
  assert.equal((await change('not the password', NEW_PASSWORD)).json().error.details.field, 'current')
  assert.equal((await change(PASSWORD, 'eva@acme.example')).json().error.details.field, 'next')
  assert.equal((await call('PUT', '/session/password', {}, { current: PASSWORD, next: NEW_PASSWORD })).statusCode, 401)
  const changed = await change(PASSWORD, NEW_PASSWORD)
  assert.equal(changed.statusCode, 200, changed.body)
  for (const dead of [cookie, other]) assert.equal((await call('GET', '/things', dead)).statusCode, 401)
  assert.equal((await call('GET', '/things', sessionCookie(changed))).statusCode, 200)
})

test('signing out everywhere ends every session, and signing in ends the one that the browser had', async () => {
  const [first, second] = [await ownerCookie(), await ownerCookie()]
  assert.equal((await call('DELETE', '/session?everywhere=true', first)).statusCode, 200)
  for (const dead of [first, second]) assert.equal((await call('GET', '/things', dead)).statusCode, 401)
  const planted = await ownerCookie()
  later(60_000)
  const fresh = sessionCookie(await signIn('owner@acme.example', PASSWORD, planted))
  assert.notEqual(fresh.cookie, planted.cookie)
  assert.equal((await call('GET', '/things', planted)).statusCode, 401)
  assert.equal((await call('GET', '/things', fresh)).statusCode, 200)
})

test('another reseller, and a key of one sub-client, see and touch their own people only', async () => {
  const { id: northern } = await join('northern@acme.example', 'sub_client_viewer', { subClientId: 'north' })
  const { id: southern } = await join('southern@acme.example', 'sub_client_viewer', { subClientId: 'south' })
  const { apiKey: pinned } = await createKey(database, 'acme', { name: 'north', scopes: ['*'], subClientId: 'north' }, now)
  const nobody = 'usr-00000000000000000000'
  for (const [key, ids] of [
    [rivalKey, [owner.userId, northern]],
    [pinned, [owner.userId, southern]],
  ] as const) {
    for (const id of ids) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', { status: 'deactivated' }],
        ['DELETE', undefined],
      ] as const) {
        const [theirs, missing] = [
          await call(method, `/users/${id}`, asKey(key), body),
          await call(method, `/users/${nobody}`, asKey(key), body),
        ]
        assert.equal(theirs.statusCode, 404)
        assert.deepEqual(shown(theirs), shown(missing))
      }
    }
  }
  const seen = (await call('GET', '/users', asKey(pinned))).json() as { total: number; users: { subClientId: string }[] }
  assert.deepEqual([new Set(seen.users.map(({ subClientId }) => subClientId)), seen.total], [new Set(['north']), seen.users.length])
  assert.equal((await call('POST', '/users', asKey(pinned), { email: 'x@acme.example', role: 'owner' })).statusCode, 403)
  assert.equal((await call('PATCH', `/users/${northern}`, asKey(pinned), { role: 'owner' })).statusCode, 403)
  const own = await invite({ email: 'x@acme.example', role: 'sub_client_viewer' }, asKey(pinned))
  assert.equal(own.user.subClientId, 'north')
  const other = await call('POST', '/users', asKey(pinned), { email: 'y@acme.example', role: 'sub_client_viewer', subClientId: 'south' })
  assert.equal(other.statusCode, 404)
})

test('people are listed oldest first, page by page', async () => {
  const emails: string[] = []
  const times: string[] = []
  let after = ''
  for (let page = 0; page < 50; page++) {
    const { users, pagination, total } = (await call('GET', `/users?limit=3${after}`, asKey(apiKey))).json()
    emails.push(...users.map(({ email }: { email: string }) => email))
    times.push(...users.map(({ createdAt }: { createdAt: string }) => createdAt))
    if (!pagination.hasNextPage) {
      assert.equal(emails.length, total)
      break
    }
    after = `&after=${pagination.endCursor}`
  }
  assert.equal(new Set(emails).size, emails.length)
  assert.deepEqual(times, [...times].sort())
})

test('another site can neither set, change nor reset a password', async () => {
  const session = await ownerCookie()
  const { token } = await invite({ email: 'fay@acme.example', role: 'viewer' })
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }] as Headers[]) {
    for (const [method, path, body] of [
      ['POST', '/session/password', { token, password: PASSWORD }],
      ['PUT', '/session/password', { current: PASSWORD, next: NEW_PASSWORD }],
      ['POST', '/session/password-reset', { email: 'owner@acme.example' }],
      ['DELETE', '/session?everywhere=true', undefined],
    ] as const) {
      assert.equal((await call(method, path, { ...session, ...headers }, body)).statusCode, 401, `${method} ${path}`)
    }
  }
  assert.equal((await call('GET', '/things', session)).statusCode, 200)
})

/** Resolves when what follows an answer is done. */
async function settled(): Promise<void> {
  await access.settled()
}
