import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepTimeZone } from '../text/test-time-zone.ts'
import { dayAfter, dayOf, isDay, rangeOf } from './track-day.ts'
import { readTrackSearch } from './track-search.ts'

test('a day of the address is one of the calendar', () => {
  assert.deepEqual(['2026-11-02', '2028-02-29'].map(isDay), [true, true])
  assert.deepEqual(['2026-02-30', '2026-13-01', '2026-1-1', 'today', ''].map(isDay), [false, false, false, false, false])
  assert.deepEqual(readTrackSearch({ day: '2026-11-02', other: 1 }), { day: '2026-11-02' })
  assert.deepEqual(readTrackSearch({ day: 20261102 }), {})
})

test('days follow each other over months and years', () => {
  assert.deepEqual([dayAfter('2026-12-31', 1), dayAfter('2026-03-01', -1)], ['2027-01-01', '2026-02-28'])
})

test('a day of UTC is 24 hours, and a day of a computer is as long as by its clocks', (t) => {
  keepTimeZone(t)
  assert.deepEqual(rangeOf('2026-03-29', 'UTC'), { fromMs: Date.UTC(2026, 2, 29), toMs: Date.UTC(2026, 2, 30) })
  process.env['TZ'] = 'Europe/Berlin'
  const { fromMs, toMs } = rangeOf('2026-03-29', undefined)
  assert.deepEqual([new Date(fromMs).toISOString(), (toMs - fromMs) / 3_600_000], ['2026-03-28T23:00:00.000Z', 23])
  assert.equal(dayOf(Date.UTC(2026, 2, 28, 23, 30), undefined), '2026-03-29')
  assert.equal(dayOf(Date.UTC(2026, 2, 28, 23, 30), 'UTC'), '2026-03-28')
})
