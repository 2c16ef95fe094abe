// Goal: a record is read the same every time, and what cannot be read is told. What CloudEvents may look like is tested in the package that
// reads them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRecord } from './decode-record.ts'

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
      value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
      headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
      timestamp: BigInt(writtenMs),
    } as Parameters<typeof decodeRecord>[0],
    { resellerId: 'acme', nowMs: NOW_MS, maxAheadMs: 300_000 },
  )
  return 'poison' in decoded ? decoded.poison : decoded.inbound
}
const recordsOf = (...given: Parameters<typeof decode>) => {
  const inbound = decode(...given)
  return Array.isArray(inbound) ? inbound.map(({ record }) => record) : assert.fail(JSON.stringify(inbound))
}
const codeOf = (...given: Parameters<typeof decode>) => (decode(...given) as { code?: string }).code

test('a record is of its reseller, and received when Kafka says that it was written', () => {
  const receivedAt = new Date(WRITTEN_MS)
  assert.deepEqual(decode({ device_id: 'dev-1', speed: 1 }), [
    { resellerId: 'acme', kind: 'telemetry', record: { device_id: 'dev-1', speed: 1 }, receivedAt },
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

test('the time of an event is that of a record without one', () => {
  const time = '2026-11-20T10:00:00.000Z'
  const headers = { ce_specversion: '1.0', ce_time: time }
  assert.deepEqual(recordsOf({ device_id: 'dev-1' }, { headers }), [{ device_id: 'dev-1', timestamp: time }])
  const own = { device_id: 'dev-1', timestamp: '2026-11-20T09:00:00.000Z' }
  assert.deepEqual(recordsOf({ specversion: '1.0', time, data: own }), [own])
})

test('what cannot be read is poison by the reason that the other doors give', () => {
  assert.equal(codeOf('{'), 'invalid_json')
  assert.equal(codeOf(''), 'empty_message')
  assert.equal(codeOf([]), 'invalid_request')
  assert.equal(codeOf(Array.from({ length: 101 }, () => ({ speed: 1 }))), 'batch_too_large')
  assert.equal(codeOf({ extra: 'x'.repeat(65_536) }), 'payload_too_large')
  assert.equal(codeOf('{"__proto__":{"speed":1}}'), 'invalid_request')
  assert.equal(codeOf({ specversion: '3.0', data: {} }), 'invalid_cloudevent')
  // Refused further on, by the words that every door has for it.
  assert.deepEqual(recordsOf('7'), [7])
})

test('a record that was written too long ago or lies ahead is poison: it would be billed then', () => {
  for (const writtenMs of [-1, 0, NOW_MS - 31 * DAY_MS, NOW_MS + 301_000])
    assert.equal(codeOf({ device_id: 'd' }, { writtenMs }), 'invalid_request')
  for (const writtenMs of [NOW_MS - 29 * DAY_MS, NOW_MS + 299_000]) assert.equal(recordsOf({ device_id: 'd' }, { writtenMs }).length, 1)
})
