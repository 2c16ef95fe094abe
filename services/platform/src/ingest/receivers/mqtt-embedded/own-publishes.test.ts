// Goal: what a device publishes to its own topic is taken, and everything else reaches the parser byte for byte, wherever the bytes are cut. Method: packets made by
// the package that parses them elsewhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import mqttPacket from 'mqtt-packet'
import { type OwnPublish, OwnPublishes } from './own-publishes.ts'
import { publishPacket, topicOf } from './test-mqtt-receiver.ts'

const MAX_LENGTH = 2_000
const TOPIC = topicOf('dev-aaaaaaaa0001')
const PING = Buffer.from([0xc0, 0x00])
const own = (messageId: number, text: string, more: object = {}) =>
  mqttPacket.generate(publishPacket(messageId, Buffer.from(text), { topic: TOPIC, ...more }))

function open() {
  const taken: OwnPublish[] = []
  const reader = new OwnPublishes(TOPIC, MAX_LENGTH, (publish) => taken.push(publish))
  const shown = () => taken.map(({ payload, qos, ...of }) => [qos, 'messageId' in of ? of.messageId : undefined, payload.toString()])
  return { reader, shown }
}

/** Packets of the device's own, short, long, without a payload, and with the remaining lengths at which one byte more begins. */
const TEXTS = ['', '{"rpm":1}', 'x'.repeat(127 - TOPIC.length - 4), 'y'.repeat(128 - TOPIC.length - 4), 'z'.repeat(1_500)]
const STREAM = Buffer.concat([
  ...TEXTS.map((text, nth) => own(nth + 1, text)),
  own(0, 'without acknowledgement', { qos: 0 }),
  own(65_535, 'again', { dup: true }),
  // Not allowed (MQTT-2.3.1-1), and acknowledged as it is: there are clients that send nothing else.
  own(0, 'zero', { qos: 1 }),
])
const EXPECTED = [
  ...TEXTS.map((text, nth) => [1, nth + 1, text]),
  [0, undefined, 'without acknowledgement'],
  [1, 65_535, 'again'],
  [1, 0, 'zero'],
]

test('publishes to the own topic are taken, wherever they are cut', () => {
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const { reader, shown } = open()
    assert.equal(reader.take(STREAM.subarray(0, cut)), undefined)
    assert.equal(reader.take(STREAM.subarray(cut)), undefined)
    assert.deepEqual(shown(), EXPECTED, `cut at ${cut}`)
  }
  for (const size of [1, 2, 3, 7, 100]) {
    const { reader, shown } = open()
    for (let at = 0; at < STREAM.length; at += size) assert.equal(reader.take(STREAM.subarray(at, at + size)), undefined)
    assert.deepEqual(shown(), EXPECTED, `pieces of ${size}`)
  }
})

const FOREIGN: Record<string, Buffer> = {
  'a ping': PING,
  'a longer topic': own(1, 'x', { topic: `${TOPIC}x` }),
  'a shorter topic': own(1, 'x', { topic: TOPIC.slice(0, -1) }),
  'another topic of the same length': own(1, 'x', { topic: topicOf('dev-aaaaaaaa0002') }),
  'a retained publish': own(1, 'x', { retain: true }),
  'QoS 2': own(1, 'x', { qos: 2 }),
  'QoS 0, said to be sent again': Buffer.concat([Buffer.from([0x38]), own(0, 'x', { qos: 0 }).subarray(1)]),
  'a body that ends before the packet id': Buffer.concat([Buffer.from([0x32, TOPIC.length + 2, 0, TOPIC.length]), Buffer.from(TOPIC)]),
  'a body that ends within the packet id': Buffer.concat([
    Buffer.from([0x32, TOPIC.length + 3, 0, TOPIC.length]),
    Buffer.from(TOPIC),
    Buffer.from([0]),
  ]),
  'a packet that is too long': own(1, 'x'.repeat(MAX_LENGTH)),
  'a length of five bytes': Buffer.from([0x32, 0x80, 0x80, 0x80, 0x80, 0x01]),
  'no body': Buffer.from([0x30, 0x00]),
}

for (const [what, foreign] of Object.entries(FOREIGN)) {
  test(`${what} reaches the parser whole, with all that follows it, wherever it is cut`, () => {
    const [before, after] = [own(7, 'before'), Buffer.concat([own(8, 'after'), PING])]
    const stream = Buffer.concat([before, foreign, after])
    for (let cut = 0; cut <= stream.length; cut++) {
      const { reader, shown } = open()
      const left: Buffer[] = []
      // As the guard has it: once something is left, what follows is the parser's until a packet ends where a chunk does.
      for (const part of [stream.subarray(0, cut), stream.subarray(cut)]) {
        const rest = left.length > 0 ? part : reader.take(part)
        if (rest !== undefined) left.push(rest)
      }
      assert.deepEqual(shown(), [[1, 7, 'before']], `cut at ${cut}`)
      assert.deepEqual(Buffer.concat(left), Buffer.concat([foreign, after]), `cut at ${cut}`)
    }
  })
}

test('what is kept of a packet that has not come whole is its bytes and not the chunk they came in', () => {
  const { reader, shown } = open()
  const chunk = Buffer.concat([own(1, 'first'), own(2, 'second')])
  reader.take(chunk.subarray(0, -3))
  const end = Buffer.from(chunk.subarray(-3))
  // The memory of a chunk is used for the next.
  chunk.fill(0)
  reader.take(end)
  assert.deepEqual(shown()[1], [1, 2, 'second'])
})

test('payloads that fill a chunk share its memory, and a short one beside something else has its own', () => {
  const payloads: Buffer[] = []
  const reader = new OwnPublishes(TOPIC, MAX_LENGTH, ({ payload }) => payloads.push(payload))
  const chunk = Buffer.concat([own(1, 'x'.repeat(1_000)), own(2, 'y'.repeat(1_000))])
  reader.take(chunk)
  const mixed = Buffer.concat([own(3, 'short'), PING, Buffer.alloc(60_000)])
  reader.take(mixed)
  assert.equal(payloads[0]?.buffer, chunk.buffer)
  assert.equal(payloads[2]?.toString(), 'short')
  assert.notEqual(payloads[2]?.buffer, mixed.buffer)
})

test('what comes in pieces is put together once', () => {
  const { reader, shown } = open()
  const packet = own(1, 'z'.repeat(1_900))
  const concat = Buffer.concat
  let joined = 0
  Buffer.concat = (...of) => {
    joined++
    return concat(...of)
  }
  try {
    for (const byte of packet) assert.equal(reader.take(Buffer.from([byte])), undefined)
  } finally {
    Buffer.concat = concat
  }
  assert.equal(shown().length, 1)
  // For each byte of the fixed header, and for the packet.
  assert.ok(joined <= 4, String(joined))
})
