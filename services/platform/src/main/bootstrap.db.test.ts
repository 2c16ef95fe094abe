import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKeyText, newKeyText } from '../keys/key-text.ts'
import { selectKeysByHashAcrossResellers } from '../keys/keys.sql.ts'
import { createKey, listKeys, revokeKey } from '../keys/keys.ts'
import { isPassword } from '../people/password.ts'
import { requireReseller } from '../resellers/resellers.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { type BootstrapResult, bootstrap } from './bootstrap.ts'
import type { Credentials } from './credentials.ts'

const now = new Date('2026-03-01T00:00:00Z')

function asKept(first: BootstrapResult): Credentials {
  const dashboard = { url: 'http://localhost/', email: first.email, password: first.password }
  return { base_url: '', engine_url: '', mqtt_url: '', reseller_slug: first.resellerSlug, api_key: first.apiKey, dashboard }
}

test('the first start makes a reseller, an owner and a key with every scope and no limit; later ones keep them', async (t) => {
  const { database } = await openTestDatabase(t)
  const first = await bootstrap(database, undefined, { mayReissue: true, now })
  assert.equal(first.isNew, true)
  const [key] = await selectKeysByHashAcrossResellers(database.systemPool, [hashKeyText(first.apiKey ?? '')])
  assert.deepEqual([key?.resellerId, key?.scopes, key?.perMinute, key?.perDay], [first.resellerSlug, ['*'], 0, 0])
  const { keys } = await listKeys(database, first.resellerSlug)
  const { apiKey: later } = await createKey(database, first.resellerSlug, { name: 'later', scopes: ['*'] }, now)
  assert.deepEqual([keys[0]?.prefix, keys[0]?.last4], [later.slice(0, 'rw_live_'.length), first.apiKey?.slice(-4)])
  const reseller = await requireReseller(database, first.resellerSlug)
  assert.deepEqual([reseller.plan, reseller.subscription, reseller.createdAt], ['enterprise', 'active', now])
  const users = await database.systemPool.query<{ email: string; password_scrypt: string; role: string }>('select * from users')
  assert.deepEqual([users.rows[0]?.email, users.rows[0]?.role], [first.email, 'owner'])
  assert.equal(await isPassword(first.password ?? '', users.rows[0]?.password_scrypt ?? ''), true)

  const second = await bootstrap(database, asKept(first), { mayReissue: true, now })
  assert.deepEqual(second, { ...first, isNew: false })
})

test('processes that start at once on a new database make one reseller', async (t) => {
  const { database } = await openTestDatabase(t)
  const results = await Promise.all([1, 2].map(() => bootstrap(database, undefined, { mayReissue: false, now })))
  assert.deepEqual(results.map((result) => result.isNew).sort(), [false, true])
  assert.equal((await database.systemPool.query('select 1 from resellers')).rowCount, 1)
})

test('on a shared database that others set up, nothing is made and no secret is invented', async (t) => {
  const { database } = await openTestDatabase(t)
  await insertReseller(database, 'theirs')
  const result = await bootstrap(database, undefined, { mayReissue: false, now })
  assert.deepEqual([result.resellerSlug, result.apiKey, result.password, result.isNew], ['theirs', null, null, false])
  assert.equal((await database.systemPool.query('select 1 from users')).rowCount, 0)
})

test('credentials of an earlier database do not pass for those of an empty one', async (t) => {
  const { database } = await openTestDatabase(t)
  const kept = asKept({ resellerSlug: 'gone', apiKey: 'rw_live_old', email: 'a@b', password: 'old', isNew: false })
  const result = await bootstrap(database, kept, { mayReissue: false, now })
  assert.equal(result.isNew, true)
  assert.notEqual(result.apiKey, 'rw_live_old')
})

test('credentials of another database do not pass for those of one that is set up, and a key that was revoked here does', async (t) => {
  const { database } = await openTestDatabase(t)
  const first = await bootstrap(database, undefined, { mayReissue: true, now })
  const foreign = { ...asKept(first), api_key: newKeyText() }
  const shared = await bootstrap(database, foreign, { mayReissue: false, now })
  assert.deepEqual([shared.resellerSlug, shared.apiKey, shared.password, shared.isNew], ['roadworthy', null, null, false])
  const { keys } = await listKeys(database, first.resellerSlug)
  await revokeKey(database, first.resellerSlug, { keyId: keys[0]?.keyId ?? '' }, now)
  assert.deepEqual(await bootstrap(database, asKept(first), { mayReissue: true, now }), { ...first, isNew: false })
  const embedded = await bootstrap(database, foreign, { mayReissue: true, now })
  assert.equal(embedded.isNew, true)
  assert.notEqual(embedded.apiKey, foreign.api_key)
})

test('credentials of which somebody took the key away, to keep it elsewhere, are kept', async (t) => {
  const { database } = await openTestDatabase(t)
  const first = await bootstrap(database, undefined, { mayReissue: true, now })
  for (const apiKey of ['', 'in the vault']) {
    const kept = { ...asKept(first), api_key: apiKey }
    assert.deepEqual(await bootstrap(database, kept, { mayReissue: true, now }), { ...first, apiKey, isNew: false })
  }
})

test('lost credentials of an embedded database are replaced, and the password is a new one', async (t) => {
  const { database } = await openTestDatabase(t)
  const first = await bootstrap(database, undefined, { mayReissue: true, now })
  const second = await bootstrap(database, undefined, { mayReissue: true, now })
  assert.deepEqual([second.resellerSlug, second.isNew], [first.resellerSlug, true])
  const { rows } = await database.systemPool.query<{ password_scrypt: string }>('select password_scrypt from users')
  assert.equal(rows.length, 1)
  assert.equal(await isPassword(second.password ?? '', rows[0]?.password_scrypt ?? ''), true)
  assert.equal(await isPassword(first.password ?? '', rows[0]?.password_scrypt ?? ''), false)
})

test('an owner who came from another installation without a password gets one', async (t) => {
  const { database } = await openTestDatabase(t)
  await insertReseller(database, 'roadworthy')
  await database.systemPool.query(
    `insert into users (reseller_id, user_id, email, role, created_at) values ('roadworthy', 'usr-moved', 'owner@roadworthy.local', 'viewer', now())`,
  )
  const first = await bootstrap(database, undefined, { mayReissue: true, now })
  assert.deepEqual([first.resellerSlug, first.isNew], ['roadworthy', true])
  const { rows } = await database.systemPool.query<{ user_id: string; role: string; password_scrypt: string }>('select * from users')
  assert.deepEqual(
    rows.map(({ user_id, role }) => [user_id, role]),
    [['usr-moved', 'owner']],
  )
  assert.equal(await isPassword(first.password ?? '', rows[0]?.password_scrypt ?? ''), true)
})
