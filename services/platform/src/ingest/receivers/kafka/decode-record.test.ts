// Goal: a record is read the same every time, and what cannot be read is reported. Method: what is read goes to those who store it the way it does between
// threads. What CloudEvents may look like is tested in the package that reads them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRecord } from './decode-record.ts'
import { packBatch, unpackBatch } from './packed-batch.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12)
const WRITTEN_MS = NOW_MS - 3_600_000
const DAY_MS = 86_400_000

function decode(
  value: unknown,
  { key, writtenMs = WRITTEN_MS, headers = {} }: { key?: string; writtenMs?: number; headers?: object } = {},
) {
  const decoded = decodeRecord(
    {
      ...(key === undefined ? {} : { key: Buffer.from(key) }),
      value: Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
      headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
      timestamp: BigInt(writtenMs),
    } as Parameters<typeof decodeRecord>[0],
    { nowMs: NOW_MS, maxAheadMs: 300_000 },
  )
  return 'poison' in decoded ? decoded.poison : unpackBatch(packBatch([decoded]), 'acme')
}
const recordsOf = (...given: Parameters<typeof decode>) => {
  const inbound = decode(...given)
  return Array.isArray(inbound) ? inbound.map(({ record }) => record) : assert.fail(JSON.stringify(inbound))
}
const codeOf = (...given: Parameters<typeof decode>) => (decode(...given) as { code?: string }).code

test('a record is of its reseller, and received at the time of the record in Kafka', () => {
  const receivedAt = new Date(WRITTEN_MS)
  assert.deepEqual(decode({ device_id: 'dev-1', speed: 1 }), [
    { resellerId: 'acme', kind: 'telemetry', record: { device_id: 'dev-1', speed: 1 }, receiver: 'stream', receivedAt },
  ])
})

test('the key names the device where the record names nobody, and only there', () => {
  assert.deepEqual(recordsOf({ speed: 1 }, { key: 'dev-1' }), [{ speed: 1, device_id: 'dev-1' }])
  assert.deepEqual(recordsOf([{ speed: 1 }, { vehicle_id: 'truck', speed: 2 }], { key: 'dev-1' }), [
    { speed: 1, device_id: 'dev-1' },
    { vehicle_id: 'truck', speed: 2 },
  ])
  assert.deepEqual(recordsOf({ device_id: null, speed: 1 }, { key: 'dev-1' }), [{ speed: 1, device_id: 'dev-1' }])
  assert.deepEqual(recordsOf({ speed: 1 }, { key: '' }), [{ speed: 1 }])
})

test('a key that no device can have is refused as it would be in the record', () => {
  for (const key of ['dev-1\u0000', 'x'.repeat(8_193)]) {
    assert.equal(codeOf({ speed: 1 }, { key }), 'invalid_request')
    assert.deepEqual(recordsOf({ device_id: 'dev-1' }, { key }), [{ device_id: 'dev-1' }])
  }
})

test('a byte order mark before a record is left out, so that the batch it is packed into can be read', () => {
  assert.deepEqual(recordsOf('\ufeff{"device_id":"dev-1","speed":1}'), [{ device_id: 'dev-1', speed: 1 }])
  assert.deepEqual(recordsOf('\ufeff[{"device_id":"dev-1","speed":1}]'), [{ device_id: 'dev-1', speed: 1 }])
})

test('the time of an event is that of a record without one', () => {
  const time = '2026-11-20T10:00:00.000Z'
  const headers = { ce_specversion: '1.0', ce_time: time }
  assert.deepEqual(recordsOf({ device_id: 'dev-1' }, { headers }), [{ device_id: 'dev-1', timestamp: time }])
  const own = { device_id: 'dev-1', timestamp: '2026-11-20T09:00:00.000Z' }
  assert.deepEqual(recordsOf({ specversion: '1.0', time, data: own }), [own])
})

test('what cannot be read is poison by the reason that the other receivers give', () => {
  assert.equal(codeOf('{'), 'invalid_json')
  assert.equal(codeOf(''), 'empty_message')
  assert.equal(codeOf([]), 'invalid_request')
  assert.equal(codeOf(Array.from({ length: 101 }, () => ({ speed: 1 }))), 'batch_too_large')
  assert.equal(codeOf({ extra: 'x'.repeat(65_536) }), 'payload_too_large')
  assert.equal(codeOf('{"__proto__":{"speed":1}}'), 'invalid_request')
  assert.equal(codeOf({ specversion: '3.0', data: {} }), 'invalid_cloudevent')
  // Refused further on, by the words that every receiver has for it.
  assert.deepEqual(recordsOf('7'), [7])
})

