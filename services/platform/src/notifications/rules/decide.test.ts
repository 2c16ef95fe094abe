// Goal: which messages are due by a rule, at whatever hour and on days on which clocks change. Method: the pure function, and a clock that is an argument.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DoneStep, decide, MAX_REPEATS } from './decide.ts'
import { firstAllowed } from './hours.ts'
import type { Rule } from './rule.ts'

const at = (text: string) => new Date(text)
const OPENED = at('2026-03-02T10:00:00Z')
const plain: Rule = {
  ...{
    ruleId: 'nrl-a',
    name: 'Ours',
    ownerId: undefined,
    subClientId: undefined,
    isEnabled: true,
    minSeverity: 'medium',
    components: undefined,
  },
  ...{
    vehicleIds: undefined,
    vehicleGroupIds: undefined,
    recipients: ['usr-a'],
    workingHours: undefined,
    quietHours: undefined,
    criticalAtAnyHour: false,
  },
  ...{ repeatMinutes: undefined, escalation: undefined, digest: undefined, digestedUntil: undefined },
  ...{ createdAt: at('2026-01-01T00:00:00Z'), updatedAt: at('2026-01-01T00:00:00Z') },
}
const incident: Parameters<typeof decide>[0] = {
  ...{ subClientId: 'north', severity: 'high', component: 'cooling', vehicleId: 'veh-a', openedAt: OPENED, updatedAt: OPENED },
  ...{ groupIds: ['vgr-a'], status: 'open', snoozedUntil: undefined },
}
const decided = (rule: Partial<Rule>, time: string, done: DoneStep[] = [], more: object = {}, timeZone = 'UTC') =>
  decide({ ...incident, ...more }, { ...plain, ...rule }, done, { at: at(time), timeZone })
const stepsOf = (...given: Parameters<typeof decided>) => decided(...given).due.map(({ step }) => step)
const NOW = '2026-03-02T10:00:00Z'
const first = { step: 'first', at: at(NOW) }

test('an incident is one message, and then none', () => {
  assert.deepEqual(decided({}, NOW), { due: [{ step: 'first', recipients: ['usr-a'], dueAt: OPENED }], nextAt: undefined })
  assert.deepEqual(decided({}, '2026-03-05T10:00:00Z', [first]), { due: [], nextAt: undefined })
})

test('a rule is about its severities, components, vehicles and sub-client, and about what opens or changes after it was made', () => {
  const isSent = (rule: Partial<Rule>, more = {}) => stepsOf(rule, NOW, [], more).length === 1
  assert.deepEqual(
    [
      { minSeverity: 'critical' },
      { components: ['battery'] },
      { vehicleIds: ['veh-b'] },
      { subClientId: 'south' },
      { isEnabled: false },
      { digest: { at: '07:30', timeZone: 'UTC' }, digestedUntil: at(NOW) },
    ].map((rule) => isSent(rule as Partial<Rule>)),
    [false, false, false, false, false, false],
  )
  assert.deepEqual(
    [{ minSeverity: 'high' }, { components: ['cooling'] }, { vehicleIds: ['veh-a'] }, { subClientId: 'north' }].map((rule) =>
      isSent(rule as Partial<Rule>),
    ),
    [true, true, true, true],
  )
  const late = { createdAt: at('2026-03-02T10:30:00Z') }
  assert.equal(isSent(late), false)
  assert.equal(isSent(late, { updatedAt: at('2026-03-02T10:31:00Z') }), true)
  assert.equal(isSent({ vehicleIds: ['veh-a'] }, { vehicleId: undefined }), false)
})

test('a part that people name themselves is the same however its words are joined', () => {
  const isSent = (rule: string, part: string) => stepsOf({ components: [rule] }, NOW, [], { component: part }).length === 1
  const ways = ['air filter', 'air-filter', 'air_filter']
  for (const rule of ways) assert.ok(ways.every((part) => isSent(rule, part)))
  assert.equal(isSent('air filter', 'airfilter'), false)
})

test('a rule is about the vehicles that it names and those of its groups', () => {
  const isSent = (rule: Partial<Rule>, more = {}) => stepsOf(rule, NOW, [], more).length === 1
  assert.equal(isSent({ vehicleGroupIds: ['vgr-b', 'vgr-a'] }), true)
  assert.equal(isSent({ vehicleGroupIds: ['vgr-b'] }), false)
  assert.equal(isSent({ vehicleGroupIds: ['vgr-a'] }, { groupIds: [] }), false)
  assert.equal(isSent({ vehicleGroupIds: ['vgr-b'], vehicleIds: ['veh-a'] }), true)
  assert.equal(isSent({ vehicleGroupIds: ['vgr-a'], vehicleIds: ['veh-b'] }), true)
  assert.equal(isSent({ vehicleGroupIds: ['vgr-a'] }, { vehicleId: undefined, groupIds: [] }), false)
})

