import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueOf, judgeSchedule, remindersOf, type SchedulePlan, withMetersKnown } from './schedule.ts'
import { type KnownUse, nothingKnown } from './use.read.sql.ts'

const START_MS = Date.parse('2026-05-04T10:00:00.000Z')
const DAY_MS = 86_400_000
const day = (days: number) => new Date(START_MS + days * DAY_MS)

function plan(every: Partial<SchedulePlan['every']>, remind: Partial<SchedulePlan['remind']> = {}): SchedulePlan {
  return {
    component: 'brakes',
    title: 'Brake pads',
    every: { days: undefined, km: undefined, engineHours: undefined, ...every },
    remind: { days: 14, km: 500, engineHours: 20, ...remind },
    last: { at: day(0), odometerKm: 80_000, engineHours: 100 },
  }
}

const odometer = (odometerKm: number, onDay: number, kmPerDay?: number): KnownUse => ({
  ...nothingKnown,
  odometerKm,
  odometerAt: day(onDay),
  kmPerDay,
})

test('by time: due soon within the reminder, overdue on the day', () => {
  const statuses = [0, 351, 352, 364.9, 365, 500].map((now) => judgeSchedule(plan({ days: 366 }), nothingKnown, day(now)).status)
  assert.deepEqual(statuses, ['ok', 'ok', 'due_soon', 'due_soon', 'due_soon', 'overdue'])
  assert.deepEqual(judgeSchedule(plan({ days: 366 }), nothingKnown, day(1)).expectedAt, day(366))
})

test('by distance: expected on the day that the use of the vehicle gives', () => {
  const judge = (use: KnownUse, now: number) => judgeSchedule(plan({ km: 10_000 }), use, day(now))
  assert.deepEqual(judge(odometer(81_000, 10, 100), 10), { status: 'ok', expectedAt: day(100) })
  assert.deepEqual(judge(odometer(81_000, 10), 10), { status: 'ok', expectedAt: undefined })
  assert.equal(judge(odometer(89_500, 10), 10).status, 'due_soon')
  assert.deepEqual(judge(odometer(88_700, 10, 100), 10), { status: 'due_soon', expectedAt: day(23) })
  assert.equal(judge(odometer(88_500, 10, 100), 10).status, 'ok')
  assert.deepEqual(judge(odometer(90_000, 10, 100), 20), { status: 'overdue', expectedAt: day(10) })
})

test('a vehicle that is silent past the expected day is due soon, never overdue by what it may have driven', () => {
  const judged = judgeSchedule(plan({ km: 10_000 }), odometer(81_000, 10, 100), day(300))
  assert.deepEqual(judged, { status: 'due_soon', expectedAt: day(300) })
})

test('a vehicle that stands is never expected to get there', () => {
  assert.deepEqual(judgeSchedule(plan({ km: 10_000 }), odometer(81_000, 10, 0), day(10)), { status: 'ok', expectedAt: undefined })
})

test('by engine hours, and of several whichever comes first', () => {
  const use: KnownUse = { ...odometer(85_000, 10, 100), engineHours: 290, engineHoursAt: day(10), engineHoursPerDay: 10 }
  assert.deepEqual(judgeSchedule(plan({ engineHours: 500 }), use, day(10)), { status: 'ok', expectedAt: day(41) })
  assert.deepEqual(judgeSchedule(plan({ days: 365, km: 10_000, engineHours: 500 }), use, day(10)).expectedAt, day(41))
  assert.equal(judgeSchedule(plan({ days: 365, km: 10_000, engineHours: 200 }), use, day(10)).status, 'due_soon')
  assert.equal(judgeSchedule(plan({ days: 365, km: 4_000, engineHours: 500 }), use, day(10)).status, 'overdue')
})

test('what cannot be judged is unknown; with a time beside it, the time decides', () => {
  assert.equal(judgeSchedule(plan({ km: 10_000 }), nothingKnown, day(10)).status, 'unknown')
  assert.equal(judgeSchedule(plan({ km: 10_000, days: 365 }), nothingKnown, day(10)).status, 'ok')
})

test('a schedule that began before the odometer was known counts from the first that is', () => {
  const begun = { ...plan({ km: 10_000 }), last: { at: day(0), odometerKm: undefined, engineHours: undefined } }
  assert.equal(dueOf(begun).odometerKm, undefined)
  assert.equal(dueOf(withMetersKnown(begun, odometer(40_000, 3))).odometerKm, 50_000)
  assert.equal(withMetersKnown(begun, odometer(40_000, 3)).last.engineHours, undefined)
})

test('reminders are short beside their interval, and one that would stand always is refused', () => {
  assert.deepEqual(remindersOf({ days: 365, km: 40_000, engineHours: undefined }), { days: 14, km: 500, engineHours: 20 })
  assert.deepEqual(remindersOf({ days: 30, km: 1000, engineHours: 50 }), { days: 6, km: 200, engineHours: 10 })
  assert.throws(
    () => remindersOf({ days: 30, km: undefined, engineHours: undefined }, { days: 30 }),
    /"remind.days" must be less than "every.days"/,
  )
})
