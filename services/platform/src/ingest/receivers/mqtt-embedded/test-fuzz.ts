// Seeded nonsense for the MQTT receiver: sessions that begin like a device's and then mutate packets, lie about lengths, cut, repeat and
// reorder. A failure is repeated with its seed.

import mqttPacket, { type Packet } from 'mqtt-packet'
import { connectPacket, DEVICE, publishPacket, RawClient, topicOf } from './test-mqtt-receiver.ts'

/** mulberry32: small, seedable, good enough to choose mutations. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const errors = topicOf(DEVICE, 'errors')
const corpus: readonly Packet[] = [
  connectPacket(),
  connectPacket(DEVICE, { protocolVersion: 5 }),
  connectPacket(DEVICE, { clientId: '__proto__', clean: false }),
  connectPacket(DEVICE, { will: { topic: errors, payload: Buffer.from('x'), qos: 1, retain: true } }),
  publishPacket(1, { speed: 1 }),
  publishPacket(2, [{ speed: 1 }, { speed: 2 }]),
  publishPacket(3, Buffer.from('not JSON')),
  publishPacket(4, { speed: 1 }, { qos: 2 }),
  publishPacket(5, { speed: 1 }, { topic: errors }),
  publishPacket(6, Buffer.alloc(3_000, '[')),
  { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: errors, qos: 0 }] },
  {
    cmd: 'subscribe',
    messageId: 2,
    subscriptions: [
      { topic: errors, qos: 0 },
      { topic: 'constructor', qos: 1 },
    ],
  },
  { cmd: 'unsubscribe', messageId: 3, unsubscriptions: [errors, '__proto__'] },
  { cmd: 'puback', messageId: 9 },
  { cmd: 'pubrec', messageId: 9 },
  { cmd: 'pubrel', messageId: 9 },
  { cmd: 'pubcomp', messageId: 9 },
  { cmd: 'connack', returnCode: 0, sessionPresent: false },
  { cmd: 'suback', messageId: 1, granted: [0] },
  { cmd: 'unsuback', messageId: 1, granted: [] },
  { cmd: 'pingreq' },
  { cmd: 'pingresp' },
  { cmd: 'disconnect' },
]
const frames = corpus.map((packet) => mqttPacket.generate(packet))
const goodConnect = mqttPacket.generate(connectPacket())
const MAX_PACKETS_PER_CONNECTION = 12
const PARALLEL_CONNECTIONS = 8

/** Each packet that a device may send, ended early in each place, with a length that fits. */
export function shortened(): Buffer[] {
  return frames.flatMap((frame) => {
    // The packets of the corpus but one have a length of one byte.
    const bodyAt = (frame[1] ?? 0) > 0x7f ? 3 : 2
    const bodyLength = Math.min(frame.length - bodyAt, MAX_SHORTENED_BYTES)
    return Array.from({ length: bodyLength }, (_, length) =>
      Buffer.concat([frame.subarray(0, 1), Buffer.from([length]), frame.subarray(bodyAt, bodyAt + length)]),
    )
  })
}

/** Of a length that one byte has. */
const MAX_SHORTENED_BYTES = 127

function mutate(frame: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit)
  const copy = Buffer.from(frame)
  switch (below(7)) {
    case 0:
      return copy
    case 1:
      copy[below(copy.length)] = below(256)
      return copy
    case 2:
      copy[0] = below(256)
      return copy
    case 3:
      copy[1] = below(256)
      return copy
    case 4:
      return copy.subarray(0, below(copy.length) + 1)
    case 5: {
      const at = below(copy.length)
      return Buffer.concat([copy.subarray(0, at), Buffer.from([below(256), below(256)]), copy.subarray(at)])
    }
    default:
      for (let i = 0; i < 6; i++) copy[below(copy.length)] = below(256)
      return copy
  }
}

async function fuzzOneConnection(port: number, random: () => number): Promise<number> {
  const client = await RawClient.open(port)
  const packetCount = 1 + Math.floor(random() * MAX_PACKETS_PER_CONNECTION)
  if (random() < 0.8) client.socket.write(goodConnect)
  for (let i = 0; i < packetCount; i++) {
    const frame = mutate(frames[Math.floor(random() * frames.length)] ?? goodConnect, random)
    const cut = Math.floor(random() * frame.length)
    client.socket.write(frame.subarray(0, cut))
    if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve))
    client.socket.write(frame.subarray(cut))
  }
  if (random() < 0.2) client.socket.resetAndDestroy()
  else client.socket.end()
  // The receiver closes what breaks a rule; what is left merely half-sent is closed here.
  const giveUp = setTimeout(() => client.socket.destroy(), 200)
  await client.closed
  clearTimeout(giveUp)
  return packetCount
}

/** Sends at least `packetCount` packets, over as many connections as that takes. */
export async function fuzzReceiver(port: number, seed: number, packetCount: number): Promise<void> {
  let sentCount = 0
  const connections = Array.from({ length: PARALLEL_CONNECTIONS }, async (_, nth) => {
    const random = seededRandom(seed * PARALLEL_CONNECTIONS + nth)
    while (sentCount < packetCount) sentCount += await fuzzOneConnection(port, random)
  })
  await Promise.all(connections)
}