test('no number becomes another on the way: those that JSON holds arrive as they are read, and those that it does not are refused by name', () => {
  const reasonOf = (...given: Parameters<typeof decode>) => (decode(...given) as { reason?: string }).reason
  for (const [text, field] of [
    ['{"device_id":"d","speed":1e999}', 'speed'],
    ['{"device_id":"d","extra":{"a":[1,-1e999]}}', 'extra.a[1]'],
    ['{"specversion":"1.0","data":{"speed":1e999}}', 'speed'],
  ] as const) {
    assert.equal(codeOf(text), 'invalid_request')
    assert.equal(reasonOf(text), `"${field}" is not a finite number.`)
    assert.equal(codeOf(text, { key: 'dev-1' }), 'invalid_request')
  }
  assert.equal(codeOf('[{"speed":1},{"speed":1e999}]'), 'invalid_request')
  for (const text of ['{"speed":NaN}', '{"speed":Infinity}', 'NaN']) assert.equal(codeOf(text), 'invalid_json')
  const exact = '{"device_id":"d","a":1.7976931348623157e308,"b":5e-324,"c":12345678901234567890,"d":0.1,"e":-1.5e-7,"f":9007199254740993}'
  const numbers = { a: Number.MAX_VALUE, b: Number.MIN_VALUE, c: 12345678901234567000, d: 0.1, e: -1.5e-7, f: 9007199254740992 }
  assert.deepEqual(recordsOf(exact), [{ device_id: 'd', ...numbers }])
  assert.deepEqual(recordsOf(`[${exact},{"speed":1}]`, { key: 'k' }), [
    { device_id: 'd', ...numbers },
    { speed: 1, device_id: 'k' },
  ])
})

test('keys that reach into prototypes, halves of characters and depth are refused alike, however a record came', () => {
  const nested = (depth: number) => `{"device_id":"d","extra":${'['.repeat(depth)}${']'.repeat(depth)}}`
  for (const inside of ['"__proto__":{"speed":1}', '"extra":{"constructor":1}', '"a":"\\ud800"', '"a\\u0000":1', '"a":"\\u0000"']) {
    for (const text of [`{${inside}}`, `[{"speed":1},{${inside}}]`, `{"specversion":"1.0","data":{${inside}}}`]) {
      assert.equal(codeOf(text), 'invalid_request', text)
      assert.equal(codeOf(text, { key: 'dev-1' }), 'invalid_request', text)
    }
  }
  assert.equal(recordsOf(nested(31)).length, 1)
  assert.equal(codeOf(nested(32)), 'invalid_json')
})

test('of a key that is there twice the last counts, and no record ends another', () => {
  const twice = '{"device_id":"d","speed":1,"speed":2, "x":{"y":1,"y":"]},{\\"z\\":\\"\\u2028\u2028é🚚"}}'
  const once = { device_id: 'd', speed: 2, x: { y: ']},{"z":"\u2028\u2028é🚚' } }
  assert.deepEqual(recordsOf(twice), [once])
  assert.deepEqual(recordsOf(`[${twice},${twice}]`), [once, once])
  assert.deepEqual(recordsOf(` \n${twice}\t`), [once])
  for (const text of ['{"a":1},{"b":2}', '{"a":1}]', '1,2', '{"a":1}//', '{}\ufeff', ',']) assert.equal(codeOf(text), 'invalid_json', text)
  // What is no UTF-8 is refused, as everywhere: with U+FFFD for each wrong byte two names would become one.
  assert.equal(codeOf(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xe2, 0x82, 0x22, 0x7d])), 'invalid_json')
})

test('a record that was written too long ago or lies ahead is poison: it would be billed then', () => {
  for (const writtenMs of [-1, 0, NOW_MS - 31 * DAY_MS, NOW_MS + 301_000])
    assert.equal(codeOf({ device_id: 'd' }, { writtenMs }), 'invalid_request')
  for (const writtenMs of [NOW_MS - 29 * DAY_MS, NOW_MS + 299_000]) assert.equal(recordsOf({ device_id: 'd' }, { writtenMs }).length, 1)
})
