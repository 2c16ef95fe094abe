// Goal: a link that sets a password is worth nothing to who finds it later. Method: the Platform surface over a real database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { createKey } from '../keys/keys.ts'
import { insertResellerWithKey, openTestDatabaseAndApi } from '../surfaces/test-api.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import { hashPassword } from './password.ts'
import { resetLetter } from './password-links.ts'
import { SignInRate } from './sign-in-rate.ts'
import { createTestUser } from './test-users.ts'
import { selectAccountByEmailAcrossResellers } from './users.sql.ts'

const EMAIL = 'ines@acme.example'
const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'staple battery horse'

const unmailed: string[] = []
const { database, app, access } = await openTestDatabaseAndApi({ after }, { onUnmailed: (email) => unmailed.push(email) })
await insertResellerWithKey(database, 'acme')
await createTestUser(database, { resellerId: 'acme', email: EMAIL, password: PASSWORD }, new Date())

const call = (method: 'POST' | 'PUT', path: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method, url: `/api/v1${path}`, payload, headers })
const use = async (token: string) => (await call('POST', '/session/password', { token, password: NEW_PASSWORD })).statusCode

async function newLink(): Promise<string> {
  const account = await selectAccountByEmailAcrossResellers(database.systemPool, EMAIL)
  assert.ok(account)
  return (await resetLetter(database, account, systemAuthor('acme', new Date()))).token
}

test('a link that lies in a mailbox is dead once the password is another, however that came about', async () => {
  const [cookie] = (await call('POST', '/session', { email: EMAIL, password: PASSWORD })).cookies
  const before = await newLink()
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
  assert.equal((await call('PUT', '/session/password', { current: PASSWORD, next: NEW_PASSWORD }, headers)).statusCode, 200)
  assert.equal(await use(before), 404)

  const beforeReissue = await newLink()
  const passwordScrypt = await hashPassword('another one of them')
  await database.systemPool.query('update users set password_scrypt = $1 where email = $2', [passwordScrypt, EMAIL])
  assert.equal(await use(beforeReissue), 404)
  assert.equal(await use(await newLink()), 200)
})

test('without a mail server a reset that anybody asks for makes no link, voids none, and is reported to whoever runs the service', async () => {
  const handedOver = await newLink()
  for (const email of [EMAIL, 'nobody@acme.example']) {
    assert.equal((await call('POST', '/session/password-reset', { email })).statusCode, 200)
  }
  await access.settled()
  assert.deepEqual(unmailed, [EMAIL])
  assert.equal(await use(handedOver), 200)
})

test('a mailbox gets three letters an hour, whichever process is asked, and somebody who was deactivated none', async () => {
  const ask = async (email: string) => {
    unmailed.length = 0
    assert.equal((await call('POST', '/session/password-reset', { email })).statusCode, 200)
    await access.settled()
    return unmailed
  }
  for (const name of ['asked', 'gone']) {
    await createTestUser(database, { resellerId: 'acme', email: `${name}@acme.example`, password: PASSWORD }, new Date())
  }
  const elsewhere = new SignInRate({ database, now: () => new Date(), secretKey: TEST_SECRET_KEY })
  for (let i = 0; i < 2; i++) assert.equal(await elsewhere.takeReset('asked@acme.example'), true)
  assert.deepEqual(await ask('asked@acme.example'), ['asked@acme.example'])
  assert.deepEqual(await ask('asked@acme.example'), [])
  await database.systemPool.query(`update users set deactivated_at = now() where email = 'gone@acme.example'`)
  assert.deepEqual(await ask('gone@acme.example'), [])
})

test('a link that lay too long, or whose person was deactivated, sets no password', async () => {
  const link = await newLink()
  for (const [sql, undo] of [
    // Of the clock of the service, which counts in whole milliseconds.
    ["user_links set expires_at = date_trunc('milliseconds', now())", "user_links set expires_at = now() + interval '1 hour'"],
    ['users set deactivated_at = now()', 'users set deactivated_at = null'],
  ]) {
    await database.systemPool.query(`update ${sql}`)
    assert.equal(await use(link), 404, sql)
    await database.systemPool.query(`update ${undo}`)
  }
})

test('who was invited by the reseller, or into another sub-client, is not taken over by a key that is pinned and invites them once more', async () => {
  await database.systemPool.query(
    "insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'N'), ('acme', 'south', 'S')",
  )
  const keyOf = async (subClientId?: string) => {
    const { apiKey } = await createKey(database, 'acme', { name: 'k', scopes: ['*'], subClientId }, new Date())
    return { 'x-api-key': apiKey }
  }
  const [reseller, pinned] = [await keyOf(), await keyOf('north')]
  for (const standing of [{ role: 'sub_client_viewer', subClientId: 'south' }, { role: 'viewer' }]) {
    const email = `${standing.role}@acme.example`
    const invited = await call('POST', '/users', { email, ...standing }, reseller)
    assert.equal((await call('POST', '/users', { email, role: 'sub_client_viewer' }, pinned)).statusCode, 409)
    const [, token = ''] = String(invited.json().invitation.url).split('#')
    const { session } = (await call('POST', '/session/password', { token, password: NEW_PASSWORD })).json()
    assert.deepEqual([session.role, session.subClientId], [standing.role, standing.subClientId ?? null])
  }
})
