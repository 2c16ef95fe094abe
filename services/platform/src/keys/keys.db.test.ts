// Goal: keys are made, listed and revoked through the Platform API; the secret shows once and nowhere else; nobody grants what it lacks.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase } from '../test-support.ts'
import { createKey, listKeys, type NewKey, revokeKey, revokeKeyAcrossResellers } from './keys.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const { app } = await openTestApi(cleanUp, database)
const acme = await insertResellerWithKey(database, 'acme')
const globex = await insertResellerWithKey(database, 'globex')
await database.tenant('acme', (db) =>
  db.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'sub', 'Sub'), ('acme', 'other', 'Other')"),
)

function request(method: 'GET' | 'POST' | 'DELETE', path: string, apiKey: string, payload?: object) {
  return app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(payload === undefined ? {} : { payload }),
  })
}
const make = (apiKey: string, payload: object) => request('POST', '/api-keys', apiKey, payload)

async function keyOf(resellerId: string, given: Partial<NewKey>): Promise<string> {
  const made = await createKey(database, resellerId, { name: 'k', scopes: ['*'], perMinute: 0, perDay: 0, ...given }, new Date())
  return made.apiKey
}

test('a key is made, works within its scopes, is listed without its secret, and ends when revoked', async () => {
  const made = await make(acme.apiKey, {
    name: ' Gateway ',
    scopes: ['devices:read', 'devices:read'],
    perMinute: 5,
    expiresAt: '2099-01-01T00:00:00+02:00',
  })
  assert.equal(made.statusCode, 200, made.body)
  const { secret, apiKey } = made.json()
  assert.match(secret, /^rw_live_[0-9A-Za-z]{36}$/)
  assert.deepEqual(
    [apiKey.name, apiKey.scopes, apiKey.perMinute, apiKey.perDay, apiKey.expiresAt, apiKey.last4, apiKey.revokedAt],
    ['Gateway', ['devices:read'], 5, null, '2098-12-31T22:00:00.000Z', secret.slice(-4), null],
  )
  assert.equal((await make(secret, { name: 'x', scopes: ['devices:read'] })).json().error.code, 'missing_scope')

  const listed = await request('GET', '/api-keys', acme.apiKey)
  assert.equal(listed.body.includes(secret), false)
  assert.deepEqual(
    listed.json().apiKeys.at(-1),
    apiKey.lastUsedAt === null ? { ...apiKey, lastUsedAt: listed.json().apiKeys.at(-1).lastUsedAt } : apiKey,
  )

  const revoked = await request('DELETE', `/api-keys/${apiKey.id}`, acme.apiKey)
  assert.equal(revoked.statusCode, 200)
  const again = await request('DELETE', `/api-keys/${apiKey.id}`, acme.apiKey)
  assert.equal(again.json().apiKey.revokedAt, revoked.json().apiKey.revokedAt)
  assert.equal((await make(secret, { name: 'x', scopes: ['devices:read'] })).statusCode, 401)
})

test('the keys of another reseller are as if they did not exist', async () => {
  const foreign = await request('DELETE', `/api-keys/${globex.keyId}`, acme.apiKey)
  const missing = await request('DELETE', '/api-keys/key-00000000000000000000', acme.apiKey)
  assert.equal(foreign.statusCode, 404)
  const bodyOf = (text: string, id: string) => text.replace(id, 'ID').replace(/"request_id":"[^"]*"/, '')
  assert.equal(bodyOf(foreign.body, globex.keyId), bodyOf(missing.body, 'key-00000000000000000000'))
  const listed = await request('GET', '/api-keys', globex.apiKey)
  assert.deepEqual([listed.json().total, listed.json().apiKeys[0].id], [1, globex.keyId])
  assert.equal((await request('GET', '/api-keys', globex.apiKey)).statusCode, 200)
})

test('a list is paged in a stable order', async () => {
  const { apiKey: ownKey } = await insertResellerWithKey(database, 'many')
  // Keys of one millisecond are ordered by their random ids, so these are made a second apart.
  for (let i = 0; i < 5; i++) {
    await createKey(database, 'many', { name: `key ${i}`, scopes: ['*'] }, new Date(Date.now() + (i + 1) * 1000))
  }
  const names: string[] = []
  let after: string | undefined
  do {
    const page = await request('GET', `/api-keys?limit=3${after === undefined ? '' : `&after=${after}`}`, ownKey)
    assert.equal(page.json().total, 6)
    for (const { name } of page.json().apiKeys) names.push(name)
    after = page.json().pagination.hasNextPage ? page.json().pagination.endCursor : undefined
  } while (after !== undefined)
  assert.deepEqual(names, ['test', 'key 0', 'key 1', 'key 2', 'key 3', 'key 4'])
})

