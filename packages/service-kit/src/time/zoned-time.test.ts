import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  dayAt,
  isDay,
  isMonth,
  isTimeZone,
  localTextAt,
  monthAt,
  monthBefore,
  monthOfLabel,
  periodsBetween,
  startOfDay,
} from './zoned-time.ts'

const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z')
const hoursOf = ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) => (untilMs - fromMs) / 3_600_000

test('names of zones are known, offsets and nonsense are not', () => {
  for (const name of ['Asia/Kolkata', 'America/New_York', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    assert.ok(isTimeZone(name), name)
  for (const name of ['+05:30', '', 'Asia/Nowhere', 'Kolkata time', '../UTC']) assert.ok(!isTimeZone(name), name)
})

test('days and months that do not exist are distinguished from those that do', () => {
  assert.ok(isDay('2028-02-29') && isMonth('2026-12') && isDay('1970-01-01') && isMonth('9999-11'))
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '2026-00-10', '2026-11', '0100-01-01', '1969-12-31', '9999-12-31'])
    assert.ok(!isDay(text), text)
  for (const text of ['2026-13', '2026-00', '2026-1', '2026-11-01', '9999-12', '0100-01']) assert.ok(!isMonth(text), text)
})

test('days begin by the wall clock', () => {
  const cases = [
    ['Asia/Kolkata', '2026-11-01', '2026-10-31T18:30Z'],
    ['Asia/Kathmandu', '2026-11-01', '2026-10-31T18:15Z'],
    ['Pacific/Kiritimati', '2026-11-01', '2026-10-31T10:00Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00Z'],
    // Clocks go forward at midnight: the day begins at one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z'],
    // Clocks go back at midnight: the day before has its last hour twice.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00Z'],
    ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30Z'],
    // There was none: the next one begins there.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00Z'],
  ] as const
  for (const [zone, day, expected] of cases) assert.equal(iso(startOfDay(zone, day)), expected, `${zone} ${day}`)
})

test('days with 23, 25 and 24.5 hours, and the instants on both sides of their ends', () => {
  const spring = dayAt('America/New_York', Date.parse('2026-03-08T12:00Z'))
  const autumn = dayAt('America/New_York', Date.parse('2026-11-01T12:00Z'))
  assert.deepEqual([spring.label, hoursOf(spring), autumn.label, hoursOf(autumn)], ['2026-03-08', 23, '2026-11-01', 25])
  assert.equal(hoursOf(dayAt('Australia/Lord_Howe', Date.parse('2026-04-05T00:00Z'))), 24.5)
  assert.equal(dayAt('America/New_York', autumn.untilMs - 1).label, '2026-11-01')
  assert.equal(dayAt('America/New_York', autumn.untilMs).label, '2026-11-02')
})

test('months end where the next begins', () => {
  const november = monthAt('America/New_York', Date.parse('2026-11-20T00:00Z'))
  assert.deepEqual([november.label, iso(november.fromMs), iso(november.untilMs)], ['2026-11', '2026-11-01T04:00Z', '2026-12-01T05:00Z'])
  assert.deepEqual(monthOfLabel('America/New_York', '2026-11'), november)
  assert.equal(monthAt('Asia/Kolkata', Date.parse('2026-12-31T18:30Z')).label, '2027-01')
  assert.equal(monthBefore('2027-01'), '2026-12')
})

test('periods follow each other without a gap, whatever the clocks do', () => {
  for (const [granularity, from, until, count] of [
    ['month', '2026-01-01', '2027-02-01', 13],
    ['day', '2026-02-27', '2026-11-03', 249],
    ['hour', '2026-10-31', '2026-11-02', 49],
    ['hour', '2026-03-08', '2026-03-09', 23],
  ] as const) {
    const periods = periodsBetween('America/New_York', granularity, from, until)
    assert.equal(periods.length, count)
    assert.equal(new Set(periods.map(({ label }) => label)).size, count)
    for (const [nth, { fromMs }] of periods.entries()) if (nth > 0) assert.equal(fromMs, periods[nth - 1]?.untilMs)
  }
  assert.deepEqual(
    periodsBetween('America/New_York', 'hour', '2026-11-01', '2026-11-02')
      .slice(1, 3)
      .map(({ label }) => label),
    ['2026-11-01T01:00-04:00', '2026-11-01T01:00-05:00'],
  )
  assert.deepEqual(
    periodsBetween('Pacific/Apia', 'day', '2011-12-29', '2012-01-01').map(({ label }) => label),
    ['2011-12-29', '2011-12-31'],
  )
})

test('what is kept of zones is bounded, however the name of one is written', async (t) => {
  const made: WeakRef<Intl.DateTimeFormat>[] = []
  const { DateTimeFormat } = Intl
  class Watched extends DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof DateTimeFormat>) {
      super(...given)
      made.push(new WeakRef(this))
    }
  }
  // Not by a mock, which keeps what it made.
  Object.assign(Intl, { DateTimeFormat: Watched })
  t.after(() => Object.assign(Intl, { DateTimeFormat }))
  const letters = [...'europeberlin']
  for (let nth = 0; nth < 1_500; nth++) {
    const timeZone = letters.map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter))
    timeZone.splice(6, 0, '/')
    assert.equal(localTextAt(timeZone.join(''), Date.UTC(2026, 10, 5)), '2026-11-05T01:00:00')
  }
  // What a WeakRef was made of in a turn is kept for that turn.
  await nextTurn()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const keptCount = made.filter((each) => each.deref() !== undefined).length
  assert.ok(made.length >= 1_000 && keptCount <= 600, `${keptCount} of ${made.length} are kept`)
})
