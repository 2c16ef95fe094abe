import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { connectAsync } from 'mqtt'
import mqttPacket from 'mqtt-packet'
import { createMqttCounters } from './counters.ts'
import { FailureBan } from './failure-ban.ts'
import { createAdmission } from './mqtt-receiver.ts'
import { checkCredentials } from './sign-in.ts'
import {
  connectPacket,
  DEVICE,
  heldIngest,
  OTHER_DEVICE,
  PASSWORD,
  publishPacket,
  RawClient,
  RESELLER,
  startReceiver,
  until,
} from './test-mqtt-receiver.ts'

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../../../../../../test/fixtures/tls', name))

const connackOf = async (port: number, overrides: Record<string, unknown>, deviceId = DEVICE) => {
  const client = await RawClient.open(port)
  client.send(connectPacket(deviceId, overrides))
  const answer = await client.answerToConnect()
  if (answer !== 0) await client.closedByReceiver()
  else client.socket.destroy()
  return answer
}

test('a device signs in with its username and password, under its id or its IMEI', async (t) => {
  const { port } = await startReceiver(t)
  assert.equal(await connackOf(port, {}), 0)
  assert.equal(await connackOf(port, { clientId: '356938035643809' }), 0)
  assert.equal(await connackOf(port, { protocolId: 'MQIsdp', protocolVersion: 3 }), 0)
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: DEVICE, username: `${RESELLER}/${DEVICE}`, password: PASSWORD })
  await client.endAsync()
})

test('an unknown device, a wrong password and garbage get the same CONNACK', async (t) => {
  const { port } = await startReceiver(t)
  const unknown = 'dev-zzzzzzzz9999'
  const attempts = [
    { password: Buffer.from('wrong') },
    { username: `${RESELLER}/${unknown}`, clientId: unknown },
    { username: `other/${DEVICE}` },
    { username: `${RESELLER}/+` },
    { username: '#' },
    { username: undefined, password: undefined },
    { password: undefined },
  ]
  for (const overrides of attempts) assert.equal(await connackOf(port, overrides), 4, JSON.stringify(overrides))
})

test('a client id that is not the own device id or IMEI is refused, even with good credentials', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const victim = await RawClient.signIn(port, OTHER_DEVICE)
  for (const clientId of [OTHER_DEVICE, '490154203237518', '', 'x'.repeat(200), 'dev-aaaaaaaa0001/', '#']) {
    assert.equal(await connackOf(port, { clientId }), 2, clientId)
  }
  victim.send({ cmd: 'pingreq' })
  await victim.next('pingresp')
  assert.equal(receiver.connectedCount, 1)
})

test('client ids that name what every JavaScript object has are refused and the receiver lives on', async (t) => {
  const { port } = await startReceiver(t)
  for (const clientId of Object.getOwnPropertyNames(Object.prototype)) assert.equal(await connackOf(port, { clientId }), 2, clientId)
  assert.equal(await connackOf(port, {}), 0)
})

test('a second CONNECT with the own id replaces the first session', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const first = await RawClient.signIn(port)
  const second = await RawClient.signIn(port)
  await first.closedByReceiver()
  second.send({ cmd: 'pingreq' })
  await second.next('pingresp')
  await until(() => receiver.connectedCount === 1, 'one device is connected')
})

test('a failed sign-in under the id of a connected device does not disturb that device', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const device = await RawClient.signIn(port)
  assert.equal(await connackOf(port, { password: Buffer.from('wrong') }), 4)
  device.send({ cmd: 'pingreq' })
  await device.next('pingresp')
  assert.equal(receiver.connectedCount, 1)
})

