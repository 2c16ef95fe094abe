import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datedAdvice, datedAdviceByComponent } from './dated-advice.ts'

const words = { what: 'Replace it', why: 'It is worn', risk: 'It breaks' }
const times = { judgedAt: new Date('2026-01-31T23:00:00.000Z'), today: new Date('2026-02-03T00:30:00.000Z') }
const use = { odometerKm: 80_000.4, kmPerDay: 250 }
const unused = { odometerKm: undefined, kmPerDay: undefined }

const of = (act: string, interval: [number, number] | undefined, basis: object = {}) => {
  const advice = interval === undefined ? { act, ...words } : { act, interval, ...words }
  const dated = datedAdvice(advice, { leadDays: 7, ...use, ...basis }, times)
  return [dated?.by, dated?.byOdometerKm]
}

test('work is advised by the early end of the interval less the lead time, from the reading that was judged', () => {
  assert.deepEqual(of('plan', [11, 48]), ['2026-02-04', 81_000])
  assert.deepEqual(of('plan', [11, 48], { leadDays: 0 }), ['2026-02-11', 82_750])
  assert.deepEqual(of('next_service', [11, 48], unused), ['2026-02-04', undefined])
})

test('what is short of the lead time is due at the reading itself and never before it', () => {
  assert.deepEqual(of('plan', [2, 48]), ['2026-01-31', 80_000])
  assert.deepEqual(of('plan', [2, 48], { leadDays: 90, kmPerDay: undefined }), ['2026-01-31', 80_000])
})

test('what must not wait is due today, wherever the interval lies; without an interval nothing else has a day', () => {
  assert.deepEqual(of('stop', [11, 48]), ['2026-02-03', 80_000])
  assert.deepEqual(of('now', undefined, unused), ['2026-02-03', undefined])
  assert.deepEqual(of('plan', undefined), [undefined, undefined])
})

test('the day is one of the zone, so that nothing is to be done on the day before it began', () => {
  const dated = (timeZone: string) => datedAdvice({ act: 'stop', ...words }, { leadDays: 7, ...use }, { ...times, timeZone })?.by
  assert.deepEqual([dated('Asia/Kolkata'), dated('America/Bogota')], ['2026-02-03', '2026-02-02'])
})

test('a life without end has a day in a calendar', () => {
  assert.deepEqual(of('next_service', [1e300, 1e300], unused), ['2126-01-07', undefined])
})

test('what runs on is not due by a day: low fuel is not refuelled before the fuel pump wears out', () => {
  assert.deepEqual(of('run_on', [498, 9517]), [undefined, undefined])
})

test('an act that is not known is left out', () => {
  const basis = { leadDays: 7, ...use }
  assert.deepEqual(
    Object.keys(datedAdviceByComponent({ brakes: { act: 'pray', ...words }, fuel: { act: 'now', ...words } }, basis, times)),
    ['fuel'],
  )
  assert.deepEqual(datedAdviceByComponent(undefined, basis, times), {})
})
