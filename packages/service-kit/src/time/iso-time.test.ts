import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoTime } from './iso-time.ts'

const MAX_DATE_MS = 8.64e15

test('a time is written as a Date writes it, whatever day was written before', () => {
  const edges = [0, -1, 1, -0, 999, 1_000, 86_399_999, 86_400_000, -86_400_000, -86_400_001, MAX_DATE_MS, -MAX_DATE_MS, MAX_DATE_MS - 1]
  const leapDays = ['2024-02-29T23:59:59.999Z', '2100-02-28T23:59:59.999Z', '+010000-01-01T00:00:00.000Z', '-000001-12-31T00:00:00.001Z']
  const spread = Array.from({ length: 5_000 }, (_, i) => Math.round((i - 2_500) * 86_400_000 * 37.123 + i * 977))
  const withinADay = Array.from({ length: 5_000 }, (_, i) => Date.UTC(2026, 10, 27) + i * 17_279)
  const fractions = [1.9, -1.9, 86_399_999.999, -0.5]
  for (const ms of [...edges, ...leapDays.map((text) => Date.parse(text)), ...spread, ...withinADay, ...fractions]) {
    assert.equal(isoTime(ms), new Date(ms).toISOString(), String(ms))
  }
})

test('what is no time is refused, and leaves the next one alone', () => {
  assert.equal(isoTime(0), '1970-01-01T00:00:00.000Z')
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, MAX_DATE_MS + 1, -MAX_DATE_MS - 1]) {
    assert.throws(() => isoTime(ms), RangeError, String(ms))
  }
  assert.equal(isoTime(1), '1970-01-01T00:00:00.001Z')
})
