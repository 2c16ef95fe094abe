// Goal: through an external broker every reading arrives once, and none is acknowledged to it before its commit. Method: Mosquitto, the real
// pipeline on a real PostgreSQL, and proxies before both that cut what runs between.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hasOpenssl } from '@roadworthy/service-kit/network/test-certificates'
import {
  hasMosquitto,
  MQTT_USER,
  startMosquitto,
  startMosquittoWith,
  startSecureMosquitto,
} from '@roadworthy/service-kit/network/test-mosquitto'
import { startTcpProxy } from '@roadworthy/service-kit/network/test-tcp-proxy'
import type { MqttClient } from 'mqtt'
import { connectDevice, DEVICE, OTHER_DEVICE, openBench, reading, topicOf, until } from './test-broker-receiver.ts'

const options = { skip: hasMosquitto ? false : 'Mosquitto is not installed', timeout: 600_000 }
const secureOptions = { ...options, skip: options.skip || (hasOpenssl ? false : 'openssl is not installed') }

for (const protocolVersion of [5, 4] as const) {
  test(
    `with MQTT ${protocolVersion === 5 ? '5' : '3.1.1'} readings of devices are stored once each, many at a time`,
    options,
    async (t) => {
      const broker = await startMosquitto(t)
      const bench = await openBench(t)
      const receiver = bench.openReceiver(broker.port, { protocolVersion })
      await until('the receiver is connected', () => receiver.isConnected)
      const device = await connectDevice(t, broker.url)
      await Promise.all(Array.from({ length: 500 }, () => device.publishAsync(topicOf(DEVICE), JSON.stringify(reading()), { qos: 1 })))
      const same = JSON.stringify([reading(), reading()])
      await device.publishAsync(topicOf(OTHER_DEVICE), same, { qos: 1 })
      await device.publishAsync(topicOf(OTHER_DEVICE), same, { qos: 1 })
      await until('all is taken', () => receiver.counters.messagesTaken === 502)
      assert.deepEqual([await bench.storedCount(), await bench.storedCount(OTHER_DEVICE)], [500, 2])
      const { rows } = await bench.run('select status from devices where device_id = $1', DEVICE)
      assert.equal(rows[0]?.['status'], 'active', 'a pending device has become active')
    },
  )
}

test('what cannot be taken is acknowledged and reported to the device, if there is one', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  const device = await connectDevice(t, broker.url)
  const told: { topic: string; report: { records_stored: number; errors: { code: string; index?: number }[] } }[] = []
  device.on('message', (topic, payload) => told.push({ topic, report: JSON.parse(payload.toString()) }))
  await device.subscribeAsync(`fleet/+/devices/+/errors`)
  const receiver = bench.openReceiver(broker.port, { shareGroup: undefined })
  await until('the receiver is connected', () => receiver.isConnected)
  const publish = (topic: string, payload: unknown, retain = false) =>
    device.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), { qos: 1, retain })

  await publish(topicOf(DEVICE), '{"speed":')
  await publish(topicOf(DEVICE), [reading(), { ...reading(), device_id: OTHER_DEVICE }])
  await publish(topicOf('dev-nobody000001'), reading())
  await publish(`fleet/nobody/devices/${DEVICE}/telemetry`, reading())
  await publish('fleet/Acme/devices/dev-x/telemetry', reading())
  await publish(topicOf(OTHER_DEVICE), reading())
  await until('all is taken', () => receiver.counters.messagesTaken + receiver.counters.messagesMisplaced === 6)
  await until('the reports have come', () => told.length === 2)
  assert.deepEqual(
    told.map(({ topic, report }) => [topic, report.records_stored, report.errors.map(({ code, index }) => [code, index])]),
    [
      [topicOf(DEVICE, 'errors'), 0, [['invalid_request', undefined]]],
      [topicOf(DEVICE, 'errors'), 1, [['invalid_request', 1]]],
    ],
  )
  assert.deepEqual([receiver.counters.messagesMisplaced, receiver.counters.recordsRefused], [1, 4])
  assert.deepEqual([await bench.storedCount(), await bench.storedCount(OTHER_DEVICE)], [1, 1])
})

