import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MqttDeviceMessage } from '@roadworthy/contracts/mqtt/device-message'
import { decodeMessage } from './decode.ts'
import { defaultMqttLimits } from './limits.ts'

const sender = { resellerId: 'res-1', deviceId: 'dev-aaaaaaaa0001' }
const decode = (payload: string | Buffer) => decodeMessage(Buffer.from(payload), sender, defaultMqttLimits, new Date(0))
const refusalsOf = (payload: string | Buffer) => decode(payload).frame.refusals.map(({ index, problem }) => [index, problem.code])

test('an object is one reading of the device that sends', () => {
  const { inbound, frame } = decode('{"speed":61}')
  assert.deepEqual(inbound, [
    {
      resellerId: 'res-1',
      kind: 'telemetry',
      record: { speed: 61 },
      senderDeviceId: 'dev-aaaaaaaa0001',
      receivedAt: new Date(0),
      receiver: 'mqtt',
    },
  ])
  assert.deepEqual(frame, { indexes: [0], refusals: [] })
})

test('the messages that the contract shows are readings', () => {
  const { examples } = MqttDeviceMessage as { examples?: unknown[] }
  assert.ok(examples !== undefined && examples.length > 0)
  assert.deepEqual(
    examples.map((example) => decode(JSON.stringify(example)).inbound.map(({ record }) => record)),
    examples.map((example) => [example].flat()),
  )
})

test('a bad record of an array is refused by its place and the others go on', () => {
  const decoded = decode('[{"speed":1}, 7, {"speed":1e999}, {"name":"\\u0000"}, {"__proto__":{}}, null, [], {"speed":2}]')
  assert.deepEqual(
    decoded.inbound.map(({ record }) => record),
    [{ speed: 1 }, { speed: 2 }],
  )
  assert.deepEqual(decoded.frame.indexes, [0, 7])
  assert.deepEqual(
    decoded.frame.refusals.map(({ index, problem }) => [index, problem.code]),
    [1, 2, 3, 4, 5, 6].map((index) => [index, 'invalid_request']),
  )
})

test('100 records are taken and 101 are refused whole', () => {
  const records = Array.from({ length: 101 }, (_, speed) => ({ speed }))
  assert.equal(decode(JSON.stringify(records.slice(1))).inbound.length, 100)
  assert.equal(decode(JSON.stringify(records)).inbound.length, 0)
  assert.deepEqual(refusalsOf(JSON.stringify(records)), [[undefined, 'batch_too_large']])
})

test('a payload may have 64 KiB and not one byte more', () => {
  const ofLength = (bytes: number) => `{"speed":1}${' '.repeat(bytes - 11)}`
  assert.equal(decode(ofLength(64 * 1024)).inbound.length, 1)
  assert.deepEqual(refusalsOf(ofLength(64 * 1024 + 1)), [[undefined, 'payload_too_large']])
})

test('what is not JSON, too deep, or empty is refused without an index', () => {
  for (const payload of ['', '{', 'hello', Buffer.from([0xff, 0xfe, 0x00]), '[]', `${'['.repeat(60_000)}${']'.repeat(4_000)}`]) {
    assert.deepEqual(refusalsOf(payload), [[undefined, 'invalid_request']], payload.slice(0, 20).toString())
  }
})
