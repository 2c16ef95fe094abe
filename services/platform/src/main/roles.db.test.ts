// Goal: processes that share the work of an installation do together what one does alone, and each serves its own part and nothing else. Method: one
// process of each role on one database, called as devices and programs would.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { insertResellerWithKey, lastFirst } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY, untilTaken } from '../test-support.ts'
import { type RunningPlatform, startPlatform } from './compose.ts'
import { connectionsOf } from './database/connections.ts'
import { isBrokerPortUnknown } from './role-settings.ts'
import { ROLES, rolesOf } from './roles.ts'
import { readInvocation } from './settings/settings.ts'

const PATIENCE_MS = 180_000
const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
const { apiKey } = await insertResellerWithKey(database, 'acme')
const historyFolder = mkdtempSync(join(tmpdir(), 'roadworthy-roles-'))
cleanUp.after(async () => rmSync(historyFolder, { recursive: true, force: true }))

async function start(roles: string, more: Readonly<Record<string, string>> = {}): Promise<RunningPlatform> {
  const env = { ROLES: roles, HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', METRICS_PORT: '0', ENGINE_URL: 'http://127.0.0.1:1' }
  const invocation = readInvocation([], { ...env, ...more, DATABASE_URL: ownerUrl, SECRET_KEY: TEST_SECRET_KEY })
  assert.ok(invocation.kind === 'run')
  const platform = await startPlatform({
    settings: invocation.configuration.settings,
    databaseUrls: databaseUrls(ownerUrl, TEST_SECRET_KEY),
    secretKey: TEST_SECRET_KEY,
    engineUrl: 'http://127.0.0.1:1',
    historyPlace: { kind: 'folder', folder: historyFolder },
    log: createLogger('silent'),
    now: () => new Date(),
  })
  cleanUp.after(() => platform.stop())
  return platform
}

let api: RunningPlatform
let receivers: RunningPlatform
let worker: RunningPlatform
// Not as the file is loaded: what its process loads after it would take the event loop for seconds, and the transactions of the worker would wait.
before(async () => {
  api = await start('api')
  receivers = await start('receivers')
  worker = await start('worker')
})

async function ask(platform: RunningPlatform, method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${platform.ports.http}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text, json: () => JSON.parse(text) }
}

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    assert.ok(performance.now() < deadlineMs, 'it took too long')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** As clients do: what a busy machine refuses is asked again. */
const askAgain = (...asked: Parameters<typeof ask>) => untilTaken(() => ask(...asked))

test('a reading goes in through a receiver, becomes an alert in a worker, and is read at an API', async () => {
  const made = (await askAgain(api, 'POST', '/api/external/devices', { name: 'One', vehicle: { name: 'Van' } })).json()
  const reading = { device_id: made.device_id, timestamp: new Date().toISOString(), coolant_temp: 90, event: 'sos' }
  const stored = await askAgain(receivers, 'POST', '/api/external/telemetry', reading)
  assert.equal(stored.status, 200, stored.text)
  const read = await askAgain(api, 'GET', `/api/external/telemetry/${encodeURIComponent(stored.json().telemetry_id)}`)
  assert.deepEqual([read.status, read.json().device_id], [200, made.device_id], read.text)
  const alert = await until(async () => {
    const { alerts } = (await askAgain(api, 'GET', '/api/v1/alerts')).json() as { alerts: { type: string }[] }
    return alerts[0]
  })
  assert.equal(alert.type, 'sos')
  const online = await until(async () => {
    const { events } = (await askAgain(api, 'GET', '/api/v1/events')).json() as { events: { event: string }[] }
    return events.find(({ event }) => event === 'device.online')
  })
  assert.equal(online.event, 'device.online')
})

test('each process looks at the history once it has started', async () => {
  for (const { ports } of [api, receivers, worker]) {
    const sealed = await until(async () => {
      const text = await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text()
      return /^fleet_history_readings (\d+)$/m.exec(text)?.[1]
    })
    assert.equal(sealed, '0')
  }
})

