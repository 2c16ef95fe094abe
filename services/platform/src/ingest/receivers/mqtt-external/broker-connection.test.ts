// Goal: whatever a broker does, the connection ends with a reason that names what to look at, and what comes is handed on in its order. Method:
// a server that speaks MQTT packet by packet, because a real broker will not misbehave.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet'
import { BrokerConnection, type BrokerPlan, type Incoming } from './broker-connection.ts'

type Script = (packet: Packet, answer: (...packets: Packet[]) => void, socket: Socket) => void

const versionOf = 5
const plan = { tls: undefined, protocolVersion: versionOf, clientId: 'platform', username: 'roadworthy', password: 'hush' } as const

async function startBroker(t: TestContext, script: Script): Promise<BrokerPlan> {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const parser = mqttPacket.parser({ protocolVersion: versionOf })
    parser.on('packet', (packet) =>
      script(
        packet,
        (...packets) => socket.write(Buffer.concat(packets.map((each) => mqttPacket.generate(each, { protocolVersion: versionOf })))),
        socket,
      ),
    )
    socket.on('data', (chunk) => parser.parse(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { ...plan, host: '127.0.0.1', port, sessionExpiryS: 60, receiveMaximum: 10, filters: ['fleet/#'] }
}

const open = (broker: BrokerPlan, onMessage: (message: Incoming, connection: BrokerConnection) => void = () => {}) =>
  BrokerConnection.open(broker, { onMessage }, new AbortController().signal)

const welcome: Packet = { cmd: 'connack', reasonCode: 0, sessionPresent: true }
const publish = (messageId: number): Packet => ({
  cmd: 'publish',
  topic: 'fleet/a',
  payload: `${messageId}`,
  qos: 1,
  dup: false,
  retain: false,
  messageId,
})
const welcoming: Script = ({ cmd }, answer) => {
  if (cmd === 'connect') answer(welcome)
  if (cmd === 'subscribe') answer({ cmd: 'suback', messageId: 1, granted: [1] })
}

test('the user property traceparent comes with its message, the first where there are several', async (t) => {
  const given = [undefined, { traceparent: 'one' }, { traceparent: ['two', 'three'] }, { other: 'four' }]
  const broker = await startBroker(t, (packet, answer) => {
    welcoming(packet, answer, packet as never)
    const messages = given.map((userProperties, nth) => ({
      ...publish(nth + 1),
      ...(userProperties && { properties: { userProperties } }),
    }))
    if (packet.cmd === 'subscribe') answer(...(messages as Packet[]))
  })
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  const received: unknown[] = []
  const { connection } = await open(broker, ({ traceparent }) => {
    if (received.push(traceparent) === given.length) resolve()
  })
  await isDone
  assert.deepEqual(received, [undefined, 'one', 'two', undefined])
  connection.drop('the test is over')
})

test('it signs in with a kept session and its window, and is handed what comes before and after it has subscribed', async (t) => {
  const asked: Packet[] = []
  const broker = await startBroker(t, (packet, answer, socket) => {
    asked.push(packet)
    welcoming(packet, answer, socket)
    if (packet.cmd === 'connect') answer(publish(5))
    if (packet.cmd === 'subscribe') answer(publish(6))
    if (packet.cmd === 'puback') socket.end()
  })
  const received: string[] = []
  const { connection, sessionPresent } = await open(broker, ({ payload, packetId }, { acks }) => {
    received.push(payload.toString())
    acks.add(packetId).isDone = received.length > 1
    if (received.length === 2) acks.add(7).isDone = true
  })
  assert.equal(sessionPresent, true)
  const connect = asked[0] as IConnectPacket
  assert.deepEqual([connect.clean, connect.clientId, connect.username, String(connect.password)], [false, 'platform', 'roadworthy', 'hush'])
  assert.deepEqual([connect.properties?.sessionExpiryInterval, connect.properties?.receiveMaximum], [60, 10])
  while (received.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(received, ['5', '6'])
  assert.equal(connection.acks.length, 3, 'nothing is acknowledged before the first of them is done')
  connection.drop('the test is over')
  assert.equal(await connection.closed, 'the test is over')
})

const endings: [what: string, script: Script, reason: RegExp][] = [
  [
    'refuses the sign-in',
    (_, answer) => answer({ cmd: 'connack', reasonCode: 135, sessionPresent: false }),
    /code 135\); see MQTT_BROKER_USERNAME/,
  ],
  ['knows no MQTT 5', (_, answer) => answer({ cmd: 'connack', reasonCode: 132, sessionPresent: false }), /see MQTT_BROKER_PROTOCOL/],
  [
    'refuses the subscription',
    ({ cmd }, answer) => answer(cmd === 'connect' ? welcome : { cmd: 'suback', messageId: 1, granted: [158] }),
    /refuses the subscription to "fleet\/#" \(code 158\)/,
  ],
  ['speaks something else', (_packet, _answer, socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), /no MQTT|closed/],
  ['closes without an answer', ({ cmd }, _answer, socket) => void (cmd === 'connect' && socket.end()), /see MQTT_BROKER_PROTOCOL/],
  [
    'closes at the subscription',
    ({ cmd }, answer, socket) => void (cmd === 'connect' ? answer(welcome) : socket.end()),
    /when asked for "fleet\/#"; see MQTT_BROKER_SHARE_GROUP/,
  ],
  ['lets us in twice', (_packet, answer) => answer(welcome, welcome), /let us in twice/],
  ['grants before it lets us in', (_packet, answer) => answer({ cmd: 'suback', messageId: 1, granted: [1] }), /was not asked for/],
  ['closes at once', (_packet, _answer, socket) => socket.destroy(), /closed the connection|ECONNRESET/],
]
for (const [what, script, reason] of endings) {
  test(`a broker that ${what} is reported`, async (t) => {
    await assert.rejects(open(await startBroker(t, script)), reason)
  })
}

/** PUBLISH to "aa": without an id, with half of one, with QoS 1 and 2, and one whose id would be read from what follows it. */
const withoutId = [
  [0x32, 4, 0, 2, 0x61, 0x61],
  [0x32, 5, 0, 2, 0x61, 0x61, 1],
  [0x34, 4, 0, 2, 0x61, 0x61],
  [0x32, 4, 0, 2, 0x61, 0x61, 0xd0, 0, 0xd0, 0],
]
for (const bytes of withoutId) {
  test(`a message that ends before its packet id (${Buffer.from(bytes).toString('hex')}) ends the connection and nothing else`, async (t) => {
    const broker = await startBroker(t, (packet, answer, socket) => {
      welcoming(packet, answer, socket)
      if (packet.cmd === 'subscribe') setTimeout(() => socket.write(Buffer.from(bytes)), 20)
    })
    const { connection } = await open(broker, () => assert.fail('it is handed on'))
    assert.match(await connection.closed, /without a packet id|no MQTT/)
  })
}

test('a keepalive that the broker asks for twice is ours', async (t) => {
  // CONNACK of MQTT 5 with the property Server Keep Alive twice, which is an error by the protocol.
  const twice = Buffer.from([0x20, 9, 0, 0, 6, 0x13, 0, 60, 0x13, 0, 60])
  const pings: Packet[] = []
  const broker = await startBroker(t, ({ cmd }, answer, socket) => {
    if (cmd === 'connect') socket.write(twice)
    if (cmd === 'subscribe') answer({ cmd: 'suback', messageId: 1, granted: [1] })
    if (cmd === 'pingreq') pings.push({ cmd })
  })
  const { connection } = await open(broker)
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(pings, [])
  connection.drop('the test is over')
  assert.equal(await connection.closed, 'the test is over')
})

test('a broker that takes the session away is reported with its reason', async (t) => {
  const broker = await startBroker(t, (packet, answer, socket) => {
    welcoming(packet, answer, socket)
    if (packet.cmd === 'subscribe') answer({ cmd: 'disconnect', reasonCode: 142 })
  })
  const { connection } = await open(broker)
  assert.match(await connection.closed, /ended the session \(reason code 142\); see MQTT_BROKER_CLIENT_ID/)
})

// Mosquitto 2.0.11 closes so when another client comes in under the same client id, in MQTT 5 too; and when it stops.
test('a broker that closes an open connection without a word is reported with what may be the reason', async (t) => {
  const broker = await startBroker(t, (packet, answer, socket) => {
    welcoming(packet, answer, socket)
    if (packet.cmd === 'subscribe') socket.end()
  })
  const { connection } = await open(broker)
  assert.match(await connection.closed, /closed the connection .+MQTT_BROKER_CLIENT_ID/)
})

test('a broker that sends more than was agreed is given up before it has sent it', async (t) => {
  const broker = await startBroker(t, (packet, answer, socket) => {
    welcoming(packet, answer, socket)
    // A PUBLISH that declares 256 MiB.
    if (packet.cmd === 'subscribe') socket.write(Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61]))
  })
  const { connection } = await open(broker)
  assert.equal(await connection.closed, 'it sent a packet of 268435455 bytes; 1048576 are taken')
})

test('an unreachable broker is reported, and a start that is given up ends at once', async (t) => {
  const silent = await startBroker(t, () => {})
  const stopping = new AbortController()
  const opening = BrokerConnection.open(silent, { onMessage: () => {} }, stopping.signal)
  stopping.abort()
  await assert.rejects(opening, /it is stopping/)
  const free = net.createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  await once(free, 'close')
  await assert.rejects(open({ ...silent, port }), /ECONNREFUSED/)
})
