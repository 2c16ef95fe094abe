import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { insertResellerWithKey, lastFirst } from '../surfaces/test-api.ts'
import { connectAsOwner, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { startPlatform } from './compose.ts'
import { readInvocation } from './settings/settings.ts'

/** Less than an unused connection of the service is kept for. */
const GOODBYE_MS = 45_000

async function listenAnywhere(port = 0): Promise<net.Server> {
  const server = net.createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return server
}
const portOf = (server: net.Server) => (server.address() as AddressInfo).port
const closeServer = (server: net.Server) => new Promise<void>((resolve) => server.close(() => resolve()))

// Goal: whatever strangers may ask takes nothing from who calls with a key, nor from the work, in the service as it is put together. Method: what they
// ask hangs on tables that are locked, and there are more of them than there are connections of any kind.
test('what anybody may ask, callers with a key and the work have connections of their own', async (t) => {
  const cleanUp = lastFirst(t)
  const { database, ownerUrl } = await openTestDatabase(cleanUp)
  const { apiKey } = await insertResellerWithKey(database, 'acme')
  const invocation = readInvocation([], { HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', METRICS_PORT: '0' })
  assert.ok(invocation.kind === 'run')
  const platform = await startPlatform({
    settings: invocation.configuration.settings,
    databaseUrls: databaseUrls(ownerUrl, TEST_SECRET_KEY),
    secretKey: TEST_SECRET_KEY,
    engineUrl: 'http://127.0.0.1:1',
    log: createLogger('silent'),
    now: () => new Date(),
  })
  cleanUp.after(() => platform.stop())
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${platform.ports.http}${path}`, { headers })
  const strangers: Promise<Response>[] = []
  // A session of the service would be ended after ten seconds in which it sends nothing, and the tables be free.
  const owner = await connectAsOwner(cleanUp, ownerUrl)
  await owner.query('begin; lock table brand_host_claims, brand_logos, calendar_links, sessions in access exclusive mode')
  for (let i = 0; i < 20; i++) {
    const token = String(i).padStart(43, 'x')
    strangers.push(ask(`/api/v1/brand/logos/${String(i).padStart(64, '0')}`), ask(`/api/v1/calendars/${token}.ics`))
    strangers.push(ask('/api/v1/session', { cookie: `rw_session=${token}` }))
  }
  for (const path of ['/api/v1/api-keys', '/api/external/vehicles']) assert.equal((await ask(path, { 'x-api-key': apiKey })).status, 200)
  const { checks } = (await (await ask('/readyz')).json()) as { checks: { database: { ok: boolean } } }
  assert.equal(checks.database.ok, true)
  await owner.query('rollback')
  for (const { status } of await Promise.all(strangers)) assert.ok([200, 404, 503].includes(status), String(status))
})

test('a platform that fails to start halfway leaves no receiver open, no worker running and no database connection', async (t) => {
  const { database, ownerUrl } = await openTestDatabase(t)
  const taken = await listenAnywhere()
  t.after(() => closeServer(taken))
  const mqttPort = await findFreePort()
  const invocation = readInvocation([], { HOST: '127.0.0.1', PORT: `${portOf(taken)}`, MQTT_PORT: `${mqttPort}`, METRICS_PORT: '0' })
  assert.ok(invocation.kind === 'run')
  const starting = startPlatform({
    settings: invocation.configuration.settings,
    databaseUrls: databaseUrls(ownerUrl, TEST_SECRET_KEY),
    secretKey: TEST_SECRET_KEY,
    engineUrl: 'http://127.0.0.1:1',
    log: createLogger('silent'),
    now: () => new Date(),
  })
  await assert.rejects(starting, { code: 'EADDRINUSE', port: portOf(taken) })

  await closeServer(await listenAnywhere(mqttPort))
  const countOthers = async () => {
    const { rows } = await database.systemPool.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rows[0]?.others
  }
  // The server ends a session a moment after its client has closed it. One that was left open ends by itself after a minute without work.
  const endMs = performance.now() + GOODBYE_MS
  while ((await countOthers()) !== 0 && performance.now() < endMs) await delay(20)
  assert.equal(await countOthers(), 0)
})
