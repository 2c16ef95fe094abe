// Goal: a connection is its reseller's own, its secrets are never shown, and nothing but what may be connected to is taken. Method: the
// Platform surface over a real database, entered by inject. What is read by it is tested against a real Kafka.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { createKey } from '../keys/keys.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { selectServedConnectionsAcrossResellers } from './connections.sql.ts'
import { upsertConsumer } from './consumers.sql.ts'
import { upsertOffsets } from './offsets.sql.ts'
import { streamPlatformRoutes } from './routes.platform-v1.ts'
import { openStreamSecrets, STREAM_SECRETS } from './secrets.ts'
import { upsertStrike } from './strikes.sql.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const PASSWORD = 'correct horse battery'
const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const sealer = createSealer(TEST_SECRET_KEY, STREAM_SECRETS)
/** Knows one public name, and one that leads inside. */
const guard = createAddressGuard({
  allowCidrs: '',
  resolveName: async (hostname) => {
    if (hostname === 'kafka.example.com') return [{ address: '93.184.215.14', family: 4 }]
    if (hostname === 'inside.example.com') return [{ address: '10.0.0.5', family: 4 }]
    throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
  },
})
const testConnection = () => assert.fail('nothing is tested here')
const { app } = await openTestApi(cleanUp, database, {
  now: () => NOW,
  platform: [streamPlatformRoutes({ database, sealer, guard, now: () => NOW, testConnection })],
})
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { apiKey: rivalKey } = await insertResellerWithKey(database, 'rival')