test('a pinned key makes, sees and revokes keys of its own sub-client only', async () => {
  const pinned = await keyOf('acme', { subClientId: 'sub' })
  const made = await make(pinned, { name: 'child', scopes: ['*'] })
  assert.equal(made.json().apiKey.subClientId, 'sub')
  assert.equal((await make(pinned, { name: 'escape', scopes: ['*'], subClientId: 'other' })).statusCode, 404)
  const listed = (await request('GET', '/api-keys', pinned)).json()
  assert.deepEqual(new Set(listed.apiKeys.map((key: { subClientId: string }) => key.subClientId)), new Set(['sub']))
  assert.equal(listed.total, 2)
  assert.equal((await request('DELETE', `/api-keys/${acme.keyId}`, pinned)).statusCode, 404)
  // What is logged names the reseller's own people and addresses.
  assert.notEqual((await request('GET', '/audit', acme.apiKey)).json().total, 0)
  const { total, ...logged } = (await request('GET', '/audit', pinned)).json()
  assert.deepEqual([total, Object.values(logged).filter(Array.isArray)], [0, [[]]])
  assert.equal((await request('GET', '/api-keys', acme.apiKey)).statusCode, 200)
})

test('a key cannot grant higher limits than its own', async () => {
  const limited = await keyOf('acme', { perMinute: 30, perDay: undefined })
  assert.equal((await make(limited, { name: 'same', scopes: ['*'] })).json().apiKey.perMinute, 30)
  assert.equal((await make(limited, { name: 'less', scopes: ['*'], perMinute: 10, perDay: 5000 })).statusCode, 200)
  for (const limits of [{ perMinute: 31 }, { perMinute: 0 }, { perDay: 5001 }, { perDay: 0 }]) {
    const refused = await make(limited, { name: 'more', scopes: ['*'], ...limits })
    assert.equal(refused.statusCode, 400, refused.body)
    // Also read by a person who is signed in, who is no key.
    assert.match(refused.json().error.message, /^1 to \d+ can be granted as "per(Minute|Day)"/)
  }
  assert.equal((await make(acme.apiKey, { name: 'unlimited', scopes: ['*'], perMinute: 0, perDay: 0 })).json().apiKey.perMinute, 0)
})

test('a key that expires cannot make one that outlives it', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const ends = inDays(2)
  const granter = await keyOf('acme', { expiresAt: ends })
  const expiryOf = async (asked: object) => {
    const answer = (await make(granter, { name: 'x', scopes: ['*'], ...asked })).json()
    return answer.apiKey?.expiresAt ?? [answer.error.code, answer.error.details.field]
  }
  assert.equal(await expiryOf({}), ends.toISOString())
  assert.equal(await expiryOf({ expiresAt: null }), ends.toISOString())
  assert.equal(await expiryOf({ expiresAt: ends.toISOString() }), ends.toISOString())
  const sooner = inDays(1).toISOString()
  assert.equal(await expiryOf({ expiresAt: sooner }), sooner)
  assert.deepEqual(await expiryOf({ expiresAt: inDays(3).toISOString() }), ['invalid_request', 'expiresAt'])
  assert.equal((await make(acme.apiKey, { name: 'for ever', scopes: ['*'] })).json().apiKey.expiresAt, null)
})

