// Goal: what an operator does with a running instance works, from another folder, with the Node that is on the machine. Method: one instance
// with its own PostgreSQL, started and stopped through the command line itself. What is done seldom is in
// command-line.long.test.ts, the examples of the help in help-examples.long.test.ts.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastFirst } from '../../services/platform/src/surfaces/test-api.ts'
import { connectAsOwner, openTestDatabase, TEST_SECRET_KEY } from '../../services/platform/src/test-support.ts'
import { BIN, roadworthy } from '../support/command-line.ts'
import { call } from '../support/running-platform.ts'
import { node, type OwnInstance, oldNode, startOwnInstance } from './own-instance.ts'

/** What DECISIONS gives a revoked key. */
const REVOKED_WITHIN_MS = 1_000

let instance: OwnInstance
let folder: string
let dataDir: string
let baseUrl: string
let run: OwnInstance['run']
let json: OwnInstance['json']

before(async () => {
  instance = await startOwnInstance()
  ;({ folder, dataDir, baseUrl, run, json } = instance)
})

after(async () => {
  await instance?.stop()
})

async function statusFor(key: unknown, route = '/api/v1/vehicles'): Promise<number> {
  return (await call(baseUrl, 'GET', route, { key: String(key) })).status
}

test('a reseller gets a key with every scope and no limit', async () => {
  const made = await json('resellers', 'create', '--slug', 'north-fleet', '--name', 'North Fleet')
  assert.deepEqual(Object.keys(made).sort(), ['api_key', 'reseller_slug'])
  assert.equal(made['reseller_slug'], 'north-fleet')
  for (const route of ['/api/v1/vehicles', '/api/external/devices', '/api/external/sub-clients', '/api/external/predictions']) {
    assert.equal(await statusFor(made['api_key'], route), 200, route)
  }
  // The External API's default limit is 60 a minute.
  const answers = await Promise.all(Array.from({ length: 65 }, () => statusFor(made['api_key'], '/api/external/devices?limit=1')))
  assert.deepEqual([...new Set(answers)], [200])

  const again = await run('resellers', 'create', '--slug', 'north-fleet', '--name', 'North Fleet')
  assert.deepEqual([again.code, again.stdout], [1, ''])
  assert.match(again.stderr, /^error: There is a reseller north-fleet already\.\n$/)
})

test('plan, standing, time zone and lead time of a reseller change', async () => {
  const change = ['--plan', 'starter', '--subscription', 'trialing', '--time-zone', 'Europe/Berlin', '--maintenance-lead-days', '14']
  const { created_at: _, ...updated } = await json('resellers', 'update', 'roadworthy', ...change)
  const changed = { reseller_slug: 'roadworthy', name: 'Roadworthy', plan: 'starter', subscription: 'trialing' }
  assert.deepEqual(updated, { ...changed, time_zone: 'Europe/Berlin', device_vehicles: 0, maintenance_lead_days: 14 })
  assert.equal((await run('resellers', 'update', 'roadworthy', '--time-zone', 'Berlin')).code, 2)
  assert.equal((await run('resellers', 'update', 'roadworthy', '--maintenance-lead-days', '91')).code, 2)
  const { resellers } = await json('resellers', 'list')
  assert.ok(
    (resellers as { reseller_slug: string; plan: string }[]).some((each) => each.reseller_slug === 'roadworthy' && each.plan === 'starter'),
  )
  await json('resellers', 'update', 'roadworthy', '--plan', 'enterprise', '--subscription', 'active')
})

test('a key does what its scopes and limits allow, and nothing within a second of being revoked', async () => {
  const limits = ['--scopes', 'vehicles:read,predict', '--per-minute', '3', '--per-day', '0']
  const made = await json('keys', 'create', '--reseller', 'roadworthy', '--name', 'Dashboard', ...limits)
  assert.deepEqual(Object.keys(made).sort(), ['api_key', 'key_id'])
  const { key_id: keyId, api_key: apiKey } = made
  assert.equal(await statusFor(apiKey, '/api/external/vehicles'), 200)
  assert.equal(await statusFor(apiKey, '/api/external/devices'), 403)
  assert.equal(await statusFor(apiKey, '/api/external/vehicles'), 200)
  const over = [await statusFor(apiKey, '/api/external/vehicles'), await statusFor(apiKey, '/api/external/vehicles')]
  assert.ok(over.includes(429), String(over))

  const { keys } = await json('keys', 'list', '--reseller', 'roadworthy')
  const listed = (keys as Record<string, unknown>[]).find((key) => key['key_id'] === keyId)
  assert.deepEqual([listed?.['scopes'], listed?.['per_minute'], listed?.['per_day']], [['vehicles:read', 'predict'], 3, 0])
  assert.ok(!JSON.stringify(keys).includes(String(apiKey)))

  await json('keys', 'revoke', String(keyId))
  await sleep(REVOKED_WITHIN_MS)
  assert.equal(await statusFor(apiKey), 401)
})

