import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { connectAsync } from 'mqtt'
import { sha256 } from '../../../devices/credentials.ts'
import type { Inbound, Outcome } from '../../inbound.ts'
import type { DeviceIdentity } from './sessions.ts'
import {
  authenticatorOf,
  connectPacket,
  DEVICE,
  heldIngest,
  OTHER_DEVICE,
  PASSWORD,
  publishPacket,
  RawClient,
  RESELLER,
  startReceiver,
  stored,
  testDevices,
  topicOf,
  until,
} from './test-mqtt-receiver.ts'

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../../../../../../test/fixtures/tls', name))

test('a device whose access changes loses its session and the others keep theirs', async (t) => {
  const { port, receiver, changeAccess } = await startReceiver(t)
  const byImei = await RawClient.signIn(port, DEVICE, { clientId: '356938035643809' })
  const other = await RawClient.signIn(port, OTHER_DEVICE)
  changeAccess(DEVICE)
  await byImei.closedByReceiver()
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
  await until(() => receiver.connectedCount === 1, 'one device is connected')
})

// The beginning of listening counts as a gap, which voids every check.
test('of a device that lost its access nothing is taken that waited before it was read', async (t) => {
  const { ingest, calls } = heldIngest()
  const { port, changeAccess } = await startReceiver(t, { ingest, limits: { maxUnsettledPublishes: 2 } })
  const device = await RawClient.signIn(port)
  const publish = (n: number) => publishPacket(n, { n }, { qos: 0 })
  device.send({ cmd: 'pingreq' }, publish(1), publish(2))
  await until(() => calls.length === 1, 'the first two wait for their commit')
  device.send(publish(3), publish(4))
  await sleep(100)
  changeAccess(DEVICE)
  for (const { commit } of calls) commit()
  await device.closedByReceiver()
  await sleep(50)
  assert.deepEqual(
    calls.flatMap(({ batch }) => batch.map(({ record }) => record)),
    [{ n: 1 }, { n: 2 }],
  )
})

test('the receiver opens when it hears of changes of access and not before', async (t) => {
  const listening = Promise.withResolvers<() => void>()
  let isOpen = false
  const starting = startReceiver(t, { onAccessChanged: () => listening.promise }).then((started) => {
    isOpen = true
    return started
  })
  await sleep(50)
  assert.equal(isOpen, false)
  listening.resolve(() => {})
  const { port } = await starting
  await RawClient.signIn(port)
})

test('an access change while a device is being checked voids the check', async (t) => {
  let answer = (_answer: { device: DeviceIdentity }) => {}
  const { port, changeAccess } = await startReceiver(t, {
    authenticateDevice: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  })
  const device = await RawClient.open(port)
  device.send(connectPacket())
  const isAsked = answer
  await until(() => answer !== isAsked, 'the check is under way')
  changeAccess(DEVICE)
  answer({ device: { resellerId: RESELLER, deviceId: DEVICE, imei: undefined } })
  assert.equal(await device.answerToConnect(), 3)
})

// As after an outage of the store: a connection that the network has lost is still being checked while the device comes in anew.
test('of two connections of a device the newer one stays, though the check of the older one ends later', async (t) => {
  const answers: ((answer: { device: DeviceIdentity }) => void)[] = []
  const { port } = await startReceiver(t, { authenticateDevice: () => new Promise((resolve) => answers.push(resolve)) })
  const [older, newer] = [await RawClient.open(port), await RawClient.open(port)]
  for (const [nth, client] of [older, newer].entries()) {
    client.send(connectPacket())
    await until(() => answers.length === nth + 1, 'the check is under way')
  }
  const device = { resellerId: RESELLER, deviceId: DEVICE, imei: undefined }
  answers[1]?.({ device })
  assert.equal(await newer.answerToConnect(), 0)
  answers[0]?.({ device })
  assert.equal(await older.answerToConnect(), 3)
  newer.send({ cmd: 'pingreq' })
  await newer.next('pingresp')
})

test('a session that was opened with a secret in its grace ends with the grace, and others stay', async (t) => {
  const now = new Date('2026-03-01T00:00:00Z')
  const check = authenticatorOf(testDevices)
  const { port, receiver } = await startReceiver(t, {
    now: () => now,
    authenticateDevice: async (attempt) => {
      const answer = await check(attempt)
      const isInGrace = 'device' in answer && answer.device.deviceId === DEVICE
      return isInGrace ? { ...answer, validUntil: new Date(now.getTime() + 20) } : answer
    },
  })
  const other = await RawClient.signIn(port, OTHER_DEVICE)
  const device = await RawClient.signIn(port)
  await device.closedByReceiver()
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
  await until(() => receiver.connectedCount === 1, 'one device is connected')
})

test('after a gap in the notifications only those are closed that would not be let in any more', async (t) => {
  const asked: { deviceId: string; secretSha256: string }[] = []
  const { port, receiver, loseNotifications } = await startReceiver(t, {
    findOutdatedDevices: async (signedIn) => {
      asked.push(...signedIn.map(({ deviceId, secretSha256 }) => ({ deviceId, secretSha256: secretSha256.toString('hex') })))
      return new Set([DEVICE])
    },
  })
  const [device, other] = [await RawClient.signIn(port), await RawClient.signIn(port, OTHER_DEVICE)]
  loseNotifications()
  await device.closedByReceiver()
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
  await until(() => receiver.connectedCount === 1, 'one device is connected')
  assert.deepEqual(
    asked,
    testDevices.map(({ deviceId, password }) => ({ deviceId, secretSha256: sha256(password).toString('hex') })),
  )
})

