import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Aedes, type AedesOptions } from 'aedes'
import type { WireRecord } from '../fleet/reading.ts'
import { createMqttSender } from './mqtt.ts'
import { MqttRefused } from './mqtt-refused.ts'
import type { Sender } from './sender.ts'

const TOPIC = 'fleet/acme/devices/dev-1/telemetry'
const device = { deviceId: 'dev-1', username: 'acme/dev-1', password: 'secret', topic: TOPIC }
const records = (count: number, extra = {}): WireRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    device_id: 'dev-1',
    timestamp: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    ...extra,
  }))

type Published = { topic: string; qos: number; retain: boolean; body: unknown; clientId: string }

async function startBroker(t: TestContext, options: Partial<AedesOptions> = {}) {
  const published: Published[] = []
  const own: Partial<AedesOptions> = {
    authenticate: (client, username, password, done) => {
      const known = client.id === 'dev-1' && username === 'acme/dev-1' && password?.toString() === 'secret'
      done(known ? null : Object.assign(new Error('bad credentials'), { returnCode: 4 }), known)
    },
    authorizePublish: (client, packet, done) => {
      const body = JSON.parse(packet.payload.toString())
      published.push({ topic: packet.topic, qos: packet.qos, retain: packet.retain, body, clientId: client?.id ?? '' })
      done(null)
    },
  }
  let broker = await Aedes.createBroker({ ...own, ...options })
  const server = createServer((socket) => broker.handle(socket))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => stopBroker(broker, server, sockets)
  t.after(stop)
  /** It dies, and another is in its place. The port stays taken: freed, it could be given to any connection of this machine. */
  const replace = async () => {
    const dead = broker
    broker = await Aedes.createBroker(own)
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => dead.close(() => resolve()))
  }
  return { broker, published, stop, replace, port: (server.address() as AddressInfo).port }
}

async function stopBroker(broker: Aedes, server: Server, sockets: Set<Socket>): Promise<void> {
  if (!server.listening) return
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  await new Promise<void>((resolve) => broker.close(() => resolve()))
}

async function connect(t: TestContext, port: number): Promise<Sender> {
  const sender = await createMqttSender(`mqtt://127.0.0.1:${port}`, device)
  t.after(() => sender.close())
  return sender
}

test('records are published under the device’s own name and topic with QoS 1, one alone, many as an array', async (t) => {
  const { published, port } = await startBroker(t)
  const sender = await connect(t, port)
  await sender.send(records(1))
  await sender.send(records(150))
  assert.deepEqual(
    published.map(({ body }) => (Array.isArray(body) ? body.length : 'one')),
    ['one', 100, 50],
  )
  assert.ok(published.every(({ topic, qos, retain, clientId }) => topic === TOPIC && qos === 1 && !retain && clientId === 'dev-1'))
  assert.deepEqual(sender.counts(), { sent: 151, accepted: 151, duplicates: 0, rejected: 0 })
})

test('a message stays under 64 KiB', async (t) => {
  const { published, port } = await startBroker(t)
  await (await connect(t, port)).send(records(100, { note: 'x'.repeat(1_000) }))
  assert.ok(published.length > 1)
  assert.ok(published.every(({ body }) => JSON.stringify(body).length < 65_536))
})

test('nothing counts as accepted before the broker has acknowledged it', async (t) => {
  const gate = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const { port } = await startBroker(t, {
    authorizePublish: (_client, _packet, done) => {
      arrived.resolve()
      void gate.promise.then(() => done(null))
    },
  })
  const sender = await connect(t, port)
  const sending = sender.send(records(3))
  await arrived.promise
  assert.deepEqual(sender.counts(), { sent: 3, accepted: 0, duplicates: 0, rejected: 0 })
  gate.resolve()
  await sending
  assert.equal(sender.counts().accepted, 3)
})

test('what was not acknowledged when the broker died is published again when it is back', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const { port, published, replace } = await startBroker(t, { authorizePublish: () => arrived.resolve() })
  const sender = await connect(t, port)
  const sending = sender.send(records(2))
  await arrived.promise
  await replace()
  await sending
  assert.deepEqual(published[0]?.body, records(2))
  assert.equal(sender.counts().accepted, 2)
})

test('refused credentials are reported, not tried for ever', async (t) => {
  const { port } = await startBroker(t)
  await assert.rejects(createMqttSender(`mqtt://127.0.0.1:${port}`, { ...device, password: 'wrong' }), MqttRefused)
})

test('an abort ends the wait for a broker that is not there, and for an acknowledgement that does not come', async (t) => {
  const away = await startBroker(t)
  await away.stop()
  const first = AbortSignal.timeout(50)
  await assert.rejects(createMqttSender(`mqtt://127.0.0.1:${away.port}`, device, first))
  const silent = await startBroker(t, { authorizePublish: () => stop.abort() })
  const stop = new AbortController()
  const sender = await connect(t, silent.port)
  await assert.rejects(sender.send(records(1), stop.signal), { name: 'AbortError' })
})

test('what the platform reports on the errors topic is counted as rejected', async (t) => {
  const { broker, port } = await startBroker(t)
  const subscribed = once(broker, 'subscribe')
  const sender = await connect(t, port)
  await subscribed
  await sender.send(records(4))
  const acked = once(broker, 'ack')
  const payload = JSON.stringify({ records_rejected: 1, errors: [{ index: 2, code: 'invalid_request' }] })
  broker.publish({ cmd: 'publish', topic: 'fleet/acme/devices/dev-1/errors', payload, qos: 1, retain: false, dup: false }, () => {})
  await acked
  assert.deepEqual(sender.counts(), { sent: 4, accepted: 3, duplicates: 0, rejected: 1 })
  assert.match(sender.lastRefusal() ?? '', /invalid_request/)
})
