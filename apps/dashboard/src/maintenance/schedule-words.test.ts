import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyText, nextText, previewText } from './schedule-words.ts'

test('a schedule shows how often, and when next as far as it is known', () => {
  assert.equal(everyText({ km: 40_000, engine_hours: null, days: 730 }), 'every 40,000 km or 730 days')
  assert.equal(everyText({ km: null, engine_hours: 250, days: null }), 'every 250 engine hours')
  const next = { at: null, odometer_km: null, engine_hours: null, expectedAt: null }
  // Noon where the test runs: days are shown in the zone of the computer.
  const day = new Date('2026-11-02T12:00:00').toISOString()
  assert.equal(nextText({ next: { ...next, at: day, expectedAt: day } }), 'on Nov 2, 2026')
  assert.equal(nextText({ next: { ...next, odometer_km: 211_300, expectedAt: day } }), 'at 211,300 km; expected about Nov 2, 2026')
  assert.match(nextText({ next }), /^Not known/)
})

test('what is being entered is shown in words, as far as it is known', () => {
  const every = { km: 10_000, engine_hours: null, days: 365 }
  const unknown = { day: undefined, km: undefined, engineHours: undefined }
  assert.equal(
    previewText({ every, due: { ...unknown, km: 71_000, day: '2027-10-14' } }),
    'Next due at 71,000 km or on Oct 14, 2027, whichever comes first.',
  )
  assert.equal(previewText({ every: { ...every, days: null }, due: unknown }), 'Next due 10,000 km after the odometer of then.')
  assert.match(previewText({ every: { ...every, km: null, days: null }, due: unknown }), /^Enter a distance/)
})
