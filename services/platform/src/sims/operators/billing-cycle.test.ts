import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { cycleAt, cycleBefore, cycleProblem, settledCycleAt } from './billing-cycle.ts'
import { OperatorError } from './operator.ts'

const settings = { cycleDay: 1, timeZone: 'Asia/Kolkata', cycleSettleMinutes: 120 }

test('a cycle begins by the clocks of the account', () => {
  const cycle = cycleAt(settings, new Date('2026-10-31T18:30:00Z'))
  assert.deepEqual(
    [cycle.firstDay, cycle.start.toISOString(), cycle.end.toISOString()],
    ['2026-11-01', '2026-10-31T18:30:00.000Z', '2026-11-30T18:30:00.000Z'],
  )
  assert.equal(cycleAt(settings, new Date('2026-10-31T18:29:59Z')).firstDay, '2026-10-01')
  assert.equal(cycleBefore(settings, cycle).firstDay, '2026-10-01')
})

test('every instant is in one cycle, and cycles follow each other without a gap', () => {
  const zones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe']
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 28 }),
      fc.constantFrom(...zones),
      fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      (cycleDay, timeZone, at) => {
        const own = { ...settings, cycleDay, timeZone }
        const cycle = cycleAt(own, at)
        assert.ok(cycle.start <= at && at < cycle.end)
        assert.equal(cycle.firstDay.slice(8), String(cycleDay).padStart(2, '0'))
        assert.deepEqual(cycleBefore(own, cycle).end, cycle.start)
        assert.deepEqual(cycleAt(own, cycle.end).start, cycle.end)
      },
    ),
    { numRuns: 300 },
  )
})

test('just after a cycle began it is unknown whose a counter is', () => {
  const begins = new Date('2026-10-31T18:30:00Z')
  assert.throws(
    () => settledCycleAt(settings, new Date(begins.getTime() + 3_600_000)),
    (error) => error instanceof OperatorError && error.kind === 'unavailable' && error.retryAfterMs === 3_600_000,
  )
  assert.deepEqual(settledCycleAt(settings, new Date(begins.getTime() + 7_200_000)).start, begins)
})

test('a zone that does not exist is named', () => {
  assert.equal(cycleProblem(settings), undefined)
  assert.match(cycleProblem({ ...settings, timeZone: 'Mars/Olympus' }) ?? '', /Mars\/Olympus/)
})