test('what makes no key is refused by the name of the field', async () => {
  for (const [field, given] of [
    ['name', { name: '   ', scopes: ['*'] }],
    ['name', { name: 'x'.repeat(201), scopes: ['*'] }],
    ['scopes', { name: 'x', scopes: [] }],
    ['perMinute', { name: 'x', scopes: ['*'], perMinute: -1 }],
    ['perMinute', { name: 'x', scopes: ['*'], perMinute: 60_001 }],
    ['perDay', { name: 'x', scopes: ['*'], perDay: 1.5 }],
    ['expiresAt', { name: 'x', scopes: ['*'], expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { name: 'x', scopes: ['*'], expiresAt: 'soon' }],
  ] as const) {
    const response = await make(acme.apiKey, given)
    assert.equal(response.statusCode, 400, JSON.stringify(given))
    assert.equal(response.json().error.details.field, field)
  }
  assert.equal((await make(acme.apiKey, { name: '🚚'.repeat(200), scopes: ['predict'] })).statusCode, 200)
  await assert.rejects(createKey(database, 'acme', { name: 'x', scopes: ['devices:dance'] }, new Date()), /no scope "devices:dance"/)
  assert.equal((await make(acme.apiKey, { name: 'x', scopes: ['*'], subClientId: 'nobody' })).statusCode, 404)
})

test('an operator revokes a key by its id alone', async () => {
  const { key } = await createKey(database, 'globex', { name: 'lost', scopes: ['*'] }, new Date())
  assert.notEqual((await revokeKeyAcrossResellers(database, key.keyId, new Date())).revokedAt, undefined)
  await assert.rejects(revokeKeyAcrossResellers(database, 'key-unknown', new Date()), { code: 'not_found' })
  assert.equal((await listKeys(database, 'globex')).total, 2)
})

test('no key shows in logs, in errors or in what is stored', async (t) => {
  let logged = ''
  const logger = createLogger('trace', { write: (line) => (logged += line) })
  const routes = async (on: typeof app) => {
    on.get('/bug', { config: { scope: 'devices:read' } }, async () => {
      throw new Error('a bug')
    })
  }
  const loud = await openTestApi(t, database, { logger, platform: [routes as never] })
  const secret = await keyOf('acme', { scopes: ['devices:read'] })
  const answers = []
  for (const url of ['/api/v1/bug', '/api/v1/api-keys', `/api/v1/${secret}x`, '/api/v1/nothing']) {
    for (const headers of [{ 'x-api-key': secret }, { authorization: `Bearer ${secret}` }, { 'x-api-key': `${secret}x` }]) {
      answers.push((await loud.app.inject({ method: 'GET', url, headers })).body)
    }
  }
  assert.match(logged, /a bug/)
  assert.equal(logged.includes(secret), false)
  assert.equal(answers.filter((body) => body.includes(secret)).length, 3, 'only where the caller put it in the path')
  const { rows } = await database.systemPool.query<{ row: string }>('select k::text as row from api_keys k')
  for (const { row } of rows) assert.equal(row.includes(secret.slice(0, -4)), false)
})

test('what cannot be the id of a key is no key, whatever it holds', async () => {
  for (const keyId of ['\u0000', "key-'; drop table api_keys", '', 'key-ABCDEFGH', 'x'.repeat(100)]) {
    await assert.rejects(revokeKeyAcrossResellers(database, keyId, new Date()), { code: 'not_found' })
    await assert.rejects(revokeKey(database, 'acme', { keyId }, new Date()), { code: 'not_found' })
  }
})

test('a key is rotated: the new one may do the same, and the one before ends after the overlap', async () => {
  const given = { name: 'Gateway', scopes: ['devices:read', 'predict'], subClientId: 'sub', perMinute: 7 }
  const made = (await make(acme.apiKey, given)).json()
  const rotate = (id: string, body: object, by = acme.apiKey) => request('POST', `/api-keys/${id}/rotate`, by, body)
  const before = Date.now()
  const rotated = await rotate(made.apiKey.id, { overlapHours: 2 })
  assert.equal(rotated.statusCode, 200, rotated.body)
  const { secret, apiKey, previous } = rotated.json()
  const { id: newId, last4, createdAt, ...same } = apiKey
  const { id: _, last4: __, createdAt: ___, ...wanted } = made.apiKey
  assert.deepEqual(same, wanted)
  assert.deepEqual([newId === made.apiKey.id, secret.slice(-4), previous.id], [false, last4, made.apiKey.id])
  const endsInMs = Date.parse(previous.expiresAt) - before
  assert.ok(endsInMs >= 2 * 3_600_000 && endsInMs < 2 * 3_600_000 + 60_000, `${endsInMs}`)
  // Refused for its scope and not for being unknown: both work.
  for (const key of [made.secret, secret]) assert.equal((await request('GET', '/api-keys', key)).statusCode, 403)

  const withoutBody = await request('POST', `/api-keys/${newId}/rotate`, acme.apiKey)
  const wantedMs = Date.now() + 24 * 3_600_000
  assert.ok(Math.abs(Date.parse(withoutBody.json().previous.expiresAt) - wantedMs) < 60_000, withoutBody.body)
  assert.equal((await rotate(newId, { overlapHours: 0 })).statusCode, 200)
  assert.equal((await request('GET', '/api-keys', secret)).statusCode, 401)
  const ended = await rotate(newId, {})
  assert.deepEqual([ended.statusCode, ended.json().error.code], [409, 'conflict'])
  // The end that comes first holds, and who rotates once more, because the new secret was lost, gets no key that ends with the overlap.
  const again = (await rotate(made.apiKey.id, { overlapHours: 100 })).json()
  assert.deepEqual([again.previous.expiresAt, again.apiKey.expiresAt], [previous.expiresAt, null])
  const expiresAt = new Date(before + 48 * 3_600_000).toISOString()
  const ending = (await make(acme.apiKey, { ...given, expiresAt })).json().apiKey.id
  for (const overlapHours of [1, 2]) assert.equal((await rotate(ending, { overlapHours })).json().apiKey.expiresAt, expiresAt)
  assert.equal((await rotate(made.apiKey.id, { overlapHours: 169 })).statusCode, 400)
})

test('nobody gets by rotation what it could not grant, nor the key of somebody else', async () => {
  const unlimited = (await make(acme.apiKey, { name: 'Unlimited', scopes: ['*'], perMinute: 0, perDay: 0 })).json().apiKey.id
  const limited = await keyOf('acme', { perMinute: 5, perDay: 100 })
  const pinned = await keyOf('acme', { subClientId: 'other' })
  const ofSub = (await make(acme.apiKey, { name: 'x', scopes: ['predict'], subClientId: 'sub' })).json().apiKey.id
  const rotate = async (id: string, by: string) => (await request('POST', `/api-keys/${id}/rotate`, by, {})).statusCode
  assert.equal(await rotate(unlimited, limited), 400)
  assert.deepEqual([await rotate(ofSub, pinned), await rotate(unlimited, pinned), await rotate(ofSub, globex.apiKey)], [404, 404, 404])
})
