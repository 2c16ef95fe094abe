import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepTimeZone } from '../text/test-time-zone.ts'
import { dayOf, middleOf } from './calendar-day.ts'

/** From the farthest west to the farthest east, with summer time on both halves of the earth. */
const ZONES = [
  'Pacific/Pago_Pago',
  'Pacific/Honolulu',
  'America/Los_Angeles',
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
]

test('the time that a day is stored as is on that day where it was chosen, and in UTC', (t) => {
  keepTimeZone(t)
  for (const zone of ZONES) {
    process.env['TZ'] = zone
    for (const day of ['2026-01-15', '2026-07-15', '2026-03-29', '2026-10-25']) {
      assert.equal(dayOf(middleOf(day)), day, `${day} in ${zone}`)
      assert.equal(middleOf(day).toISOString().slice(0, 10), day, `${day} of ${zone} in UTC`)
    }
  }
})

test('noon in UTC is taken wherever it is on that day', (t) => {
  keepTimeZone(t)
  process.env['TZ'] = 'Pacific/Honolulu'
  assert.equal(middleOf('2026-07-15').toISOString(), '2026-07-15T12:00:00.000Z')
  process.env['TZ'] = 'Pacific/Auckland'
  assert.equal(middleOf('2026-01-15').toISOString(), '2026-01-15T10:59:00.000Z', 'the end of the day there')
})