test('nothing is sent of what is acknowledged, snoozed or resolved, and a snooze that ends is looked at again', () => {
  const rule = { repeatMinutes: 30, escalation: { afterMinutes: 15, recipients: ['usr-b'] } }
  const later = '2026-03-02T12:00:00Z'
  assert.deepEqual(stepsOf(rule, later, [first]), ['escalation', 'repeat.1'])
  assert.deepEqual(decided(rule, later, [first], { status: 'acknowledged' }), { due: [], nextAt: undefined })
  assert.deepEqual(decided(rule, later, [first], { status: 'resolved' }), { due: [], nextAt: undefined })
  const snoozed = { status: 'snoozed', snoozedUntil: at('2026-03-02T13:00:00Z') }
  assert.deepEqual(decided(rule, later, [first], snoozed), { due: [], nextAt: snoozed.snoozedUntil })
  assert.deepEqual(stepsOf(rule, '2026-03-02T13:00:00Z', [first], snoozed), ['escalation', 'repeat.1'])
})

test('it is repeated as long as it is open, at most so often, and after an escalation to both', () => {
  const rule = { repeatMinutes: 30, escalation: { afterMinutes: 45, recipients: ['usr-b', 'usr-a'] } }
  assert.deepEqual(decided(rule, NOW).nextAt, at('2026-03-02T10:30:00Z'))
  assert.deepEqual(stepsOf(rule, '2026-03-02T10:29:59Z', [first]), [])
  assert.deepEqual(stepsOf(rule, '2026-03-02T10:30:00Z', [first]), ['repeat.1'])
  const done = [first, { step: 'repeat.1', at: at('2026-03-02T10:30:00Z') }]
  assert.deepEqual(decided(rule, '2026-03-02T10:30:00Z', done), { due: [], nextAt: at('2026-03-02T10:45:00Z') })
  const escalated = [...done, { step: 'escalation', at: at('2026-03-02T10:45:00Z') }]
  const [second] = decided(rule, '2026-03-02T11:00:00Z', escalated).due
  assert.deepEqual([second?.step, second?.recipients], ['repeat.2', ['usr-a', 'usr-b']])
  const many = Array.from({ length: MAX_REPEATS }, (_, nth) => ({ step: `repeat.${nth + 1}`, at: at(NOW) }))
  assert.deepEqual(stepsOf({ repeatMinutes: 30 }, '2026-04-02T10:00:00Z', [first, ...many]), [])
  assert.deepEqual(stepsOf({ repeatMinutes: 30 }, '2026-04-02T10:00:00Z', [first, ...many.slice(1)]), [`repeat.${MAX_REPEATS}`])
})

test('it waits for working hours and for the end of quiet hours, but for what is critical where the rule says so', () => {
  const workingHours = { days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }
  // A Friday evening in Kolkata.
  assert.deepEqual(decided({ workingHours }, '2026-03-06T12:00:00Z', [], {}, 'Asia/Kolkata'), {
    due: [],
    nextAt: at('2026-03-09T02:30:00Z'),
  })
  const quietHours = { from: '22:00', to: '06:00' }
  assert.deepEqual(decided({ quietHours }, '2026-03-02T23:10:00Z'), { due: [], nextAt: at('2026-03-03T06:00:00Z') })
  const critical = { severity: 'critical' }
  assert.deepEqual(stepsOf({ quietHours }, '2026-03-02T23:10:00Z', [], critical), [])
  assert.deepEqual(stepsOf({ quietHours, criticalAtAnyHour: true }, '2026-03-02T23:10:00Z', [], critical), ['first'])
  assert.deepEqual(stepsOf({ quietHours, criticalAtAnyHour: true }, '2026-03-02T23:10:00Z'), [])
  const neverOpen = { workingHours: { days: [1], from: '08:00', to: '10:00' }, quietHours: { from: '08:00', to: '10:00' } }
  assert.deepEqual(decided(neverOpen, NOW), { due: [], nextAt: undefined })
})

test('on days on which clocks change, hours are those on the wall', () => {
  const zone = 'Europe/Berlin'
  const first = (hours: Partial<Rule>, time: string) =>
    firstAllowed({ workingHours: undefined, quietHours: undefined, ...hours }, zone, at(time))
  const until6 = { quietHours: { from: '22:00', to: '06:00' } }
  // Clocks go forward on 2026-03-29 at 02:00 (UTC+1 before, UTC+2 after), and back on 2026-10-25 at 03:00.
  assert.deepEqual(first(until6, '2026-03-28T23:30:00Z'), at('2026-03-29T04:00:00Z'))
  assert.deepEqual(first(until6, '2026-10-24T21:30:00Z'), at('2026-10-25T05:00:00Z'))
  // 02:30 is not on the wall that night: 03:00, the first time after it, is.
  assert.deepEqual(first({ quietHours: { from: '22:00', to: '02:30' } }, '2026-03-28T23:30:00Z'), at('2026-03-29T01:00:00Z'))
  // An hour that is there twice is quiet twice.
  const night = { quietHours: { from: '02:00', to: '03:00' } }
  assert.deepEqual(first(night, '2026-10-25T00:10:00Z'), at('2026-10-25T02:00:00Z'))
  // Working hours within the hour that is left out begin a week later.
  const lost = { workingHours: { days: [7], from: '02:00', to: '03:00' } }
  for (const time of ['2026-03-28T12:00:00Z', '2026-03-22T02:00:00Z']) assert.deepEqual(first(lost, time), at('2026-04-05T00:00:00Z'))
})
