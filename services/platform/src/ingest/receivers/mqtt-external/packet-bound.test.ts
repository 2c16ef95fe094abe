// Goal: no message of a device at an external broker, however long, takes more memory than the bound. Method: packets of several lengths one behind
// the other, cut anywhere, through the parser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import mqttPacket, { type IPublishPacket, type Packet } from 'mqtt-packet'
import { createPacketBound } from './packet-bound.ts'

const MAX_BYTES = 300
const publish = (messageId: number, bytes: number): Packet => ({
  ...{ cmd: 'publish', topic: 'fleet/a', payload: Buffer.alloc(bytes, 'a'), qos: 1, dup: false, retain: false, messageId },
})
/** Of the topic and the packet id. */
const BEFORE_PAYLOAD = 2 + 'fleet/a'.length + 2

test('a PUBLISH beyond the bound comes with its topic and packet id and is cut off; what is behind it comes whole, wherever chunks end', () => {
  const lengths = [0, 100, 289, 290, 20_000, 5, 300_000, 1, 128]
  const stream = Buffer.concat(lengths.map((bytes, nth) => mqttPacket.generate(publish(nth + 1, bytes))))
  for (const chunkBytes of [1, 2, 3, 7, 299, 65_536, stream.length]) {
    const parser = mqttPacket.parser({ protocolVersion: 4 })
    const came: [id: number | undefined, topic: string, bytes: number][] = []
    parser.on('packet', (packet) => {
      const { messageId, topic, payload } = packet as IPublishPacket
      came.push([messageId, topic, payload.length])
    })
    const bound = createPacketBound({ maxBytes: MAX_BYTES, mayShorten: true })
    for (let at = 0; at < stream.length; at += chunkBytes) {
      const parts = bound.take(stream.subarray(at, at + chunkBytes))
      assert.ok(Array.isArray(parts))
      for (const part of parts) parser.parse(part)
    }
    const expected = lengths.map((bytes, nth) => [nth + 1, 'fleet/a', Math.min(bytes, MAX_BYTES - BEFORE_PAYLOAD)])
    assert.deepEqual(came, expected, `chunks of ${chunkBytes}`)
  }
})

test('a broker that exceeds what was agreed, or sends another packet of such a length, is given up', () => {
  const long = mqttPacket.generate(publish(1, 1_000))
  const violation = 'it sent a packet of 1011 bytes; 300 are taken'
  assert.deepEqual(createPacketBound({ maxBytes: MAX_BYTES, mayShorten: false }).take(long), { violation })
  const granted = mqttPacket.generate({ cmd: 'suback', messageId: 1, granted: Array.from({ length: 1_009 }, () => 1) })
  assert.deepEqual(createPacketBound({ maxBytes: MAX_BYTES, mayShorten: true }).take(granted), { violation })
})
