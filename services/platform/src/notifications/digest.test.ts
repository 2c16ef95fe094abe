// Goal: a digest has one instant on each day of its zone, also on those on which clocks change. Method: the pure function at every quarter of an hour.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestTimes } from './digest.ts'

const at = (text: string) => new Date(text)
const QUARTER_HOUR_MS = 15 * 60_000

test('the last digest is that of today from its time on, and before that the one of yesterday', () => {
  const digest = { at: '07:30', timeZone: 'Asia/Kolkata' }
  const [first, second, third] = [
    { day: '2026-11-22', at: at('2026-11-22T02:00:00Z') },
    { day: '2026-11-23', at: at('2026-11-23T02:00:00Z') },
    { day: '2026-11-24', at: at('2026-11-24T02:00:00Z') },
  ]
  assert.deepEqual(digestTimes(digest, at('2026-11-23T01:59:59Z')), { last: first, next: second })
  assert.deepEqual(digestTimes(digest, at('2026-11-23T02:00:00Z')), { last: second, next: third })
})

test('where clocks go forward over the time it is the first one after, and where they go back the first of both', () => {
  const digest = { at: '02:30', timeZone: 'Europe/Berlin' }
  assert.deepEqual(digestTimes(digest, at('2026-03-29T12:00:00Z')).last, { day: '2026-03-29', at: at('2026-03-29T01:00:00Z') })
  assert.deepEqual(digestTimes(digest, at('2026-10-25T12:00:00Z')).last, { day: '2026-10-25', at: at('2026-10-25T00:30:00Z') })
})

test('over a year each day has one, in order, and the next becomes the last', () => {
  for (const digest of [
    { at: '00:00', timeZone: 'America/Santiago' },
    { at: '23:45', timeZone: 'Pacific/Chatham' },
    { at: '02:15', timeZone: 'Australia/Lord_Howe' },
  ]) {
    const days = new Map<string, number>()
    let expected = digestTimes(digest, at('2026-01-01T00:00:00Z')).next
    for (let ms = Date.parse('2026-01-01T00:00:00Z'); ms < Date.parse('2027-01-01T00:00:00Z'); ms += QUARTER_HOUR_MS) {
      const { last, next } = digestTimes(digest, new Date(ms))
      assert.ok(last.at.getTime() <= ms && next.at.getTime() > ms)
      if (expected.at.getTime() <= ms) {
        assert.deepEqual(last, expected)
        expected = next
      }
      days.set(last.day, last.at.getTime())
    }
    assert.equal(days.size, 366)
    assert.equal(new Set(days.values()).size, 366)
  }
})
