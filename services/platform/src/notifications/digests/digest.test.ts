// Goal: a digest has one instant on each day of its zone, also on those on which clocks change. Method: the pure function at each instant of a year, and just before it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestTimes } from './digest.ts'

const at = (text: string) => new Date(text)
const DAY_MS = 86_400_000

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
    const days: string[] = []
    for (let { last: before, next } = digestTimes(digest, at('2026-01-01T00:00:00Z')); days.length < 366; ) {
      assert.deepEqual(digestTimes(digest, new Date(next.at.getTime() - 1)), { last: before, next })
      const reached = digestTimes(digest, next.at)
      assert.deepEqual(reached.last, next)
      assert.ok(reached.next.at > next.at)
      days.push(next.day)
      before = next
      next = reached.next
    }
    assert.deepEqual(days, [...new Set(days)].sort())
    const [first = '', last = ''] = [days.at(0), days.at(-1)]
    assert.equal((Date.parse(last) - Date.parse(first)) / DAY_MS, 365)
  }
})