test('a person who is let in signs in with the password that was shown', async () => {
  const made = await json('users', 'create', '--reseller', 'roadworthy', '--email', 'Anna@fleet.example')
  const { email, password } = made
  assert.deepEqual(
    [Object.keys(made).sort(), email, made['role']],
    [['email', 'password', 'role', 'user_id'], 'anna@fleet.example', 'member'],
  )
  const signIn = await call(baseUrl, 'POST', '/api/v1/session', { body: { email, password } })
  assert.equal(signIn.status, 200)
  assert.match(signIn.headers.get('set-cookie') ?? '', /^rw_session=/)
  assert.equal((await run('users', 'create', '--reseller', 'nobody', '--email', 'b@fleet.example')).code, 4)
  assert.match((await run('users', 'create', '--reseller', 'roadworthy', '--email', 'anna@fleet.example')).stderr, /already/)
})

test('what does not exist is reported with exit code 4, what cannot be with 2', async () => {
  const [key, reseller, update, scope, expired] = await Promise.all([
    run('keys', 'revoke', 'key-nowhere'),
    run('keys', 'create', '--reseller', 'nobody', '--name', 'x', '--scopes', 'predict'),
    run('resellers', 'update', 'nobody', '--plan', 'starter'),
    run('keys', 'create', '--reseller', 'roadworthy', '--name', 'x', '--scopes', 'predcit'),
    run('keys', 'create', '--reseller', 'roadworthy', '--name', 'x', '--scopes', 'predict', '--expires', '2020-01-01T00:00:00Z'),
  ])
  assert.deepEqual([key.code, reseller.code, update.code, scope.code, expired.code], [4, 4, 4, 2, 2])
  assert.match(scope.stderr, /^error: There is no scope "predcit"\. One of: .*predict.*\n$/)
})

test('a wrong key is reported with exit code 3, an unknown device with 4', async () => {
  writeFileSync(path.join(folder, 'two.csv'), 'time_s,rpm\n0,800\n1,810\n')
  const wrongKey = await run('--api-key', 'rw_live_wrong', 'simulate', '--vehicles', '1')
  assert.equal(wrongKey.code, 3)
  assert.match(wrongKey.stderr, /invalid_api_key\) Check --api-key/)
  for (const via of ['rest', 'mqtt']) {
    const unknown = await run('replay', 'two.csv', '--format', 'csv', '--device', '356938035640000', '--via', via)
    assert.equal(unknown.code, 4)
    assert.match(unknown.stderr, /There is no device "356938035640000"\. Add --register/)
  }
})

test('readings that are refused are counted and reported, over both receivers', async () => {
  writeFileSync(path.join(folder, 'old.csv'), 'timestamp,rpm\n2020-01-01T00:00:00Z,800\n2020-01-01T00:00:01Z,810\n')
  for (const via of ['rest', 'mqtt']) {
    const old = ['replay', 'old.csv', '--format', 'csv', '--device', '356938035640001', '--register', '--start', '2020-01-01T00:00:00Z']
    const { code, stdout, stderr } = await run(...old, '--via', via, '--json')
    const { sent, stored, duplicates, rejected } = JSON.parse(stdout) as Record<string, number>
    assert.deepEqual([code, sent, stored, duplicates, rejected], [1, 2, 0, 0, 2], stderr)
    assert.match(stderr, /2 of 2 readings were rejected\. The last reason: invalid_request .*30 days ago/)
  }
})

test('what nobody can count, as of a device without a vehicle over MQTT, is not reported as stored', async () => {
  writeFileSync(path.join(folder, 'two.csv'), 'time_s,rpm\n0,800\n1,810\n')
  const imei = '356938035640003'
  const { api_key: key } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')) as { api_key: string }
  assert.equal((await call(baseUrl, 'POST', '/api/external/devices', { key, body: { imei } })).status, 200)
  const { code, stdout, stderr } = await run('replay', 'two.csv', '--format', 'csv', '--device', imei, '--via', 'mqtt', '--json')
  const { sent, stored, duplicates, rejected } = JSON.parse(stdout) as Record<string, number | null>
  assert.deepEqual([code, sent, stored, duplicates, rejected], [0, 2, null, null, 0], stderr)
})