test('MQTT 5 is refused with its own reason code for an unsupported version', async (t) => {
  const { port, tlsPort, receiver } = await startReceiver(t, {
    tls: { port: 0, cert: fixture('test-only-cert.pem'), key: fixture('test-only-key.pem') },
  })
  for (const socket of [
    net.connect(port, '127.0.0.1'),
    tls.connect({ port: tlsPort ?? 0, host: '127.0.0.1', rejectUnauthorized: false }),
  ]) {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    // With what an eager client sends behind it, which must not cost it the answer.
    socket.write(mqttPacket.generate(connectPacket(DEVICE, { protocolVersion: 5 })))
    socket.write(Buffer.alloc(20_000))
    await once(socket, 'close')
    assert.deepEqual(Buffer.concat(chunks), Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00]))
  }
  assert.equal(receiver.counters.signInsRefused, 2)
  await assert.rejects(connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5, reconnectPeriod: 0 }), { code: 0x84 })
})

test('a will is refused', async (t) => {
  const { port } = await startReceiver(t)
  const will = { topic: `fleet/${RESELLER}/devices/${DEVICE}/telemetry`, payload: Buffer.from('{}'), qos: 1, retain: false }
  assert.equal(await connackOf(port, { will }), 5)
})

test('ten failures within a minute ban username and address for five minutes, and nobody else', async (t) => {
  let nowMs = Date.now()
  let askedCount = 0
  const { port } = await startReceiver(t, {
    now: () => new Date(nowMs),
    authenticateDevice: async ({ username, password }) => {
      askedCount++
      return password === PASSWORD
        ? { device: { resellerId: RESELLER, deviceId: username.slice(RESELLER.length + 1), imei: undefined } }
        : { refusal: 'wrong_password' }
    },
  })
  for (let i = 0; i < 10; i++) assert.equal(await connackOf(port, { password: Buffer.from(`guess ${i}`) }), 4)
  assert.equal(await connackOf(port, { password: Buffer.from('guess 11') }), 5)
  assert.equal(await connackOf(port, {}), 5, 'not even with the right password, or a guess could be distinguished from a ban')
  assert.equal(askedCount, 10, 'a banned attempt costs no look-up')
  assert.equal(await connackOf(port, { password: Buffer.from(PASSWORD) }, OTHER_DEVICE), 0)
  nowMs += 5 * 60_000
  assert.equal(await connackOf(port, {}), 0)
})

test('all addresses of one IPv6 line are one address, for the ban and for the rate of connections', async () => {
  const ban = new FailureBan(3, 300_000)
  let askedCount = 0
  const authenticateDevice = async () => {
    askedCount++
    return { refusal: 'wrong_password' }
  }
  const ignore = () => undefined
  const deps = { authenticateDevice, ban, limits: { authenticateTimeoutMs: 1_000 }, nowMs: () => 0, onRefused: ignore, onStoreAway: ignore }
  const tryFrom = async (remoteAddress: string) => {
    const attempt = { clientId: DEVICE, username: `${RESELLER}/${DEVICE}`, password: Buffer.from('guess'), remoteAddress, hasWill: false }
    return await checkCredentials(attempt, deps)
  }
  for (const host of [1, 2, 3]) assert.equal(await tryFrom(`2001:db8:0:1::${host}`), 'bad_credentials')
  assert.equal(await tryFrom('2001:db8:0:1::4'), 'not_authorized')
  assert.equal(await tryFrom('2001:db8:0:2::1'), 'bad_credentials', 'another line')
  assert.equal(askedCount, 4)

  const admit = createAdmission({ maxConnections: 10, maxConnectsPerMinute: 2 }, createMqttCounters(), new Set(), () => new Date(0))
  const socketFrom = (remoteAddress: string) => Object.defineProperty(new net.Socket(), 'remoteAddress', { value: remoteAddress })
  const admitted = ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1::3', '2001:db8:0:2::1'].map((each) => admit(socketFrom(each)))
  assert.deepEqual(admitted, [true, true, false, true])
})

test('who has the right password learns more: a wrong client id from a suspension', async (t) => {
  let refusal = 'wrong_client_id'
  const { port } = await startReceiver(t, { authenticateDevice: async () => ({ refusal }) })
  assert.equal(await connackOf(port, {}), 2)
  refusal = 'device_suspended'
  assert.equal(await connackOf(port, {}), 5)
  refusal = 'device_decommissioned'
  assert.equal(await connackOf(port, {}), 4)
})

