import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import mqttPacket from 'mqtt-packet'
import { fuzzReceiver, shortened } from './test-fuzz.ts'
import {
  connectPacket,
  DEVICE,
  OTHER_DEVICE,
  publishPacket,
  RawClient,
  recordingIngest,
  startReceiver,
  stored,
  topicOf,
  until,
} from './test-mqtt-receiver.ts'

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../../../../../../test/fixtures/tls', name))

/** A CONNECT that declares 100 MiB. */
const HUGE_CONNECT = Buffer.from([0x10, 0x80, 0x80, 0x80, 0x32])

test('a CONNECT of 100 MiB is closed at its declared length, before any of it is kept', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const client = await RawClient.open(port)
  client.socket.write(HUGE_CONNECT)
  await client.closedByReceiver()
  assert.equal(client.socket.bytesWritten, HUGE_CONNECT.length, 'the length alone was enough')
  assert.equal(receiver.counters.framingViolations, 1)
})

test('a PUBLISH over the limit is closed at its declared length, and so is a length without an end', async (t) => {
  const { port } = await startReceiver(t)
  for (const header of [
    [0x32, 0x80, 0x80, 0x05],
    [0x32, 0xff, 0xff, 0xff, 0xff],
  ]) {
    const device = await RawClient.signIn(port)
    device.socket.write(Buffer.from(header))
    await device.closedByReceiver()
  }
})

test('packets before CONNECT, a second CONNECT and packets of a server close the connection', async (t) => {
  const { port } = await startReceiver(t)
  const early = await RawClient.open(port)
  early.send(publishPacket(1, { n: 1 }))
  await early.closedByReceiver()
  for (const packet of [connectPacket(), { cmd: 'connack', returnCode: 0, sessionPresent: false }, { cmd: 'pingresp' }] as const) {
    const device = await RawClient.signIn(port)
    device.send(packet)
    await device.closedByReceiver()
  }
})

// `tls.Server` reports a handshake that takes too long, and leaves the socket open.
test('who opens a connection for TLS and does not finish the handshake is closed', async (t) => {
  const { tlsPort = 0 } = await startReceiver(t, {
    tls: { port: 0, cert: fixture('test-only-cert.pem'), key: fixture('test-only-key.pem') },
    limits: { connectTimeoutMs: 200 },
  })
  const silent = await RawClient.open(tlsPort)
  const slow = await RawClient.open(tlsPort)
  slow.socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
  const dribble = setInterval(() => slow.socket.write(Buffer.from([0x01])), 50)
  t.after(() => clearInterval(dribble))
  await Promise.all([silent.closedByReceiver(), slow.closedByReceiver()])
})

test('a browser and a TLS client on the plain port are closed', async (t) => {
  const { port } = await startReceiver(t)
  for (const greeting of ['GET / HTTP/1.1\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\u0001']) {
    const client = await RawClient.open(port)
    client.socket.write(Buffer.from(greeting, 'latin1'))
    await client.closedByReceiver()
  }
})

// The frozen device fills its own socket, with reports it asked for and never reads.
test('a publish that ends before its packet id closes the connection, and nobody else notices', async (t) => {
  const { ingest, records } = recordingIngest()
  const { port, receiver } = await startReceiver(t, { ingest })
  const topic = Buffer.from(topicOf(DEVICE))
  const other = await RawClient.signIn(port, OTHER_DEVICE)
  for (const behindTopic of [[], [0x01]]) {
    for (const following of [Buffer.alloc(0), Buffer.from([0xc0, 0x00, 0xc0, 0x00])]) {
      const device = await RawClient.signIn(port)
      device.socket.write(
        Buffer.concat([
          Buffer.from([0x32, 2 + topic.length + behindTopic.length, 0, topic.length]),
          topic,
          Buffer.from(behindTopic),
          following,
        ]),
      )
      await device.closedByReceiver()
      assert.deepEqual(device.all('puback'), [])
    }
  }
  other.send(publishPacket(1, { n: 1 }, { topic: topicOf(OTHER_DEVICE) }))
  await other.atLeast('puback', 1)
  assert.deepEqual(records(), [{ n: 1 }])
  await until(() => receiver.connectedCount === 1, 'only the other is connected')
})

test('packets that end early, with nothing behind them, crash nothing and the receiver serves on', async (t) => {
  const { port, receiver } = await startReceiver(t)
  const send = async (frame: Buffer) => {
    const device = await RawClient.signIn(port)
    device.socket.write(frame)
    // In a segment of its own, so that it is not read as the rest of the packet.
    await new Promise((resolve) => setImmediate(resolve))
    device.send({ cmd: 'pingreq' })
    await Promise.race([device.next('pingresp'), device.closed]).catch(() => undefined)
    device.socket.destroy()
  }
  for (const frame of shortened()) await send(frame)
  await until(() => receiver.connectedCount === 0, 'nobody is connected')
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { rpm: 1 }))
  await device.next('puback')
})

test('a device that does not read is closed, and the others are served meanwhile', async (t) => {
  const otherRecords: unknown[] = []
  const wordy = new Problem('invalid_request', 'x'.repeat(300))
  const { port, receiver } = await startReceiver(t, {
    limits: { drainTimeoutMs: 300 },
    ingest: async (batch) =>
      batch.map((inbound) => {
        if (inbound.senderDeviceId === DEVICE) return { status: 'refused', problem: wordy }
        otherRecords.push(inbound.record)
        return stored(inbound)
      }),
  })
  const other = await RawClient.signIn(port, OTHER_DEVICE)
  const frozen = net.connect(port, '127.0.0.1')
  t.after(() => frozen.destroy())
  frozen.on('error', () => {})
  frozen.pause()
  frozen.write(mqttPacket.generate(connectPacket()))
  frozen.write(mqttPacket.generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: topicOf(DEVICE, 'errors'), qos: 0 }] }))
  await until(() => receiver.connectedCount === 2, 'both are connected')
  // Each of these is answered with a report of 34 KB; a few of them fit in one read, so that few reports are dropped.
  const refused = mqttPacket.generate(publishPacket(1, Buffer.from(`[${Array(100).fill('{}')}]${' '.repeat(16_000)}`)))
  const feed = () => {
    while (frozen.writable && frozen.write(refused));
  }
  frozen.on('drain', feed)
  feed()
  let served = 0
  while (receiver.connectedCount === 2) {
    served++
    other.send(publishPacket(served, { n: served }, { topic: topicOf(OTHER_DEVICE) }))
    await other.atLeast('puback', served)
    assert.ok(served < 60_000, 'the frozen device is still there')
  }
  frozen.destroy()
  assert.equal(otherRecords.length, served)
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
})

test('2000 mutated packets crash nothing and the receiver serves on', async (t) => {
  const { port } = await startReceiver(t, { limits: { maxFailedSignIns: 0 } })
  const seed = 20_260_131
  await fuzzReceiver(port, seed, 2_000)
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { speed: 61 }))
  await device.next('puback')
})