type Method = 'GET' | 'PUT' | 'DELETE' | 'POST'
async function call(method: Method, body?: object, { key = apiKey, suffix = '' } = {}) {
  const options = { method, url: `/api/v1/stream-connection${suffix}`, headers: { 'x-api-key': key } }
  const response = await app.inject(body === undefined ? options : { ...options, payload: body })
  return { status: response.statusCode, text: response.body, body: response.json() }
}
async function put(body: object) {
  const answer = await call('PUT', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const connection = { brokers: ['kafka.example.com:9093'], topic: 'telemetry' }
const sasl = { mechanism: 'SCRAM-SHA-512', username: 'roadworthy' }

async function secretsOf(resellerId: string) {
  const { rows } = await database.systemPool.query<{ sealed: Buffer }>(
    'select secrets_sealed as sealed from stream_connections where reseller_id = $1',
    [resellerId],
  )
  const [row] = rows
  assert.ok(row !== undefined)
  assert.ok(!row.sealed.includes(PASSWORD))
  return openStreamSecrets(sealer, resellerId, row.sealed)
}

test('without one there is nothing to get, to test or to delete; one reseller’s is not another’s', async () => {
  for (const [method, suffix] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const) {
    const { status, body } = await call(method, undefined, { suffix })
    assert.deepEqual([status, body.error.code], [404, 'not_found'], `${method} ${suffix}`)
  }
  assert.deepEqual((await call('GET', undefined, { suffix: 's' })).body, { connections: [] })
  const made = await put(connection)
  assert.deepEqual(made, {
    ...connection,
    enabled: true,
    deadLetterTopic: 'telemetry.dlq',
    groupId: 'roadworthy-acme',
    startAt: 'earliest',
    tls: null,
    sasl: null,
    status: { state: 'connecting', detail: null, lagMessages: null, consumers: [] },
    createdAt: NOW.toISOString(),
    updatedAt: NOW.toISOString(),
  })
  assert.deepEqual((await call('GET')).body, made)
  assert.deepEqual((await call('GET', undefined, { suffix: 's' })).body, { connections: [made] })
  assert.deepEqual((await call('GET', undefined, { key: rivalKey, suffix: 's' })).body, { connections: [] })
  assert.equal((await call('GET', undefined, { key: rivalKey })).status, 404)
  assert.equal((await call('DELETE', undefined, { key: rivalKey })).status, 404)
})

test('a password is never shown; left out it stays, null takes it away, and it does not go to another broker', async () => {
  const shown = await put({ ...connection, tls: {}, sasl: { ...sasl, password: PASSWORD } })
  assert.deepEqual(shown.sasl, { ...sasl, hasPassword: true })
  assert.ok(!JSON.stringify([shown, (await call('GET')).body]).includes(PASSWORD))
  await put({ ...connection, topic: 'other', tls: {}, sasl })
  assert.equal((await secretsOf('acme')).password, PASSWORD)
  for (const elsewhere of [
    { ...connection, brokers: [...connection.brokers, 'kafka.example.com:9094'], tls: {}, sasl },
    { ...connection, tls: null, sasl },
  ]) {
    const { status, body } = await call('PUT', elsewhere)
    assert.deepEqual([status, body.error.details.field], [400, 'sasl.password'])
  }
  assert.equal((await put({ ...connection, tls: {}, sasl: { ...sasl, password: null } })).sasl.hasPassword, false)
  assert.equal((await secretsOf('acme')).password, undefined)
})

test('every change is in the audit log, and no secret is', async () => {
  await put({ ...connection, sasl: { ...sasl, password: PASSWORD } })
  await put({ ...connection, sasl: { ...sasl, password: `${PASSWORD}!` } })
  const before = await database.systemPool.query<{ revision: string }>("select revision from stream_connections where reseller_id = 'acme'")
  await put({ ...connection, sasl })
  const same = await database.systemPool.query<{ revision: string }>("select revision from stream_connections where reseller_id = 'acme'")
  assert.deepEqual(same.rows, before.rows, 'what changes nothing does not disturb who reads')
  const { rows } = await database.systemPool.query<{ action: string; text: string }>(
    "select action, changes::text as text from audit_log where reseller_id = 'acme' and action like 'stream%' order by at, audit_id",
  )
  assert.equal(rows.length, 6)
  assert.equal(rows.filter(({ action }) => action === 'stream_connection.created').length, 1)
  assert.ok(rows.every(({ text }) => !text.includes(PASSWORD) && text !== '{}'))
})

test('what may not be connected to, or makes no sense, is refused by its field', async () => {
  const many = Array.from({ length: 21 }, (_, i) => `kafka.example.com:${9000 + i}`)
  const wrong: readonly [given: object, field: string, reason: RegExp][] = [
    [{ ...connection, brokers: ['127.0.0.1:9092'] }, 'brokers', /not, or not only, a public address/],
    [{ ...connection, brokers: ['[::1]:9092'] }, 'brokers', /not, or not only, a public address/],
    [{ ...connection, brokers: ['169.254.169.254:9092'] }, 'brokers', /public address/],
    [{ ...connection, brokers: ['inside.example.com:9092'] }, 'brokers', /public address/],
    [{ ...connection, brokers: ['kafka.internal:9092'] }, 'brokers', /something internal/],
    [{ ...connection, brokers: ['kafka.example.com'] }, 'brokers', /HOST:PORT/],
    [{ ...connection, brokers: ['kafka.example.com:22'] }, 'brokers', /Port 22/],
    [{ ...connection, brokers: [...connection.brokers, ...connection.brokers] }, 'brokers', /twice/],
    [{ ...connection, topic: 'a topic' }, 'topic', /letters/],
    [{ ...connection, tls: { ca: 'hello' } }, 'tls.ca', /no certificate/],
    [{ ...connection, tls: { key: 'hello' } }, 'tls.certificate', /go together/],
  ]
  for (const [given, field, reason] of wrong) {
    const { status, body, text } = await call('PUT', given)
    assert.equal(status, 400, text)
    assert.equal(body.error.details?.field, field, text)
    assert.match(body.error.message, reason)
  }
  for (const given of [{}, { ...connection, brokers: many }, { ...connection, topic: 'x'.repeat(246) }, { ...connection, password: 'x' }]) {
    assert.equal((await call('PUT', given)).status, 400)
  }
  // A name may get its address later; the test of the connection shows it.
  await put({ ...connection, brokers: ['later.example.com:9092'] })
})

test('a certificate of ours goes with its own key', { skip: hasOpenssl ? false : 'there is no openssl' }, async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-stream-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { client, stranger, authority } = makeCertificates(folder)
  const read = (file: string) => readFileSync(file, 'utf8')
  const tls = { ca: read(authority.certFile), certificate: read(client.certFile), key: read(client.keyFile) }
  const { status, body } = await call('PUT', { ...connection, tls: { ...tls, key: read(stranger.keyFile) } })
  assert.deepEqual([status, body.error.details.field], [400, 'tls.key'])
  const stored = await put({ ...connection, tls })
  assert.deepEqual(stored.tls, { ca: tls.ca, certificate: tls.certificate, hasKey: true })
  const { key: _, ...withoutKey } = tls
  assert.equal((await put({ ...connection, topic: 'other', tls: withoutKey })).tls.hasKey, true)
  assert.equal((await secretsOf('acme')).key, tls.key)
})

test('a key of one sub-client has nothing to do with the stream of the reseller', async () => {
  await database.systemPool.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North')")
  const pinned = await createKey(database, 'acme', { name: 'north', scopes: ['*'], subClientId: 'north' }, NOW)
  for (const [method, suffix] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['PUT', ''],
  ] as const) {
    const answer = await call(method, method === 'PUT' ? connection : undefined, { key: pinned.apiKey, suffix })
    assert.deepEqual([answer.status, answer.body.error.code], [403, 'missing_scope'])
  }
  assert.notDeepEqual((await call('GET', undefined, { suffix: 's' })).body, { connections: [] })
  assert.deepEqual((await call('GET', undefined, { key: pinned.apiKey, suffix: 's' })).body, { connections: [] })
})

