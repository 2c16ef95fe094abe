import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { Prediction } from '@roadworthy/contracts/platform-v1/predictions'
import { startOf } from './calendar-day.ts'
import { entriesOf, isMonth, rangeOf, shiftMonth, weeksOf } from './calendar-month.ts'

const at = (day: string) => new Date(`${day}T12:00:00`).toISOString()

test('a month is whole weeks from Monday, with every one of its days once', () => {
  const weeks = weeksOf('2026-11')
  assert.ok(weeks.every((week) => week.length === 7))
  assert.equal(weeks[0]?.indexOf('2026-11-01'), 6, 'a Sunday')
  assert.equal(weeks.flat().filter((day) => day !== undefined).length, 30)
  assert.equal(weeksOf('2027-02').length, 4, 'a February that begins on a Monday')
  assert.equal(weeksOf('2028-02').flat().at(1), '2028-02-01')
})

test('months follow each other over the end of a year, and what is no month is none', () => {
  assert.deepEqual([shiftMonth('2026-12', 1), shiftMonth('2026-01', -1), shiftMonth('2026-05', 12)], ['2027-01', '2025-12', '2027-05'])
  assert.equal(rangeOf('2026-12').to.getFullYear(), 2027)
  assert.deepEqual([isMonth('2026-11'), isMonth('2026-13'), isMonth('2026-1'), isMonth(202611)], [true, false, false, false])
})

test('work is done, planned, or overdue once its day is over; a date that was set differs from one that use or wear leads to expect', () => {
  const work = (fields: object) =>
    ({ id: 'mnt-1', vehicleId: 'veh-1', component: 'brakes', notes: null, completedAt: null, dueAt: null, ...fields }) as Maintenance
  const schedule = (status: string, next: object) =>
    ({ id: 'msc-1', vehicleId: 'veh-1', title: 'Oil', status, next: { at: null, expectedAt: null, ...next } }) as Schedule
  const prediction = {
    id: 'prd-1',
    vehicleId: 'veh-1',
    component: 'battery',
    rul_days: 2,
    interval: [1, 40],
    updatedAt: at('2026-11-20'),
  } as Prediction
  const entries = entriesOf(
    '2026-11',
    {
      work: [
        work({ completedAt: at('2026-11-03') }),
        work({ dueAt: at('2026-11-04') }),
        work({ dueAt: at('2026-11-10'), notes: 'Pads' }),
        work({}),
        work({ dueAt: at('2026-12-01') }),
      ],
      schedules: [
        schedule('ok', { at: at('2026-11-12'), expectedAt: at('2026-11-12') }),
        schedule('ok', { expectedAt: at('2026-11-13') }),
        schedule('overdue', { expectedAt: at('2026-11-10') }),
        schedule('unknown', {}),
      ],
      predictions: [prediction],
    },
    startOf('2026-11-10'),
  )
  assert.deepEqual(
    entries.map(({ day, kind, title }) => [day.slice(8), kind, title]),
    [
      ['03', 'done', 'Brakes'],
      ['04', 'overdue', 'Brakes'],
      ['10', 'overdue', 'Oil'],
      ['10', 'planned', 'Brakes: Pads'],
      ['12', 'due', 'Oil'],
      ['13', 'expected', 'Oil'],
      ['22', 'predicted', 'Battery'],
    ],
  )
  assert.deepEqual(entries.at(-1)?.between, ['2026-11-21', '2026-12-30'])
  // In Sydney the 5th begins in the afternoon of the 4th of London.
  const [ofSydney] = entriesOf(
    '2026-11',
    { work: [work({ dueAt: at('2026-11-04') })], schedules: [], predictions: [] },
    new Date(Date.parse(at('2026-11-04')) + 1),
  )
  assert.deepEqual([ofSydney?.day, ofSydney?.kind], ['2026-11-04', 'overdue'])
})
