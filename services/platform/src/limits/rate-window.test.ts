import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { RateWindow } from './rate-window.ts'

const START_MS = Date.parse('2026-03-01T12:00:00.000Z')
const perMinute60 = { perMinute: 60, perDay: 0 }

test('the 60th call in a minute is accepted and the 61st refused, until the first one is 60 s old', () => {
  const window = new RateWindow()
  for (let i = 0; i < 60; i++) {
    const verdict = window.take(START_MS + i, perMinute60)
    assert.equal(verdict.isAccepted, true, `call ${i + 1}`)
    assert.equal(verdict.remaining, 59 - i)
  }
  const refused = window.take(START_MS + 59, perMinute60)
  assert.deepEqual(refused, { isAccepted: false, policy: 'minute', limit: 60, remaining: 0, resetS: 60 })
  assert.equal(window.take(START_MS + 59_999, perMinute60).isAccepted, false)
  assert.equal(window.take(START_MS + 60_000, perMinute60).isAccepted, true)
  assert.equal(window.take(START_MS + 60_000, perMinute60).isAccepted, false)
  assert.equal(window.take(START_MS + 60_001, perMinute60).isAccepted, true)
})

test('refused calls do not count, however many', () => {
  const window = new RateWindow()
  for (let i = 0; i < 1_000; i++) window.take(START_MS + i, perMinute60)
  assert.equal(window.take(START_MS + 60_000, perMinute60).isAccepted, true)
  assert.equal(window.counts().recentMs.length, 60)
})

test('in no sliding 60 s are more than the limit accepted, and a call made after the returned wait is let in', () => {
  const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 40_000 })), { maxLength: 400 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 20 }), (gapsMs, perMinute) => {
      const limits = { perMinute, perDay: 0 }
      const window = new RateWindow()
      const accepted: number[] = []
      let nowMs = START_MS
      for (const gapMs of gapsMs) {
        nowMs += gapMs
        const verdict = window.take(nowMs, limits)
        if (verdict.isAccepted) accepted.push(nowMs)
        else {
          const untilMs = nowMs + verdict.resetS * 1000
          const other = new RateWindow()
          other.restore(window.counts())
          assert.equal(other.take(untilMs, limits).isAccepted, true)
          assert.equal(verdict.resetS >= 1, true)
        }
      }
      for (const [i, atMs] of accepted.entries()) {
        const firstOfNext = accepted[i + perMinute]
        assert.equal(firstOfNext === undefined || firstOfNext - atMs >= 60_000, true)
      }
    }),
    { seed: 60, numRuns: 300 },
  )
})

test('the day limit ends with the UTC day', () => {
  const window = new RateWindow()
  const limits = { perMinute: 0, perDay: 5_000 }
  const beforeMidnightMs = Date.parse('2026-03-01T23:59:58.500Z')
  for (let i = 1; i <= 5_000; i++) assert.equal(window.take(beforeMidnightMs, limits).remaining, 5_000 - i)
  assert.deepEqual(window.take(beforeMidnightMs, limits), { isAccepted: false, policy: 'day', limit: 5_000, remaining: 0, resetS: 2 })
  assert.equal(window.take(Date.parse('2026-03-01T23:59:59.999Z'), limits).resetS, 1)
  assert.equal(window.take(Date.parse('2026-03-02T00:00:00.000Z'), limits).remaining, 4_999)
})

test('when both limits are used up, the wait is the longer one', () => {
  const window = new RateWindow()
  const limits = { perMinute: 2, perDay: 2 }
  window.take(START_MS, limits)
  window.take(START_MS, limits)
  assert.deepEqual(window.take(START_MS, limits), { isAccepted: false, policy: 'day', limit: 2, remaining: 0, resetS: 12 * 3600 })
  const midnightMs = Date.parse('2026-03-02T00:00:00.000Z')
  const late = new RateWindow()
  late.take(midnightMs - 1_000, limits)
  late.take(midnightMs - 1_000, limits)
  assert.equal(late.take(midnightMs - 1_000, limits).resetS, 60)
})

test('the limit that is nearest to its end is the one returned', () => {
  const window = new RateWindow()
  assert.equal(window.take(START_MS, { perMinute: 60, perDay: 5_000 }).policy, 'minute')
  assert.equal(window.take(START_MS, { perMinute: 60, perDay: 10 }).policy, 'day')
})

test('a clock set back an hour neither locks the key out nor forgets the limit', () => {
  const window = new RateWindow()
  for (let i = 0; i < 60; i++) window.take(START_MS, perMinute60)
  assert.equal(window.take(START_MS - 500, perMinute60).isAccepted, false, 'a small step back is the same minute')
  const earlierMs = START_MS - 3_600_000
  for (let i = 0; i < 60; i++) assert.equal(window.take(earlierMs, perMinute60).isAccepted, true)
  assert.equal(window.take(earlierMs, perMinute60).isAccepted, false)
  assert.equal(window.take(earlierMs + 60_000, perMinute60).isAccepted, true)
})
