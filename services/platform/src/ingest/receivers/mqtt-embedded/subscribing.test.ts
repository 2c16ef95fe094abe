import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Packet } from 'mqtt-packet'
import { Value } from 'typebox/value'
import { DEVICE, OTHER_DEVICE, publishPacket, RawClient, RESELLER, startReceiver, stored, topicOf } from './test-mqtt-receiver.ts'

const subscribe = (...topics: string[]): Packet => ({
  cmd: 'subscribe',
  messageId: 1,
  subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })),
})
const own = { commands: topicOf(DEVICE, 'commands'), errors: topicOf(DEVICE, 'errors') }

const foreignTopics = [
  '#',
  '+',
  '+/+/+/+/+',
  'fleet/#',
  '$SYS/#',
  '$SYS/+/new/clients',
  `$share/group/${own.errors}`,
  topicOf(DEVICE),
  topicOf(OTHER_DEVICE, 'commands'),
  topicOf(DEVICE, '+'),
  `${own.errors}/`,
  `/${own.errors}`,
  own.errors.toUpperCase(),
  own.errors.replace('a', '\u0430'),
]

test('a device subscribes to its own commands and errors', async (t) => {
  const { port } = await startReceiver(t)
  const device = await RawClient.signIn(port)
  device.send(subscribe(own.commands, own.errors))
  assert.deepEqual((await device.next('suback')).granted, [1, 1])
})

test('a subscription to anything else closes the connection', async (t) => {
  const { port, receiver } = await startReceiver(t)
  for (const topic of foreignTopics) {
    const device = await RawClient.signIn(port)
    device.send(subscribe(topic))
    await device.closedByReceiver()
    assert.equal(device.all('suback').length, 0, topic)
  }
  assert.equal(receiver.counters.denials, foreignTopics.length)
})

test('a publish to anything but the own telemetry topic closes the connection and stores nothing', async (t) => {
  let storedCount = 0
  const { port } = await startReceiver(t, {
    ingest: async (batch) => {
      storedCount += batch.length
      return batch.map(stored)
    },
  })
  const targets = [
    topicOf(OTHER_DEVICE),
    own.errors,
    own.commands,
    '$SYS/x',
    `${topicOf(DEVICE)}/`,
    'fleet',
    topicOf(DEVICE).replace('a', '\u0430'),
  ]
  for (const topic of [...targets, 'a/'.repeat(200), topicOf(DEVICE, '#'), '+']) {
    const device = await RawClient.signIn(port)
    device.send(publishPacket(1, { n: 1 }, { topic }))
    await device.closedByReceiver()
    assert.equal(device.all('puback').length, 0, topic)
  }
  assert.equal(storedCount, 0)
})

test('retained messages and QoS 2 close the connection and store nothing', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const forbidden: Packet[] = [
    publishPacket(1, { n: 1 }, { retain: true }),
    publishPacket(1, { n: 1 }, { qos: 2 }),
    { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: own.errors, qos: 2 }] },
  ]
  for (const packet of forbidden) {
    const device = await RawClient.signIn(port)
    device.send(packet)
    await device.closedByReceiver()
    assert.equal(device.all('puback').length + device.all('pubrec').length + device.all('suback').length, 0)
  }
  assert.equal(receiver.counters.denials, 3)
  assert.equal(receiver.counters.publishesAccepted, 0)
})

// Aedes stores all filters of a SUBSCRIBE as soon as one of them is allowed, and brings them back with a persistent session.
test('a denied filter beside an allowed one never delivers, not even after a reconnect with clean session off', async (t) => {
  const { port } = await startReceiver(t, {
    ingest: async (batch) =>
      batch.map(() => ({ status: 'refused' as const, problem: new Problem('invalid_request', 'refused by the test') })),
  })
  const other = await RawClient.signIn(port, OTHER_DEVICE)
  const othersErrors = topicOf(OTHER_DEVICE, 'errors')
  other.send(subscribe(othersErrors))
  await other.next('suback')
  const eavesdropper = await RawClient.signIn(port, DEVICE, { clean: false })
  eavesdropper.send(subscribe(own.errors, othersErrors))
  await eavesdropper.closedByReceiver()

  const again = await RawClient.open(port)
  again.send({
    ...({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, keepalive: 60 } as const),
    clean: false,
    clientId: DEVICE,
    username: `${RESELLER}/${DEVICE}`,
    password: Buffer.from('a-secret-of-the-device'),
  })
  assert.equal((await again.next('connack')).sessionPresent, false, 'no session outlives its connection')
  other.send(publishPacket(1, { n: 1 }, { topic: topicOf(OTHER_DEVICE) }))
  await other.next('publish')
  again.send({ cmd: 'pingreq' })
  await again.next('pingresp')
  assert.deepEqual([...eavesdropper.all('publish'), ...again.all('publish')], [])
})