test('a token that an API has given lets a phone in at a receiver, and no longer once the API has suspended the phone, or replaced the token', async () => {
  const phone = (await askAgain(api, 'POST', '/api/external/devices', { name: 'Phone', connection_method: 'osmand' })).json()
  const send = async (platform: RunningPlatform, token: string) => {
    const response = await fetch(`http://127.0.0.1:${platform.ports.http}/api/external/ingest/osmand?id=${token}&lat=1&lon=1`)
    return [response.status, response.headers.get('retry-after')]
  }
  const sendAgain = async (token: string) => {
    const { status, retryAfter } = await untilTaken(async () => {
      const [status = 0, retryAfter] = await send(receivers, token)
      return { status: Number(status), retryAfter }
    })
    return [status, retryAfter]
  }
  assert.deepEqual(await sendAgain(phone.tracker_token), [200, null])
  assert.deepEqual(await send(api, phone.tracker_token), [503, '1'])
  assert.deepEqual(await send(worker, phone.tracker_token), [503, '1'])
  await askAgain(api, 'PUT', `/api/external/devices/${phone.device_id}`, { status: 'suspended' })
  assert.deepEqual(await sendAgain(phone.tracker_token), [403, null])
  await askAgain(api, 'PUT', `/api/external/devices/${phone.device_id}`, { status: 'active' })
  const { trackerToken } = (await askAgain(api, 'POST', `/api/v1/devices/${phone.device_id}/tracker-token`, {})).json()
  assert.deepEqual(await sendAgain(phone.tracker_token), [401, null])
  // That it was suspended is known in memory until the notification of the change comes.
  await until(async () => ((await send(receivers, trackerToken))[0] === 200 ? true : undefined))
  await askAgain(api, 'POST', `/api/external/devices/${phone.device_id}/decommission`)
  assert.deepEqual(await sendAgain(trackerToken), [401, null])
})

test('each process serves its part: what comes to another is refused in a way that callers repeat, and nothing that exists is called missing', async () => {
  const refused = await ask(api, 'POST', '/api/external/telemetry', { device_id: 'dev-1', coolant_temp: 90 })
  assert.deepEqual([refused.status, refused.retryAfter], [503, '1'])
  assert.match(refused.text, /role receivers/)
  const misrouted: readonly [platform: RunningPlatform, method: string, path: string][] = [
    [receivers, 'GET', '/api/external/devices'],
    [receivers, 'GET', '/api/v1/vehicles'],
    [receivers, 'POST', '/api/sim-billing/sync'],
    [worker, 'GET', '/api/external/devices'],
    [worker, 'POST', '/api/external/telemetry'],
    [worker, 'POST', '/api/v1/telemetry'],
    [worker, 'GET', '/api/sim-billing/sims'],
  ]
  for (const [platform, method, path] of misrouted) {
    const answer = await ask(platform, method, path, method === 'POST' ? {} : undefined)
    assert.deepEqual([answer.status, answer.retryAfter], [503, '1'], `${method} ${path}`)
    assert.match(answer.json().error.message, /\(ROLES\)/)
    assert.equal(answer.json().success, path.startsWith('/api/v1') ? undefined : false)
  }
  assert.equal((await ask(receivers, 'GET', '/api/external/telemetry')).status, 405)
  assert.equal((await ask(receivers, 'GET', '/')).status, 404)
  assert.deepEqual(
    [api, receivers, worker].map(({ ports }) => ports.mqtt === undefined),
    [true, false, true],
  )
})

test('each process reports whether it can do its part', async () => {
  for (const process of [api, receivers, worker]) assert.deepEqual((await ask(process, 'GET', '/healthz')).json(), { status: 'ok' })
  const checksOf = async (platform: RunningPlatform) => Object.keys((await ask(platform, 'GET', '/readyz')).json().checks).sort()
  assert.deepEqual(await checksOf(api), ['database', 'storage'])
  assert.deepEqual(await checksOf(receivers), ['database', 'storage', 'streams'])
  assert.deepEqual(await checksOf(worker), ['database', 'scoring', 'storage'])
})