test('an operator changes things where no service has run for so long that the audit log has no partition for today', async (t) => {
  const cleanUp = lastFirst(t)
  const { database, ownerUrl } = await openTestDatabase(cleanUp)
  const owner = await connectAsOwner(cleanUp, ownerUrl)
  const partitions = `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass`
  for (const { name } of (await owner.query<{ name: string }>(partitions)).rows) await owner.query(`drop table ${name}`)
  const env = { DATABASE_URL: ownerUrl, SECRET_KEY: TEST_SECRET_KEY }
  const { code, stderr } = await roadworthy(['resellers', 'create', '--slug', 'late', '--name', 'Late'], { env, cwd: folder })
  assert.equal(code, 0, stderr)
  const { rows } = await database.systemPool.query(`select actor_type, action from audit_log where reseller_id = 'late' order by action`)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['api_key.created', 'reseller.created'],
  )
})

test('the doctor finds every part well', async () => {
  const { ok, checks } = (await json('doctor')) as { ok: boolean; checks: { name: string; status: string }[] }
  assert.ok(ok)
  const names = ['node', 'data folder', 'credentials', 'api', 'api key', 'clock', 'ready', 'engine', 'mqtt', 'database']
  for (const name of names) assert.equal(checks.find((check) => check.name === name)?.status, 'ok', name)
})

test('a replay that is stopped reports what it had sent', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => `${i},800`)
  writeFileSync(path.join(folder, 'long.csv'), ['time_s,rpm', ...rows].join('\n'))
  const args = ['replay', 'long.csv', '--format', 'csv', '--device', '356938035640002', '--register', '--speed', '2', '--json']
  const child = spawn(node, [BIN, '--data-dir', dataDir, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.all([text(child.stdout), once(child, 'exit')])
  await once(child.stderr, 'data')
  child.kill('SIGTERM')
  const [stdout, [code]] = await ended
  const { complete, sent, stored } = JSON.parse(stdout) as { complete: boolean; sent: number; stored: number }
  assert.deepEqual([code, complete], [143, false])
  // A record goes out at a time, and of the one that was under way the answer is not waited for.
  assert.ok(sent - stored === 0 || sent - stored === 1, `${stored} of ${sent} stored`)
  assert.ok(sent < 600)
})

test('what npx started ends with it', async () => {
  // Bounded, so that one that does not notice is no orphan for long.
  const args = ['roadworthy', '--data-dir', dataDir, 'simulate', '--vehicles', '1', '--history', '0', '--duration', '120']
  const child = spawn('npx', args, { cwd: path.join(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'pipe'] })
  // A pipe ends when the last process that held it has.
  const outcome = text(child.stdout)
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += String(chunk)
    if (printed.includes('registered')) child.kill('SIGTERM')
  })
  const seconds = Number(/ sent in (\d+) s/.exec(await outcome)?.[1])
  assert.ok(seconds < 110, `${seconds} s`)
})

test('SIGTERM to the command line stops the service in order; then the doctor and the operator learn that nothing runs', async () => {
  instance.service.kill('SIGTERM')
  const [code] = (await once(instance.service, 'exit')) as [number | null]
  assert.equal(code, 0)
  const [doctor, keys] = await Promise.all([run('doctor', '--json'), run('keys', 'list')])
  const { ok, checks } = JSON.parse(doctor.stdout) as { ok: boolean; checks: { name: string; status: string }[] }
  // The ports of the service are free now, and any process of the machine may have taken one meanwhile.
  const wrong = checks.filter(({ name, status }) => status === 'wrong' && name !== 'ports').map(({ name }) => name)
  assert.deepEqual([doctor.code, ok, wrong], [1, false, ['api']])
  assert.equal(keys.code, 1)
  assert.match(keys.stderr, /^error: No Roadworthy with a database of its own runs on .*data\. Start it with.*\n$/)
})

test('an older Node on the machine hands over to the one that npm installed', {
  skip: oldNode === undefined && 'every Node here is new',
}, async () => {
  const { checks } = JSON.parse((await run('doctor', '--json')).stdout) as { checks: { name: string; detail: string }[] }
  assert.match(checks.find(({ name }) => name === 'node')?.detail ?? '', /^24\..*node_modules/)
})
