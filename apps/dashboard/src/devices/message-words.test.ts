import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceMessage } from '@roadworthy/contracts/platform-v1/device-messages'
import { labelOfKey, summaryOf, valueText } from './message-words.ts'

const stored: DeviceMessage = {
  id: 'msg-1',
  receivedAt: '2026-11-20T12:00:00.000Z',
  recordedAt: '2026-11-20T12:00:00.000Z',
  receiver: 'mqtt',
  status: 'stored',
  readingId: 'tel-1',
  understood: [
    { key: 'coolant', value: 88, unit: '°C', implausible: false },
    { key: 'battery_voltage', value: 900, unit: 'V', implausible: true },
  ],
  keptUnread: { colnt: 1 },
  warnings: [
    { field: 'colnt', reason: 'unknown' },
    { field: 'engine_hours', reason: 'goes back' },
  ],
  error: null,
  body: null,
  bodyBytes: null,
  isBodyCut: false,
}

test('a message shows what was understood, kept, implausible and warned of, each field once', () => {
  assert.deepEqual(summaryOf(stored), [
    '2 values understood',
    'Kept, not understood: colnt',
    'Implausible: battery_voltage',
    'Warnings: engine_hours',
  ])
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 1]))
  assert.deepEqual(summaryOf({ ...stored, understood: [], keptUnread: many, warnings: [] }), [
    'No value understood',
    'Kept, not understood: a, b, c, d, e and 2 more',
  ])
})

test('a refused message shows why, and nothing else', () => {
  const error = { code: 'invalid_request', message: '"rpm" must be a number.', field: 'rpm' }
  assert.deepEqual(summaryOf({ ...stored, status: 'refused', error }), ['"rpm" must be a number.'])
})

test('a value stands with its unit, and what is no number as it came', () => {
  assert.deepEqual(
    [valueText(88.25, '°C'), valueText(52.123456, null), valueText('on', null), valueText(['P0420'], null)],
    ['88.25 °C', '52.123456', 'on', '["P0420"]'],
  )
  assert.equal(labelOfKey('coolant'), 'Coolant temperature')
  assert.equal(labelOfKey('latitude'), undefined)
})
