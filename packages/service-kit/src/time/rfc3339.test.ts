import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIsoForm, parseRfc3339 } from './rfc3339.ts'

test('times with an offset are read to the millisecond', () => {
  const cases: [string, string][] = [
    ['2026-11-20T18:35:51Z', '2026-11-20T18:35:51.000Z'],
    ['2026-11-20T18:35:51.5Z', '2026-11-20T18:35:51.500Z'],
    ['2026-11-20T18:35:51.123456789Z', '2026-11-20T18:35:51.123Z'],
    ['2026-11-20T18:35:51.029Z', '2026-11-20T18:35:51.029Z'],
    ['2026-11-20t18:35:51+05:30', '2026-11-20T13:05:51.000Z'],
    ['2026-11-20T00:00:00-00:30', '2026-11-20T00:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [text, expected] of cases) assert.equal(new Date(parseRfc3339(text) ?? Number.NaN).toISOString(), expected, text)
})

test('a time is in the form of toISOString exactly when toISOString writes it the same', () => {
  for (const text of [
    '2026-11-20T18:35:51.029Z',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '2026-11-20T18:35:51Z',
    '2026-11-20T18:35:51.0290Z',
    '2026-11-20t18:35:51.029Z',
    '2026-11-20 18:35:51.029Z',
    '2026-11-20T18:35:51.029z',
    '2026-11-20T18:35:51+00:00',
    '2026-11-20T18:35:51.029+00:00',
  ]) {
    assert.equal(isIsoForm(text), new Date(parseRfc3339(text) ?? Number.NaN).toISOString() === text, text)
  }
})

test('every millisecond of a second survives', () => {
  for (let ms = 0; ms < 1000; ms++) {
    const text = `2026-01-01T00:00:00.${String(ms).padStart(3, '0')}Z`
    assert.equal(parseRfc3339(text), Date.parse(text))
  }
})

test('what is not a real instant is refused', () => {
  for (const text of [
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T18:60:00Z',
    '2026-11-20T18:35:60Z',
    '2026-11-20T18:35:51',
    '2026-11-20',
    '1',
    '1763663751',
    '',
    'now',
    // Of no year with four digits in UTC.
    '0000-01-01T00:59:59+01:00',
    '9999-12-31T23:00:00-01:00',
    '2026-11-20T18:35:51+24:00',
    '2026-11-20T18:35Z',
    ' 2026-11-20T18:35:51Z',
    '+002026-11-20T18:35:51Z',
  ]) {
    assert.equal(parseRfc3339(text), undefined, text)
  }
})