test('while devices cannot be checked they are asked to come back', async (t) => {
  const { port } = await startReceiver(t, { authenticateDevice: () => Promise.reject(new Error('the store is away')) })
  assert.equal(await connackOf(port, {}), 3)
})

test('a check that gets no answer ends after its time', async (t) => {
  const { port } = await startReceiver(t, { authenticateDevice: () => new Promise(() => {}), limits: { authenticateTimeoutMs: 50 } })
  assert.equal(await connackOf(port, {}), 3)
})

test('a connection that sends no CONNECT is closed after its time', async (t) => {
  const { port } = await startReceiver(t, { limits: { connectTimeoutMs: 50 } })
  const silent = await RawClient.open(port)
  await silent.closedByReceiver()
  const slow = await RawClient.open(port)
  slow.socket.write(Buffer.from([0x10]))
  await slow.closedByReceiver()
})

test('a CONNECT that comes byte by byte gains no time by it', async (t) => {
  const { port, receiver } = await startReceiver(t, { limits: { connectTimeoutMs: 100 } })
  const slow = await RawClient.open(port)
  const bytes = mqttPacket.generate(connectPacket())
  let sentCount = 0
  const drip = setInterval(() => slow.socket.write(bytes.subarray(sentCount, ++sentCount)), 10)
  t.after(() => clearInterval(drip))
  await slow.closedByReceiver()
  assert.ok(sentCount < bytes.length, 'it was closed within its CONNECT')
  assert.equal(receiver.connectedCount, 0)
})

test('a device that asks for no keepalive is let in and held to the longest', async (t) => {
  const { port, receiver } = await startReceiver(t, { limits: { maxKeepaliveS: 1 } })
  const silent = await RawClient.signIn(port, DEVICE, { keepalive: 0 })
  const longer = await RawClient.signIn(port, OTHER_DEVICE, { keepalive: 3_600 })
  await Promise.all([silent.closedByReceiver(), longer.closedByReceiver()])
  await until(() => receiver.connectedCount === 0, 'nobody is connected')
})

test('a device that only publishes is not silent, and one that stops is closed', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const device = await RawClient.signIn(port, DEVICE, { keepalive: 2 })
  // Closed after 3 s of silence; for longer than that it sends nothing but readings.
  for (let messageId = 1; messageId <= 5; messageId++) {
    device.send(publishPacket(messageId, { rpm: messageId }))
    await device.atLeast('puback', messageId)
    await sleep(1_000)
  }
  assert.equal(receiver.connectedCount, 1)
  await device.closedByReceiver()
  await until(() => receiver.connectedCount === 0, 'it is gone')
})

test('a device is not silent while it is the receiver that does not read', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port } = await startReceiver(t, { ingest, limits: { maxUnsettledPublishes: 1, storeWaitMs: 60_000 } })
  const device = await RawClient.signIn(port, DEVICE, { keepalive: 1 })
  device.send(publishPacket(1, { rpm: 1 }))
  await until(() => calls.length === 1, 'it waits for its commit')
  // Twice as long as it may be silent.
  for (let ping = 0; ping < 6; ping++) {
    device.send({ cmd: 'pingreq' })
    await sleep(500)
  }
  assert.deepEqual(device.all('pingresp'), [])
  calls[0]?.commit()
  await device.atLeast('pingresp', 6)
})

test('connections beyond the limit are refused', async (t) => {
  const { port, receiver } = await startReceiver(t, { limits: { maxConnections: 2 } })
  await RawClient.signIn(port)
  await RawClient.signIn(port, OTHER_DEVICE)
  const third = await RawClient.open(port)
  await third.closedByReceiver()
  assert.equal(receiver.counters.connectionsRefused, 1)
})

test('the password is in no log line', async (t) => {
  const { port, log } = await startReceiver(t)
  await connackOf(port, { password: Buffer.from('wrong-secret') })
  const device = await RawClient.signIn(port)
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: '#', qos: 0 }] })
  await device.closedByReceiver()
  assert.ok(log.length > 0)
  assert.ok(!log.some((line) => line.includes(PASSWORD) || line.includes('wrong-secret')))
})