test('the status is that of the processes that have reported lately, and of the one that is worst off', async () => {
  await put(connection)
  const db = database.tenantPool('acme')
  const consumer = { detail: undefined, partitions: [1, 0], lagMessageCount: 3, storedCount: 5, duplicateCount: 2, setAsideCount: 1 }
  const warnings = [{ field: 'coolnt_temp', reason: 'unknown, kept in extra', count: 3, lastAt: NOW }]
  const reported = { ...consumer, warnings, lastMessageAt: NOW, since: NOW, updatedAt: NOW }
  await upsertConsumer(db, 'acme', { ...reported, consumerId: 'con-a', state: 'running' })
  await upsertConsumer(db, 'acme', { ...reported, consumerId: 'con-b', state: 'waiting', detail: 'No room.', lagMessageCount: 4 })
  await upsertConsumer(db, 'acme', { ...reported, consumerId: 'con-c', state: 'failed', updatedAt: new Date(NOW.getTime() - 60_000) })
  const { status } = (await call('GET')).body
  assert.deepEqual([status.state, status.detail, status.lagMessages, status.consumers.length], ['waiting', 'No room.', 7, 2])
  assert.deepEqual(status.consumers[0].partitions, [0, 1])
  assert.deepEqual(status.consumers[0].warnings, [{ ...warnings[0], lastAt: NOW.toISOString() }])
  assert.equal((await put({ ...connection, enabled: false })).status.state, 'disabled')
})

test('a connection that is left out shows why and until when, and a change puts an end to it', async () => {
  await put({ ...connection, topic: 'struck' })
  const db = database.tenantPool('acme')
  const { rows } = await db.query<{ revision: string }>('select revision from stream_connections')
  const revision = rows[0]?.revision ?? assert.fail()
  const strike = { revision, reason: 'The broker sent garbage.', struckAt: NOW, leftOutUntil: new Date(NOW.getTime() + 10_000) }
  const served = async () => (await selectServedConnectionsAcrossResellers(database.systemPool, NOW)).length
  assert.equal(await served(), 1)
  await upsertStrike(db, 'acme', { ...strike, strikeCount: 1, isQuarantined: false })
  assert.equal(await served(), 0)
  const { status } = (await call('GET')).body
  assert.deepEqual([status.state, status.consumers], ['failed', []])
  assert.match(status.detail, /garbage\. It is tried again at 2026-11-20T12:00:10\.000Z/)
  await upsertStrike(db, 'acme', { ...strike, strikeCount: 5, isQuarantined: true })
  assert.equal((await call('GET')).body.status.state, 'quarantined')
  await upsertStrike(db, 'acme', { ...strike, strikeCount: 5, isQuarantined: true, leftOutUntil: NOW })
  assert.equal(await served(), 1, 'its time is over')
  await upsertStrike(db, 'acme', { ...strike, strikeCount: 5, isQuarantined: true })
  assert.notEqual((await put({ ...connection, topic: 'changed' })).status.state, 'quarantined')
  assert.equal(await served(), 1)
  await assert.rejects(upsertStrike(database.tenantPool('rival'), 'acme', { ...strike, strikeCount: 9, isQuarantined: true }), /row-level/)
})

test('what is deleted is forgotten, with how far it was read', async () => {
  const place = { resellerId: 'acme', groupId: 'g', topicId: 't' }
  await upsertOffsets(database.tenantPool('acme'), [{ ...place, partition: 0, nextOffset: 7n }])
  const { status, body } = await call('DELETE')
  assert.deepEqual([status, body], [200, { deleted: true }])
  const { rows } = await database.systemPool.query(
    'select 1 from stream_offsets union all select 1 from stream_connections union all select 1 from stream_strikes',
  )
  assert.deepEqual(rows, [])
  assert.equal((await call('GET')).status, 404)
})
