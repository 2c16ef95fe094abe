import assert from 'node:assert/strict'
import { test } from 'node:test'
import mqttPacket from 'mqtt-packet'
import { FramingGuard } from './framing-guard.ts'
import { connectPacket, publishPacket } from './test-mqtt-receiver.ts'

const BEFORE_CONNECT = 1_000
const AFTER_CONNECT = 5_000
const connect = mqttPacket.generate(connectPacket())

function acceptedGuard(): FramingGuard {
  const guard = new FramingGuard(BEFORE_CONNECT)
  guard.scan(connect)
  guard.accept(AFTER_CONNECT)
  return guard
}

test('CONNECT passes and what follows it waits until CONNECT is accepted', () => {
  const guard = new FramingGuard(BEFORE_CONNECT)
  const ping = Buffer.from([0xc0, 0x00])
  assert.equal(guard.scan(Buffer.concat([connect, ping])), connect.length)
  assert.equal(guard.connectPassed, true)
  assert.equal(guard.scan(ping), 0)
  guard.accept(AFTER_CONNECT)
  assert.equal(guard.scan(ping), 2)
})

test('packets cut anywhere are followed like packets that come whole', () => {
  const stream = Buffer.concat([
    mqttPacket.generate(publishPacket(1, { note: 'x'.repeat(300) })),
    Buffer.from([0xc0, 0x00]),
    mqttPacket.generate(publishPacket(2, { note: 'y' })),
  ])
  for (let cut = 1; cut < stream.length; cut++) {
    const guard = acceptedGuard()
    assert.equal(guard.scan(stream.subarray(0, cut)), cut)
    assert.equal(guard.scan(stream.subarray(cut)), stream.length - cut)
    assert.equal(guard.scan(Buffer.from([0x00])), -1, 'the next byte starts a packet')
  }
})

test('a length over the limit is refused with its last byte, and one at the limit is not', () => {
  const publishHeader = (length: number) => Buffer.from([0x30, (length & 0x7f) | 0x80, length >> 7])
  assert.equal(acceptedGuard().scan(publishHeader(AFTER_CONNECT)), 3)
  const guard = acceptedGuard()
  assert.equal(guard.scan(publishHeader(AFTER_CONNECT + 1)), -1)
  assert.equal(guard.violation, 'packet_too_large')
})

test('before CONNECT is accepted the smaller limit holds', () => {
  const guard = new FramingGuard(BEFORE_CONNECT)
  assert.equal(guard.scan(Buffer.from([0x10, 0xe9, 0x07])), -1)
  assert.equal(guard.violation, 'packet_too_large')
})

test('a length of five bytes is malformed', () => {
  const guard = acceptedGuard()
  assert.equal(guard.scan(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80])), -1)
  assert.equal(guard.violation, 'malformed_length')
})

test('whatever does not begin like a CONNECT is refused by its first byte', () => {
  for (const first of ['GET / HTTP/1.1', '\u0016\u0003\u0001', '\u0030\u0005', '\u0000']) {
    const guard = new FramingGuard(BEFORE_CONNECT)
    assert.equal(guard.scan(Buffer.from(first, 'latin1').subarray(0, 1)), -1, first)
    assert.equal(guard.violation, 'connect_expected')
  }
})

test('packet types that MQTT 3.1.1 reserves are refused', () => {
  for (const type of [0x00, 0xf0]) {
    const guard = acceptedGuard()
    assert.equal(guard.scan(Buffer.from([type, 0x00])), -1)
    assert.equal(guard.violation, 'unknown_packet')
  }
})
