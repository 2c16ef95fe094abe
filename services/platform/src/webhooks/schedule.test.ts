import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRetryAfterMs, scheduleS, waitAfterMs } from './schedule.ts'

const plain = { isOverwhelmed: false, retryAfterMs: undefined }

test('the schedule is that of Standard Webhooks: ten attempts in 75 h 35 min 5 s', () => {
  assert.deepEqual(scheduleS, [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  const waitsMs = scheduleS.map((_, step) => waitAfterMs(step, plain, () => 0.5))
  assert.equal(waitsMs.at(-1), undefined)
  const sumMs = waitsMs.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  assert.equal(sumMs, ((75 * 60 + 35) * 60 + 5) * 1000)
})

test('a wait is the scheduled one within a fifth', () => {
  for (const [step, scheduledS] of scheduleS.slice(1).entries()) {
    assert.equal(
      waitAfterMs(step, plain, () => 0),
      scheduledS * 800,
    )
    assert.equal(
      waitAfterMs(step, plain, () => 1),
      scheduledS * 1200,
    )
  }
})

test('Retry-After is followed between the scheduled wait and twice that', () => {
  const after = (step: number, retryAfterMs: number) => waitAfterMs(step, { isOverwhelmed: false, retryAfterMs }, () => 0)
  assert.deepEqual([after(0, 0), after(0, 7_000), after(0, 3_600_000)], [5_000, 7_000, 10_000])
  assert.deepEqual([after(1, 1_000), after(1, 400_000), after(1, 86_400_000)], [300_000, 400_000, 600_000])
})

test('after 429 or a timeout there is a minute at least', () => {
  const overwhelmed = (step: number, retryAfterMs?: number) => waitAfterMs(step, { isOverwhelmed: true, retryAfterMs }, () => 0)
  assert.deepEqual([overwhelmed(0), overwhelmed(0, 8_000), overwhelmed(1)], [60_000, 60_000, 240_000])
})

test('Retry-After is read as seconds or as a date, and otherwise not at all', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  assert.equal(parseRetryAfterMs('120', now), 120_000)
  assert.equal(parseRetryAfterMs('Fri, 20 Nov 2026 12:01:00 GMT', now), 60_000)
  assert.equal(parseRetryAfterMs('Fri, 20 Nov 2026 11:00:00 GMT', now), 0)
  for (const text of [undefined, '', '-1', '1.5', 'soon', '2026-11-20', '99999999999', 'Fri, 99 Nov 2026 12:01:00 GMT']) {
    assert.equal(parseRetryAfterMs(text, now), undefined, text)
  }
})