test('a process opens no more connections than it states', async () => {
  const { rows } = await database.systemPool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name like 'roadworthy%'`,
  )
  const most = ROLES.reduce((sum, role) => sum + connectionsOf(new Set([role]), {}).total, 0)
  const ofThisTest = 8
  assert.ok((rows[0]?.count ?? 0) <= most + ofThisTest, `${rows[0]?.count} of ${most}`)
})

test('connections follow from the roles, and those that are set are divided in the same proportion', () => {
  const totals = ['api,receivers,worker', 'api', 'receivers', 'worker'].map((roles) => connectionsOf(rolesOf({ roles }), {}).total)
  assert.deepEqual(totals, [37, 17, 17, 5])
  const { work, signIn, total } = connectionsOf(rolesOf({ roles: 'api' }), { databaseConnections: 40, signInConnections: 4 })
  assert.deepEqual([work, signIn, total], [{ appConnections: 30, systemConnections: 10 }, { appConnections: 2, systemConnections: 2 }, 49])
  const least = connectionsOf(rolesOf({ roles: 'api' }), { databaseConnections: 4 }).work
  assert.deepEqual(least, { appConnections: 2, systemConnections: 2 })
  assert.deepEqual(connectionsOf(rolesOf({ roles: 'worker' }), { signInConnections: 8 }).signIn, {
    appConnections: 0,
    systemConnections: 0,
  })
})

test('a process whose engine or external broker is away is unavailable, and degraded for a proxy that excludes these checks', async () => {
  const joined = await start('receivers', { MQTT_BROKER_URL: 'mqtt://127.0.0.1:1' })
  const answerOf = async (platform: RunningPlatform, query: string) => {
    const { status, json } = await ask(platform, 'GET', `/readyz${query}`)
    return {
      status,
      is: json().status,
      failed: Object.entries<{ ok: boolean }>(json().checks).flatMap(([name, { ok }]) => (ok ? [] : [name])),
    }
  }
  for (const [platform, check] of [
    [worker, 'scoring'],
    [joined, 'mqtt_broker'],
  ] as const) {
    const failed = [check]
    for (const query of ['', '?exclude=database', '?exclude=']) {
      assert.deepEqual(await answerOf(platform, query), { status: 503, is: 'unavailable', failed }, `${check} ${query}`)
    }
    for (const query of [`?exclude=${check}`, '?exclude=scoring&exclude=mqtt_broker']) {
      assert.deepEqual(await answerOf(platform, query), { status: 200, is: 'degraded', failed }, `${check} ${query}`)
    }
    assert.deepEqual(await answerOf(api, `?exclude=${check}`), { status: 200, is: 'ready', failed: [] })
  }
})

test('roles that go with nothing are refused, with what would be right', () => {
  const refusal = (env: Record<string, string>) => {
    const invocation = readInvocation([], env)
    return invocation.kind === 'print' ? invocation.text : ''
  }
  assert.match(refusal({ ROLES: 'api,cook' }), /ROLES/)
  const alone = refusal({ ROLES: 'worker' })
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'ENGINE_URL']) assert.match(alone, new RegExp(name))
  const shared = { DATABASE_URL: 'postgresql://a:b@127.0.0.1/c', SECRET_KEY: TEST_SECRET_KEY }
  assert.equal(refusal({ ROLES: 'receivers', ...shared }), '', 'receivers ask no engine')
  assert.match(refusal({ ROLES: 'receivers', ...shared, DEMO: 'on' }), /DEMO/)
  assert.match(refusal({ DATABASE_SESSION_URL: 'postgresql://a:b@127.0.0.1/c' }), /DATABASE_URL/)
})

test('a process that registers devices and does not know the port of their broker is found', () => {
  const broker = (roles: string, mqttPort: number, mqttPublicPort?: number) => isBrokerPortUnknown({ roles, mqttPort, mqttPublicPort })
  assert.deepEqual([broker('api', 0), broker('api,worker', 0)], [true, true])
  assert.deepEqual(
    [broker('api', 0, 8883), broker('api', 1883), broker('api,receivers', 0), broker('worker', 0)],
    [false, false, false, false],
  )
})
