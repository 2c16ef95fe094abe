import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessage } from './read-message.ts'

const MAX_BYTES = 1024
const RECEIVED_MS = Date.UTC(2026, 5, 1)
const TIME = '2026-05-01T08:00:00Z'
const read = (value: string | Buffer, headers: Record<string, string> = {}) =>
  readMessage({ value: Buffer.from(value as string), headers: new Map(Object.entries(headers)), receivedAtMs: RECEIVED_MS }, MAX_BYTES)
const codeOf = (result: object) => ('code' in result ? result.code : result)
const body = { vehicleId: 'V-1', coolant: 85 }
const content = { body, isValue: false, receivedAtMs: RECEIVED_MS }
const contentAtTime = { ...content, receivedAtMs: Date.parse(TIME) }

test('bare JSON is the input itself', () => {
  assert.deepEqual(read(JSON.stringify(body)), { ...content, isValue: true })
})

test('a structured CloudEvent gives its data, as JSON or Base64, and its time, with and without the header', () => {
  const event = { specversion: '1.0', id: '1', source: '/s', type: 't' }
  assert.deepEqual(read(JSON.stringify({ ...event, time: TIME, data: body })), contentAtTime)
  assert.deepEqual(
    read(JSON.stringify({ ...event, data: body }), { 'content-type': 'application/cloudevents+json; charset=UTF-8' }),
    content,
  )
  const encoded = Buffer.from(JSON.stringify(body)).toString('base64')
  assert.deepEqual(read(JSON.stringify({ ...event, time: TIME, data_base64: encoded })), contentAtTime)
})

test('a binary CloudEvent is its value, its time is in the headers', () => {
  const headers = { ce_specversion: '1.0', ce_id: '1', ce_time: TIME, 'content-type': 'application/json' }
  assert.deepEqual(read(JSON.stringify(body), headers), { ...contentAtTime, isValue: true })
})

test('what cannot be read is poison with its reason', () => {
  const event = { specversion: '1.0', id: '1', source: '/s', type: 't' }
  const cases: [string, string | Buffer, Record<string, string>?][] = [
    ['empty_message', ''],
    ['payload_too_large', 'x'.repeat(MAX_BYTES + 1)],
    ['invalid_json', '{"a":'],
    ['invalid_json', Buffer.from([0xff, 0xfe, 0x00])],
    ['invalid_json', '['.repeat(33) + ']'.repeat(33)],
    ['invalid_cloudevent', JSON.stringify(event)],
    ['invalid_cloudevent', JSON.stringify({ ...event, specversion: '0.3', data: body })],
    ['invalid_cloudevent', JSON.stringify({ ...event, specversion: 1.5, data: body })],
    ['invalid_cloudevent', JSON.stringify({ ...event, specversion: null, data: body })],
    ['invalid_cloudevent', JSON.stringify({ ...event, specversion: { toString: 1 }, data: body })],
    ['invalid_cloudevent', JSON.stringify({ ...event, specversion: ['1.0'], data: body })],
    ['invalid_cloudevent', JSON.stringify({ ...event, datacontenttype: 'application/xml', data: '<a/>' })],
    ['invalid_cloudevent', JSON.stringify(body), { 'content-type': 'application/cloudevents+json' }],
    ['invalid_cloudevent', '[]', { 'content-type': 'application/cloudevents-batch+json' }],
    ['invalid_cloudevent', JSON.stringify(body), { ce_specversion: '2.0' }],
    ['invalid_cloudevent', JSON.stringify(body), { ce_specversion: '1.0', 'content-type': 'application/avro' }],
    ['invalid_json', JSON.stringify({ ...event, data_base64: 'e30' }).replace('e30', 'e3')],
  ]
  for (const [code, value, headers] of cases) assert.equal(codeOf(read(value, headers)), code, String(value).slice(0, 80))
})
