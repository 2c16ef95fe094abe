// Goal: RabbitMQ, set up as docs/mqtt-brokers.md describes, lets devices in by what they were registered with, holds each to its own topics, and lets go
// of those that lose their access. Method: a real RabbitMQ that is given the page's own configuration, beside the whole service.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Certificates, hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import { hasRabbitMq, type RabbitMq, startRabbitMq } from '@roadworthy/service-kit/network/test-rabbitmq'
import { connect, connectAsync, type IClientOptions, type IClientPublishOptions, type MqttClient } from 'mqtt'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { ok, openService, type Service, type Tenant } from '../support/service.ts'
import { startTlsFront, type TlsFront } from '../support/tls-front.ts'
import { until } from '../support/until.ts'

const options = { skip: hasRabbitMq && hasOpenssl ? false : 'RabbitMQ or openssl is not installed', timeout: 900_000 }
const IMEI = '356938035643809'
const PLATFORM = { username: 'roadworthy', password: 'the platform itself' }
const CLIENT_ID = 'platform-1'
const SECRET = 'a-secret-of-the-operator-32-chars-or-more'

type Registered = { device_id: string; mqtt_username: string; mqtt_password: string; mqtt_topic: string }

/** The section of the page: its three blocks, and the plugins that it names. */
function readPage() {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/mqtt-brokers.md'), 'utf8')
  const section = /^## RabbitMQ\n([\s\S]*?)^## /m.exec(page)?.[1] ?? ''
  const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(section)?.[1] ?? ''
  const settings = block('ini')
  const env = Object.fromEntries(
    [...block('sh').matchAll(/(MQTT_BROKER_(?:PROTOCOL|SHARE_GROUP))=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  return {
    settings,
    plugins: settings.split('\n')[0]?.match(/rabbitmq_\w+/g) ?? [],
    advanced: block('erlang'),
    env: env as Record<string, string>,
  }
}

type World = {
  readonly t: TestContext
  readonly broker: RabbitMq
  readonly service: Service
  readonly ours: Tenant
  readonly other: Tenant
  /** Ends TLS in front of the platform. */
  readonly front: TlsFront
  readonly certificates: Certificates
  /** The platform once more, as it was started first. */
  startPlatform(): Promise<void>
}

async function openWorld(t: TestContext): Promise<World> {
  const { settings, advanced, plugins, env } = readPage()
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-certificates-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const certificates = makeCertificates(folder)
  const front = await startTlsFront(t, certificates.broker)
  assert.match(settings, /https:\/\/fleet\.example\.com\/broker-auth\/rabbitmq\/SECRET\/user/)
  const broker = await startRabbitMq(t, {
    plugins,
    settings: settings.replaceAll('fleet.example.com', `localhost:${front.port}`).replaceAll('SECRET', SECRET),
    advanced: advanced.replace('/etc/ssl/certs/ca-certificates.crt', certificates.authority.certFile),
  })
  const started = {
    flags: ['--mqtt-broker-url', broker.url],
    env: {
      ...env,
      MQTT_BROKER_CLIENT_ID: CLIENT_ID,
      MQTT_BROKER_USERNAME: PLATFORM.username,
      MQTT_BROKER_PASSWORD: PLATFORM.password,
      BROKER_AUTH_SECRET: SECRET,
    },
  }
  const join = async ({ credentials }: RunningPlatform) => {
    front.forwardTo(credentials.base_url)
    await until('the platform has joined', async () => {
      const { body } = await call(credentials.base_url, 'GET', '/readyz')
      return (body as unknown as { checks: { mqtt_broker: { ok: boolean } } }).checks.mqtt_broker.ok
    })
  }
  const service = await openService(t, started)
  await join(service.platform)
  return {
    ...{ t, broker, front, certificates, service, ours: await service.newTenant(), other: await service.newTenant() },
    async startPlatform() {
      const { DATABASE_URL } = service.platform.env
      await join(await startPlatform(t, { ...started, env: { ...started.env, DATABASE_URL } }))
    },
  }
}

const register = async (tenant: Tenant, body: object = { name: 'Truck' }) =>
  ok<Registered>(await tenant.external('POST', '/devices', { body }))

async function signIn({ t, broker }: World, device: Registered, own: IClientOptions = {}): Promise<MqttClient> {
  const { mqtt_username: username, mqtt_password: password, device_id: clientId } = device
  const client = await connectAsync(broker.url, { username, password, clientId, reconnectPeriod: 0, ...own })
  client.on('error', () => undefined)
  t.after(() => client.endAsync(true))
  return client
}

/** The return code that a sign-in is refused with; 0 when it is not. */
async function returnCodeOf(world: World, device: Registered, own: IClientOptions = {}): Promise<unknown> {
  try {
    await (await signIn(world, device, own)).endAsync(true)
    return 0
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

/** Whether the broker answers, or closes the connection instead. */
async function outcomeOf(client: MqttClient, act: () => Promise<unknown>): Promise<'answered' | 'closed'> {
  const closed = new Promise<'closed'>((resolve) => client.once('close', () => resolve('closed')))
  if (!client.connected) return 'closed'
  const answered = act().then(
    () => 'answered' as const,
    (error: Error) => {
      if (error.message !== 'Connection closed') throw error
      return closed
    },
  )
  return Promise.race([answered, closed])
}

let clockMs = Date.now() - 3_600_000
/** Another one each time. */
const reading = () => JSON.stringify({ timestamp: new Date(clockMs++).toISOString(), speed: 61 })

const publish = (client: MqttClient, topic: string, own: IClientPublishOptions = {}) =>
  outcomeOf(client, () => client.publishAsync(topic, reading(), { qos: 1, ...own }))

async function storedCount({ service }: World, { device_id: deviceId }: Registered): Promise<number> {
  const { rows } = await service.database.systemPool.query<{ n: number }>('select count(*)::int as n from readings where device_id = $1', [
    deviceId,
  ])
  return rows[0]?.n ?? 0
}
const untilStored = (world: World, device: Registered, count: number) =>
  until(`${count} readings are stored`, async () => (await storedCount(world, device)) >= count)

const errorsOf = ({ mqtt_topic: topic }: Registered) => topic.replace(/telemetry$/, 'errors')

test('RabbitMQ as the documentation sets it up', options, async (t) => {
  const world = await openWorld(t)
  await t.test('a device signs in with what it was registered with, its reading is stored and a report reaches it', () => comesIn(world))
  await t.test('wrong passwords and client ids of others are refused, and throw nobody out', () => staysOut(world))
  await t.test('a device publishes to its own topic only, however the topic is spelt', () => publishesToItsOwn(world))
  await t.test('a device subscribes to its own topics only, however the filter is spelt', () => hearsItsOwn(world))
  await t.test('the shared subscription that it would take and never serve is refused to the platform', () => sharesNothing(world))
  await t.test('a device that loses its access or password is put out, though it never stops sending', () => isPutOut(world))
  await t.test('a platform with a certificate that nobody signed gets nothing', () => believesNoStranger(world))
  await t.test('a reading with the content of an earlier one counts, though it comes as repeated', () => countsTheSameTwice(world))
  await t.test('what it acknowledges while the platform is away is stored once', () => outlivesThePlatform(world))
  await t.test('its log has neither the secret nor passwords', () => {
    assert.match(world.broker.output(), /access_refused/)
    for (const hidden of [SECRET, PLATFORM.password]) assert.ok(!world.broker.output().includes(hidden))
  })
})

async function comesIn(world: World): Promise<void> {
  const device = await register(world.ours)
  const client = await signIn(world, device)
  const heard: string[] = []
  client.on('message', (topic, payload) => heard.push(`${topic} ${payload}`))
  assert.equal(await publish(client, device.mqtt_topic), 'answered')
  await untilStored(world, device, 1)
  await client.subscribeAsync(errorsOf(device), { qos: 1 })
  await client.publishAsync(device.mqtt_topic, '{"speed":', { qos: 1 })
  await until('the report has come', () => heard.length > 0)
  assert.match(heard[0] ?? '', new RegExp(`^${errorsOf(device)} .*"records_rejected":1`))
  // It hears of neither, so it cannot be made to refuse them.
  assert.equal(await publish(client, device.mqtt_topic, { retain: true }), 'answered')
  assert.equal(await publish(client, device.mqtt_topic, { qos: 2 }), 'answered')
  await untilStored(world, device, 3)
}

async function staysOut(world: World): Promise<void> {
  const device = await register(world.ours, { imei: IMEI })
  const namesake = await register(world.other, { imei: IMEI })
  const client = await signIn(world, device)
  assert.equal(await returnCodeOf(world, { ...device, mqtt_password: 'wrong' }), 4)
  for (const clientId of [IMEI, device.device_id, `x&client_id=${namesake.device_id}`, '']) {
    assert.equal(await returnCodeOf(world, namesake, { clientId }), 4, `client id "${clientId}"`)
  }
  const smuggled = { ...namesake, mqtt_password: `${namesake.mqtt_password}&client_id=${namesake.device_id}` }
  assert.equal(await returnCodeOf(world, smuggled, { clientId: device.device_id }), 4)
  assert.equal(await returnCodeOf(world, { ...device, mqtt_username: `elsewhere:${device.mqtt_username}` }), 4, 'another virtual host')
  for (let i = 0; i < 10; i++) await returnCodeOf(world, { ...namesake, mqtt_password: `guess ${i}` })
  assert.equal(await returnCodeOf(world, namesake), 0, 'guesses of anybody keep it out of nothing')
  assert.equal(await publish(client, device.mqtt_topic), 'answered', 'the first one is still there')
}

async function publishesToItsOwn(world: World): Promise<void> {
  const [device, neighbour] = [await register(world.ours), await register(world.other)]
  const topic = device.mqtt_topic
  const foreign = [
    ...[neighbour.mqtt_topic, neighbour.mqtt_topic.replaceAll('/', '.'), errorsOf(neighbour), errorsOf(device)],
    ...[`${topic}/`, `/${topic}`, topic.replace('/devices', '//devices'), `${topic}.x`, topic.replace('devices', '*'), topic.toUpperCase()],
    ...[
      'fleet/*/devices/*/telemetry',
      topic.replace(device.device_id, '*'),
      `$share/roadworthy/${topic}`,
      topic.replace('devices', '+'),
      '#',
      '*',
      '.',
      'amq.topic',
    ],
  ]
  for (const each of foreign) assert.equal(await publish(await signIn(world, device), each), 'closed', each)
  const will = { topic: neighbour.mqtt_topic, payload: Buffer.from(reading()), qos: 1 as const, retain: false }
  const dying = await signIn(world, device, { will })
  dying.stream.destroy()
  // What RabbitMQ takes for the own topic is the own topic.
  assert.equal(await publish(await signIn(world, device), topic.replaceAll('/', '.')), 'answered')
  await untilStored(world, device, 1)
  const client = await signIn(world, neighbour)
  await publish(client, neighbour.mqtt_topic)
  await untilStored(world, neighbour, 1)
  assert.deepEqual([await storedCount(world, device), await storedCount(world, neighbour)], [1, 1])
}

/** MQTT.js itself would refuse filters that MQTT does not allow. */
function subscribe(client: MqttClient, topic: string): Promise<void> {
  const granted = new Promise<void>((resolve) => client.on('packetreceive', ({ cmd }) => void (cmd === 'suback' && resolve())))
  const filter = Buffer.from(topic)
  // SUBSCRIBE, the rest's length (below 128), packet id 1, the filter with its length, QoS 1 (MQTT 3.1.1 §3.8).
  client.stream.write(Buffer.from([0x82, filter.length + 5, 0, 1, 0, filter.length, ...filter, 1]))
  return granted
}

async function hearsItsOwn(world: World): Promise<void> {
  const [device, neighbour] = [await register(world.ours), await register(world.other)]
  const own = device.mqtt_topic.replace(/telemetry$/, '')
  const foreign = [
    ...[
      '#',
      '*',
      '+/#',
      '*.#',
      '#/telemetry',
      'fleet/+/devices/+/telemetry',
      'fleet.*.devices.*.errors',
      '*.*.*.*.*',
      '$SYS/#',
      '/',
      'fleet//#',
    ],
    ...[errorsOf(neighbour), errorsOf(neighbour).replaceAll('/', '.'), errorsOf(device).replace(device.device_id, '+')],
    ...[device.mqtt_topic, `${own}#`, `${own}+`, `${own}*`, `${own}errors/#`, `${own}/errors`, `$share/group/${own}errors`],
  ]
  for (const filter of foreign) {
    const client = await signIn(world, device)
    assert.equal(await outcomeOf(client, () => subscribe(client, filter)), 'closed', filter)
  }
  const client = await signIn(world, device)
  const heard: string[] = []
  client.on('message', (topic) => heard.push(topic))
  for (const last of ['errors', 'commands']) assert.equal(await outcomeOf(client, () => subscribe(client, `${own}${last}`)), 'answered')
  const other = await signIn(world, neighbour)
  for (const each of [other, client]) {
    await each.publishAsync((each === other ? neighbour : device).mqtt_topic, '{"speed":', { qos: 1 })
  }
  await until('its own report has come', () => heard.length > 0)
  assert.deepEqual(heard, [`${own}errors`])
}

async function sharesNothing({ t, broker }: World): Promise<void> {
  const client = await connectAsync(broker.url, { ...PLATFORM, clientId: 'another-process', reconnectPeriod: 0 })
  t.after(() => client.endAsync(true))
  assert.equal(await outcomeOf(client, () => client.subscribeAsync('fleet/+/devices/+/telemetry')), 'answered')
  assert.equal(await outcomeOf(client, () => client.subscribeAsync('$share/roadworthy/fleet/+/devices/+/telemetry')), 'closed')
}

async function isPutOut(world: World): Promise<void> {
  const { external } = world.ours
  const ends: Record<string, (path: string) => Promise<unknown>> = {
    decommissioned: (device) => external('POST', `${device}/decommission`),
    suspended: (device) => external('PUT', device, { body: { status: 'suspended' } }),
    'given a new password': (device) => external('POST', `${device}/credentials/rotate`),
  }
  for (const [what, end] of Object.entries(ends)) {
    const device = await register(world.ours)
    const client = await signIn(world, device)
    assert.equal(await publish(client, device.mqtt_topic), 'answered')
    await end(`/devices/${device.device_id}`)
    // In use, the connection is never asked about again.
    await until(`the device is put out that was ${what}`, async () => (await publish(client, device.mqtt_topic)) === 'closed')
    assert.equal(await returnCodeOf(world, device), 4, what)
  }
}

/**
 * RabbitMQ begins with packet id 1 on each connection, so what comes again on a new one bears the id of another message, here one with the same
 * content and no time of its own.
 */
async function countsTheSameTwice(world: World): Promise<void> {
  const device = await register(world.ours)
  const client = await signIn(world, device)
  const takeSession = async () => {
    const taker = await connectAsync(world.broker.url, { ...PLATFORM, clientId: CLIENT_ID, clean: false, reconnectPeriod: 0 })
    taker.on('error', () => undefined)
    world.t.after(() => taker.endAsync(true))
    // Nothing is acknowledged.
    taker.handleMessage = () => undefined
    return taker
  }
  const send = () => client.publishAsync(device.mqtt_topic, '{"speed":50}', { qos: 1 })
  await takeSession()
  // The platform takes it back, and this is the first message on that connection, or the first to be repeated.
  await send()
  await untilStored(world, device, 1)
  await takeSession()
  await send()
  await untilStored(world, device, 2)
}

async function outlivesThePlatform(world: World): Promise<void> {
  const device = await register(world.ours)
  const client = connect(world.broker.url, {
    ...{ username: device.mqtt_username, password: device.mqtt_password, clientId: device.device_id },
    ...{ reconnectPeriod: 100, connectTimeout: 5_000 },
  })
  client.on('error', () => undefined)
  world.t.after(() => client.endAsync(true))
  let isOver = false
  let acknowledgedCount = 0
  const sending = (async () => {
    while (!isOver) {
      // Unacknowledged ones are sent again by the client: same reading, stored once.
      await client.publishAsync(device.mqtt_topic, reading(), { qos: 1 })
      acknowledgedCount++
    }
  })()
  await until('it sends', () => acknowledgedCount > 0)
  await world.service.platform.stop()
  await world.startPlatform()
  const before = acknowledgedCount
  await until('it sends again', () => acknowledgedCount > before)
  isOver = true
  await sending
  await until('all is stored', async () => (await storedCount(world, device)) >= acknowledgedCount)
  assert.equal(await storedCount(world, device), acknowledgedCount)
}

async function believesNoStranger(world: World): Promise<void> {
  const { front, certificates } = world
  const device = await register(world.ours)
  front.show(certificates.stranger)
  assert.equal(await returnCodeOf(world, device), 4)
  front.show(certificates.broker)
  assert.equal(await returnCodeOf(world, device), 0)
}
