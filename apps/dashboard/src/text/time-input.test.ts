import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditFilter } from '../settings/audit-search.ts'
import { keepTimeZone } from './test-time-zone.ts'
import { fromInput, toInput } from './time-input.ts'

test('a time that is typed is one of the zone in which times are shown, also far from that of the computer', (t) => {
  keepTimeZone(t)
  const at = '2026-11-20T12:00:00.000Z'
  for (const [zone, local] of [
    ['Pacific/Auckland', '2026-11-21T01:00'],
    ['America/St_Johns', '2026-11-20T08:30'],
  ] as const) {
    process.env['TZ'] = zone
    assert.deepEqual([toInput(at, undefined), fromInput(local, undefined)], [local, at])
    assert.deepEqual([toInput(at, 'UTC'), fromInput('2026-11-20T12:00', 'UTC')], ['2026-11-20T12:00', at])
    assert.deepEqual(auditFilter({ since: '2026-11-20' }, 'UTC'), { from: '2026-11-20T00:00:00.000Z' })
  }
  // The clocks of St. John's went from 02:00 back to 01:00 on that day.
  assert.deepEqual(
    [toInput('2026-11-01T03:45:00.000Z', undefined), toInput('2026-11-01T05:45:00.000Z', undefined)],
    ['2026-11-01T01:15', '2026-11-01T02:15'],
  )
})
