import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { keepTimeZone } from '../text/test-time-zone.ts'
import { emptySchedule, entryOfSchedule, isReady, nextDue, toPlan } from './schedule-entry.ts'

const now = new Date('2026-11-23T09:30:00Z')
const yearly = {
  ...emptySchedule,
  title: ' Service ',
  component: 'engine',
  distance: 10_000,
  days: 365,
  lastDay: '2026-10-14',
  lastOdometer: 61_000,
}

test('a schedule is sent as it was entered, and what was left open is left out', (t) => {
  keepTimeZone(t)
  process.env['TZ'] = 'UTC'
  assert.deepEqual(toPlan(yearly, now), {
    title: 'Service',
    component: 'engine',
    every: { km: 10_000, days: 365 },
    last: { at: new Date('2026-10-14T12:00:00Z').toISOString(), odometer_km: 61_000 },
  })
  assert.deepEqual(toPlan({ ...emptySchedule, title: 'Oil', component: 'engine', engineHours: 250, remindDays: 7 }, now), {
    ...{ title: 'Oil', component: 'engine', every: { engine_hours: 250 }, remind: { days: 7 } },
  })
})

test('work of today was done by now, not at noon to come; a day that is not changed keeps its time', (t) => {
  keepTimeZone(t)
  process.env['TZ'] = 'UTC'
  assert.equal(toPlan({ ...yearly, lastDay: '2026-11-23' }, now).last?.at, now.toISOString())
  const at = new Date('2026-10-14T17:45:00Z').toISOString()
  const known = {
    ...{
      title: 'Service',
      component: 'engine',
      every: { km: 10_000, days: 365, engine_hours: null },
      remind: { days: 14, km: 500, engine_hours: 20 },
    },
    last: { at, odometer_km: 61_000, engine_hours: null },
  } as Schedule
  const entry = entryOfSchedule(known)
  assert.equal(toPlan(entry, now, known).last?.at, at)
  assert.deepEqual(toPlan(entry, now, known).remind, { km: 500, days: 14 })
})

test('the next time is known as far as it follows from what was entered', (t) => {
  keepTimeZone(t)
  process.env['TZ'] = 'UTC'
  assert.deepEqual(nextDue(yearly, now), { day: '2027-10-14', km: 71_000, engineHours: undefined })
  assert.deepEqual(nextDue({ ...emptySchedule, days: 10 }, now), { day: '2026-12-03', km: undefined, engineHours: undefined })
  assert.deepEqual(
    [isReady(yearly), isReady({ ...yearly, distance: '', days: '' }), isReady({ ...yearly, title: ' ' })],
    [true, false, false],
  )
})
