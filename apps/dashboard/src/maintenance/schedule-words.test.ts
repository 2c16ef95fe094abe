import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyText, nextText } from './schedule-words.ts'

test('a schedule says how often, and when next as far as it is known', () => {
  assert.equal(everyText({ km: 40_000, engine_hours: null, days: 730 }), 'every 40,000 km or 730 days')
  assert.equal(everyText({ km: null, engine_hours: 250, days: null }), 'every 250 engine hours')
  const next = { at: null, odometer_km: null, engine_hours: null, expectedAt: null }
  const day = '2026-11-02T12:00:00.000Z'
  assert.equal(nextText({ next: { ...next, at: day, expectedAt: day } }), 'on 2 Nov 2026')
  assert.equal(nextText({ next: { ...next, odometer_km: 211_300, expectedAt: day } }), 'at 211,300 km; expected about 2 Nov 2026')
  assert.match(nextText({ next }), /^Not known/)
})
