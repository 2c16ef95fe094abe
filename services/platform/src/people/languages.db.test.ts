// Goal: what a person chose follows them to every browser and into every letter, and an invitation speaks as who sends it. Method: the Platform surface over a
// real database, entered by inject, with letters caught on their way.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import type { User } from '@roadworthy/contracts/platform-v1/users'
import { insertResellerWithKey, openTestDatabaseAndApi } from '../surfaces/test-api.ts'
import { type Letter, linkTo } from './post.ts'
import { createTestUser } from './test-users.ts'

const PASSWORD = 'correct horse battery'
const EMAIL = 'owner@acme.example'
const letters: Letter[] = []
const { database, app, access } = await openTestDatabaseAndApi(
  { after },
  {
    platform: [],
    now: () => new Date('2026-03-01T12:00:00.000Z'),
    post: {
      isMailing: true,
      send: async (letter) => {
        letters.push(letter)
        return { url: linkTo('https://fleet.example.com', letter), isMailed: true }
      },
    },
  },
)
const { apiKey } = await insertResellerWithKey(database, 'acme')
await createTestUser(database, { resellerId: 'acme', email: EMAIL, password: PASSWORD }, new Date())

const call = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  headers: Record<string, string> = {},
  payload: object | undefined = undefined,
) =>
  app.inject({ ...{ method, url: `/api/v1${path}`, headers, remoteAddress: '203.0.113.7' }, ...(payload === undefined ? {} : { payload }) })
async function signIn(): Promise<{ session: Session; cookie: { cookie: string } }> {
  const answer = await call('POST', '/session', {}, { email: EMAIL, password: PASSWORD })
  const [cookie] = answer.cookies
  assert.ok(cookie, answer.body)
  return { session: answer.json().session, cookie: { cookie: `${cookie.name}=${cookie.value}` } }
}
const chosen = ({ language, units }: Pick<Session, 'language' | 'units'>) => [language, units]

test('a choice is that of the person in every session, what is left out stays, and it is in the audit log', async () => {
  const { session, cookie } = await signIn()
  assert.deepEqual(chosen(session), [null, null])
  const first = await call('PUT', '/session/preferences', cookie, { language: 'de' })
  assert.deepEqual(chosen(first.json().session), ['de', null])
  assert.deepEqual(chosen((await call('PUT', '/session/preferences', cookie, { units: 'imperial' })).json().session), ['de', 'imperial'])
  assert.deepEqual(chosen((await signIn()).session), ['de', 'imperial'])
  assert.deepEqual(chosen((await call('GET', '/session', cookie)).json().session), ['de', 'imperial'])
  const { rows } = await database.systemPool.query(
    "select changes from audit_log where action = 'user.preferences_changed' order by changes::text",
  )
  assert.deepEqual(
    rows.map(({ changes }) => changes),
    [{ language: { from: null, to: 'de' } }, { units: { from: null, to: 'imperial' } }],
  )
})

test('nobody chooses for who is not signed in, from another site, or what there is not', async () => {
  const { cookie } = await signIn()
  assert.equal((await call('PUT', '/session/preferences', {}, { language: 'es' })).statusCode, 401)
  assert.equal((await call('PUT', '/session/preferences', { 'x-api-key': apiKey }, { language: 'es' })).statusCode, 401)
  const elsewhere = { ...cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await call('PUT', '/session/preferences', elsewhere, { language: 'es' })).statusCode, 401)
  for (const body of [{ language: 'fr' }, { units: 'nautical' }, {}, { language: null }]) {
    assert.equal((await call('PUT', '/session/preferences', cookie, body)).statusCode, 400, JSON.stringify(body))
  }
  assert.deepEqual(chosen((await call('GET', '/session', cookie)).json().session), ['de', 'imperial'])
})

test('an invitation is in the language of who invites or in one that they choose, and the person begins with it', async () => {
  const { cookie } = await signIn()
  const invite = async (body: object, headers: Record<string, string>) => {
    const answer = await call('POST', '/users', headers, { role: 'viewer', ...body })
    assert.equal(answer.statusCode, 200, answer.body)
    return { user: answer.json().user as User, letter: letters.at(-1) }
  }
  const own = await invite({ email: 'ben@acme.example' }, cookie)
  assert.deepEqual([own.user.language, own.user.units, own.letter?.language], ['de', null, 'de'])
  const other = await invite({ email: 'sol@acme.example', language: 'es' }, cookie)
  assert.deepEqual([other.user.language, other.letter?.language], ['es', 'es'])
  const again = await invite({ email: 'sol@acme.example', language: 'en' }, cookie)
  assert.deepEqual([again.user.id, again.user.language, again.letter?.language], [other.user.id, 'en', 'en'])
  const byProgram = await invite({ email: 'cli@acme.example' }, { 'x-api-key': apiKey })
  assert.deepEqual([byProgram.user.language, byProgram.letter?.language], [null, undefined])
  const accepted = await call('POST', '/session/password', {}, { token: own.letter?.token, password: PASSWORD })
  assert.deepEqual(chosen(accepted.json().session), ['de', null])
})

test('a link to set a new password comes in the language of the person', async () => {
  await call('POST', '/session/password-reset', {}, { email: EMAIL })
  await access.settled()
  assert.deepEqual([letters.at(-1)?.kind, letters.at(-1)?.language], ['password_reset', 'de'])
})
