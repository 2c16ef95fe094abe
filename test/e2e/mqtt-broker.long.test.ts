// Goal: with a broker of one's own everything is as it was, for devices and for whoever reads what they sent; nothing is lost or counted twice
// when a process dies. Method: the whole service as processes beside a real Mosquitto, called as an operator and a device would.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import {
  type Broker,
  dynamicSecurityIn,
  hasDynamicSecurity,
  hasMosquitto,
  MQTT_USER,
  startMosquitto,
  startMosquittoWith,
} from '@roadworthy/service-kit/network/test-mosquitto'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { roadworthy } from '../support/command-line.ts'
import { call, callPatiently, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'

const options = { skip: hasMosquitto ? false : 'Mosquitto is not installed', timeout: 900_000 }
const secureOptions = { ...options, skip: hasDynamicSecurity ? false : 'the dynamic-security plugin of Mosquitto is not installed' }
const SECRET_KEY = 'test secret key, 32 characters or more'
const BROKER_AUTH_SECRET = 'a-secret-of-the-operator-32-chars-or-more'
const ACCOUNT = { MQTT_BROKER_USERNAME: 'roadworthy', MQTT_BROKER_PASSWORD: 'the platform itself' }

type Registered = { device_id: string; mqtt_broker: string; mqtt_username: string; mqtt_password: string; mqtt_topic: string }

const readiness = async (platform: RunningPlatform) => {
  const answer = await call(platform.credentials.base_url, 'GET', '/readyz')
  return (answer.body as unknown as { checks: { mqtt_broker: { ok: boolean; detail: string } } }).checks.mqtt_broker
}
const untilJoined = (platform: RunningPlatform) => until('the platform has joined', async () => (await readiness(platform)).ok)

async function register({ credentials }: RunningPlatform, key: string): Promise<Registered> {
  const answer = await callPatiently(credentials.base_url, 'POST', '/api/external/devices', { key, body: { name: 'Truck' } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as unknown as Registered
}

async function signIn(t: TestContext, broker: Broker, device: Registered, own: IClientOptions = {}): Promise<MqttClient> {
  const { mqtt_username: username, mqtt_password: password, device_id: clientId } = device
  const client = await connectAsync(broker.url, { username, password, clientId, reconnectPeriod: 0, ...own })
  client.on('error', () => undefined)
  t.after(() => client.endAsync(true))
  return client
}

const untilHeard = ({ credentials }: RunningPlatform, { device_id: deviceId }: Registered, key: string) =>
  until('the device has been heard', async () => {
    const { body } = await callPatiently(credentials.base_url, 'GET', `/api/external/devices/${deviceId}`, { key })
    return (body as unknown as { device: { last_seen_at: string | null } }).device.last_seen_at !== null
  })

/** Status, and what EMQX is answered. */
async function askAsEmqx({ credentials }: RunningPlatform, device: Registered, secret = BROKER_AUTH_SECRET): Promise<unknown[]> {
  const { mqtt_username: username, mqtt_password: password, device_id: clientid } = device
  const asked = { body: { username, password, clientid, peerhost: '192.0.2.1' }, headers: { authorization: `Bearer ${secret}` } }
  const { status, body } = await call(credentials.base_url, 'POST', '/broker-auth/emqx/authentication', asked)
  return [status, (body as { result?: unknown }).result]
}

/** The code that the broker refuses a sign-in with. */
async function refusalOf(t: TestContext, broker: Broker, device: Registered): Promise<unknown> {
  try {
    await signIn(t, broker, device)
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

test('Mosquitto with the exported files lets devices in with their passwords, to their topics, and nobody else', options, async (t) => {
  let folder = ''
  const broker = await startMosquittoWith(t, (own) => {
    folder = own
    for (const name of ['passwords', 'access-list']) writeFileSync(join(own, name), '', { mode: 0o600 })
    return ['allow_anonymous false', `password_file ${own}/passwords`, `acl_file ${own}/access-list`]
  })
  const flags = ['--mqtt-broker-url', broker.url, '--mqtt-public-host', 'mqtt.example.com']
  const platform = await startPlatform(t, { flags, env: { ...ACCOUNT, BROKER_AUTH_SECRET } })
  assert.match((await readiness(platform)).detail, /MQTT_BROKER_URL|connecting/)
  const key = platform.credentials.api_key
  const [device, other, gone] = [await register(platform, key), await register(platform, key), await register(platform, key)]
  assert.equal(device.mqtt_broker, `mqtt.example.com:${broker.port}`)
  await call(platform.credentials.base_url, 'POST', `/api/external/devices/${gone.device_id}/decommission`, { key })

  const files = ['--out', join(folder, 'passwords'), '--acl', join(folder, 'access-list'), '--platform-user', 'roadworthy']
  const env = { DATABASE_URL: platform.databaseUrl, SECRET_KEY, ...ACCOUNT }
  const exported = await roadworthy(['mqtt', 'export-passwords', ...files, '--json'], { env })
  assert.equal(exported.code, 0, exported.stderr)
  assert.equal((JSON.parse(exported.stdout) as { devices: number }).devices, 2)
  assert.equal(statSync(join(folder, 'passwords')).mode & 0o777, 0o600)
  assert.ok(!readFileSync(join(folder, 'passwords'), 'utf8').includes(device.mqtt_password))
  broker.reload()
  await untilJoined(platform)
  assert.deepEqual(await askAsEmqx(platform, device), [200, 'allow'])
  assert.deepEqual(await askAsEmqx(platform, { ...device, mqtt_password: 'wrong' }), [200, 'deny'])
  assert.deepEqual(await askAsEmqx(platform, device, 'guess'), [401, undefined])

  const client = await signIn(t, broker, device, { protocolVersion: 5 })
  await client.publishAsync(device.mqtt_topic, JSON.stringify({ timestamp: new Date().toISOString(), speed: 61 }), { qos: 1 })
  await untilHeard(platform, device, key)
  const foreign = JSON.stringify({ timestamp: new Date().toISOString(), speed: 1 })
  await assert.rejects(client.publishAsync(other.mqtt_topic, foreign, { qos: 1 }), { code: 135 }, 'a foreign topic is refused')
  const errors = device.mqtt_topic.replace('telemetry', 'errors')
  const granted = async (topic: string) =>
    client.subscribeAsync(topic).then(
      ([first]) => first?.qos,
      () => 'refused',
    )
  assert.equal(await granted(errors), 0)
  // Mosquitto grants any subscription and sends only what the access list lets through.
  const heard: string[] = []
  client.on('message', (topic) => heard.push(topic))
  await granted('#')
  const neighbour = await signIn(t, broker, other)
  await neighbour.publishAsync(other.mqtt_topic, JSON.stringify({ speed: 2 }), { qos: 1 })
  await client.publishAsync(device.mqtt_topic, '{"speed":', { qos: 1 })
  await until('the report has come', async () => heard.length > 0)
  assert.deepEqual([...new Set(heard)], [errors])
  assert.deepEqual([await refusalOf(t, broker, { ...device, mqtt_password: 'wrong' }), await refusalOf(t, broker, gone)], [5, 5])
})

test('with dynamic security a registered device comes in at once, and a decommissioned one is put out', secureOptions, async (t) => {
  const broker = await startMosquittoWith(t, dynamicSecurityIn)
  const account = { MQTT_BROKER_USERNAME: MQTT_USER.username, MQTT_BROKER_PASSWORD: MQTT_USER.password }
  const platform = await startPlatform(t, { flags: ['--mqtt-broker-url', broker.url, '--mqtt-broker-dynamic-security'], env: account })
  await untilJoined(platform)
  const { api_key: key, base_url: baseUrl } = platform.credentials
  const device = await register(platform, key)
  assert.deepEqual(await askAsEmqx(platform, device), [404, undefined], 'without a secret there is nothing to ask')
  await until('it has an account', async () => (await refusalOf(t, broker, device)) === undefined)
  const client = await signIn(t, broker, device)
  await client.publishAsync(device.mqtt_topic, JSON.stringify({ timestamp: new Date().toISOString(), speed: 61 }), { qos: 1 })
  await untilHeard(platform, device, key)
  const closed = new Promise<void>((resolve) => client.once('close', resolve))
  await call(baseUrl, 'POST', `/api/external/devices/${device.device_id}/decommission`, { key })
  await closed
  assert.equal(await refusalOf(t, broker, device), 5)
})

test('two processes share the messages; one is killed and comes back, and each reading is there once', options, async (t) => {
  const broker = await startMosquitto(t)
  const { url } = await createTestDatabase(t)
  const start = (clientId: string) =>
    startPlatform(t, { env: { DATABASE_URL: url }, flags: ['--mqtt-broker-url', broker.url, '--mqtt-broker-client-id', clientId] })
  const first = await start('platform-1')
  const second = await start('platform-2')
  await Promise.all([untilJoined(first), untilJoined(second)])
  const device = await register(first, first.credentials.api_key)
  const client = await signIn(t, broker, device)
  const baseMs = Date.now() - 3_600_000
  let count = 0
  const publish = (howMany: number) =>
    Promise.all(
      Array.from({ length: howMany }, () => {
        const timestamp = new Date(baseMs + count++ * 1_000).toISOString()
        return client.publishAsync(device.mqtt_topic, JSON.stringify({ timestamp, speed: 61 }), { qos: 1 })
      }),
    )
  await publish(300)
  const ended = once(second.process, 'exit')
  second.process.kill('SIGKILL')
  await publish(300)
  await ended
  await publish(100)
  await untilJoined(await start('platform-2'))
  await publish(100)

  const urls = { owner: url, app: url, system: url }
  const database = openDatabasePatiently(urls, { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) })
  const stored = async () => {
    const { rows } = await database.systemPool.query<{ n: number; times: number }>(
      'select count(*)::int as n, count(distinct recorded_at)::int as times from readings',
    )
    return [rows[0]?.n, rows[0]?.times]
  }
  try {
    await until('all is stored', async () => (await stored())[1] === count)
    assert.deepEqual(await stored(), [800, 800])
  } finally {
    await database.close()
  }
})