test('a device that may not speak any more is refused at once, whatever the broker lets through', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  await bench.run(`update devices set status = 'decommissioned', decommissioned_at = now() where device_id = $1`, DEVICE)
  await bench.run(`insert into resellers (reseller_id, name, subscription) values ('gone', 'Gone', 'canceled')`)
  await bench.run(`insert into devices (reseller_id, device_id, device_type, connection_method, status)
                   values ('gone', 'dev-cccccccc0003', 'other', 'mqtt', 'active')`)
  const receiver = bench.openReceiver(broker.port)
  await until('the receiver is connected', () => receiver.isConnected)
  const device = await connectDevice(t, broker.url)
  const codes: string[] = []
  device.on('message', (_topic, payload) => codes.push(JSON.parse(payload.toString()).errors[0].code))
  await device.subscribeAsync('fleet/+/devices/+/errors')
  await device.publishAsync(topicOf(DEVICE), JSON.stringify(reading()), { qos: 1 })
  await device.publishAsync('fleet/gone/devices/dev-cccccccc0003/telemetry', JSON.stringify(reading()), { qos: 1 })
  await until('both are answered', () => receiver.counters.recordsRefused === 2 && codes.length === 1)
  assert.deepEqual(codes, ['subscription_required'])
  const { rows } = await bench.run('select count(*)::int as n from readings')
  assert.equal(rows[0]?.['n'], 0)
})

test('a message that the broker has kept is no new reading', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  const device = await connectDevice(t, broker.url)
  await device.publishAsync(topicOf(DEVICE), JSON.stringify({ speed: 61 }), { qos: 1, retain: true })
  // Retained messages are sent to who subscribes without a group, and in 3.1.1 nobody can ask not to be.
  const receiver = bench.openReceiver(broker.port, { shareGroup: undefined, protocolVersion: 4 })
  await until('it is thrown away', () => receiver.counters.messagesMisplaced === 1)
  await device.publishAsync(topicOf(DEVICE), JSON.stringify(reading()), { qos: 1 })
  await until('the next one is taken', () => receiver.counters.messagesTaken === 1)
  assert.equal(await bench.storedCount(), 1)
})

test(
  'while the database is away nothing is acknowledged; afterwards everything comes, to a process that was started anew too',
  options,
  async (t) => {
    const broker = await startMosquitto(t)
    const bench = await openBench(t)
    const receiver = bench.openReceiver(broker.port)
    await until('the receiver is connected', () => receiver.isConnected)
    const device = await connectDevice(t, broker.url)
    await device.publishAsync(topicOf(DEVICE), JSON.stringify(reading()), { qos: 1 })
    await until('the first is taken', () => receiver.counters.messagesTaken === 1)

    bench.databaseProxy.close()
    await Promise.all(Array.from({ length: 30 }, () => device.publishAsync(topicOf(DEVICE), JSON.stringify(reading()), { qos: 1 })))
    await until('it is noticed', async () => !(await receiver.checkReadiness()).ok)
    assert.equal(receiver.counters.messagesTaken, 1)
    assert.ok(receiver.counters.messagesUnstored > 0)
    await receiver.close()
    bench.databaseProxy.open()
    assert.equal(await bench.storedCount(), 1)
    const next = bench.openReceiver(broker.port)
    await until('all others are taken', () => next.counters.messagesTaken === 30)
    assert.equal(await bench.storedCount(), 31)
  },
)

test('after an outage the receiver comes back by itself', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  const receiver = bench.openReceiver(broker.port)
  await until('the receiver is connected', () => receiver.isConnected)
  const device = await connectDevice(t, broker.url)
  bench.databaseProxy.close()
  await device.publishAsync(topicOf(DEVICE), JSON.stringify({ speed: 61 }), { qos: 1 })
  await until('it is noticed', async () => !(await receiver.checkReadiness()).ok)
  bench.databaseProxy.open()
  await until('it is taken', () => receiver.counters.messagesTaken === 1)
  assert.equal(await bench.storedCount(), 1)
})