test('a gap while a device is being checked voids the check', async (t) => {
  const checks: ((answer: { device: DeviceIdentity }) => void)[] = []
  const { port, loseNotifications } = await startReceiver(t, {
    authenticateDevice: () => new Promise((resolve) => checks.push(resolve)),
  })
  const device = await RawClient.open(port)
  device.send(connectPacket())
  await until(() => checks.length === 1, 'the check is under way')
  loseNotifications()
  checks[0]?.({ device: { resellerId: RESELLER, deviceId: DEVICE, imei: undefined } })
  assert.equal(await device.answerToConnect(), 3)
})

test('a device that the store no longer knows is notified and closed', async (t) => {
  const { port } = await startReceiver(t, {
    ingest: async (batch) => batch.map(() => ({ status: 'refused', problem: new Problem('device_not_found', 'unknown') })),
  })
  const device = await RawClient.signIn(port)
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: topicOf(DEVICE, 'errors'), qos: 0 }] })
  await device.next('suback')
  device.send(publishPacket(5, { n: 1 }))
  await device.closedByReceiver()
  assert.equal(device.all('puback').length, 1)
  assert.equal(device.all('publish').length, 1)
})

test('close lets commits under way be acknowledged, and lets nobody new in', async (t) => {
  const commits: (() => void)[] = []
  const { port, receiver } = await startReceiver(t, {
    ingest: (batch: readonly Inbound[]) => new Promise<Outcome[]>((resolve) => commits.push(() => resolve(batch.map(stored)))),
  })
  const device = await RawClient.signIn(port)
  const idle = await RawClient.signIn(port, OTHER_DEVICE)
  const unsigned = await RawClient.open(port)
  device.send(publishPacket(1, { n: 1 }))
  await until(() => commits.length === 1, 'the publish is under way')
  const closing = receiver.close()
  const late = net.connect(port, '127.0.0.1')
  await new Promise((resolve) => late.once('error', resolve))
  for (const commit of commits) commit()
  await closing
  await Promise.all([device.closedByReceiver(), idle.closedByReceiver(), unsigned.closedByReceiver()])
  assert.equal(device.all('puback').length, 1)
  assert.equal(receiver.connectedCount, 0)
})

test('close does not wait for ever for a commit that never comes', async (t) => {
  let isAsked = false
  const ingest = () => {
    isAsked = true
    return new Promise<Outcome[]>(() => {})
  }
  const { port, receiver } = await startReceiver(t, { ingest, limits: { closeWaitMs: 50, storeWaitMs: 500 } })
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { n: 1 }))
  await until(() => isAsked, 'the publish is under way')
  await receiver.close()
  await device.closedByReceiver()
  assert.equal(device.all('puback').length, 0)
})

test('closing twice is fine', async (t) => {
  const { receiver } = await startReceiver(t)
  await receiver.close()
  await receiver.close()
})

test('with a certificate the receiver speaks TLS on a port of its own, and plain text there is refused', async (t) => {
  const { port, tlsPort } = await startReceiver(t, {
    tls: { port: 0, cert: fixture('test-only-cert.pem'), key: fixture('test-only-key.pem') },
  })
  assert.ok(tlsPort !== undefined && tlsPort !== port)
  const client = await connectAsync(`mqtts://localhost:${tlsPort}`, {
    clientId: DEVICE,
    username: `${RESELLER}/${DEVICE}`,
    password: PASSWORD,
    ca: fixture('test-only-cert.pem'),
  })
  await client.publishAsync(topicOf(DEVICE), '{"speed":1}', { qos: 1 })
  await client.endAsync()
  const plain = await RawClient.open(tlsPort)
  plain.send(connectPacket())
  await plain.closedByReceiver()
  assert.deepEqual(plain.received, [])
})

test('over TLS the receiver may listen on another address than in plain text', async (t) => {
  const started = await startReceiver(t, {
    tls: { host: '127.0.0.2', port: 0, cert: fixture('test-only-cert.pem'), key: fixture('test-only-key.pem') },
    // It counts each connection beyond the first, and closes it. On the other address somebody else may listen on a port of this number.
    limits: { maxConnections: 1 },
  })
  await RawClient.signIn(started.port)
  const connect = async (host: string) => {
    const socket = net.connect(started.tlsPort ?? 0, host).resume()
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  await connect('127.0.0.1').catch(() => undefined)
  const refused = await connect('127.0.0.2')
  if (!refused.closed) await once(refused, 'close')
  assert.equal(started.receiver.counters.connectionsRefused, 1)
})

test('a port in use is an error that names it', async (t) => {
  const { port } = await startReceiver(t)
  await assert.rejects(startReceiver({ after: () => {} }, { port }), { code: 'EADDRINUSE' })
})

test('a real client that was cut off signs in again and its unacknowledged message is stored', async (t) => {
  let isAway = true
  const records: unknown[] = []
  const { port } = await startReceiver(t, {
    authenticateDevice: authenticatorOf(testDevices),
    ingest: async (batch) => {
      if (isAway) throw new Error('the store is away')
      records.push(...batch.map(({ record }) => record))
      return batch.map(stored)
    },
  })
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: DEVICE,
    username: `${RESELLER}/${DEVICE}`,
    password: PASSWORD,
    reconnectPeriod: 20,
    clean: false,
  })
  client.once('close', () => {
    isAway = false
  })
  await client.publishAsync(topicOf(DEVICE), '{"n":1}', { qos: 1 })
  assert.deepEqual(records, [{ n: 1 }])
  await client.endAsync()
})
