import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/db'
import { createLogger } from '@roadworthy/service-kit/log'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { startPlatform } from './compose.ts'
import { readInvocation } from './settings.ts'

async function listenAnywhere(port = 0): Promise<net.Server> {
  const server = net.createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return server
}
const portOf = (server: net.Server) => (server.address() as AddressInfo).port
const closeServer = (server: net.Server) => new Promise<void>((resolve) => server.close(() => resolve()))

test('a platform that fails to start halfway leaves no door open, no worker running and no database connection', async (t) => {
  const { database, ownerUrl } = await openTestDatabase(t)
  const taken = await listenAnywhere()
  t.after(() => closeServer(taken))
  const free = await listenAnywhere()
  const mqttPort = portOf(free)
  await closeServer(free)
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
  const { rows } = await database.systemPool.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  assert.equal(rows[0]?.others, 0)
})