test('a reading without a time of its own is one reading, though the acknowledgement was lost', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  const proxy = await startTcpProxy(t, broker.port)
  const receiver = bench.openReceiver(proxy.port)
  await until('the receiver is connected', () => receiver.isConnected)
  const device = await connectDevice(t, broker.url)
  proxy.deafen()
  await device.publishAsync(topicOf(DEVICE), JSON.stringify({ speed: 61 }), { qos: 1 })
  await until('it is stored', async () => (await bench.storedCount()) === 1)
  await until('it was acknowledged, in vain', () => receiver.counters.messagesTaken === 1)
  proxy.close()
  proxy.open()
  await until('it has come again', () => receiver.counters.messagesTaken === 2)
  assert.equal(await bench.storedCount(), 1)
  await device.publishAsync(topicOf(DEVICE), JSON.stringify({ speed: 61 }), { qos: 1 })
  await until('the same sent once more is another', async () => (await bench.storedCount()) === 2)
})

const publishMany = (device: MqttClient, count: number) =>
  Promise.all(Array.from({ length: count }, () => device.publishAsync(topicOf(DEVICE), JSON.stringify(reading()), { qos: 1 })))

// Without a group: Mosquitto forgets shared subscriptions when it is restarted, and what comes before we are back would be lost.
test('a broker that is restarted, or not there yet, is waited for', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  await broker.kill()
  const receiver = bench.openReceiver(broker.port, { shareGroup: undefined })
  const refused = 'no connection to MQTT_BROKER_URL: connect ECONNREFUSED'
  await until('it is reported, without the address', async () => (await receiver.checkReadiness()).detail === refused)
  await broker.start()
  await until('the receiver is connected', () => receiver.isConnected)
  const device = await connectDevice(t, broker.url)
  await publishMany(device, 100)
  await broker.kill()
  await until('the receiver knows', () => !receiver.isConnected)
  const published = publishMany(device, 100)
  await broker.start()
  await published
  await until('all is stored', async () => (await bench.storedCount()) === 200)
})

test('two receivers of one group share the messages', options, async (t) => {
  const broker = await startMosquitto(t)
  const bench = await openBench(t)
  const receivers = [bench.openReceiver(broker.port), bench.openReceiver(broker.port, { clientId: 'platform-2' })]
  await until('both are connected', () => receivers.every(({ isConnected }) => isConnected))
  await publishMany(await connectDevice(t, broker.url), 200)
  const taken = () => receivers.map(({ counters }) => counters.messagesTaken)
  await until('all are taken', () => taken().reduce((sum, each) => sum + each) === 200)
  assert.ok(
    taken().every((count) => count > 0),
    `each has had its share: ${taken()}`,
  )
  assert.equal(await bench.storedCount(), 200)
})

test('a broker that does not let us in is reported with the setting behind it', options, async (t) => {
  const bench = await openBench(t)
  const broker = await startMosquittoWith(t, () => ['allow_anonymous false'])
  for (const protocolVersion of [4, 5] as const) {
    const receiver = bench.openReceiver(broker.port, { protocolVersion, clientId: `platform-${protocolVersion}` })
    await until('the reason is reported', async () => /MQTT_BROKER_USERNAME/.test((await receiver.checkReadiness()).detail))
  }
})

test('over TLS with a sign-in and a certificate of our own; an authority that is not ours is not believed', secureOptions, async (t) => {
  const bench = await openBench(t)
  const broker = await startSecureMosquitto(t, { asksForCertificate: true })
  const { authority, client, stranger } = broker.certificates
  const read = (path: string) => readFileSync(path, 'utf8')
  const own = { cert: read(client.certFile), key: read(client.keyFile) }
  const receiver = bench.openReceiver(broker.port, { ...MQTT_USER, tls: { ca: read(authority.certFile), ...own } })
  await until('the receiver is connected', () => receiver.isConnected)
  const deceived = bench.openReceiver(broker.port, { ...MQTT_USER, clientId: 'platform-2', tls: { ca: read(stranger.certFile), ...own } })
  await until('the reason is reported', async () => /certificate/.test((await deceived.checkReadiness()).detail))
})