test('a bad payload is acknowledged and reported to the device that listens, with the place of each bad record', async (t) => {
  const { port } = await startReceiver(t, {
    ingest: async (batch) =>
      batch.map((inbound) =>
        (inbound.record as { speed: number }).speed > 300
          ? { status: 'refused', problem: new Problem('invalid_request', 'too fast') }
          : stored(inbound),
      ),
  })
  const device = await RawClient.signIn(port)
  const other = await RawClient.signIn(port, OTHER_DEVICE)
  device.send(subscribe(own.errors))
  other.send(subscribe(topicOf(OTHER_DEVICE, 'errors')))
  await Promise.all([device.next('suback'), other.next('suback')])
  device.send(publishPacket(9, [{ speed: 1 }, 'x', { speed: 301 }, { speed: 2 }]))
  await device.next('puback')
  const [report] = await device.atLeast('publish', 1)
  assert.equal(report?.topic, own.errors)
  assert.equal(report?.qos, 0)
  assert.ok(Value.Check(MqttErrorReport, JSON.parse(String(report?.payload))))
  assert.deepEqual(JSON.parse(String(report?.payload)), {
    message_id: 9,
    records_stored: 2,
    records_rejected: 2,
    errors: [
      { index: 1, code: 'invalid_request', message: 'A record must be a JSON object.' },
      { index: 2, code: 'invalid_request', message: 'too fast' },
    ],
  })
  device.send(publishPacket(10, Buffer.from('not JSON')))
  await device.atLeast('publish', 2)
  const second: unknown = JSON.parse(String(device.all('publish')[1]?.payload))
  assert.ok(Value.Check(MqttErrorReport, second))
  assert.equal(second.records_stored, 0)
  assert.deepEqual(Object.keys(second.errors[0] ?? {}), ['code', 'message'])
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
  assert.deepEqual(other.all('publish'), [])
})

test('a device that does not listen, or no longer, is sent no report', async (t) => {
  const { port } = await startReceiver(t)
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, Buffer.from('x')))
  await device.next('puback')
  device.send(subscribe(own.errors))
  await device.next('suback')
  device.send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: [own.errors] })
  await device.next('unsuback')
  device.send(publishPacket(2, Buffer.from('x')), publishPacket(3, Buffer.from('x')), { cmd: 'pingreq' })
  await device.atLeast('puback', 3)
  await device.next('pingresp')
  assert.deepEqual(device.all('publish'), [])
})

test('a broken rule is reported with its sender, so that its page shows why the connection was closed', async (t) => {
  const unread: unknown[] = []
  const { port } = await startReceiver(t, {
    onUnread: ({ deviceId }, payload, { code, message }) => void unread.push([deviceId, String(payload), code, message]),
  })
  const closed = 'The connection was closed.'
  const subscribed = (topic: string, qos: 0 | 2) => ({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos }] }) as Packet
  const cases: [packet: Packet, payload: string, message: string][] = [
    [
      publishPacket(1, { n: 1 }, { topic: own.errors }),
      '{"n":1}',
      `The device published to "${own.errors}", which is not its own topic. ${closed}`,
    ],
    [publishPacket(1, { n: 2 }, { retain: true }), '{"n":2}', `The device published a retained message, which is not taken. ${closed}`],
    [publishPacket(1, { n: 3 }, { qos: 2 }), '{"n":3}', `The device published with QoS 2; QoS 0 and 1 are taken. ${closed}`],
    [subscribed('#', 0), '', `The device subscribed to "#", which is none of its own topics. ${closed}`],
    [subscribed(own.errors, 2), '', `The device subscribed with QoS 2; QoS 0 and 1 are taken. ${closed}`],
  ]
  for (const [packet, payload, message] of cases) {
    const device = await RawClient.signIn(port)
    device.send(packet)
    await device.closedByReceiver()
    assert.deepEqual(unread.splice(0), [[DEVICE, payload, 'invalid_request', message]])
  }
})
